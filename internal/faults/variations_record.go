package faults

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/protocol"
)

// keepsRecords returns a variation of what a loop hands over, which it claims.
func keepsRecords(v Variation) Variation {
	v.With = []protocol.Feature{protocol.Transcript, protocol.Events}
	return v
}

// inForm hands the transcript over in a form.
func inForm(form string) func() Mutation {
	return onLoop(func(l *refloop.Loop) { l.Transcript = form })
}

// rewritten hands the transcript over in a form, with each of its messages changed.
func rewritten(form string, change func(message string) string) func() Mutation {
	return func() Mutation {
		c := onTranscript(form, func(messages []string) []string {
			var kept []string
			for _, m := range messages {
				if m = change(m); m != "" {
					kept = append(kept, m)
				}
			}
			return kept
		})()
		c.Loop = inForm(form)().Loop
		return c
	}
}

const recordsOfChat, recordsOfBlocks = "openai", "anthropic"

var variationsInRecords = []Variation{
	keepsRecords(Variation{
		Name:    "records/as-chat",
		Does:    "The transcript is a list of messages of Chat Completions, in either dialect.",
		Sources: []string{"https://github.com/openai/openai-node/blob/master/src/lib/AbstractChatCompletionRunner.ts (messages)"},
		Form:    recordsOfChat,
	}),
	keepsRecords(Variation{
		Name:    "records/as-blocks",
		Does:    "The transcript is a list of messages of blocks, also where the conversation went over Chat Completions.",
		Sources: []string{"https://github.com/RooCodeInc/Roo-Code/blob/main/src/core/task-persistence/apiMessages.ts"},
		Form:    recordsOfBlocks,
	}),
	keepsRecords(Variation{
		Name:    "records/as-art",
		Does:    "The transcript is a list of the standard messages of ART.",
		Sources: []string{"https://github.com/hashangit/ART"},
		Form:    "art-messages",
	}),
	keepsRecords(Variation{
		Name:    "records/as-open-agent-loops",
		Does:    "The transcript is a list of messages of Open Agent Loops, also where the conversation went over Messages.",
		Sources: []string{"https://github.com/featherless-ai/open-agent-loops"},
		Form:    "open-agent-loops",
	}),
	keepsRecords(Variation{
		Name:    "records/null-beside-calls",
		Does:    "A turn of calls alone is in the transcript with the content null.",
		Sources: []string{openaiAPI + " (content is optional alongside tool_calls)"},
		Make: rewritten(recordsOfChat, func(m string) string {
			if gjson.Get(m, "tool_calls.0").Exists() && content(m) == "" {
				return raw.SetRaw(m, "content", "null")
			}
			return m
		}),
	}),
	keepsRecords(Variation{
		Name:    "records/in-parts",
		Does:    "The texts in the transcript are lists of one part.",
		Sources: []string{"https://github.com/strands-agents/sdk-python/blob/main/src/strands/models/openai.py (formatted_contents)"},
		Make: rewritten(recordsOfChat, func(m string) string {
			if said := content(m); said != "" {
				return raw.SetRaw(m, "content", raw.Texts(said))
			}
			return m
		}),
	}),
	keepsRecords(Variation{
		Name:    "records/without-the-system-prompt",
		Does:    "The transcript begins with what the user said.",
		Sources: []string{"https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/messages.py (instructions)"},
		Make: rewritten(recordsOfChat, func(m string) string {
			if gjson.Get(m, "role").String() == "system" {
				return ""
			}
			return m
		}),
	}),
	keepsRecords(Variation{
		Name:    "records/texts-as-strings",
		Does:    "A turn that is nothing but a text is a string in the transcript of blocks.",
		Sources: []string{messagesAPI + " (content is a string or an array)"},
		Make: rewritten(recordsOfBlocks, func(m string) string {
			if blocks := gjson.Get(m, "content").Array(); len(blocks) == 1 && isBlock(blocks[0], "text") {
				return raw.Set(m, "content", blocks[0].Get("text").String())
			}
			return m
		}),
	}),
	keepsRecords(Variation{
		Name:    "records/flags-on-all-results",
		Does:    "Each result in the transcript of blocks says whether it is an error, and is a list of one text.",
		Sources: []string{"https://github.com/strands-agents/sdk-python/blob/main/src/strands/models/anthropic.py (is_error)"},
		Make: rewritten(recordsOfBlocks, func(m string) string {
			if !strings.Contains(m, `"tool_result"`) {
				return m
			}
			return raw.SetRaw(m, "content", raw.Each(gjson.Get(m, "content"), func(b gjson.Result) string {
				result := b.Raw
				if said := b.Get("content"); isBlock(b, "tool_result") && said.Type == gjson.String && said.String() != "" {
					result = raw.SetRaw(result, "content", raw.Texts(said.String()))
				}
				if isBlock(b, "tool_result") && !b.Get("is_error").Exists() {
					result = raw.Set(result, "is_error", false)
				}
				return result
			}))
		}),
	}),
}

// withoutCancelled drops from a transcript the prompts, but for the last, that got no answer, and what came of them.
func withoutCancelled(messages []string) []string {
	var kept, part []string
	for _, m := range messages {
		if roleOf(m) == "user" && content(m) != "" {
			last := len(part) - 1
			if last < 0 || roleOf(part[0]) != "user" || roleOf(part[last]) == "assistant" && !gjson.Get(part[last], "tool_calls.0").Exists() {
				kept = append(kept, part...)
			}
			part = nil
		}
		part = append(part, m)
	}
	return append(kept, part...)
}

// isBlock reports whether a block is of a type.
func isBlock(b gjson.Result, kind string) bool { return b.Get("type").String() == kind }
