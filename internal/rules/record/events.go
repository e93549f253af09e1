package record

import (
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var (
	adk               = []string{transcript.ADK}
	tellsOfExecutions = []protocol.Feature{protocol.Events, protocol.Executions}
)

// adkEvent is a rule about the turn events of @nhtio/adk.
func adkEvent(id string, level trace.Level, text, why, evidence, says string, needs []protocol.Feature, run func(*rules.Run) rules.CheckResult) rules.Rule {
	return rules.Rule{
		ID: id, Level: level, Text: text, Why: why, Invariant: true, Needs: needs, Formats: adk,
		Evidence: evidence, Sources: []rules.Source{{URL: adkDocs, Says: says}}, Run: run,
	}
}

// eventRules are the rules about what events tell of calls.
var eventRules = []rules.Rule{
	adkEvent("record/call-announced", trace.Must,
		"There is an event for a call before it is done.",
		"An observer sees a result without its call.",
		"a call that the loop ran or answered, in a run that used tools",
		"emitted at least once when the model requests a tool call",
		tellsEvents, callAnnounced),
	adkEvent("record/call-completed", trace.Must,
		"There is another event with the same id and the results when a call is done.",
		"An observer waits forever.",
		"a call that the loop ran or answered and announced",
		"the same id is re-emitted with results populated and isComplete true",
		tellsEvents, callCompleted),
	adkEvent("record/call-sealed", trace.Must,
		"There are no further events for a call after it is done.",
		"Results change after they were used.",
		"an event for a call that is done",
		"isComplete: true once the tool call has finished",
		tellsEvents, callSealed),
	adkEvent("record/announcement-bare", trace.Must,
		"A call that is not done has no results, no error and no time of completion.",
		"An observer believes that a running call is done.",
		"a call that was announced",
		"results: absent until execution completes; completedAt: when the call completed",
		tellsEvents, announcementBare),
	adkEvent("record/event-arguments", trace.Must,
		"The arguments in an event are those that the model supplied.",
		"A user who approves the call approves another one.",
		"an event of a call whose arguments are an object",
		"args: arguments the model supplied for the tool call",
		tellsEvents, eventArguments),
	adkEvent("record/event-carries-result", trace.Must,
		"The results of a call that is done are what the tool returned.",
		"An observer sees another result than the tool returned.",
		"an event for a successful call that is done",
		"results: result returned by the tool",
		tellsOfExecutions, eventCarriesResult),
	adkEvent("record/event-failure-marked", trace.Must,
		"The event of a failed call is marked as an error: its tool failed, does not exist, or refused the arguments.",
		"An observer mistakes an error message for a result.",
		"an event for a failed call that is done",
		"isError: true when the tool execution produced an error",
		tellsEvents, eventFailureMarked),
	adkEvent("record/event-success-not-marked", trace.Must,
		"The event of a successful call is not marked as an error.",
		"An observer repeats a call that succeeded.",
		"an event for a successful call that is done",
		"isError: true when the tool execution produced an error",
		tellsOfExecutions, eventSuccessNotMarked),
	adkEvent("record/event-says-why", trace.Must,
		"The results of a call that failed say why.",
		"The detail of an error is nowhere else.",
		"an event for a failed call that is marked as an error",
		"results contains the error detail",
		tellsEvents, eventSaysWhy),
	adkEvent("record/checksum", trace.Must,
		"The checksum of a call is SHA-256 over its tool and its raw arguments in canonical form.",
		"Guards that count equal calls count wrongly.",
		"an event of a call",
		"checksum: sha256({ tool, args }) over the raw arguments",
		tellsEvents, checksumOfCall),
	adkEvent("record/checksum-joins-executions", trace.Must,
		"The events of a tool's execution carry the checksum of the call.",
		"The two streams of events cannot be joined.",
		"an event of the execution of a tool",
		"equal to ToolExecutionStartEvent.callId and ToolExecutionEndEvent.callId",
		tellsOfExecutions, checksumJoinsExecutions),
	adkEvent("record/executions-as-run", trace.Should,
		"For every run of a tool there is one event that it starts and one that it ends, and none for a call that was not run.",
		"Durations and failures cannot be measured.",
		"an event of the execution of a tool",
		"fired after validation passes and before the handler is called, and after it returns or throws",
		tellsOfExecutions, executionsAsRun),
	adkEvent("record/equal-calls-counted", trace.Must,
		"Equal calls have the same checksum, and events with different ids.",
		"A guard that counts them sees one where there were two.",
		"two equal calls of the model, which the loop ran or answered",
		"collides by design for identical (tool, args); that is what toolCallCount counts",
		tellsEvents, equalCallsCounted),
}

func callAnnounced(r *rules.Run) (j rules.CheckResult) {
	if !r.UsedTools() {
		return j
	}
	for _, c := range r.ToldCalls {
		if c.HasEqual && len(c.Events) == 0 || !c.Settled {
			continue // equal calls are counted by a rule of their own
		}
		j.HasEvidence = true
		switch {
		case len(c.Events) == 0:
			findMistold(&j, c, "the events tell nothing of the call %s", "an event with isComplete false", nil)
		case c.Events[0].Complete:
			findMistold(&j, c, "the call %s was done before its first event", "an event with isComplete false first", c.Events[0].Node)
		}
	}
	return j
}

func callCompleted(r *rules.Run) (j rules.CheckResult) {
	eachTold(r, func(c rules.ToldCall) {
		if !c.Settled {
			return
		}
		j.HasEvidence = true
		switch e := c.Completion(); {
		case e == nil:
			findMistold(&j, c, "the events do not tell that the call %s is done", "an event with isComplete true under the same id", nil)
		case e.Results == nil:
			findMistold(&j, c, "the call %s is done and has no results", "results", e.Node)
		}
	})
	return j
}

func callSealed(r *rules.Run) (j rules.CheckResult) {
	eachTold(r, func(c rules.ToldCall) {
		done := slices.IndexFunc(c.Events, func(e transcript.Event) bool { return e.Complete })
		if done < 0 {
			return
		}
		j.HasEvidence = true
		if done < len(c.Events)-1 {
			findMistold(&j, c, "there was another event for the call %s after it was done", "nothing more under its id", c.Events[done+1].Node)
		}
	})
	return j
}

func announcementBare(r *rules.Run) (j rules.CheckResult) {
	eachTold(r, func(c rules.ToldCall) {
		for _, e := range c.Events {
			if e.Complete {
				return
			}
			j.HasEvidence = true
			if e.Results != nil || e.Failed || e.Finished != nil {
				findMistold(&j, c, "the call %s is not done and tells of its end", "neither results nor an error nor completedAt", e.Node)
			}
		}
	})
	return j
}

func eventArguments(r *rules.Run) (j rules.CheckResult) {
	eachTold(r, func(c rules.ToldCall) {
		if _, is := wire.ParseObject(c.Call.Arguments); !is {
			return
		}
		j.HasEvidence = true
		for _, e := range c.Events {
			if e.Args == nil || !wire.SameJSON(string(e.Args.Raw), c.Call.Arguments) {
				findMistold(&j, c, "the events tell of other arguments of the call %s than the model supplied", c.Call.Arguments, e.Node)
				return
			}
		}
	})
	return j
}

func eventCarriesResult(r *rules.Run) (j rules.CheckResult) {
	eachCompletion(r, func(c rules.ToldCall, e transcript.Event) {
		if !goodCall(r, c.CallRun) || e.Results == nil || c.Executions[0].Several() || c.Executions[0].Result == "" || len(c.Executions[0].Result) > rules.LongResult {
			return
		}
		j.HasEvidence = true
		told := resultsText(e.Results)
		if !rules.ContainsText(told, c.Executions[0].Result) && !rules.CleansText(told, c.Executions[0].Result) && !rules.CutsText(told, c.Executions[0].Result) {
			findMistold(&j, c, "the results of the call %s are not what the tool returned", rules.Quote(c.Executions[0].Result), e.Node)
		}
	})
	return j
}

func failedInSomeWay(c rules.CallRun) bool { return failedCall(c) || unknownCall(c) || invalidCall(c) }

func eventFailureMarked(r *rules.Run) (j rules.CheckResult) {
	eachCompletion(r, func(c rules.ToldCall, e transcript.Event) {
		if !failedInSomeWay(c.CallRun) {
			return
		}
		j.HasEvidence = true
		if !e.Failed {
			findMistold(&j, c, "the event of the failed call %s is not marked as an error", "isError true", e.Node)
		}
	})
	return j
}

func eventSuccessNotMarked(r *rules.Run) (j rules.CheckResult) {
	eachCompletion(r, func(c rules.ToldCall, e transcript.Event) {
		if !goodCall(r, c.CallRun) {
			return
		}
		j.HasEvidence = true
		if e.Failed {
			findMistold(&j, c, "the event of the successful call %s is marked as an error", "isError false", e.Node)
		}
	})
	return j
}

func eventSaysWhy(r *rules.Run) (j rules.CheckResult) {
	eachCompletion(r, func(c rules.ToldCall, e transcript.Event) {
		if !failedInSomeWay(c.CallRun) || !e.Failed || e.Results == nil {
			return
		}
		why := ""
		if c.Trouble == scenarios.NoTrouble && !c.Executions[0].Several() {
			why = c.Executions[0].Result
		}
		j.HasEvidence = true
		if text := resultsText(e.Results); text == "" || text == "null" || !rules.ContainsText(text, why) {
			findMistold(&j, c, "the results of the call %s, which failed, do not say why", "the error detail "+rules.Quote(why), e.Node)
		}
	})
	return j
}

func checksumOfCall(r *rules.Run) (j rules.CheckResult) {
	eachTold(r, func(c rules.ToldCall) {
		want := transcript.Checksum(c.Call.Name, c.Call.Arguments)
		for _, e := range c.Events {
			if !rules.TellsOf(e, c.Call) {
				return // of other arguments: event-arguments looks at those
			}
			j.HasEvidence = true
			if e.Sum != want {
				findMistold(&j, c, "the checksum of the call %s is another one", want, e.Node)
				return
			}
		}
	})
	return j
}

// eventsOf returns the events of a kind.
func eventsOf(r *rules.Run, kind transcript.Kind) []transcript.Event {
	if r.Events.Read == nil || !r.UsedTools() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Events.Read.Events), func(e transcript.Event) bool { return e.Kind != kind })
}

func checksumJoinsExecutions(r *rules.Run) (j rules.CheckResult) {
	var sums []string // of all calls that the events tell of: a tool that was started at the end of the time may not have been reached
	for _, e := range eventsOf(r, transcript.CallEvent) {
		if !slices.Contains(sums, e.Sum) {
			sums = append(sums, e.Sum)
		}
	}
	for _, e := range slices.Concat(eventsOf(r, transcript.StartTool), eventsOf(r, transcript.EndTool)) {
		if e.Sum == "" || len(sums) == 0 {
			continue // the format allows to leave it empty
		}
		j.HasEvidence = true
		if !slices.Contains(sums, e.Sum) {
			j.Find(trace.Finding{Message: "an execution has a callId that is the checksum of no call", Expected: rules.List(sums), Actual: place(e.Node)})
		}
	}
	return j
}

func executionsAsRun(r *rules.Run) (j rules.CheckResult) {
	starts, ends := eventsOf(r, transcript.StartTool), eventsOf(r, transcript.EndTool)
	if len(starts)+len(ends) == 0 {
		return j
	}
	j.HasEvidence = true
	for _, kind := range []struct {
		what   string
		events []transcript.Event
	}{{"starts", starts}, {"ends", ends}} {
		more := len(kind.events) - len(r.Executions)
		unreached := more > 0 && (r.TimeWasOver() || more <= cutOff(r)) // their requests had no time to come
		if more != 0 && !unreached {
			j.Find(trace.Finding{
				Message:  "the events do not tell of every run of a tool that it " + kind.what + ", or of one that never was",
				Expected: rules.Plural(len(r.Executions), "event"),
				Actual:   rules.Plural(len(kind.events), "event"),
			})
		}
	}
	return j
}

// cutOff returns how many calls may have been cancelled before they reached their tools, beside one
// that did: on a busy machine the request for a tool is made, and taken back, before it is seen.
func cutOff(r *rules.Run) (n int) {
	for _, c := range r.Calls() {
		if r.Interrupted(c.Turn) && c.Turn.Cancelled(scenarios.DuringTool) && len(c.Executions) == 0 {
			n++
		}
	}
	return n
}

func equalCallsCounted(r *rules.Run) (j rules.CheckResult) {
	if !r.UsedTools() {
		return j
	}
	for _, c := range r.ToldCalls {
		if !c.HasEqual || !c.Settled {
			continue
		}
		j.HasEvidence = true
		if len(c.Events) == 0 {
			findMistold(&j, c, "the events do not tell of the call %s apart from an equal one", "events under an id of its own", nil)
		}
	}
	return j
}
