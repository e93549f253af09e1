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

var egressMessages = inMessages(
	Fault{
		Name:   "egress/leaves-max-tokens-out",
		Does:   "A request does not say how long the answer may be.",
		Breaks: []string{"egress/max-tokens-given"},
		Make:   onRawRequest(func(r *RawRequest) { r.Delete("max_tokens") }),
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
		Name:   "egress/input-as-text",
		Does:   "The input of a call goes back as a text of JSON.",
		Models: []string{"https://github.com/danny-avila/agents/pull/369"},
		Breaks: []string{"egress/input-is-object"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachBlock("tool_use", func(path string, b gjson.Result) { r.Set(path+".input", b.Get("input").Raw) })
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
