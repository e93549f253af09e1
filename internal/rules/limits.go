package rules

import (
	"fmt"
	"time"

	"github.com/loopproof/loopproof/protocol"
)

var turnLimit = []protocol.Feature{protocol.TurnLimit}

// limits are the rules about when a loop stops.
var limits = []Rule{
	{
		ID:          "limits/turn-limit-respected",
		Level:       Must,
		Text:        "A loop asks the model for no more turns than its limit allows, but for one last word for which it can call no tool.",
		Why:         "A model that goes round in circles costs money until somebody looks.",
		Invariant:   true,
		Needs:       turnLimit,
		AnyDelivery: true,
		Evidence:    "as many turns as the limit allows",
		Sources: []Source{
			{"https://github.com/langchain4j/langchain4j/issues/4204", "a fixed limit instead of the configured one"},
			{"https://openrouter.ai/docs/agent-sdk/call-model/stop-conditions", "a loop has a condition on which it stops"},
			{"https://github.com/huggingface/smolagents/blob/main/src/smolagents/agents.py", "provide_final_answer: at the limit the model is asked once more, without tools"},
			{"https://github.com/livekit/agents/pull/4747", "the same with tool_choice none, so that the user gets an answer"},
		},
		Run: turnLimitRespected,
	},
	{
		ID:        "limits/limit-is-told",
		Level:     Must,
		Text:      "A run that ended at its turn limit with a tool call is not reported as completed.",
		Why:       "The caller takes an unfinished task for a finished one.",
		Invariant: true,
		Needs:     turnLimit,
		Evidence:  "an outcome at the turn limit",
		Sources: []Source{
			{"https://github.com/featherless-ai/open-agent-loops", "the cap ends the run without an answer"},
		},
		Run: limitIsTold,
	},
	{
		ID:        "limits/all-turns-allowed",
		Level:     Should,
		Text:      "A loop does not stop before its turn limit is reached.",
		Why:       "The caller allowed as many turns as the task needs, and gets no answer.",
		Invariant: true,
		Needs:     turnLimit,
		Evidence:  "as many turns as the limit allows, by a loop that used tools",
		Sources: []Source{
			{adapterDocs, "max_turns: after how many answers of the model the loop stops by itself"},
			{"https://github.com/langchain4j/langchain4j/issues/4204", "a fixed limit instead of the configured one"},
		},
		Run: allTurnsAllowed,
	},
	{
		ID:       "limits/silent-tool-given-up",
		Level:    Info,
		Text:     "A loop that has a time for its task gives up a tool that does not return when the time is over.",
		Why:      "One tool that hangs makes the whole run hang, and nobody is told.",
		Needs:    seesTools,
		Evidence: "what a loop that used tools did when one ran for longer than its time",
		Sources: []Source{
			{adapterDocs, "timeout_ms: when the task is given up"},
			{"https://github.com/mastra-ai/mastra/issues/18594", "a tool without a limit: the loop waits for ever"},
			{"https://github.com/anthropics/claude-code/issues/34565", "a tool that never returned, and a process that ran for eleven hours"},
		},
		Run: silentToolGivenUp,
	},
	{
		ID:        "limits/answer-asked-for-once",
		Level:     Should,
		Text:      "An answer that came whole is not asked for again.",
		Why:       "Every answer is paid for, and the next one may be another.",
		Invariant: true,
		Evidence:  "a request with a tool result",
		Sources: []Source{
			{"https://github.com/Mintplex-Labs/anything-llm/issues/1360", "each request of an agent was sent twice"},
			{"https://github.com/continuedev/continue/issues/7452", "two identical requests, and the texts of both mixed up"},
		},
		Run: answerAskedForOnce,
	},
	{
		ID:          "limits/no-request-after-the-end",
		Level:       Must,
		Text:        "After the model's answer the loop asks nothing more.",
		Why:         "Each needless request is paid for, and a loop that does not stop never stops.",
		Invariant:   true,
		AnyDelivery: true,
		Evidence:    "an outcome after the last answer of the script",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/function-calling", "an answer without calls ends the loop"},
			{"https://github.com/anomalyco/opencode/pull/11152", "the same request repeated after stop"},
		},
		Run: noRequestAfterTheEnd,
	},
}

// turns returns how many turns of the model the loop was given before an exchange, or in the whole run for nil. Attempts
// that failed are none.
func (r *Run) turns(before *Exchange) int {
	turns := 0
	for _, x := range r.Taken() {
		if gaveTurn(x) && (before == nil || x.Number < before.Number) {
			turns++
		}
	}
	return turns
}

// gaveTurn reports whether the loop was given a whole turn of the model, of the script or behind its end.
func gaveTurn(x *Exchange) bool { return x.Overrun || x.Turn != nil && x.Turn.Whole() }

// lastWord reports whether an exchange is to end a run at its turn limit, with the last turn that the limit allows or one
// more: the model is asked so that it can call no tool, and answers with a text.
func (r *Run) lastWord(x *Exchange) bool {
	limit := r.Script.Scenario.MaxTurns
	if limit == 0 || x.Request.MayCall() {
		return false
	}
	turns := r.turns(x)
	return turns == limit-1 || turns == limit
}

// endedByLastWord reports whether the last exchange of all was for the last word of a run at its turn limit.
func (r *Run) endedByLastWord() bool {
	taken := r.Taken()
	return len(taken) > 0 && gaveTurn(taken[len(taken)-1]) && r.lastWord(taken[len(taken)-1])
}

// atLimit reports whether the loop was given as many turns as its limit allows.
func (r *Run) atLimit() bool {
	return r.Script.Scenario.MaxTurns > 0 && r.turns(nil) == r.Task.MaxTurns
}

// time returns the time that the task has; 0 is for ever.
func (r *Run) time() time.Duration { return time.Duration(r.Task.TimeoutMS) * time.Millisecond }

// hadToEnd reports whether the loop may have ended where it did because of a limit: that of its turns, or the time of its
// task, which was over when it gave up.
func (r *Run) hadToEnd() bool { return r.atLimit() || r.timeWasOver() }

// timeWasOver reports whether the time of the task was over when the loop gave up.
func (r *Run) timeWasOver() bool {
	limit := r.time()
	gaveUp := r.Outcome != nil && r.Outcome.Status != protocol.Completed
	return gaveUp && limit > 0 && r.Ending.At >= limit
}

func turnLimitRespected(r *Run) (j Judged) {
	limit, turns := r.Task.MaxTurns, r.turns(nil)
	if r.Script.Scenario.MaxTurns == 0 || !r.UsedTools() {
		return j
	}
	j.Seen = turns >= limit
	for _, x := range r.Taken() {
		if gaveTurn(x) && r.turns(x) >= limit && !r.lastWord(x) {
			j.Find(Finding{
				Request:  x.Number,
				Message:  fmt.Sprintf("the loop went past its limit of %s", plural(limit, "turn")),
				Expected: "at most " + plural(limit, "turn"),
				Actual:   plural(turns, "turn"),
			})
			break
		}
		if x.Turn != nil && x.Turn.Final() { // no-request-after-the-end looks at the rest
			break
		}
	}
	return j
}

// limitIsTold leaves alone what the model said when it was asked for a last word: it knew that there was nothing more to
// come.
func limitIsTold(r *Run) (j Judged) {
	if r.Outcome == nil || r.turns(nil) < r.Task.MaxTurns || r.Script.Scenario.MaxTurns == 0 {
		return j
	}
	if r.endedByLastWord() {
		j.Seen = r.UsedTools()
		return j
	}
	if !r.atLimit() || !r.Last().Turn.Asks() {
		return j
	}
	j.Seen = r.UsedTools()
	if r.Outcome.Status == protocol.Completed {
		j.Find(Finding{
			Request:  r.Last().Number,
			Answer:   r.Last().Number,
			Message:  "a run that ended at its turn limit was reported as completed",
			Expected: "status stopped or failed",
			Actual:   fmt.Sprintf("status completed with the text %s", quote(r.Outcome.Text)),
		})
	}
	return j
}

func allTurnsAllowed(r *Run) (j Judged) {
	limit, last := r.Task.MaxTurns, r.Last()
	if r.Script.Scenario.MaxTurns == 0 || r.Outcome == nil || last == nil || r.Next(last) != nil {
		return j
	}
	turns := r.turns(nil)
	j.Seen = turns >= limit && r.UsedTools()
	if turns < limit && r.Outcome.Status == protocol.Stopped && last.Turn.Asks() && r.ordinary(last.Turn) {
		j.Find(Finding{
			Request:  last.Number,
			Answer:   last.Number,
			Message:  fmt.Sprintf("the loop stopped before its limit of %s", plural(limit, "turn")),
			Expected: "another request",
			Actual:   fmt.Sprintf("%s after %s", r.ended(), plural(turns, "turn")),
		})
	}
	return j
}

func noRequestAfterTheEnd(r *Run) (j Judged) {
	for _, x := range r.Served() {
		j.Seen = j.Seen || r.ends(x) && r.UsedTools() && r.Outcome != nil
	}
	for _, x := range r.Taken() {
		if j.Seen && (x.Overrun || x.Repeats > 0 && r.ends(x)) {
			j.Find(Finding{
				Request:  x.Number,
				Message:  "a request after the model's last answer",
				Expected: plural(x.Number-1, "request"),
				Actual:   plural(len(r.Taken()), "request"),
			})
			break
		}
	}
	return j
}

// ends reports whether the answer of an exchange is the last of all. A loop that cannot read an answer in disguise asks
// again. So does one that has another prompt, and one that reads no refusals and sees a blank answer: refusal-told looks at
// that.
func (r *Run) ends(x *Exchange) bool {
	t := x.Turn
	return t != nil && t.Number == len(r.Script.Turns)-1 && t.Final() && t.Answer.Text != "" && !t.Disguised() && r.carriesLastPrompt(x.Request)
}

func answerAskedForOnce(r *Run) (j Judged) {
	j.Seen = r.UsedTools()
	for _, x := range r.Exchanges {
		if x.Repeats == 0 || !r.ordinary(x.Turn) || x.Turn.Disguised() || r.ends(x) { // no-request-after-the-end looks at the last answer
			continue
		}
		if x.Turn.Answer.Refusal != "" { // which a loop may see as a blank answer
			continue
		}
		j.Find(Finding{
			Request:  x.Number,
			Answer:   x.Repeats,
			Message:  fmt.Sprintf("the same as request %d, whose answer came whole", x.Repeats),
			Expected: "a request that goes on from the answer",
			Actual:   "the same request once more",
		})
	}
	return j
}

func silentToolGivenUp(r *Run) (j Judged) {
	limit := r.time()
	for _, c := range r.Calls() {
		for _, e := range c.Executions {
			takes := r.takes(e)
			if limit == 0 || takes <= limit || !r.ranBefore(c.In) {
				continue
			}
			j.Seen = j.Seen || r.Outcome != nil
			if ran := e.End - e.Start; ran >= takes {
				j.Find(Finding{
					Answer:   c.In.Number,
					Message:  "the loop waited until the tool returned",
					Expected: fmt.Sprintf("an end after the %s that the task has", limit),
					Actual:   fmt.Sprintf("%s run for %s", e.Tool, ran.Round(10*time.Millisecond)),
				})
			}
		}
	}
	return j
}

// takes returns how long a tool takes for what it was run with.
func (r *Run) takes(e *Execution) time.Duration {
	tool := r.Script.Scenario.Tool(e.Tool)
	if tool == nil {
		return 0
	}
	result, ok := tool.Answer(e.Arguments)
	if !ok {
		return 0
	}
	return result.After
}
