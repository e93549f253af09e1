package rules

import (
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/scenarios"
)

// outcome are the rules about what a loop tells its caller.
var outcome = []Rule{
	{
		ID:        "outcome/final-text",
		Level:     Must,
		Text:      "The answer that a loop reports is the text of the model's last answer.",
		Why:       "It is what the user asked for.",
		Invariant: true,
		Evidence:  "a completed outcome after the model's answer",
		Sources: []Source{
			{createDocs, "content: the contents of the message"},
			{"https://github.com/pydantic/pydantic-ai/issues/6403", "the text of an earlier turn as the result"},
		},
		Run: finalText,
	},
	{
		ID:        "outcome/completed",
		Level:     Must,
		Text:      "A run in which the model gave its answer is reported as completed.",
		Why:       "The caller throws away a good answer.",
		Invariant: true,
		Evidence:  "an outcome after the model's answer",
		Sources: []Source{
			{createDocs, "stop: the model came to a natural end"},
		},
		Run: completed,
	},
	{
		ID:        "outcome/no-made-up-answer",
		Level:     Must,
		Text:      "A run is reported as completed only when the model has answered.",
		Why:       "The caller takes an empty or stale text for the answer.",
		Invariant: true,
		Evidence:  "an outcome after the model's answer",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/function-calling", "the model answers after it has the results"},
			{"https://github.com/mastra-ai/mastra/issues/10329", "the run ended silently after the tool"},
		},
		Run: noMadeUpAnswer,
	},
	{
		ID:        "outcome/as-expected",
		Level:     Must,
		Text:      "Where a scenario says how a run must come out, it comes out so.",
		Why:       "A caller that is told stopped asks for more turns; told failed, it looks at the key.",
		Invariant: true,
		Evidence:  "an outcome of a scenario that expects one, after the model was asked",
		Sources: []Source{
			{"https://github.com/loopproof/loopproof/blob/main/docs/adapters.md", "failed: the loop reported an error; stopped: it gave up by itself"},
			{"https://platform.openai.com/docs/guides/error-codes", "a 401 is an error that the caller has to mend"},
		},
		Run: asExpected,
	},
	{
		ID:          "outcome/run-ends",
		Level:       Must,
		Text:        "Every run ends in time with an outcome.",
		Why:         "A crash loses the work, and a hang loses the day.",
		Invariant:   true,
		AnyDelivery: true,
		Evidence:    "an outcome of a run that used tools",
		Sources: []Source{
			{"https://platform.openai.com/docs/guides/function-calling", "the loop ends with the model's answer"},
			{"https://github.com/trpc-group/trpc-agent-go/issues/745", "a chunk that killed the process"},
		},
		Run: runEnds,
	},
}

// answered returns the last turn when it is an answer to the last prompt and reached the loop in an ordinary way.
func (r *Run) answered() (*scenarios.Turn, bool) {
	last := r.Last()
	if last == nil || r.Outcome == nil || !last.Turn.Final() || r.Next(last) != nil || !r.ordinary(last.Turn) {
		return nil, false
	}
	return last.Turn, true
}

func finalText(r *Run) (j Judged) {
	turn, ok := r.answered()
	if !ok || r.Outcome.Status != protocol.Completed || r.Script.Scenario.Expect.Text != nil { // as-expected looks
		return j
	}
	j.Seen = r.UsedTools()
	want, got := turn.Answer.Text, r.Outcome.Text
	if strings.TrimSpace(want) != strings.TrimSpace(got) && !leaks(turn.Answer, got) { // kept-out-of-the-answer looks at leaks
		j.Find(Finding{
			Request:  r.Last().Number,
			Answer:   r.Last().Number,
			Message:  "the reported answer is not the model's",
			Expected: quote(want),
			Actual:   quote(got),
		})
	}
	return j
}

func completed(r *Run) (j Judged) {
	expected := r.Script.Scenario.Expect.Status
	if _, ok := r.answered(); !ok || expected != "" && expected != scenarios.StatusCompleted { // as-expected looks
		return j
	}
	j.Seen = r.UsedTools()
	if r.Outcome.Status != protocol.Completed {
		j.Find(Finding{
			Request:  r.Last().Number,
			Answer:   r.Last().Number,
			Message:  "the model answered, and the run was not reported as completed",
			Expected: "status completed",
			Actual:   r.ended(),
		})
	}
	return j
}

func noMadeUpAnswer(r *Run) (j Judged) {
	if r.Outcome == nil {
		return j
	}
	last := r.Last()
	if last != nil && last.Turn.Final() {
		j.Seen = r.UsedTools()
		return j
	}
	if r.Outcome.Status != protocol.Completed || last != nil && (r.Next(last) != nil || othersLook(last.Turn) || r.atLimit() || !r.ordinary(last.Turn)) {
		return j
	}
	what := "the model had asked for tools"
	if last == nil {
		what = "the model was never asked"
	}
	j.Find(Finding{
		Message:  "the run was reported as completed although " + what,
		Expected: "an answer of the model, or status failed or stopped",
		Actual:   fmt.Sprintf("status completed with the text %s", quote(r.Outcome.Text)),
	})
	return j
}

// othersLook reports whether a run that ends with a turn is judged by the rules about finishing and failing.
func othersLook(t *scenarios.Turn) bool {
	return t.Fails() || t.Truncated() || t.Blank() || t.Breaks() && len(t.Answer.Calls) == 0 || t.Asks() && t.Answer.Finish == "stop"
}

func asExpected(r *Run) (j Judged) {
	expect, last := r.Script.Scenario.Expect, r.Last()
	if r.Outcome == nil || last == nil || expect == (scenarios.Expect{}) || r.Outcome.Status == protocol.Completed && othersLook(last.Turn) {
		return j
	}
	j.Seen = r.UsedTools() || len(r.Task.Tools) == 0
	got := r.Outcome
	_, answered := r.answered()
	ours := !answered || expect.Status != scenarios.StatusCompleted // completed looks at the others
	if expect.Status != "" && ours && !expect.Status.Allows(got.Status) {
		j.Find(Finding{
			Answer:   last.Number,
			Message:  "the run is reported with another status than the scenario expects",
			Expected: "status " + string(expect.Status),
			Actual:   r.ended(),
		})
	}
	if expect.Text != nil && strings.TrimSpace(*expect.Text) != strings.TrimSpace(got.Text) {
		j.Find(Finding{
			Answer:   last.Number,
			Message:  "the reported text is not the one that the scenario expects",
			Expected: quote(*expect.Text),
			Actual:   quote(got.Text),
		})
	}
	return j
}

func runEnds(r *Run) (j Judged) {
	switch r.Ending.How {
	case Reported:
		j.Seen = r.UsedTools()
	case Crashed, Hung:
		j.Find(Finding{
			Message:  "the loop " + string(r.Ending.How),
			Expected: fmt.Sprintf("an outcome within %d ms", r.Task.TimeoutMS),
			Actual:   r.Ending.Note + r.patienceAdvice(),
		})
	}
	return j
}

// patienceAdvice says what to do where a loop may only have been waiting, which nobody can tell from a hang.
func (r *Run) patienceAdvice() string {
	if last := r.Last(); r.Ending.How != Hung || last == nil || !last.Turn.Fails() {
		return ""
	}
	return "\nthe last answer was an error: a loop that waits long before it asks again needs more time (--timeout) or shorter waits"
}
