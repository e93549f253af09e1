package faults

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

var history = []Fault{
	{
		Name:   "history/forgets-the-first-round",
		Does:   "From the third round on the first one is dropped.",
		Models: []string{"https://github.com/mastra-ai/mastra/issues/2667"},
		Breaks: []string{"history/only-grows"},
		Make: onRawRequest(func(r *RawRequest) {
			rounds := 0
			r.EachTurn(func(t turn) []string { rounds++; return t.messages() })
			seen := 0
			r.EachTurn(func(t turn) []string {
				if seen++; seen == 1 && rounds > 2 {
					return nil
				}
				return t.messages()
			})
		}),
	},
	{
		Name:   "history/shortens-old-results",
		Does:   "The results of earlier rounds are replaced by a note.",
		Models: []string{"https://github.com/charmbracelet/fantasy/issues/333"},
		Breaks: []string{"history/earlier-messages-unchanged"},
		Make: onRawRequest(func(r *RawRequest) {
			rounds := 0
			r.EachTurn(func(t turn) []string { rounds++; return t.messages() })
			seen := 0
			r.EachTurn(func(t turn) []string {
				if seen++; seen < rounds {
					for i := range t.results {
						t.results[i] = set(t.results[i], "content", "[shown before]")
					}
				}
				return t.messages()
			})
		}),
	},
	{
		Name:   "history/sends-no-system-prompt",
		Does:   "The system prompt is never sent.",
		Breaks: []string{"history/system-prompt-sent"},
		Make: onRawRequest(func(r *RawRequest) {
			r.SetMessages(slices.DeleteFunc(r.Messages(), func(m string) bool { return gjson.Get(m, "role").String() == "system" }))
		}),
	},
	{
		Name:   "history/adds-to-the-prompt",
		Does:   "What the user said is sent with an instruction behind it.",
		Breaks: []string{"history/prompts-alone"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("user", func(path string, m gjson.Result) {
				if said := m.Get("content"); !said.IsArray() { // what shows images is the loop's own
					r.Set(path+".content", said.String()+" Answer briefly.")
				}
			})
		}),
	},
	{
		Name:   "history/loses-optional-parameters",
		Does:   "Parameters that are not required are not offered.",
		Breaks: []string{"history/tools-as-given"},
		Make: onRawRequest(func(r *RawRequest) {
			for i, t := range r.Get("tools").Array() {
				required := t.Get("function.parameters.required").Raw
				t.Get("function.parameters.properties").ForEach(func(name, _ gjson.Result) bool {
					if !strings.Contains(required, name.Raw) {
						r.Delete(fmt.Sprintf("tools.%d.function.parameters.properties.%s", i, name))
					}
					return true
				})
			}
		}),
	},
	{
		Name:   "history/drops-the-tools",
		Does:   "Once tools have run they are no longer offered.",
		Models: []string{"https://github.com/dotnet/extensions/issues/7207", "https://github.com/continuedev/continue/issues/13254"},
		Breaks: []string{"egress/tools-stay-defined", "history/tools-stay"},
		Make: onRawRequest(func(r *RawRequest) {
			if r.Get("messages.#(role==tool)").Exists() {
				r.Delete("tools")
			}
		}),
	},
	{
		Name:   "history/keeps-the-first-call-only",
		Does:   "Of several calls of a turn only the first goes back, with its result.",
		Models: []string{"https://github.com/tmc/langchaingo/issues/1362", "https://github.com/crmne/ruby_llm/issues/241"},
		Breaks: []string{"history/calls-come-back"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string {
				for gjson.Get(t.assistant, "tool_calls.1").Exists() {
					t.assistant = remove(t.assistant, "tool_calls.1")
				}
				t.results = t.results[:1]
				return t.messages()
			})
		}),
	},
	{
		Name:   "history/drops-text-beside-calls",
		Does:   "The text of a turn with tool calls does not go back.",
		Breaks: []string{"history/text-comes-back"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string {
				if !gjson.Get(t.assistant, "content").IsArray() {
					t.assistant = set(t.assistant, "content", nil)
				}
				return t.messages()
			})
		}),
	},
	{
		Name:   "history/splits-text-from-calls",
		Does:   "The text of a turn goes back as a message of its own before the calls.",
		Models: []string{"https://github.com/openai/openai-agents-js/pull/817"},
		Breaks: []string{"history/turn-in-one-message"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string {
				text := content(t.assistant)
				if text == "" {
					return t.messages()
				}
				t.assistant = remove(t.assistant, "content")
				return append([]string{set(`{"role":"assistant"}`, "content", text)}, t.messages()...)
			})
		}),
	},
	{
		Name:   "history/sends-one-message-per-call",
		Does:   "Each call of a turn goes back as a turn of its own.",
		Breaks: []string{"history/turn-in-one-message"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachTurn(func(t turn) []string {
				calls := gjson.Get(t.assistant, "tool_calls").Array()
				if len(calls) != len(t.results) {
					return t.messages()
				}
				var split []string
				for i, call := range calls {
					one := remove(t.assistant, "tool_calls")
					if i > 0 {
						one = remove(one, "content")
					}
					one = setRaw(one, "tool_calls.0", call.Raw)
					split = append(split, one, t.results[i])
				}
				return split
			})
		}),
	},
	{
		Name:    "history/forgets-its-answers",
		Does:    "When the user goes on, the earlier answers are not in the history.",
		Dialect: inChat,
		Breaks:  []string{"history/answers-come-back"},
		Make: onRawRequest(func(r *RawRequest) {
			r.SetMessages(slices.DeleteFunc(r.Messages(), func(m string) bool {
				return gjson.Get(m, "role").String() == "assistant" && !gjson.Get(m, "tool_calls.0").Exists()
			}))
		}),
	},
}
