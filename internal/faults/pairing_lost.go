package faults

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// withoutResults drops the tool messages of some contents.
func withoutResults(drop func(content string) bool) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		r.SetMessages(slices.DeleteFunc(r.Messages(), func(m string) bool {
			return gjson.Get(m, "role").String() == "tool" && drop(content(m))
		}))
	})
}

// isUnparsed reports whether a result says that the arguments of its call were not JSON.
func isUnparsed(content string) bool {
	return strings.HasPrefix(content, "Error: the arguments are not a JSON object: ") && !strings.HasPrefix(content, "Error: the arguments are not a JSON object: [")
}

// pairingLost are loops that lose a result, a call or the place of either.
var pairingLost = []Fault{
	{
		Name:    "pairing/skips-calls-that-do-not-parse",
		Does:    "A call whose arguments are not JSON is sent back without a result.",
		Models:  []string{"https://github.com/danny-avila/agents/pull/366"},
		Dialect: inChat,
		Breaks:  []string{"pairing/every-call-answered"},
		Make:    withoutResults(isUnparsed),
	},
	{
		Name:    "pairing/skips-calls-of-unknown-tools",
		Does:    "A call of a tool that does not exist is sent back without a result.",
		Models:  []string{"https://github.com/simonw/llm/issues/1104"},
		Dialect: inChat,
		Breaks:  []string{"pairing/every-call-answered"},
		Make:    withoutResults(func(s string) bool { return strings.HasPrefix(s, "Error: there is no tool") }),
	},
	{
		Name:    "pairing/skips-empty-results",
		Does:    "A tool that returned nothing gets no result.",
		Models:  []string{"https://github.com/openai/openai-agents-python/issues/3554"},
		Dialect: inChat,
		Breaks:  []string{"pairing/every-call-answered"},
		Make:    withoutResults(func(s string) bool { return s == "" }),
	},
	{
		Name:    "pairing/drops-results-of-known-ids",
		Does:    "Results are kept by their id, so that of two with one id only the first is sent.",
		Models:  []string{"https://github.com/sipeed/picoclaw/issues/2528"},
		Dialect: inChat,
		Breaks:  []string{"pairing/every-call-answered", "pairing/repeated-ids-kept-apart"},
		Make: onRawRequest(func(r *RawRequest) {
			seen := map[string]bool{}
			r.SetMessages(slices.DeleteFunc(r.Messages(), func(m string) bool {
				id := gjson.Get(m, "tool_call_id").String()
				known := seen[id]
				seen[id] = id != ""
				return known
			}))
		}),
	},
	{
		Name:    "pairing/drops-calls-of-known-ids",
		Does:    "Calls are kept by their id, so that of two with one id only the first goes back, but both results.",
		Models:  []string{"https://github.com/open-webui/open-webui/issues/28570"},
		Dialect: inChat,
		Breaks:  []string{"pairing/no-orphan-result", "history/calls-come-back", "pairing/one-result-per-call", "pairing/repeated-ids-kept-apart"},
		Make: onRawRequest(func(r *RawRequest) {
			seen := map[string]bool{}
			r.EachTurn(func(t turn) []string {
				id := gjson.Get(t.assistant, "tool_calls.0.id").String()
				if seen[id] {
					return t.results
				}
				seen[id] = true
				return t.messages()
			})
		}),
	},
	{
		Name: "pairing/sends-empty-ids",
		Does: "A single call and its result go back with an empty id.",
		Models: []string{
			"https://github.com/langchain-ai/langchain/issues/22600",
			"https://github.com/spring-projects/spring-ai/commit/7d155ec1cf",
			"https://github.com/vercel/ai/pull/19091",
			"https://github.com/zed-industries/zed/issues/47696",
			"https://github.com/nlpodyssey/openai-agents-go/issues/2",
		},
		Breaks: []string{"pairing/ids-present"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string {
				if len(t.results) == 1 {
					t.assistant = set(t.assistant, "tool_calls.0.id", "")
					t.results[0] = set(t.results[0], "tool_call_id", "")
				}
				return t.messages()
			})
		}),
	},
	{
		Name:   "pairing/adds-calls-to-the-turn-before",
		Does:   "From the third round on, the calls of a turn without text are added to the assistant message before it.",
		Models: []string{"https://github.com/zed-industries/zed/issues/29821"},
		Breaks: []string{"history/earlier-messages-unchanged", "pairing/results-directly-follow", "history/calls-come-back", "history/only-grows"},
		Make: late(func(r *RawRequest) {
			var messages []string
			before := -1 // the assistant message that is added to
			for _, m := range r.Messages() {
				if before >= 0 && content(m) == "" && gjson.Get(m, "tool_calls.0").Exists() {
					for _, call := range gjson.Get(m, "tool_calls").Array() {
						messages[before] = setRaw(messages[before], "tool_calls.-1", call.Raw)
					}
					continue
				}
				if gjson.Get(m, "role").String() == "assistant" {
					before = len(messages)
				}
				messages = append(messages, m)
			}
			r.SetMessages(messages)
		}),
	},
	{
		Name:    "pairing/answers-as-a-function",
		Does:    "In long runs results are sent in the role of a function, without the turn that called it.",
		Models:  []string{"https://github.com/tmc/langchaingo/issues/1396"},
		Dialect: inChat,
		Breaks:  []string{"history/calls-come-back", "history/only-grows"},
		Make: late(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string {
				name := gjson.Get(t.assistant, "tool_calls.0.function.name").String()
				for i, m := range t.results {
					t.results[i] = set(set(remove(m, "tool_call_id"), "role", "function"), "name", name)
				}
				return t.results
			})
		}),
	},
	{
		Name:   "pairing/sends-neither-calls-nor-ids",
		Does:   "In long runs turns go back without their calls, and results without their ids.",
		Models: []string{"https://github.com/cloudwego/eino-ext/commit/1622ec4d"},
		Breaks: []string{"egress/content-present", "history/calls-come-back", "history/only-grows", "pairing/ids-present", "pairing/no-orphan-result"},
		Make: late(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string {
				t.assistant = remove(t.assistant, "tool_calls")
				for i := range t.results {
					t.results[i] = remove(t.results[i], "tool_call_id")
				}
				return t.messages()
			})
		}),
	},
	{
		Name:   "pairing/cuts-between-call-and-result",
		Does:   "In long runs the oldest messages are dropped up to a call, and its result is kept.",
		Models: []string{"https://github.com/neuron-core/neuron-ai/commit/02bb890d", "https://github.com/mastra-ai/mastra/issues/2667"},
		Breaks: []string{"history/only-grows", "pairing/no-orphan-result"},
		Make: late(func(r *RawRequest) {
			first := true
			r.EachTurn(func(t turn) []string {
				if first {
					first = false
					return t.results
				}
				return t.messages()
			})
		}),
	},
}
