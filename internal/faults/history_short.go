package faults

import "github.com/loopproof/loopproof/protocol"

// historyShort are loops that lose something of a conversation on the way.
var historyShort = []Fault{
	{
		Name:   "history/ends-after-the-first-prompt",
		Does:   "Of several prompts only the first is said.",
		Breaks: []string{"history/prompts-sent"},
		Both:   true,
		Make:   onTask(func(t *protocol.Task) { t.Prompts = t.Prompts[:1] }),
	},
	{
		Name:   "history/drops-calls-beside-text",
		Does:   "A turn with text goes back without its calls, and without their results.",
		Models: []string{"https://github.com/langchain-ai/langchainjs/pull/10065"},
		Breaks: []string{"history/calls-come-back"},
		Both:   true,
		Make: onRequest(func(r *Request) {
			r.EachTurn(func(t turn) []string {
				if content(t.assistant) != "" {
					return []string{remove(t.assistant, "tool_calls")}
				}
				return t.messages()
			})
		}),
	},
}
