package faults

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/protocol"
)

// historyShort are loops that lose something of a conversation on the way.
var historyShort = []Fault{
	{
		Name:   "history/ends-after-the-first-prompt",
		Does:   "Of several prompts only the first is said.",
		Breaks: []string{"history/prompts-sent"},
		Make:   onTask(func(t *protocol.Task) { t.Prompts = t.Prompts[:1] }),
	},
	{
		Name:   "history/begins-anew-with-each-prompt",
		Does:   "When the user goes on, nothing of what was said before is in the history.",
		Breaks: []string{"history/answers-come-back", "history/tool-turns-stay"},
		Make: onRawRequest(func(r *RawRequest) {
			r.keepFrom(r.lastPrompt(), func(string) bool { return false })
		}),
	},
	{
		Name:   "history/keeps-questions-and-answers",
		Does:   "When the user goes on, the tool calls and results of earlier prompts are not in the history.",
		Models: []string{"https://docs.spring.io/spring-ai/reference/api/chat-memory.html"},
		Breaks: []string{"history/tool-turns-stay"},
		Make:   onRawRequest(keepQuestionsAndAnswers),
	},
	{
		Name:   "history/sends-the-second-prompt-in-capitals",
		Does:   "The second of two prompts is sent in capital letters.",
		Breaks: []string{"history/prompts-sent"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("user", func(path string, m gjson.Result) {
				if prompts := r.Task.Prompts; len(prompts) == 2 && m.Get("content").String() == prompts[1] {
					r.Set(path+".content", strings.ToUpper(prompts[1]))
				}
			})
		}),
	},
	{
		Name:   "history/sends-the-system-prompt-as-the-user",
		Does:   "The system prompt is a message of the user in front of the first prompt.",
		Breaks: []string{"history/system-prompt-in-its-role"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("system", func(path string, _ gjson.Result) { r.Set(path+".role", "user") })
		}),
	},
	{
		Name:   "history/doubles-the-system-prompt",
		Does:   "After a tool call the system prompt stands twice in its message.",
		Models: []string{"https://github.com/open-webui/open-webui/issues/28736", "https://github.com/microsoft/agent-framework/issues/1258", "https://github.com/amd/gaia/issues/3510"},
		Breaks: []string{"history/system-prompt-once"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("system", func(path string, m gjson.Result) {
				r.Set(path+".content", m.Get("content").String()+"\n\n"+m.Get("content").String())
			})
		}),
	},
	{
		Name:   "history/takes-the-system-prompt-for-a-template",
		Does:   "What stands between double braces in the system prompt is taken for a variable, and left out.",
		Models: []string{"https://github.com/google/adk-python/issues/86"},
		Breaks: []string{"history/system-prompt-is-no-template"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("system", func(path string, m gjson.Result) {
				before, rest, opens := strings.Cut(m.Get("content").String(), "{{")
				if _, behind, closes := strings.Cut(rest, "}}"); opens && closes {
					r.Set(path+".content", before+behind)
				}
			})
		}),
	},
	{
		Name:   "history/drops-calls-beside-text",
		Does:   "A turn with text goes back without its calls, and without their results.",
		Models: []string{"https://github.com/langchain-ai/langchainjs/pull/10065"},
		Breaks: []string{"history/calls-come-back"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string {
				if content(t.assistant) != "" {
					return []string{remove(t.assistant, "tool_calls")}
				}
				return t.messages()
			})
		}),
	},
}

// lastPrompt returns the index of the message with the prompt that the loop is at.
func (r *RawRequest) lastPrompt() int {
	at := 0
	for i, m := range r.Messages() {
		said := gjson.Get(m, "content").String()
		if gjson.Get(m, "role").String() == "user" && slices.Contains(r.Task.Prompts, said) {
			at = i
		}
	}
	return at
}

// keepFrom drops what stands before a message, but for the system prompt and what is to be kept.
func (r *RawRequest) keepFrom(at int, keep func(message string) bool) {
	var kept []string
	for i, m := range r.Messages() {
		role := gjson.Get(m, "role").String()
		if i >= at || role == "system" || role == "developer" || keep(m) {
			kept = append(kept, m)
		}
	}
	r.SetMessages(kept)
}

func keepQuestionsAndAnswers(r *RawRequest) {
	r.keepFrom(r.lastPrompt(), func(m string) bool {
		return gjson.Get(m, "role").String() != "tool" && !gjson.Get(m, "tool_calls.0").Exists()
	})
}
