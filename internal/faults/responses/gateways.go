package responses

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// gateways are faults of loops that expect what OpenAI sends where gateways send something else.
var gateways = []raw.Fault{
	{
		Name:    "stream/takes-an-index-for-an-item",
		Does:    "An item that begins at an index where another one was is that one, and is left out.",
		Reports: []string{"https://github.com/decolua/9router/issues/2611"},
		Breaks:  []string{"stream/index-shared"},
		Make: raw.OnStream(func(a *raw.Answer) {
			ids, left := map[int64]string{}, map[string]bool{}
			for _, p := range a.Payloads {
				index, id := gjson.Get(p, "output_index"), gjson.Get(p, "item.id").String()
				if kindOf(p) != "response.output_item.added" || !index.Exists() || id == "" {
					continue
				}
				if known, used := ids[index.Int()]; used && known != id {
					left[id] = true
				}
				ids[index.Int()] = id
			}
			a.Payloads = slices.DeleteFunc(a.Payloads, func(p string) bool {
				return left[gjson.Get(p, "item.id").String()] || left[gjson.Get(p, "item_id").String()]
			})
		}),
	},
	{
		Name:   "stream/drops-items-far-behind",
		Does:   "An item with an index above 1023 is left out without an error, to bound the list of items.",
		Breaks: []string{"stream/index-huge"},
		Make: raw.OnStream(func(a *raw.Answer) {
			a.Payloads = slices.DeleteFunc(a.Payloads, func(p string) bool { return gjson.Get(p, "output_index").Int() >= 1024 })
		}),
	},
	{
		Name:    "stream/wants-a-call-id",
		Does:    "A call without a call_id is dropped.",
		Reports: []string{"https://github.com/vercel/ai/pull/19091"},
		Breaks:  []string{"stream/id-missing"},
		Make: onCalls(func(call string) string {
			if gjson.Get(call, "call_id").String() == "" && gjson.Get(call, "name").String() != "" {
				return `{"type":"dropped","status":"completed"}`
			}
			return call
		}),
	},
	{
		Name:    "stream/tidies-call-ids",
		Does:    "What is not a letter, digit, _ or - is taken out of call_ids.",
		Reports: []string{"https://github.com/orchidfiles/ungate/pull/41"},
		Breaks:  []string{"stream/ids-of-any-form"},
		Make: onCalls(func(call string) string {
			return raw.Set(call, "call_id", untidy.ReplaceAllString(gjson.Get(call, "call_id").String(), ""))
		}),
	},
	{
		Name:   "arguments/reads-texts-alone",
		Does:   "Arguments that come as an object are treated as none.",
		Breaks: []string{"arguments/as-object"},
		Make: onCalls(func(call string) string {
			if gjson.Get(call, "arguments").IsObject() {
				return raw.Set(call, "arguments", "{}")
			}
			return call
		}),
	},
	{
		Name:    "stream/demands-a-delta",
		Does:    "A piece that has no text ends the run.",
		Reports: []string{"https://github.com/openai/openai-node/pull/2022"},
		Breaks:  []string{"stream/no-delta"},
		Make: raw.Chokes(func(_ int, p string) bool {
			return strings.HasSuffix(kindOf(p), ".delta") && !strings.Contains(kindOf(p), "confidence") && gjson.Get(p, "delta").Type != gjson.String
		}),
	},
	{
		Name:    "failure/looks-for-the-key-error",
		Does:    "An event of the type error is passed over if it has no key error.",
		Reports: []string{"https://github.com/Menci/Floway/pull/330"},
		Breaks:  []string{"failure/failed-responses"},
		Make: raw.OnStream(func(a *raw.Answer) {
			flat := func(p string) bool { // an event of the name error is under that key
				return gjson.Get(p, "error.type").String() == "error" && !gjson.Get(p, "error.error").Exists()
			}
			if !slices.ContainsFunc(a.Payloads, flat) {
				return
			}
			a.Payloads = slices.DeleteFunc(a.Payloads, flat)
			for i, p := range a.Payloads {
				if kindOf(p) == "response.failed" {
					p = raw.Set(raw.SetRaw(p, "response.error", "null"), "response.status", "completed")
					a.Payloads[i] = raw.Set(p, "type", "response.completed")
				}
			}
		}),
	},
	{
		Name:   "failure/takes-an-empty-error-for-one",
		Does:   "The key error of an event means an error, whatever its value is.",
		Breaks: []string{"failure/no-error-is-none"},
		Make: raw.Chokes(func(_ int, p string) bool {
			return strings.HasPrefix(kindOf(p), "response.") && gjson.Get(p, "error").Exists()
		}),
	},
}

// untidy is what is taken out of ids.
var untidy = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// onCalls makes a loop that reads every call of an answer otherwise, where it is whole.
func onCalls(change func(call string) string) func() raw.Mutation {
	return raw.OnAnswer(func(a *raw.Answer) {
		for i, p := range a.Payloads {
			if gjson.Get(p, "item.type").String() == "function_call" {
				p = raw.SetRaw(p, "item", change(gjson.Get(p, "item").Raw))
			}
			for _, at := range []string{"output", "response.output"} {
				if list := gjson.Get(p, at); list.IsArray() {
					p = raw.SetRaw(p, at, raw.Each(list, func(item gjson.Result) string {
						if item.Get("type").String() == "function_call" {
							return change(item.Raw)
						}
						return item.Raw
					}))
				}
			}
			a.Payloads[i] = p
		}
	})
}
