package variations

import (
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

var compaction = []protocol.Feature{protocol.Compaction}

// compactions are the ways to make a history shorter. The reference loop asks for a summary, and
// puts it as a message of the user before the prompt and the newest turn.
var compactions = []hooks.Variation{
	{
		Name:    "compaction/summary-in-the-system-prompt",
		Does:    "The summary of what is left out is behind the system prompt.",
		Sources: []string{"https://github.com/langchain-ai/langchain/blob/v0.3.0/libs/langchain/langchain/memory/summary.py (the summary is a SystemMessage)", "https://docs.letta.com/guides/agents/memory-blocks"},
		With:    compaction,
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if isShortened(r) {
				r.System = strings.TrimSpace(r.System + "\n\n" + r.Messages[0].Text())
				r.Messages = r.Messages[1:]
			}
		}),
	},
	{
		Name:    "compaction/summary-alone",
		Does:    "The summary alone is in the place of the whole history.",
		Sources: []string{"https://platform.claude.com/docs/en/build-with-claude/compaction (everything before the summary is dropped)", "https://github.com/anomalyco/opencode/blob/dev/packages/opencode/src/session/compaction.ts"},
		With:    compaction,
		Shoulds: []string{"compaction/prompt-stays"},
		Why:     "The summary says what the user wants.",
		Make: func() hooks.Mutation {
			return hooks.Mutation{Split: func(m []neutral.Message) (old, kept []neutral.Message) {
				if len(m) == 1 { // a prompt, and nothing that came of it
					return nil, m
				}
				return m, nil
			}}
		},
	},
	{
		Name:    "compaction/summary-by-a-request-of-the-conversation",
		Does:    "The request for a summary is the conversation itself with a message behind it that asks for one, and offers the tools without letting the model call them.",
		Sources: []string{"https://github.com/openai/codex/blob/main/codex-rs/core/src/compact.rs (the history with the prompt of the compaction behind it)"},
		Unless:  neutral.NeverBarred, Elsewhere: "a request cannot keep the model from calling tools.",
		With: compaction,
		Make: func() hooks.Mutation {
			var last []neutral.Message
			return hooks.Mutation{Request: func(r *hooks.Request) {
				if r.System != refloop.SummaryPrompt {
					last = r.Request.Clone().Messages
					return
				}
				r.System, r.Messages, r.Tools, r.Settings.Choice = r.Task.System, last, r.Task.Tools, neutral.ChoiceNone
				r.Say("Summarise this conversation, so that you can go on from the summary alone.")
			}}
		},
	},
	{
		Name:    "compaction/in-a-window",
		Does:    "Of a history that is too long the prompt and the newest turn stay, without a summary of the others.",
		Sources: []string{"https://strandsagents.com/latest/documentation/docs/user-guide/concepts/agents/conversation-management/ (SlidingWindowConversationManager)", "https://docs.langchain4j.dev/tutorials/chat-memory (TokenWindowChatMemory)"},
		With:    compaction,
		Make: shortening(func(m []neutral.Message) []neutral.Message {
			_, kept := refloop.Split(m)
			return kept
		}),
	},
	{
		Name:    "compaction/clears-old-results",
		Does:    "All results but those of the newest turn are replaced by a note.",
		Sources: []string{"https://platform.claude.com/docs/en/build-with-claude/context-editing (clear_tool_uses_20250919)", "https://github.com/anomalyco/opencode/blob/dev/packages/opencode/src/session/compaction.ts (prune)"},
		With:    compaction,
		Make: shortening(func(m []neutral.Message) []neutral.Message {
			newest := 0
			for i := range m {
				if m[i].Role == neutral.Assistant {
					newest = i
				}
			}
			cleared := make([]neutral.Message, len(m))
			for i := range m {
				cleared[i] = m[i].Clone()
				for _, result := range cleared[i].Results() {
					if i < newest {
						result.Text = "[cleared to save room]"
					}
				}
			}
			return cleared
		}),
	},
	{
		Name:    "compaction/after-a-refusal",
		Does:    "The history is made shorter only once the provider has refused a request for its length.",
		Sources: []string{"https://strandsagents.com/latest/documentation/docs/user-guide/concepts/agents/conversation-management/ (reduce_context on ContextWindowOverflowException)"},
		With:    compaction,
		Shoulds: []string{"compaction/limit-kept"},
		Why:     "Only the provider knows how it counts.",
		Make:    hooks.OnTask(func(t *protocol.Task) { t.ContextLimit *= 100 }),
	},
}

// isShortened reports whether a request begins with the summary of the reference loop.
func isShortened(r *hooks.Request) bool {
	return len(r.Messages) > 1 && strings.HasPrefix(r.Messages[0].Text(), refloop.SummaryBegins)
}

func shortening(how func([]neutral.Message) []neutral.Message) func() hooks.Mutation {
	return func() hooks.Mutation { return hooks.Mutation{Shorten: how} }
}
