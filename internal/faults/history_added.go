package faults

import (
	"slices"

	"github.com/tidwall/gjson"
)

// historyAdded are loops that put into the history what nobody said, or said once.
var historyAdded = []Fault{
	{
		Name:   "history/keeps-turns-twice",
		Does:   "Each turn goes back twice, with its results.",
		Models: []string{"https://github.com/anthropics/claude-code/issues/20901"},
		Breaks: []string{"history/turns-once"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string { return append(t.messages(), t.messages()...) })
		}),
	},
	{
		Name:    "history/keeps-answers-twice",
		Does:    "When the user goes on, each answer stands twice in the history.",
		Models:  []string{"https://github.com/neuron-core/neuron-ai/issues/39"},
		Dialect: inChat,
		Breaks:  []string{"history/turns-once"},
		Make: onRawRequest(func(r *RawRequest) {
			var messages []string
			for _, m := range r.Messages() {
				messages = append(messages, m)
				if gjson.Get(m, "role").String() == "assistant" && content(m) != "" && !gjson.Get(m, "tool_calls.0").Exists() {
					messages = append(messages, m)
				}
			}
			r.SetMessages(messages)
		}),
	},
	{
		Name:    "history/adds-a-call",
		Does:    "Each turn with calls goes back with one more, and a result for it: what the loop did by itself.",
		Dialect: inChat,
		Breaks:  []string{"history/no-call-added"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string {
				id := gjson.Get(t.assistant, "tool_calls.0.id").String() + "x"
				call := set(`{"type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Nowhere\"}"}}`, "id", id)
				t.assistant = setRaw(t.assistant, "tool_calls.-1", call)
				t.results = append(t.results, set(`{"role":"tool","content":"done"}`, "tool_call_id", id))
				return t.messages()
			})
		}),
	},
	{
		Name:    "history/sends-calls-backwards",
		Does:    "The calls of a turn go back in reverse, and their results with them.",
		Dialect: inChat,
		Breaks:  []string{"history/calls-in-their-order"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string {
				var calls []string
				for _, c := range gjson.Get(t.assistant, "tool_calls").Array() {
					calls = append(calls, c.Raw)
				}
				slices.Reverse(calls)
				slices.Reverse(t.results)
				t.assistant = setRaw(t.assistant, "tool_calls", list(calls))
				return t.messages()
			})
		}),
	},
	{
		Name:   "history/doubles-texts",
		Does:   "The text of a turn with calls goes back twice in a row.",
		Models: []string{"https://github.com/agentscope-ai/agentscope-java/issues/2478"},
		Breaks: []string{"history/text-once"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string {
				if text := content(t.assistant); text != "" {
					t.assistant = set(t.assistant, "content", text+text)
				}
				return t.messages()
			})
		}),
	},
	{
		Name:   "history/says-that-there-is-no-content",
		Does:   "A turn that only called tools goes back with the words (no content).",
		Models: []string{"https://github.com/UKGovernmentBEIS/inspect_ai/pull/1196"},
		Breaks: []string{"history/no-text-added"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string {
				if said := gjson.Get(t.assistant, "content"); said.String() == "" {
					t.assistant = set(t.assistant, "content", "(no content)")
				}
				return t.messages()
			})
		}),
	},
	{
		Name: "history/repeats-the-prompt",
		Does: "Behind the results of each turn the user asks the same again.",
		Models: []string{
			"https://github.com/Mirascope/mirascope/issues/1166", "https://github.com/microsoft/agent-framework/issues/3657",
			"https://github.com/google-gemini/gemini-cli/issues/10809", "https://github.com/sociotechnica-org/lifebuild/pull/238",
		},
		Breaks: []string{"history/prompts-once"},
		Make: onRawRequest(func(r *RawRequest) {
			again := set(`{"role":"user"}`, "content", r.Task.Prompts[0])
			r.EachTurn(func(t turn) []string { return append(t.messages(), again) })
		}),
	},
	{
		Name:   "history/urges-the-model-on",
		Does:   "Behind the results of each turn the user says: go on.",
		Breaks: []string{"history/nothing-said-for-the-user"},
		Make:   behindResults(`{"role":"user","content":"Go on."}`),
	},
}

var historyAddedInBlocks = inMessages(
	Fault{
		Name:   "history/forgets-the-container",
		Does:   "The container in which the provider's code waits is not named.",
		Models: []string{"https://github.com/anthropics/anthropic-sdk-typescript/issues/1114", "https://github.com/anthropics/anthropic-sdk-python/pull/1150", "https://github.com/UKGovernmentBEIS/inspect_ai/pull/4603", "https://github.com/defog-ai/defog/issues/270"},
		Breaks: []string{"history/container-named"},
		Make:   onRawRequest(func(r *RawRequest) { r.Delete("container") }),
	},
	Fault{
		Name:   "history/keeps-foreign-blocks-twice",
		Does:   "The use of a tool of the provider's goes back twice.",
		Breaks: []string{"history/unknown-blocks-come-back"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachContent("assistant", func(blocks []gjson.Result) []string {
				var kept []string
				for _, b := range blocks {
					if kept = append(kept, b.Raw); isBlock(b, "server_tool_use") {
						kept = append(kept, b.Raw)
					}
				}
				return kept
			})
		}),
	},
)
