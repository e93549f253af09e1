package responses

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// streamEnds are faults in how a loop takes the ends of items.
var streamEnds = []raw.Fault{
	{
		Name:    "stream/collects-items-at-their-end",
		Does:    "The items of a stream are those that have ended; where none has, there is none.",
		Reports: []string{"https://github.com/NousResearch/hermes-agent/issues/92764", "https://github.com/anomalyco/opencode/issues/37159"},
		Breaks:  []string{"stream/items-not-done"},
		Make: raw.OnStream(func(a *raw.Answer) {
			if !announcesItems(a.Payloads) || hasAny(a.Payloads, "response.output_item.done") {
				return
			}
			a.Payloads = slices.DeleteFunc(a.Payloads, func(p string) bool { return gjson.Get(p, "output_index").Exists() })
			for i, p := range a.Payloads {
				if gjson.Get(p, "response.output").Exists() {
					a.Payloads[i] = raw.SetRaw(p, "response.output", "[]")
				}
			}
		}),
	},
	{
		Name:    "stream/takes-texts-at-their-end",
		Does:    "A text is what its own end says, and nothing where that is missing.",
		Reports: []string{"https://github.com/agentgateway/agentgateway/pull/2281"},
		Breaks:  []string{"stream/parts-not-done"},
		Make: raw.OnStream(func(a *raw.Answer) {
			for i, p := range a.Payloads {
				index := gjson.Get(p, "output_index").Int()
				if !hasKind(a.Payloads, "response.output_text.delta", index) || hasKind(a.Payloads, "response.output_text.done", index) {
					continue
				}
				switch kindOf(p) {
				case "response.output_text.delta":
					a.Payloads[i] = raw.Set(p, "delta", "")
				case "response.output_item.done":
					a.Payloads[i] = raw.Set(p, "item.content.0.text", "")
				}
			}
		}),
	},
	{
		Name:    "stream/ends-the-newest-item",
		Does:    "An item that ends is expected to be the one that began last or the next one; another one ends the run.",
		Reports: []string{"https://github.com/can1357/oh-my-pi/issues/1880", "https://github.com/BerriAI/litellm/pull/36356"},
		Breaks:  []string{"stream/items-end-backwards"},
		Make: raw.OnStream(func(a *raw.Answer) {
			highest := int64(-1)
			for _, p := range a.Payloads {
				if kindOf(p) != "response.output_item.done" {
					continue
				}
				index := gjson.Get(p, "output_index").Int()
				if index < highest {
					choke(a)
					return
				}
				highest = index
			}
		}),
	},
	{
		Name:    "stream/takes-a-missing-index-for-zero",
		Does:    "Pieces of arguments without an index go to the first item.",
		Reports: []string{"https://github.com/tontinton/maki/pull/514"},
		Breaks:  []string{"stream/indexes-missing"},
		Make: raw.OnStream(func(a *raw.Answer) {
			if !numbered(a.Payloads) {
				return
			}
			for i, p := range a.Payloads {
				if item := gjson.Get(p, "item"); kindOf(p) == "response.output_item.done" && item.Get("type").String() == "function_call" && !gjson.Get(p, "output_index").Exists() {
					a.Payloads[i] = raw.Set(p, "item.arguments", "")
				}
			}
			a.Payloads = slices.DeleteFunc(a.Payloads, func(p string) bool {
				return strings.HasPrefix(kindOf(p), "response.function_call_arguments.") && !gjson.Get(p, "output_index").Exists()
			})
		}),
	},
	{
		Name:    "stream/demands-ids-of-items",
		Does:    "A message or a call without an id of the item does not fit its schema, and ends the run.",
		Reports: []string{"https://github.com/ggml-org/llama.cpp/pull/24882", "https://github.com/lidge-jun/opencodex/pull/2131"},
		Breaks:  []string{"stream/item-ids-missing"},
		Make: raw.OnAnswer(func(a *raw.Answer) {
			for _, p := range a.Payloads {
				for _, item := range append(gjson.Get(p, "output").Array(), gjson.Get(p, "item")) {
					if kind := item.Get("type").String(); (kind == "message" || kind == "function_call") && !item.Get("id").Exists() {
						choke(a)
						return
					}
				}
			}
		}),
	},
	{
		Name:    "stream/looks-for-tools-when-calls-begin",
		Does:    "A call that begins without the name of a tool ends the run.",
		Reports: []string{"https://github.com/HEXUXIU/M365-Copilot2API/issues/77"},
		Breaks:  []string{"stream/calls-named-when-done"},
		Make: raw.Chokes(func(_ int, p string) bool {
			return kindOf(p) == "response.output_item.added" && gjson.Get(p, "item.type").String() == "function_call" && gjson.Get(p, "item.name").String() == ""
		}),
	},
}

// summaries are faults in how a loop handles the summaries of reasoning.
var summaries = []raw.Fault{{
	Name:    "reasoning/keeps-the-last-part-of-a-summary",
	Does:    "Of a summary with several parts the last one goes back alone.",
	Reports: []string{"https://github.com/vercel/ai/pull/14842"},
	Breaks:  []string{"reasoning/summary-in-parts"},
	Make: onItems("reasoning", func(r *raw.Request, path string, item gjson.Result) {
		if parts := item.Get("summary").Array(); len(parts) > 1 {
			r.SetRaw(path+".summary", raw.List(raw.Items(parts[len(parts)-1:])))
		}
	}),
}}

// numbered reports whether the events of a stream are numbered, as they are where only the indexes
// are missing.
func numbered(payloads []string) bool {
	return slices.ContainsFunc(payloads, func(p string) bool { return gjson.Get(p, "sequence_number").Exists() })
}

// announcesItems reports whether a stream says that items begin.
func announcesItems(payloads []string) bool { return hasAny(payloads, "response.output_item.added") }

// hasAny reports whether a whole stream has an event of a type.
func hasAny(payloads []string, kind string) bool {
	whole := slices.ContainsFunc(payloads, func(p string) bool { return strings.HasPrefix(kindOf(p), "response.completed") })
	return whole && slices.ContainsFunc(payloads, func(p string) bool { return kindOf(p) == kind })
}
