package gemini

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// gateways are faults that show behind gateways and servers that write the API in ways of their
// own.
var gateways = []raw.Fault{
	{
		Name:    "stream/expects-no-lists",
		Does:    "A payload that is a list ends the stream.",
		Reports: []string{"https://github.com/langchain4j/langchain4j/issues/5353"},
		Breaks:  []string{"stream/payloads-no-object"},
		Make:    raw.Chokes(func(_ int, p string) bool { return strings.HasPrefix(p, "[") }),
	},
	{
		Name:    "stream/wants-an-id-that-says-something",
		Does:    "An id that is empty does not fit the schema of a call.",
		Reports: []string{"https://github.com/vercel/ai/pull/19091"},
		Breaks:  []string{"stream/id-missing"},
		Make:    chokesOn(`"id":""`),
	},
	{
		Name:    "stream/expects-no-null-reason",
		Does:    "A reason to stop that is null does not fit the schema of a chunk.",
		Reports: []string{"https://github.com/brainlid/langchain/issues/367"},
		Breaks:  []string{"stream/nulls"},
		Make:    chokesOn(`"finishReason":null`),
	},
	{
		Name:    "stream/expects-a-content",
		Does:    "A content of null does not fit the schema of a candidate.",
		Reports: []string{"https://github.com/microsoft/agent-framework/issues/5734"},
		Breaks:  []string{"stream/no-delta"},
		Make:    chokesOn(`"content":null`),
	},
	{
		Name:    "finish/ends-the-stream-at-an-empty-word",
		Does:    "A reason to stop that is empty ends the stream.",
		Reports: []string{"https://github.com/router-for-me/CLIProxyAPI/issues/5651"},
		Breaks:  []string{"finish/empty-word-is-none"},
		Make: raw.OnStream(func(a *raw.Answer) {
			at := slices.IndexFunc(a.Payloads, func(p string) bool {
				word := gjson.Get(p, "candidates.0.finishReason")
				return word.Exists() && word.Type == gjson.String && word.String() == ""
			})
			if at >= 0 {
				a.Payloads = a.Payloads[:at+1]
			}
		}),
	},
	{
		Name:    "stream/expects-counts-in-a-chunk",
		Does:    "The token counts of a chunk are looked at, also where there are none.",
		Reports: []string{"https://github.com/charmbracelet/fantasy/issues/116"},
		Breaks:  []string{"stream/usage-optional"},
		Make: raw.OnStream(func(a *raw.Answer) {
			counts := func(p string) bool { return gjson.Get(p, "usageMetadata").Exists() }
			says := func(p string) bool { return gjson.Get(p, "candidates.0.content.parts").Exists() }
			if slices.ContainsFunc(a.Payloads, says) && !slices.ContainsFunc(a.Payloads, counts) {
				a.Payloads = []string{unreadable}
			}
		}),
	},
	{
		Name:    "stream/takes-the-input-from-the-last-chunk",
		Does:    "The input tokens are those of the last chunk, and none where it has none.",
		Reports: []string{"https://github.com/langchain-ai/langchain/pull/32518"},
		Breaks:  []string{"stream/input-tokens-stay"},
		Make: raw.OnStream(func(a *raw.Answer) {
			const count = "usageMetadata.promptTokenCount"
			last := len(a.Payloads) - 1
			if last < 0 || !gjson.Get(a.Payloads[last], "usageMetadata").IsObject() || gjson.Get(a.Payloads[last], count).Int() > 0 {
				return
			}
			for i, p := range a.Payloads {
				a.Payloads[i] = raw.Remove(p, count)
			}
		}),
	},
	{
		Name:    "stream/throws-at-what-is-behind-the-end",
		Does:    "A text after the reason to stop, also an empty one, ends the run.",
		Reports: []string{"https://github.com/charmbracelet/fantasy/tree/main/providertests/testdata/TestOpenRouterThinking"},
		Breaks:  []string{"stream/text-to-the-end"},
		Make: raw.OnStream(func(a *raw.Answer) {
			stopped := false
			for i, p := range a.Payloads {
				word := gjson.Get(p, "candidates.0.finishReason").String()
				if stopped && word == "" && i == len(a.Payloads)-1 && gjson.Get(p, "candidates.0.content.parts").Exists() {
					a.Payloads = []string{unreadable}
					return
				}
				stopped = stopped || word != ""
			}
		}),
	},
	{
		Name:    "failure/reads-candidates-alone",
		Does:    "An error within a candidate is not seen.",
		Reports: []string{"https://github.com/0xPlaygrounds/rig/pull/2258"},
		Breaks:  []string{"failure/error-objects"},
		Make: raw.OnAnswer(func(a *raw.Answer) {
			for i, p := range a.Payloads {
				if gjson.Get(p, "candidates.0.error").Exists() {
					a.Payloads[i] = raw.Remove(p, "candidates.0.error")
				}
			}
		}),
	},
	{
		Name:    "failure/fails-at-a-null-error",
		Does:    "The key error means an error, whatever its value is.",
		Reports: []string{"https://github.com/openai/openai-go/blob/main/packages/ssestream/ssestream.go"},
		Breaks:  []string{"failure/no-error-is-none", "stream/nulls"},
		Make: raw.OnAnswer(func(a *raw.Answer) {
			if slices.ContainsFunc(a.Payloads, func(p string) bool { return strings.Contains(p, `"error":null`) }) {
				a.Payloads = []string{`{"error":{"code":500,"message":"unknown","status":"INTERNAL"}}`}
			}
		}),
	},
}
