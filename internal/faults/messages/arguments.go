package messages

import (
	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

var arguments = []raw.Fault{
	{
		Name:    "arguments/overwrites-the-start",
		Does:    "The input of a streamed call is what its pieces make, also where there are none.",
		Reports: []string{"https://github.com/Yeachan-Heo/gajae-code/pull/1895", "https://github.com/earendil-works/pi/issues/7283"},
		Breaks:  []string{"arguments/in-the-start"},
		Make: eachCallStart(func(a *raw.Answer, i int, _ gjson.Result) {
			a.Payloads[i] = raw.SetRaw(a.Payloads[i], "content_block.input", "{}")
		}),
	},
	{
		Name:    "arguments/parses-no-pieces",
		Does:    "The pieces of an input are parsed as JSON, also where there are none.",
		Reports: []string{"https://github.com/activeagents/activeagent/pull/299", "https://github.com/BerriAI/litellm/issues/5063"},
		Breaks:  []string{"arguments/no-piece-means-none"},
		Make: eachCallStart(func(a *raw.Answer, i int, input gjson.Result) {
			if input.Raw == "{}" {
				a.Payloads = append(a.Payloads[:i:i], "undefined is not an object")
			}
		}),
	},
	{
		Name:    "arguments/parses-empty-pieces",
		Does:    "The pieces of an input are parsed as JSON, also where all of them are empty.",
		Reports: []string{"https://github.com/jeremychone/rust-genai/pull/114", "https://github.com/tghamm/Anthropic.SDK/issues/115", "https://github.com/we-promise/sure/issues/2722"},
		Breaks:  []string{"arguments/blank-means-none", "limits/answer-asked-for-once"},
		Make: raw.OnStream(func(a *raw.Answer) {
			joined := map[int64]string{}
			for _, p := range a.Payloads {
				joined[gjson.Get(p, "index").Int()] += gjson.Get(p, "delta.partial_json").String()
			}
			for index, pieces := range fragments(a) {
				if pieces > 0 && joined[index] == "" {
					a.Payloads = []string{"undefined is not an object"}
				}
			}
		}),
	},
}
