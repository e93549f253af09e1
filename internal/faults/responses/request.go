package responses

import (
	"fmt"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop"
)

// request are faults in the other keys of a request.
var request = []raw.Fault{
	{
		Name:   "egress/sends-flags-as-texts",
		Does:   "background comes from a file of settings and is sent as the text that it is there.",
		Breaks: []string{"egress/parameter-types"},
		Make:   always("background", `"false"`),
	},
	{
		Name:   "egress/forces-a-tool-as-in-chat",
		Does:   "tool_choice names its function within a key function, as in Chat Completions.",
		Breaks: []string{"egress/flat-tool-choice"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if name := r.Get("tools.0.name"); name.Exists() {
				r.SetRaw("tool_choice", `{"type":"function","function":`+raw.Set(`{}`, "name", name.String())+`}`)
			}
		}),
	},
	{
		Name:   "egress/chooses-any-tool",
		Does:   "tool_choice is any, as in other APIs.",
		Breaks: []string{"egress/tool-choice-word"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("tools.0").Exists() {
				r.Set("tool_choice", "any")
			}
		}),
	},
	{
		Name:   "egress/names-two-histories",
		Does:   "A request that goes on from an answer names a conversation as well.",
		Breaks: []string{"egress/one-history"},
		Make: kept(func(r *raw.Request) {
			if r.Get("previous_response_id").Exists() {
				r.Set("conversation", "conv_1")
			}
		}),
	},
	{
		Name:   "egress/includes-what-there-is-not",
		Does:   "include has a word that the API does not know.",
		Breaks: []string{"egress/include-words"},
		Make:   raw.OnRequest(func(r *raw.Request) { r.Set("include.-1", "reasoning.summary") }),
	},
	{
		Name:   "egress/instructs-in-parts",
		Does:   "The instructions are a list of parts, as a system prompt is in another API.",
		Breaks: []string{"egress/instructions-are-text"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if said := r.Get("instructions"); said.Exists() {
				r.SetRaw("instructions", "["+raw.Set(`{"type":"input_text"}`, "text", said.String())+"]")
			}
		}),
	},
	{
		Name:   "egress/reasons-as-for-a-router",
		Does:   "reasoning has the keys that it has for OpenRouter.",
		Breaks: []string{"egress/option-keys"},
		Make:   always("reasoning", `{"enabled":true,"exclude":false}`),
	},
	{
		Name:   "egress/obfuscates-by-a-word",
		Does:   "What hides the lengths of tokens is switched off by a word.",
		Breaks: []string{"egress/value-forms"},
		Make:   always("stream_options", `{"include_obfuscation":"no"}`),
	},
	{
		Name:   "egress/labels-with-numbers",
		Does:   "metadata has the version of the loop as a number.",
		Breaks: []string{"egress/metadata-form"},
		Make:   always("metadata", `{"version":1}`),
	},
	{
		Name:   "egress/waits-in-the-background-for-nothing",
		Does:   "A stream is asked for in the background, and not stored.",
		Breaks: []string{"egress/background-is-stored"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("stream").Bool() { // otherwise it would have to be asked for until it is there
				r.SetRaw("background", "true")
			}
		}),
	},
	{
		Name:    "egress/defers-without-a-search",
		Does:    "A tool of the loop's own is deferred, and the search for it was left out.",
		Reports: []string{"https://github.com/Wei-Shaw/sub2api/issues/5942", "https://github.com/openai/codex/issues/19486"},
		Breaks:  []string{"egress/deferred-tools-need-a-search"},
		Make:    oneToolMore(deferredTool),
	},
	{
		Name:    "egress/searches-among-nothing",
		Does:    "The search for tools is always offered, and no tool is deferred.",
		Reports: []string{"https://github.com/justrach/codegraff/issues/746"},
		Breaks:  []string{"egress/search-has-deferred-tools"},
		Make:    oneToolMore(`{"type":"tool_search"}`),
	},
	{
		Name:    "egress/leaves-its-search-unanswered",
		Does:    "A search for tools that the loop carries out itself is in the history, and what it found is not.",
		Reports: []string{"https://github.com/openai/codex/issues/31053", "https://github.com/Wei-Shaw/sub2api/issues/4209"},
		Breaks:  []string{"egress/searches-answered"},
		Make:    behindResults(ownSearch),
	},
	{
		Name:    "egress/forgets-the-namespace-of-deferred-tools",
		Does:    "The tools are deferred behind a search, and their calls go back without their namespace.",
		Reports: []string{"https://github.com/vercel/ai/pull/15193", "https://github.com/earendil-works/pi/issues/7709"},
		Breaks:  []string{"egress/calls-in-their-namespace"},
		Make: raw.OnRequest(func(r *raw.Request) {
			deferTools(r)
			forgetNamespaces(r)
		}),
	},
	{
		Name:    "egress/forgets-the-namespace-of-tools",
		Does:    "The tools are offered in a namespace, and their calls go back without it.",
		Reports: []string{"https://github.com/openai/codex/issues/23839", "https://github.com/experientiallabs/experiential/pull/784"},
		Breaks:  []string{"egress/calls-in-their-namespace", "history/calls-come-back"},
		Make: raw.OnRequest(func(r *raw.Request) {
			inNamespace(r)
			forgetNamespaces(r)
		}),
	},
	{
		Name:    "egress/refers-to-items-that-are-not-stored",
		Does:    "A message of the user is referred to by an id, though nothing is stored.",
		Reports: []string{"https://github.com/can1357/oh-my-pi/issues/41", "https://github.com/coder/coder/issues/23368"},
		Breaks:  []string{"egress/stored-items-are-referred-to"},
		Make:    behindResults(`{"type":"item_reference","id":"msg_1"}`),
	},
}

// forgetNamespaces takes the namespaces out of the calls of a request.
func forgetNamespaces(r *raw.Request) {
	eachItem(r, "function_call", func(path string, _ gjson.Result) { r.Delete(path + ".namespace") })
}

// eachTool makes a loop that changes every tool that it offers.
func eachTool(change func(r *raw.Request, path string, tool gjson.Result)) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		for i, tool := range r.Get("tools").Array() {
			change(r, fmt.Sprintf("tools.%d", i), tool)
		}
	})
}

// kept makes a loop that leaves its history to providers that keep it, and changes its requests.
func kept(change func(r *raw.Request)) func() raw.Mutation {
	return func() raw.Mutation {
		return raw.Mutation{Loop: func(l *refloop.Loop) { l.Threads = true }, Request: change}
	}
}

// deferredTool is a tool of the loop's own that the model has to search for.
const deferredTool = `{"type":"function","name":"read_notes","description":"Read what was noted.","strict":false,"parameters":{"type":"object","properties":{}},"defer_loading":true}`

// A search for tools that the loop carries out itself, and what it found.
const (
	ownSearch      = `{"type":"tool_search_call","call_id":"call_search","execution":"client","status":"completed","arguments":{"query":"notes"}}`
	ownSearchFound = `{"type":"tool_search_output","call_id":"call_search","execution":"client","status":"completed","tools":[` + deferredTool + `]}`
)

// oneToolMore offers one more tool to the model, where there are any.
func oneToolMore(tool string) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		if r.Get("tools.0").Exists() {
			r.SetRaw("tools.-1", tool)
		}
	})
}
