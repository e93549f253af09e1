package faults

import (
	"fmt"
	"slices"

	"github.com/tidwall/gjson"
)

// backwards returns an id of the same letters in another order.
func backwards(id string) string {
	letters := []byte(id)
	slices.Reverse(letters)
	return string(letters)
}

var pairing = []Fault{
	{
		Name:   "pairing/drops-the-last-result",
		Does:   "Of several results of a turn the last one is lost.",
		Models: []string{"https://github.com/coze-dev/coze-studio/issues/2765", "https://github.com/RooCodeInc/Roo-Code/pull/9363"},
		Breaks: []string{"pairing/every-call-answered"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string {
				if len(t.results) > 1 {
					t.results = t.results[:len(t.results)-1]
				}
				return t.messages()
			})
		}),
	},
	{
		Name:   "pairing/answers-twice",
		Does:   "The first result of a turn is sent twice.",
		Models: []string{"https://github.com/cline/cline/pull/7419", "https://github.com/Kilo-Org/kilocode/issues/11440"},
		Breaks: []string{"pairing/one-result-per-call"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string {
				t.results = append(t.results, t.results[0])
				return t.messages()
			})
		}),
	},
	{
		Name:    "pairing/starts-with-an-orphan",
		Does:    "A history window begins with the result of a call that it cut off.",
		Models:  []string{"https://github.com/mastra-ai/mastra/issues/2667", "https://github.com/itmisx/deepx-code/issues/94"},
		Dialect: inChat,
		Breaks:  []string{"pairing/no-orphan-result"},
		Make: onRawRequest(func(r *RawRequest) {
			r.SetMessages(slices.Insert(r.Messages(), 0, `{"role":"tool","tool_call_id":"call_of_yesterday","content":"sunny"}`))
		}),
	},
	{
		Name:   "pairing/sends-stale-results",
		Does:   "Results of an earlier conversation are sent behind those of a turn.",
		Models: []string{"https://github.com/dapr/dapr-agents/issues/145"},
		Breaks: []string{"pairing/result-names-a-call"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string {
				return append(t.messages(), `{"role":"tool","tool_call_id":"call_of_yesterday","content":"sunny"}`)
			})
		}),
	},
	{
		Name:    "pairing/puts-a-message-between",
		Does:    "A reminder is put between the calls and their results.",
		Models:  []string{"https://github.com/github/copilot-sdk/issues/1922"},
		Dialect: inChat,
		Breaks:  []string{"pairing/results-directly-follow"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string {
				return append([]string{t.assistant, `{"role":"system","content":"The tools have run."}`}, t.results...)
			})
		}),
	},
	{
		Name:   "pairing/sends-results-as-they-come",
		Does:   "Results are sent in the order in which the tools finished, here the last call first.",
		Models: []string{"https://github.com/vercel/ai/issues/16567"},
		Breaks: []string{"pairing/results-in-call-order"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string {
				slices.Reverse(t.results)
				return t.messages()
			})
		}),
	},
	{
		Name:   "pairing/swaps-results",
		Does:   "The results of the first two calls of a turn are swapped.",
		Models: []string{"https://github.com/firebase/genkit/issues/3248", "https://github.com/vercel/ai/issues/4936"},
		Breaks: []string{"pairing/result-carries-its-call-id"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string {
				if len(t.results) > 1 && !isError(content(t.results[0])) && !isError(content(t.results[1])) {
					first, second := content(t.results[0]), content(t.results[1])
					t.results[0], t.results[1] = set(t.results[0], "content", second), set(t.results[1], "content", first)
				}
				return t.messages()
			})
		}),
	},
	{
		Name:   "pairing/sends-no-ids",
		Does:   "The ids of a single call and of its result are left out.",
		Models: []string{"https://github.com/vercel/ai/issues/2178"},
		Breaks: []string{"pairing/ids-present"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string {
				if len(t.results) == 1 {
					t.assistant = remove(t.assistant, "tool_calls.0.id")
					t.results[0] = remove(t.results[0], "tool_call_id")
				}
				return t.messages()
			})
		}),
	},
	{
		Name:   "pairing/makes-its-own-ids",
		Does:   "Calls and results go back under ids that the loop made up.",
		Breaks: []string{"pairing/ids-echoed"},
		Make: onRawRequest(func(r *RawRequest) {
			rename := func(path string) func(string, gjson.Result) {
				return func(at string, v gjson.Result) { r.Set(at+"."+path, backwards(v.Get(path).String())) }
			}
			r.EachCall(rename("id"))
			r.Each("tool", rename("tool_call_id"))
		}),
	},
	{
		Name:   "pairing/uses-the-tool-name-as-id",
		Does:   "Calls and results go back under the name of their tool.",
		Models: []string{"https://github.com/firebase/genkit/issues/3248", "https://github.com/strands-agents/sdk-python/issues/2053"},
		Breaks: []string{"pairing/ids-echoed", "pairing/ids-distinct", "pairing/id-form"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string {
				for n, call := range gjson.Get(t.assistant, "tool_calls").Array() {
					name := call.Get("function.name").String()
					t.assistant = set(t.assistant, fmt.Sprintf("tool_calls.%d.id", n), name)
					if n < len(t.results) {
						t.results[n] = set(t.results[n], "tool_call_id", name)
					}
				}
				return t.messages()
			})
		}),
	},
	{
		Name:   "pairing/makes-equal-ids",
		Does:   "When a tool is called twice in a turn, both calls and results go back under the first one's id.",
		Models: []string{"https://github.com/firebase/genkit/issues/3248", "https://github.com/microsoft/agent-framework/issues/6822"},
		Breaks: []string{"pairing/ids-distinct"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string {
				first := gjson.Get(t.assistant, "tool_calls.0")
				for n, call := range gjson.Get(t.assistant, "tool_calls").Array() {
					if call.Get("function.name").String() == first.Get("function.name").String() && n < len(t.results) {
						t.assistant = set(t.assistant, fmt.Sprintf("tool_calls.%d.id", n), first.Get("id").String())
						t.results[n] = set(t.results[n], "tool_call_id", first.Get("id").String())
					}
				}
				return t.messages()
			})
		}),
	},
	{
		Name:    "pairing/sends-an-empty-call-list",
		Does:    "Assistant messages without calls carry an empty list of them.",
		Models:  []string{"https://github.com/brainlid/langchain/issues/523"},
		Dialect: inChat,
		Breaks:  []string{"pairing/no-empty-call-list"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("assistant", func(path string, m gjson.Result) {
				if !m.Get("tool_calls").Exists() {
					r.SetRaw(path+".tool_calls", "[]")
				}
			})
		}),
	},
	{
		Name:    "pairing/keys-results-by-id",
		Does:    "A second call with an id that was used before gets the first one's result.",
		Models:  []string{"https://github.com/sipeed/picoclaw/issues/2528", "https://github.com/open-webui/open-webui/issues/28570"},
		Dialect: inChat,
		Breaks:  []string{"pairing/repeated-ids-kept-apart"},
		Make: onRawRequest(func(r *RawRequest) {
			first := map[string]string{}
			r.Each("tool", func(path string, m gjson.Result) {
				id := m.Get("tool_call_id").String()
				if known, ok := first[id]; ok {
					r.Set(path+".content", known)
				} else {
					first[id] = m.Get("content").String()
				}
			})
		}),
	},
}
