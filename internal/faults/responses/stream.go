package responses

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// stream are faults in how a loop reads the events of a stream.
var stream = []raw.Fault{
	{
		Name:    "stream/goes-by-item-ids",
		Does:    "A piece under an id that no event has announced ends the run.",
		Reports: []string{"https://github.com/vercel/ai/pull/18548", "https://github.com/BerriAI/litellm/pull/30072"},
		Breaks:  []string{"stream/item-ids-change"},
		Make: raw.OnStream(func(a *raw.Answer) {
			announced := map[string]bool{}
			for _, p := range a.Payloads {
				if kindOf(p) == "response.output_item.added" {
					announced[gjson.Get(p, "item.id").String()] = true
				}
				if id := gjson.Get(p, "item_id"); id.Type == gjson.String && isAnnounced(a.Payloads, p) && !announced[id.String()] && !announced[""] {
					choke(a)
					return
				}
			}
		}),
	},
	{
		Name:    "stream/takes-every-end-for-a-call",
		Does:    "A call whose end comes twice is two calls.",
		Reports: []string{"https://github.com/QuantumNous/new-api/issues/6278"},
		Breaks:  []string{"stream/items-done-twice"},
		Make: raw.OnStream(func(a *raw.Answer) {
			ended := map[string]bool{}
			for i, p := range a.Payloads {
				if kindOf(p) != "response.output_item.done" || !gjson.Get(p, "output_index").Exists() {
					continue
				}
				index, id := gjson.Get(p, "output_index").Int(), gjson.Get(p, "item.id").String()+gjson.Get(p, "item.call_id").String()
				if ended[id] && gjson.Get(p, "item.type").String() == "function_call" {
					again := raw.Set(p, "output_index", index+1000)
					again = raw.Set(again, "item.id", gjson.Get(p, "item.id").String()+"_2")
					a.Payloads[i] = raw.Set(again, "item.call_id", gjson.Get(p, "item.call_id").String()+"_2")
				}
				ended[id] = true
			}
		}),
	},
	{
		Name:    "stream/expects-items-to-be-announced",
		Does:    "A piece of an item that no event has announced ends the run.",
		Reports: []string{"https://github.com/openai/codex/pull/16803"},
		Breaks:  []string{"stream/items-unannounced"},
		Make: raw.OnStream(func(a *raw.Answer) {
			for _, p := range a.Payloads {
				if strings.HasSuffix(kindOf(p), ".delta") && gjson.Get(p, "output_index").Exists() && !isAnnounced(a.Payloads, p) {
					choke(a)
					return
				}
			}
		}),
	},
	{
		Name:    "stream/expects-texts-to-be-announced",
		Does:    "A piece of a text that no event has announced ends the run.",
		Reports: []string{"https://github.com/Wei-Shaw/sub2api/issues/2875"},
		Breaks:  []string{"stream/items-unannounced"},
		Make: raw.OnStream(func(a *raw.Answer) {
			announced := false
			for _, p := range a.Payloads {
				announced = announced || kindOf(p) == "response.content_part.added"
				if kindOf(p) == "response.output_text.delta" && !announced && isAnnounced(a.Payloads, p) {
					choke(a)
					return
				}
			}
		}),
	},
	{
		Name:   "stream/builds-items-from-pieces",
		Does:   "An item of which nothing came before its end is passed over.",
		Breaks: []string{"stream/items-when-done"},
		Make: raw.OnStream(func(a *raw.Answer) {
			begun := map[int64]bool{}
			var kept []string
			passed := false
			for _, p := range a.Payloads {
				index := gjson.Get(p, "output_index")
				kind := gjson.Get(p, "item.type").String()
				if kindOf(p) == "response.output_item.done" && !begun[index.Int()] && (kind == "message" || kind == "function_call") {
					passed = true
					continue
				}
				begun[index.Int()] = begun[index.Int()] || index.Exists()
				if passed && gjson.Get(p, "response.output").Exists() {
					p = raw.SetRaw(p, "response.output", "[]")
				}
				kept = append(kept, p)
			}
			a.Payloads = kept
		}),
	},
	{
		Name:    "stream/builds-texts-from-pieces",
		Does:    "A text without pieces is read as if it were not there, and its end is not looked at.",
		Reports: []string{"https://github.com/agentgateway/agentgateway/pull/2281"},
		Breaks:  []string{"stream/text-when-done"},
		Make: raw.OnStream(func(a *raw.Answer) {
			for i, p := range a.Payloads {
				index := gjson.Get(p, "output_index").Int()
				if hasKind(a.Payloads, "response.output_text.delta", index) || !hasKind(a.Payloads, "response.output_text.done", index) {
					continue
				}
				switch kindOf(p) {
				case "response.output_text.done":
					a.Payloads[i] = raw.Set(p, "text", "")
				case "response.output_item.done":
					a.Payloads[i] = raw.Set(p, "item.content.0.text", "")
				}
			}
		}),
	},
	{
		Name:    "arguments/takes-pieces-alone",
		Does:    "Arguments are what their pieces make, and none where there are no pieces.",
		Reports: []string{"https://github.com/BerriAI/litellm/issues/27144", "https://github.com/earendil-works/pi/issues/2745"},
		Breaks:  []string{"arguments/when-done"},
		Make: raw.OnStream(func(a *raw.Answer) {
			for i, p := range a.Payloads {
				index := gjson.Get(p, "output_index").Int()
				if hasKind(a.Payloads, "response.function_call_arguments.delta", index) || !hasKind(a.Payloads, "response.function_call_arguments.done", index) ||
					gjson.Get(added(a.Payloads, index), "item.arguments").String() != "" || added(a.Payloads, index) == "" {
					continue
				}
				switch {
				case gjson.Get(p, "arguments").Type == gjson.String:
					a.Payloads[i] = raw.Set(p, "arguments", "")
				case gjson.Get(p, "item.arguments").Type == gjson.String:
					a.Payloads[i] = raw.Set(p, "item.arguments", "")
				}
			}
		}),
	},
	{
		Name:    "stream/takes-the-output-from-the-end",
		Does:    "The items of a stream are those of its last response, also where it has none.",
		Reports: []string{"https://github.com/open-webui/open-webui/pull/27800", "https://github.com/BerriAI/litellm/pull/32724", "https://github.com/decolua/9router/issues/705"},
		Breaks:  []string{"stream/output-at-the-end"},
		Make: raw.OnStream(func(a *raw.Answer) {
			last := a.Payloads[max(0, len(a.Payloads)-1):]
			if len(last) == 1 && kindOf(last[0]) == "response.completed" && len(gjson.Get(last[0], "response.output").Array()) == 0 {
				a.Payloads = slices.DeleteFunc(a.Payloads, func(p string) bool { return gjson.Get(p, "output_index").Exists() })
			}
		}),
	},
	{
		Name:    "stream/does-not-know-queued",
		Does:    "That a response is queued is an event that the loop does not know, and ends the run.",
		Reports: []string{"https://github.com/openai-php/client/pull/712"},
		Breaks:  []string{"stream/status-events"},
		Make:    raw.Chokes(func(_ int, p string) bool { return kindOf(p) == "response.queued" }),
	},
	{
		Name:   "stream/expects-progress-at-the-beginning",
		Does:   "That a response is in progress is expected once, and ends the run after the first item.",
		Breaks: []string{"stream/status-events"},
		Make: raw.OnStream(func(a *raw.Answer) {
			begun := false
			for _, p := range a.Payloads {
				begun = begun || kindOf(p) == "response.output_item.added"
				if begun && kindOf(p) == "response.in_progress" {
					choke(a)
					return
				}
			}
		}),
	},
	{
		Name:   "stream/waits-for-created",
		Does:   "A stream that does not begin with response.created ends the run.",
		Breaks: []string{"stream/created-missing"},
		Make: raw.Chokes(func(n int, p string) bool {
			return n == 0 && strings.HasPrefix(kindOf(p), "response.output_item.")
		}),
	},
	{
		Name:    "stream/keeps-items-in-a-list",
		Does:    "Items are kept in a list; one whose index is not the next place in it ends the run.",
		Reports: []string{"https://github.com/openai/openai-python/pull/3126"},
		Breaks:  []string{"stream/index-odd", "stream/index-shared"},
		Make: raw.OnStream(func(a *raw.Answer) {
			next := int64(0)
			for _, p := range a.Payloads {
				if kindOf(p) != "response.output_item.added" || !gjson.Get(p, "output_index").Exists() {
					continue
				}
				if gjson.Get(p, "output_index").Int() != next {
					choke(a)
					return
				}
				next++
			}
		}),
	},
	{
		Name:    "stream/demands-numbers",
		Does:    "An event without a sequence_number ends the run.",
		Reports: []string{"https://github.com/Effect-TS/effect/pull/8037", "https://github.com/Wei-Shaw/sub2api/pull/7129"},
		Breaks:  []string{"stream/sequence-missing"},
		Make: raw.Chokes(func(_ int, p string) bool {
			return strings.HasPrefix(kindOf(p), "response.") && !gjson.Get(p, "sequence_number").Exists()
		}),
	},
	{
		Name:   "stream/looks-for-the-tools-of-the-provider",
		Does:   "A search of the provider's own is treated as a call of a tool that there is not, and ends the run.",
		Breaks: []string{"stream/provider-items"},
		Make: raw.OnAnswer(func(a *raw.Answer) {
			if slices.ContainsFunc(a.Payloads, func(p string) bool { // of the quirk: where searches are played by themselves more is lost
				return strings.Contains(p, `"type":"web_search_call"`) && strings.Contains(p, `"query":"weather"`)
			}) {
				choke(a)
			}
		}),
	},
	{
		Name:    "stream/demands-annotations",
		Does:    "A text without a list of annotations does not fit its schema, and ends the run.",
		Reports: []string{"https://github.com/anomalyco/opencode/pull/29482"},
		Breaks:  []string{"stream/annotations-missing"},
		Make: raw.OnAnswer(func(a *raw.Answer) {
			if slices.ContainsFunc(a.Payloads, func(p string) bool {
				return strings.Contains(p, `"type":"output_text"`) && !strings.Contains(p, `"annotations"`)
			}) {
				choke(a)
			}
		}),
	},
	{
		Name:    "stream/goes-by-the-status-of-items",
		Does:    "An item that is not said to be completed ends the run.",
		Reports: []string{"https://github.com/Menci/Floway/pull/315"},
		Breaks:  []string{"stream/item-status-missing"},
		Make: raw.OnAnswer(func(a *raw.Answer) {
			for _, p := range a.Payloads {
				for _, item := range append(gjson.Get(p, "output").Array(), gjson.Get(p, "item")) {
					if kind := item.Get("type").String(); (kind == "message" || kind == "function_call") && !item.Get("status").Exists() {
						choke(a)
						return
					}
				}
			}
		}),
	},
	{
		Name:    "stream/demands-details-of-counts",
		Does:    "Token counts without their details do not fit their schema, and end the run.",
		Reports: []string{"https://github.com/jundot/omlx/pull/1008", "https://github.com/exo-explore/exo/pull/1885"},
		Breaks:  []string{"stream/usage-bare"},
		Make: raw.OnAnswer(func(a *raw.Answer) {
			for _, p := range a.Payloads {
				for _, usage := range []gjson.Result{gjson.Get(p, "usage"), gjson.Get(p, "response.usage")} {
					if usage.IsObject() && !usage.Get("input_tokens_details").Exists() {
						choke(a)
						return
					}
				}
			}
		}),
	},
	{
		Name:    "stream/does-not-know-keepalive",
		Does:    "An event that keeps the connection alive ends the run.",
		Reports: []string{"https://github.com/openai/openai-node/issues/1964", "https://github.com/openai/openai-java/issues/767", "https://github.com/openai-php/client/issues/732"},
		Breaks:  []string{"stream/pings-anywhere"},
		Make:    raw.Chokes(func(_ int, p string) bool { return kindOf(p) == "keepalive" }),
	},
	{
		Name:   "stream/throws-at-an-unknown-type",
		Does:   "An event of a type that the loop does not know ends the run.",
		Breaks: []string{"stream/unknown-events"},
		Make: raw.Chokes(func(_ int, p string) bool {
			return kindOf(p) == "response.progress" && len(p) < 10_000
		}),
	},
	{
		Name:   "stream/throws-at-an-unknown-item",
		Does:   "An item of a type that the loop does not know ends the run.",
		Breaks: []string{"stream/unknown-blocks"},
		Make: raw.Chokes(func(_ int, p string) bool {
			return strings.Contains(gjson.Get(p, "item.type").String(), ":")
		}),
	},
	{
		Name:   "stream/takes-annotations-for-text",
		Does:   "Every event about a text is treated as a piece of it; that of an annotation is undefined.",
		Breaks: []string{"stream/unknown-events"},
		Make: raw.OnStream(func(a *raw.Answer) {
			for i, p := range a.Payloads {
				if kindOf(p) == "response.output_text.annotation.added" {
					a.Payloads[i] = raw.Set(raw.Set(p, "type", "response.output_text.delta"), "delta", "undefined")
				}
				if gjson.Get(p, "item.type").String() == "message" && strings.Contains(strings.Join(a.Payloads[:i], ""), `"undefined"`) {
					a.Payloads[i] = raw.Set(p, "item.content.0.text", "undefined"+gjson.Get(p, "item.content.0.text").String())
				}
			}
		}),
	},
	{
		Name:   "stream/expects-objects-as-payloads",
		Does:   "A payload that is not an object ends the run.",
		Breaks: []string{"stream/payloads-no-object", "stream/no-choices"},
		Make:   raw.Chokes(func(_ int, p string) bool { return !strings.HasPrefix(p, "{") }),
	},
}

// kindOf returns the type of an event.
func kindOf(payload string) string { return gjson.Get(payload, "type").String() }

// choke makes a stream one that cannot be read.
func choke(a *raw.Answer) { a.Payloads = []string{"undefined is not an object"} }

// hasKind reports whether a stream has an event of a type about an item.
func hasKind(payloads []string, kind string, index int64) bool {
	return slices.ContainsFunc(payloads, func(p string) bool {
		return kindOf(p) == kind && gjson.Get(p, "output_index").Int() == index
	})
}

// added returns the event that announces an item, "" where there is none.
func added(payloads []string, index int64) string {
	for _, p := range payloads {
		if kindOf(p) == "response.output_item.added" && gjson.Get(p, "output_index").Int() == index {
			return p
		}
	}
	return ""
}

// isAnnounced reports whether an event announces the item that another one is about.
func isAnnounced(payloads []string, about string) bool {
	return added(payloads, gjson.Get(about, "output_index").Int()) != ""
}
