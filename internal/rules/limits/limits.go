package limits

import (
	"fmt"
	"slices"
	"time"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

var turnLimit = []protocol.Feature{protocol.TurnLimit}

// coreRules are the rules about when a loop stops.
var coreRules = []rules.Rule{
	{
		ID:          "limits/turn-limit-respected",
		Level:       trace.Must,
		Text:        "A loop asks the model for no more turns than its limit allows, except for one last answer without tools. Turns that were cut off, paused or blank count, too; more because of them only break a should.",
		Why:         "A model that repeats itself costs money until someone notices.",
		Invariant:   true,
		Needs:       turnLimit,
		AnyDelivery: true,
		Evidence:    "as many turns as the limit allows",
		Sources: []rules.Source{
			{URL: "https://github.com/langchain4j/langchain4j/issues/4204", Says: "a fixed limit instead of the configured one"},
			{URL: "https://openrouter.ai/docs/agent-sdk/call-model/stop-conditions", Says: "a loop has a condition on which it stops"},
			{URL: "https://github.com/huggingface/smolagents/blob/main/src/smolagents/agents.py", Says: "provide_final_answer: at the limit the model is asked once more, without tools"},
			{URL: "https://github.com/livekit/agents/pull/4747", Says: "the same with tool_choice none, so that the user gets an answer"},
			{URL: rules.StopReasonDocs, Says: "pause_turn: the next request continues the turn"},
		},
		Run: turnLimitRespected,
	},
	{
		ID:        "limits/limit-is-told",
		Level:     trace.Must,
		Text:      "A run that ended at its turn limit with a tool call is not reported as completed.",
		Why:       "The caller believes that the task is finished.",
		Invariant: true,
		Needs:     turnLimit,
		Evidence:  "an outcome at the turn limit of a loop that used tools",
		Sources: []rules.Source{
			{URL: "https://github.com/featherless-ai/open-agent-loops", Says: "the cap ends the run without an answer"},
		},
		Run: limitIsTold,
	},
	{
		ID:        "limits/all-turns-allowed",
		Level:     trace.Should,
		Text:      "A loop does not stop before its turn limit is reached, which counts answers of the model: not calls, and not attempts that failed.",
		Why:       "The caller allowed as many turns as the task needs, and gets no answer.",
		Invariant: true,
		Needs:     turnLimit,
		Evidence:  "as many turns as the limit allows, by a loop that used tools",
		Sources: []rules.Source{
			{URL: rules.AdapterDocs, Says: "max_turns: after how many answers of the model the loop stops by itself"},
			{URL: "https://github.com/langchain4j/langchain4j/issues/4204", Says: "a fixed limit instead of the configured one"},
		},
		Run: allTurnsAllowed,
	},
	{
		ID:       "limits/silent-tool-given-up",
		Level:    trace.Info,
		Text:     "A loop with a time limit gives up waiting for a tool that does not return when the time is over.",
		Why:      "Otherwise one hanging tool makes the whole run hang without an error.",
		Needs:    rules.SeesTools,
		Evidence: "what a loop that used tools did when one ran for longer than its time",
		Sources: []rules.Source{
			{URL: rules.AdapterDocs, Says: "timeout_ms: when the task is given up"},
			{URL: "https://github.com/mastra-ai/mastra/issues/18594", Says: "a tool without a limit: the loop waits for ever"},
			{URL: "https://github.com/anthropics/claude-code/issues/34565", Says: "a tool that never returned, and a process that ran for eleven hours"},
		},
		Run: silentToolGivenUp,
	},
	{
		ID:        "limits/answer-asked-for-once",
		Level:     trace.Should,
		Text:      "A complete answer is not requested again.",
		Why:       "Every answer costs money, and the next one may differ.",
		Invariant: true,
		Evidence:  "a request with a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/Mintplex-Labs/anything-llm/issues/1360", Says: "each request of an agent was sent twice"},
			{URL: "https://github.com/continuedev/continue/issues/7452", Says: "two identical requests, and the texts of both mixed up"},
		},
		Run: answerAskedForOnce,
	},
	{
		ID:          "limits/no-request-after-the-end",
		Level:       trace.Must,
		Text:        "After the model's answer the loop sends no further request.",
		Why:         "Each unnecessary request costs money, and the loop may never stop.",
		Invariant:   true,
		AnyDelivery: true,
		Evidence:    "an outcome after the last answer of the script, of a loop that used tools",
		OverAPIs:    true,
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/function-calling", Says: "an answer without calls ends the loop"},
			{URL: "https://github.com/anomalyco/opencode/pull/11152", Says: "the same request repeated after stop"},
		},
		Run: noRequestAfterTheEnd,
	},
}

func turnLimitRespected(r *rules.Run) (j rules.CheckResult) {
	limit, turns := r.Task.MaxTurns, r.TurnsGiven(nil)
	if r.Script.Scenario.MaxTurns == 0 || !r.UsedTools() {
		return j
	}
	j.HasEvidence = turns >= limit
	var past trace.Finding // the first must, or else the first should
	for _, x := range r.Conversation() {
		if rules.GaveTurn(x) && r.TurnsGiven(x) >= limit && !r.IsLastWord(x) {
			f := trace.Finding{
				Request:  x.Number,
				Message:  fmt.Sprintf("the loop went past its limit of %s", rules.Plural(limit, "turn")),
				Expected: "at most " + rules.Plural(limit, "turn"),
				Actual:   rules.Plural(turns, "turn"),
			}
			if r.TurnsGiven(x)-unfinishedBefore(r, x) < limit {
				f.Level = trace.Should
			}
			if past.Message == "" || f.Level == "" {
				past = f
			}
			if f.Level == "" {
				break
			}
		}
		if x.Turn != nil && x.Turn.Final() { // no-request-after-the-end looks at the rest
			break
		}
	}
	if past.Message != "" {
		j.Find(past)
	}
	return j
}

// unfinishedBefore returns how many turns before an exchange were cut off, paused, or said nothing:
// for some loops the next answer belongs to the same turn.
func unfinishedBefore(r *rules.Run, x *trace.Exchange) (turns int) {
	for _, before := range r.Conversation() {
		t := before.Turn
		if t != nil && before.Number < x.Number && (t.Truncated() || t.Paused() || t.Blank()) {
			turns++
		}
	}
	return turns
}

// limitIsTold leaves alone what the model said when it was asked for a last word: it knew that
// there was nothing more to come.
func limitIsTold(r *rules.Run) (j rules.CheckResult) {
	if r.Outcome == nil || r.TurnsGiven(nil) < r.Task.MaxTurns || r.Script.Scenario.MaxTurns == 0 {
		return j
	}
	if r.EndedByLastWord() {
		j.HasEvidence = r.UsedTools()
		return j
	}
	if !r.AtLimit() || !r.Last().Turn.Asks() {
		return j
	}
	j.HasEvidence = r.UsedTools()
	if r.Outcome.Status == protocol.Completed {
		j.FindInAnswer(r.Last(),
			"a run that ended at its turn limit was reported as completed",
			"status stopped or failed",
			fmt.Sprintf("status completed with the text %s", rules.Quote(r.Outcome.Text)))
	}
	return j
}

func allTurnsAllowed(r *rules.Run) (j rules.CheckResult) {
	limit, last := r.Task.MaxTurns, r.Last()
	if r.Script.Scenario.MaxTurns == 0 || r.Outcome == nil || last == nil || r.Next(last) != nil {
		return j
	}
	turns := r.TurnsGiven(nil)
	j.HasEvidence = turns >= limit && r.UsedTools()
	if turns < limit && endedAtWill(r, last) && last.Turn.Asks() && r.Ordinary(last.Turn) {
		j.FindInAnswer(last,
			fmt.Sprintf("the loop ended before its limit of %s", rules.Plural(limit, "turn")),
			"another request",
			fmt.Sprintf("%s after %s", r.DescribeEnd(), rules.Plural(turns, "turn")))
	}
	return j
}

// endedAtWill reports whether a run ended with an exchange without an answer, and not because of
// the calls in it: some loops report their limit as an error.
func endedAtWill(r *rules.Run, last *trace.Exchange) bool {
	return r.Outcome.Status == protocol.Stopped || r.Outcome.Status == protocol.Failed && !r.HadToEnd() && len(r.Executions) > 0 &&
		!slices.ContainsFunc(r.Calls(), func(c rules.CallRun) bool { return c.In == last && (c.Refusable || r.MayGiveUpAt(c.Call)) })
}

func noRequestAfterTheEnd(r *rules.Run) (j rules.CheckResult) {
	for _, x := range r.Served() {
		j.HasEvidence = j.HasEvidence || ends(r, x) && r.UsedTools() && r.Outcome != nil
	}
	for _, x := range r.Conversation() {
		if r.IsLastWord(x) && r.Next(x) != nil { // of a prompt behind which the user went on
			continue
		}
		if j.HasEvidence && (x.Overrun || x.Repeats > 0 && ends(r, x)) {
			j.Find(trace.Finding{
				Request:  x.Number,
				Message:  "a request after the model's last answer",
				Expected: rules.Plural(x.Number-1, "request"),
				Actual:   rules.Plural(len(r.Conversation()), "request"),
			})
			break
		}
	}
	return j
}

// ends reports whether the answer of an exchange is the last of all. A loop that cannot read an
// answer in disguise asks again. So does one that has another prompt, and one that reads no
// refusals and sees a blank answer: refusal-told looks at that.
func ends(r *rules.Run, x *trace.Exchange) bool {
	t := x.Turn
	return t != nil && t.Number == len(r.Script.Turns)-1 && t.Final() && t.Answer.Text != "" && !t.Disguised() && r.CarriesLastPrompt(x.Request)
}

func answerAskedForOnce(r *rules.Run) (j rules.CheckResult) {
	j.HasEvidence = r.UsedTools()
	for _, x := range r.Exchanges {
		if x.Repeats == 0 || !x.Turn.Whole() || !r.Ordinary(x.Turn) || x.Turn.Disguised() || ends(r, x) { // no-request-after-the-end looks at the last answer
			continue
		}
		if x.Turn.Answer.Refusal != "" { // which a loop may see as a blank answer
			continue
		}
		j.Find(trace.Finding{
			Request:  x.Number,
			Answer:   x.Repeats,
			Message:  fmt.Sprintf("the same as request %d, whose answer came whole", x.Repeats),
			Expected: "a request that goes on from the answer",
			Actual:   "the same request once more",
		})
	}
	return j
}

func silentToolGivenUp(r *rules.Run) (j rules.CheckResult) {
	limit := r.TimeLimit()
	for _, c := range r.Calls() {
		for _, e := range c.Executions {
			takes := r.TimeOf(e)
			if limit == 0 || takes <= limit || !r.RanBefore(c.In) {
				continue
			}
			j.HasEvidence = j.HasEvidence || r.Outcome != nil
			if ran := e.End - e.Start; ran >= takes {
				j.Find(trace.Finding{
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
