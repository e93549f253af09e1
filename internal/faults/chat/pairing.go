package chat

import (
	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

var pairing = []raw.Fault{
	{
		Name:    "pairing/sends-an-empty-call-list",
		Does:    "Assistant messages without calls carry an empty list of them.",
		Reports: []string{"https://github.com/brainlid/langchain/issues/523"},
		Breaks:  []string{"pairing/no-empty-call-list"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("assistant", func(path string, m gjson.Result) {
				if !m.Get("tool_calls").Exists() {
					r.SetRaw(path+".tool_calls", "[]")
				}
			})
		}),
	},
	{
		Name: "pairing/sends-empty-ids",
		Does: "A single call and its result go back with an empty id.",
		Reports: []string{
			"https://github.com/langchain-ai/langchain/issues/22600",
			"https://github.com/spring-projects/spring-ai/commit/7d155ec1cf",
			"https://github.com/vercel/ai/pull/19091",
			"https://github.com/zed-industries/zed/issues/47696",
			"https://github.com/nlpodyssey/openai-agents-go/issues/2",
		},
		Breaks: []string{"pairing/ids-present"},
		Make: raw.OnRequest(func(r *raw.Request) {
			eachTurn(r, func(t turn) []string {
				if len(t.results) == 1 {
					t.assistant = raw.Set(t.assistant, "tool_calls.0.id", "")
					t.results[0] = raw.Set(t.results[0], "tool_call_id", "")
				}
				return t.messages()
			})
		}),
	},
	{
		Name:    "pairing/answers-as-a-function",
		Does:    "In long runs results are sent in the role of a function, without the turn that called it.",
		Reports: []string{"https://github.com/tmc/langchaingo/issues/1396"},
		Breaks:  []string{"history/calls-come-back", "history/only-grows"},
		Make: late(func(r *raw.Request) {
			eachTurn(r, func(t turn) []string {
				name := gjson.Get(t.assistant, "tool_calls.0.function.name").String()
				for i, m := range t.results {
					t.results[i] = raw.Set(raw.Set(raw.Remove(m, "tool_call_id"), "role", "function"), "name", name)
				}
				return t.results
			})
		}),
	},
}
