package outcome

import (
	"bytes"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var answerSchema = []protocol.Feature{protocol.AnswerSchema}

// schemaRules are the rules about answers whose form the caller says.
var schemaRules = []rules.Rule{
	{
		ID:        "outcome/answer-fits-schema",
		Level:     trace.Must,
		Text:      "An answer that does not fit the schema of the task is not reported as completed: the model is asked again, or the run fails.",
		Why:       "The caller reads the answer by a program, which breaks at the first key that is missing.",
		Invariant: true,
		Needs:     answerSchema,
		Evidence:  "an outcome after the model's answer to a task with a schema, of a loop that used tools",
		Sources: []rules.Source{
			{URL: rules.AdapterDocs, Says: "answer_schema: the text of the outcome is an answer that fits it"},
			{URL: "https://github.com/anthropics/claude-agent-sdk-typescript/issues/277", Says: "success is reported although no structured output could be made"},
			{URL: "https://ai.pydantic.dev/output/", Says: "an output that fails validation is sent back, and the model tries again"},
			{URL: "https://github.com/langchain-ai/langchain/issues/40420", Says: "a call with an answer that did not fit ended the run where it came beside another call"},
			{URL: "https://ai-sdk.dev/docs/ai-sdk-core/generating-structured-data", Says: "NoObjectGeneratedError: the response could not be validated"},
		},
		Run: answerFitsSchema,
	},
	{
		ID:        "outcome/answer-as-value",
		Level:     trace.Must,
		Text:      "The answer that a loop reports for a task with a schema is the model's: the same value, however its JSON is written. Where it gave several by calls of one turn, it is one of them.",
		Why:       "It is what the user asked for.",
		Invariant: true,
		Needs:     answerSchema,
		Evidence:  "a completed outcome after the model's answer to a task with a schema, of a loop that used tools",
		Sources: []rules.Source{
			{URL: rules.AdapterDocs, Says: "answer_schema: the text of the outcome is the answer as JSON"},
			{URL: "https://github.com/anthropics/claude-code/issues/82258", Says: "a run that succeeded, and whose structured output is not there"},
			{URL: "https://github.com/langchain-ai/langchain/issues/36957", Says: "the answer to the prompt before was reported again"},
		},
		Run: answerAsValue,
	},
	{
		ID:        "outcome/answer-schema-told",
		Level:     trace.Must,
		Text:      "The model is told the schema of the answer, in whatever place: as the format of the answer, as a tool, or in words.",
		Why:       "A model that is not told returns a text.",
		Invariant: true,
		Needs:     answerSchema,
		Evidence:  "an outcome of a loop that used tools, in a task with a schema",
		Sources: []rules.Source{
			{URL: rules.AdapterDocs, Says: "answer_schema: the schema of the answer"},
			{URL: "https://github.com/simstudioai/sim/issues/2917", Says: "a response format that was left out where tools were offered"},
			{URL: "https://ai.pydantic.dev/output/", Says: "three ways to tell it: as a tool, as the provider's format, in the prompt"},
		},
		Run: answerSchemaTold,
	},
}

// reported returns the answer that a loop reports, and false where it is no JSON.
func reported(r *rules.Run) (*wire.Node, bool) {
	n, err := wire.ParseNode([]byte(strings.TrimSpace(r.Outcome.Text)))
	return n, err == nil
}

func answerFitsSchema(r *rules.Run) (j rules.CheckResult) {
	last := r.Last()
	if r.Task.AnswerSchema == nil || r.Outcome == nil || last == nil || !answers(last.Turn) || !r.Ordinary(last.Turn) || r.EndedByCancel() {
		return j
	}
	j.HasEvidence = r.UsedTools()
	if r.Outcome.Status == protocol.Completed && !r.Script.Scenario.AnswerFits(strings.TrimSpace(r.Outcome.Text)) {
		j.FindInAnswer(last,
			"an answer that does not fit the schema is reported as completed",
			"an answer that fits "+string(r.Task.AnswerSchema)+", or status failed or stopped",
			rules.Quote(r.Outcome.Text))
	}
	return j
}

// answers reports whether a turn gives an answer to the user, by a text or by calls.
func answers(t *scenarios.Turn) bool {
	return t.Final() || t.Asks() && slices.ContainsFunc(t.Answer.Calls, func(c wire.AnswerCall) bool { return c.Answer != "" })
}

func answerAsValue(r *rules.Run) (j rules.CheckResult) {
	if last := r.Last(); r.Outcome != nil && r.EndedByAnswerCall(last) && !r.EndedByCancel() {
		return oneOfTheAnswers(r, last)
	}
	turn, ok := answered(r)
	if !ok || r.Task.AnswerSchema == nil || r.Outcome.Status != protocol.Completed || r.Script.Scenario.Misfits(turn) { // answer-fits-schema looks at those
		return j
	}
	j.HasEvidence = r.UsedTools()
	got, is := reported(r)
	if !is || !r.Script.Scenario.AnswerFits(strings.TrimSpace(r.Outcome.Text)) {
		return j
	}
	if want := wire.Parsed([]byte(turn.Answer.Text)); !wire.SameValue(want, got) {
		j.FindInAnswer(r.Last(), "the reported answer is not the model's", rules.Quote(turn.Answer.Text), rules.Quote(r.Outcome.Text))
	}
	return j
}

// oneOfTheAnswers demands one of the answers that the model gave by calls in a turn.
func oneOfTheAnswers(r *rules.Run, x *trace.Exchange) (j rules.CheckResult) {
	got, is := reported(r)
	if r.Outcome.Status != protocol.Completed || !is || !r.Script.Scenario.AnswerFits(strings.TrimSpace(r.Outcome.Text)) { // answer-fits-schema looks at those
		return j
	}
	j.HasEvidence = r.UsedTools()
	given := x.Turn.Given(r.Script.Scenario)
	if !slices.ContainsFunc(given, func(answer string) bool { return wire.SameValue(wire.Parsed([]byte(answer)), got) }) {
		j.FindInAnswer(x, "the reported answer is not the model's", rules.Quote(strings.Join(given, " or ")), rules.Quote(r.Outcome.Text))
	}
	return j
}

func answerSchemaTold(r *rules.Run) (j rules.CheckResult) {
	if r.Task.AnswerSchema == nil || r.Outcome == nil {
		return j
	}
	j.HasEvidence = r.UsedTools()
	var missing []string
	for name := range wire.Parsed(r.Task.AnswerSchema).Get("properties").Fields() {
		told := false
		for _, x := range r.Exchanges {
			told = told || x.Request != nil && bytes.Contains(x.Request.Body.Raw, []byte(name))
		}
		if !told {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 && r.UsedTools() {
		j.Find(trace.Finding{
			Message:  "the model was not told the schema of the answer",
			Expected: "a request that names " + rules.List(missing),
			Actual:   rules.Plural(len(r.Exchanges), "request") + " without it",
		})
	}
	return j
}
