package variations

import (
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

var outcomes = []hooks.Variation{
	{
		Name:    "outcome/claims-little",
		Does:    "Only answers, tools and streams are claimed.",
		Sources: []string{openaiAPI},
		Without: []protocol.Feature{protocol.ParallelCalls, protocol.Reasoning, protocol.MultiPrompt, protocol.Retries, protocol.TurnLimit, protocol.UsageCounts, protocol.Cancel, protocol.Images},
		Make:    func() hooks.Mutation { return hooks.Mutation{} },
	},
	{
		Name:    "outcome/tells-little",
		Does:    "The outcome has neither a finish reason nor counts of tokens, and they are not claimed.",
		Sources: []string{openaiAPI},
		Without: []protocol.Feature{protocol.UsageCounts},
		Make:    hooks.OnOutcome(func(o *protocol.Outcome) { o.FinishReason, o.Usage = "", nil }),
	},
	{
		Name:    "outcome/on-a-line-of-its-own",
		Does:    "The text of the answer is reported with a line end after it.",
		Sources: []string{"https://github.com/strands-agents/sdk-python/blob/main/src/strands/agent/agent_result.py (item.get(\"text\", \"\") + \"\\n\")"},
		Make: hooks.OnOutcome(func(o *protocol.Outcome) {
			if o.Text != "" {
				o.Text += "\n"
			}
		}),
	},
	{
		Name:    "outcome/all-that-was-said",
		Does:    "The text that is reported is all that the model said on the way to its answer, and the answer.",
		Sources: []string{"https://github.com/simonw/llm/blob/main/llm/models.py (Rounds of a chain are separate model responses)"},
		Make:    reportsMore(" ", func(t *neutral.Turn) bool { return len(t.Calls()) > 0 || t.Finish == neutral.Pause }),
	},
	{
		Name:      "outcome/both-sides-of-a-pause",
		Does:      "The text that is reported is what the model said before a pause, and what it said after it.",
		Sources:   []string{"https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons (pause_turn: the turn goes on in the next answer)"},
		Only:      neutral.Pauses,
		Elsewhere: "no turn pauses.",
		Make:      reportsMore("", func(t *neutral.Turn) bool { return t.Finish == neutral.Pause }),
	},
	{
		Name:    "outcome/reasons-in-words-of-its-own",
		Does:    "The reason why the model stopped is reported in words of the library, not in those of the provider.",
		Sources: []string{"https://github.com/vercel/ai/blob/main/packages/openai/src/chat/map-openai-finish-reason.ts ('tool-calls')", "https://github.com/vercel/ai/blob/main/packages/anthropic/src/map-anthropic-stop-reason.ts ('tool-calls')"},
		Make: hooks.OnOutcome(func(o *protocol.Outcome) {
			switch o.FinishReason {
			case "tool_calls", "tool_use":
				o.FinishReason = "tool-calls"
			case "content_filter", "refusal":
				o.FinishReason = "content-filter"
			case "end_turn", "stop_sequence":
				o.FinishReason = "stop"
			case "max_tokens":
				o.FinishReason = "length"
			}
		}),
	},
	{
		Name:    "outcome/errors-in-the-words-of-a-library",
		Does:    "The provider's error is reported within a sentence of the library.",
		Sources: []string{"https://github.com/openai/openai-python/blob/main/src/openai/_base_client.py (Error code: {response.status_code} - {body})"},
		Make: hooks.OnOutcome(func(o *protocol.Outcome) {
			if o.Status == protocol.Failed {
				o.Error = "model_call_failed: APIStatusError(" + o.Error + "); for details see the documentation"
			}
		}),
	},
	{
		Name:    "outcome/nothing-beside-a-stop",
		Does:    "A run that stopped early has no text, also if the model has said something.",
		Sources: []string{"https://github.com/openai/openai-python/blob/main/src/openai/lib/_parsing/_completions.py (LengthFinishReasonError)"},
		Make: hooks.OnOutcome(func(o *protocol.Outcome) {
			if o.Status == protocol.Stopped {
				o.Text = ""
			}
		}),
	},
}

// reportsMore has the texts of some turns since the last prompt reported before the text of the
// answer.
func reportsMore(between string, reported func(*neutral.Turn) bool) func() hooks.Mutation {
	return func() hooks.Mutation {
		var said []string
		prompts := 0
		return hooks.Mutation{
			Request: func(r *hooks.Request) {
				if now := len(hooks.Conversation(r.Messages)); now != prompts {
					said, prompts = nil, now
				}
			},
			Turn: func(t *neutral.Turn) {
				if text := t.Said(); strings.TrimSpace(text) != "" && reported(t) {
					said = append(said, text)
				}
			},
			Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				o := run(task)
				if o.Status == protocol.Completed && task.AnswerSchema == nil { // whose answer is a value
					o.Text = strings.Join(append(said, o.Text), between)
				}
				return o
			},
		}
	}
}
