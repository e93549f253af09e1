package faults

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
)

// EachBlock changes every block of a type in the messages of a request of the dialect messages.
func (r *RawRequest) EachBlock(kind string, change func(path string, b gjson.Result)) {
	for i, m := range r.Get("messages").Array() {
		for n, b := range m.Get("content").Array() {
			if b.Get("type").String() == kind {
				change(fmt.Sprintf("messages.%d.content.%d", i, n), b)
			}
		}
	}
}

// EachContent rewrites the blocks of every message of a role. change returns what takes their place.
func (r *RawRequest) EachContent(role string, change func(blocks []gjson.Result) []string) {
	r.Each(role, func(path string, m gjson.Result) {
		r.SetRaw(path+".content", "["+strings.Join(change(m.Get("content").Array()), ",")+"]")
	})
}

// raws returns the JSON of blocks.
func raws(blocks []gjson.Result) []string {
	var all []string
	for _, b := range blocks {
		all = append(all, b.Raw)
	}
	return all
}

// isBlock reports whether a block is of one of these types.
func isBlock(b gjson.Result, kinds ...string) bool {
	for _, kind := range kinds {
		if b.Get("type").String() == kind {
			return true
		}
	}
	return false
}

// inMessages makes faults of the dialect messages.
func inMessages(faults ...Fault) []Fault {
	for i := range faults {
		faults[i].Dialect = "messages"
	}
	return faults
}

var pairingBlocks = inMessages(
	Fault{
		Name:   "pairing/writes-before-the-results",
		Does:   "A text of the user stands in front of the tool results.",
		Models: []string{"https://github.com/vercel/ai/issues/8318", "https://github.com/vercel/ai/pull/8474"},
		Breaks: []string{"pairing/results-first"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachContent("user", func(blocks []gjson.Result) []string {
				if !isBlock(blocks[0], "tool_result") {
					return raws(blocks)
				}
				return append([]string{`{"type":"text","text":"These are the results."}`}, raws(blocks)...)
			})
		}),
	},
	Fault{
		Name: "pairing/spreads-results-over-messages",
		Does: "Each result of a turn is sent in a message of its own.",
		Models: []string{
			"https://github.com/langchain-ai/langchainjs/pull/7386", "https://github.com/MoonshotAI/kosong/issues/45", "https://github.com/MoonshotAI/kimi-cli/issues/1975",
		},
		Breaks: []string{"pairing/results-in-one-message"},
		Make: onRawRequest(func(r *RawRequest) {
			var spread []string
			for _, m := range r.Get("messages").Array() {
				blocks := m.Get("content").Array()
				if !isBlock(blocks[0], "tool_result") {
					spread = append(spread, m.Raw)
					continue
				}
				for _, b := range blocks {
					spread = append(spread, `{"role":"user","content":[`+b.Raw+`]}`)
				}
			}
			r.SetMessages(spread)
		}),
	},
	Fault{
		Name:   "pairing/answers-in-the-models-name",
		Does:   "Tool results are sent as a message of the assistant.",
		Breaks: []string{"pairing/blocks-in-their-roles"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("user", func(path string, m gjson.Result) {
				if isBlock(m.Get("content.0"), "tool_result") {
					r.Set(path+".role", "assistant")
				}
			})
		}),
	},
	Fault{
		Name:   "pairing/dots-in-ids",
		Does:   "Calls go back under ids with a dot in them.",
		Models: []string{"https://github.com/anomalyco/opencode/issues/1279"},
		Breaks: []string{"pairing/ids-echoed", "pairing/ids-well-formed"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachBlock("tool_use", func(path string, b gjson.Result) { r.Set(path+".id", "call."+b.Get("id").String()) })
			r.EachBlock("tool_result", func(path string, b gjson.Result) { r.Set(path+".tool_use_id", "call."+b.Get("tool_use_id").String()) })
		}),
	},
	Fault{
		Name:   "pairing/sends-ids-of-another-provider",
		Does:   "A turn of another provider, with its ids, stays in the history.",
		Models: []string{"https://github.com/anomalyco/opencode/issues/1279"},
		Breaks: []string{"pairing/ids-well-formed"},
		Make: onRawRequest(func(r *RawRequest) {
			if !r.Get("tools").Exists() {
				return
			}
			earlier := []string{
				`{"role":"user","content":"What did you see yesterday?"}`,
				`{"role":"assistant","content":[{"type":"tool_use","id":"functions.see:0","name":"get_weather","input":{}}]}`,
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"functions.see:0","content":"nothing"}]}`,
			}
			r.SetMessages(append(earlier, r.Messages()...))
		}),
	},
)

var egressMessages = inMessages(
	Fault{
		Name:   "egress/leaves-max-tokens-out",
		Does:   "A request does not say how long the answer may be.",
		Breaks: []string{"egress/max-tokens-given"},
		Make:   onRawRequest(func(r *RawRequest) { r.Delete("max_tokens") }),
	},
	Fault{
		Name:   "egress/begins-with-the-assistant",
		Does:   "A greeting of the assistant stands before the first prompt.",
		Breaks: []string{"egress/user-comes-first"},
		Make: onRawRequest(func(r *RawRequest) {
			r.SetMessages(append([]string{`{"role":"assistant","content":[{"type":"text","text":"How can I help?"}]}`}, r.Messages()...))
		}),
	},
	Fault{
		Name:   "egress/system-as-a-message",
		Does:   "The system prompt is sent as the first message too.",
		Breaks: []string{"egress/system-stands-apart", "history/system-prompt-once"},
		Make: onRawRequest(func(r *RawRequest) {
			if system := r.Get("system"); system.Exists() {
				r.SetMessages(append([]string{set(`{"role":"system"}`, "content", system.String())}, r.Messages()...))
			}
		}),
	},
	Fault{
		Name:   "egress/reminds-before-the-user-speaks",
		Does:   "In front of every later prompt stands a reminder of the role system.",
		Models: []string{"https://github.com/anthropics/claude-code/issues/73821"},
		Breaks: []string{"egress/system-stands-apart"},
		Make: onRawRequest(func(r *RawRequest) {
			var messages []string
			for i, m := range r.Messages() {
				if words := gjson.Get(m, "content.#(type==text)"); i > 0 && roleOf(m) == "user" && words.Exists() {
					messages = append(messages, `{"role":"system","content":"Be brief."}`)
				}
				messages = append(messages, m)
			}
			r.SetMessages(messages)
		}),
	},
	Fault{
		Name:   "egress/empty-text-for-an-empty-result",
		Does:   "The result of a tool that said nothing is sent as an empty text block.",
		Models: []string{"https://github.com/anthropics/claude-code/issues/50010"},
		Breaks: []string{"egress/no-empty-text"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachBlock("tool_result", func(path string, b gjson.Result) {
				if b.Get("content").String() == "" {
					r.SetRaw(path+".content", `[{"type":"text","text":""}]`)
				}
			})
		}),
	},
	Fault{
		Name:   "egress/a-line-break-before-calls",
		Does:   "A turn that only called tools goes back with a line break as its text.",
		Models: []string{"https://github.com/vercel/ai/issues/6254"},
		Breaks: []string{"egress/no-white-text"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachContent("assistant", func(blocks []gjson.Result) []string {
				if !isBlock(blocks[0], "tool_use") {
					return raws(blocks)
				}
				return append([]string{`{"type":"text","text":"\n\n"}`}, raws(blocks)...)
			})
		}),
	},
	Fault{
		Name:   "egress/input-as-text",
		Does:   "The input of a call goes back as a text of JSON.",
		Models: []string{"https://github.com/danny-avila/agents/pull/369"},
		Breaks: []string{"egress/input-is-object"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachBlock("tool_use", func(path string, b gjson.Result) { r.Set(path+".input", b.Get("input").Raw) })
		}),
	},
	Fault{
		Name:   "egress/sums-up-without-tools",
		Does:   "From the second round on the tools are left out of the requests, as if the model had only to sum up.",
		Breaks: []string{"egress/tools-stay-defined", "history/tools-stay"},
		Make: onRawRequest(func(r *RawRequest) {
			if r.Get("messages.#").Int() > 2 {
				r.Delete("tools")
			}
		}),
	},
	Fault{
		Name:   "egress/takes-the-tools-away-at-the-limit",
		Does:   "In the last request that the turn limit allows the tools are left out, so that the model has to answer.",
		Breaks: []string{"egress/tools-stay-defined"},
		Make: onRawRequest(func(r *RawRequest) {
			if r.Number == r.Task.MaxTurns && r.Get("messages.#").Int() > 1 {
				r.Delete("tools")
			}
		}),
	},
	Fault{
		Name:   "egress/marks-every-message-for-the-cache",
		Does:   "Every message of a long conversation carries a cache_control.",
		Models: []string{"https://github.com/continuedev/continue/issues/6937", "https://github.com/tghamm/Anthropic.SDK/issues/50"},
		Breaks: []string{"egress/cache-marks-bounded"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("user", func(path string, m gjson.Result) {
				for n := range m.Get("content").Array() {
					r.SetRaw(fmt.Sprintf("%s.content.%d.cache_control", path, n), `{"type":"ephemeral"}`)
				}
			})
		}),
	},
)
