package chat

import (
	"bytes"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// stream are the other faults of the area stream: events, deltas, text and token counts.
var stream = []raw.Fault{
	{
		Name:    "stream/knows-only-line-feeds",
		Does:    "Events are split at two line feeds; a stream with carriage returns has none.",
		Reports: []string{"https://github.com/openai/openai-node/pull/708"},
		Breaks:  []string{"stream/any-cut", "stream/line-ends"},
		Make: raw.OnBytes(func(b []byte) []byte {
			return bytes.ReplaceAll(b, []byte("\r\n"), nil)
		}),
	},
	{
		Name:    "stream/takes-named-events-for-the-end",
		Does:    "An event with a name that the loop does not know ends the stream.",
		Reports: []string{"https://github.com/janhq/jan/issues/8280", "https://github.com/anomalyco/opencode/issues/38106"},
		Breaks:  []string{"stream/unknown-events"},
		Make: raw.OnBytes(func(b []byte) []byte {
			if bytes.Contains(b, []byte("event: tool.progress")) {
				return nil
			}
			return b
		}),
	},
	{
		Name:    "stream/reads-one-call-a-delta",
		Does:    "Of several calls in one delta only the first is read.",
		Reports: []string{"https://github.com/endolith/open-interpreter/issues/315"},
		Breaks:  []string{"stream/calls-together"},
		Make: raw.OnStream(func(a *raw.Answer) {
			for i, p := range a.Payloads {
				if calls := gjson.Get(p, "choices.0.delta.tool_calls").Array(); len(calls) > 1 {
					a.Payloads[i] = raw.SetRaw(p, "choices.0.delta.tool_calls", "["+calls[0].Raw+"]")
				}
			}
		}),
	},
	{
		Name:    "stream/reads-text-or-calls",
		Does:    "Of a delta with a text and a call only the text is read.",
		Reports: []string{"https://github.com/charmbracelet/fantasy/commit/6b4e9b2"},
		Breaks:  []string{"stream/text-and-call-together"},
		Make: raw.OnStream(func(a *raw.Answer) {
			together := slices.ContainsFunc(a.Payloads, func(p string) bool {
				delta := gjson.Get(p, "choices.0.delta")
				return delta.Get("content").String() != "" && len(delta.Get("tool_calls").Array()) > 0
			})
			if together {
				setCalls(a, nil)
			}
		}),
	},
	{
		Name:    "stream/ends-calls-at-a-text",
		Does:    "A text ends the calls that were begun before it; their later pieces are lost.",
		Reports: []string{"https://github.com/TanStack/ai/issues/1017"},
		Breaks:  []string{"stream/text-and-call-together"},
		Make: raw.OnStream(func(a *raw.Answer) {
			begun, ended := false, false
			for i, p := range a.Payloads {
				delta := gjson.Get(p, "choices.0.delta")
				ended = ended || begun && delta.Get("content").String() != ""
				begun = begun || len(delta.Get("tool_calls").Array()) > 0
				if ended {
					a.Payloads[i] = raw.Remove(p, "choices.0.delta.tool_calls")
				}
			}
		}),
	},
	{
		Name:    "stream/takes-an-empty-text-for-one",
		Does:    "A delta with a content is about text, even when that is empty: the call alongside it is never finished.",
		Reports: []string{"https://github.com/openai/openai-go/issues/417"},
		Breaks:  []string{"execution/every-call-run", "outcome/no-failure-of-its-own", "stream/text-and-call-together"},
		Make: raw.OnStream(func(a *raw.Answer) {
			for _, p := range a.Payloads {
				content := gjson.Get(p, "choices.0.delta.content")
				if pieces := gjson.Get(p, "choices.0.delta.tool_calls").Array(); content.Type == gjson.String && content.String() == "" && len(pieces) > 0 {
					setCalls(a, nil)
					return
				}
			}
		}),
	},
	{
		Name:    "stream/takes-an-empty-list-for-calls",
		Does:    "An empty list of tool calls is treated as one with calls, whose first is then not there.",
		Reports: []string{"https://github.com/microsoft/autogen/issues/5223", "https://github.com/trpc-group/trpc-agent-go/issues/745"},
		Breaks:  []string{"stream/empty-call-list"},
		Make: raw.Chokes(func(_ int, p string) bool {
			calls := gjson.Get(p, "choices.0.delta.tool_calls")
			return calls.IsArray() && len(calls.Array()) == 0
		}),
	},
	{
		Name: "stream/expects-choices",
		Does: "The first choice of every chunk is looked at, also where there is none.",
		Reports: []string{
			"https://github.com/pydantic/pydantic-ai/issues/5165",
			"https://github.com/RooCodeInc/Roo-Code/pull/9105",
			"https://github.com/aaif-goose/goose/issues/4276",
			"https://github.com/aaif-goose/goose/issues/10935",
			"https://github.com/strands-agents/sdk-python/issues/185",
			"https://github.com/openai/openai-agents-python/issues/604",
		},
		Breaks:   []string{"stream/no-choices", "stream/payloads-no-object"},
		Profiles: []string{"[!a]*"}, // azure begins each stream with a chunk without choices, so that no call is run
		Make: raw.Chokes(func(n int, p string) bool {
			choices := gjson.Get(p, "choices")
			if gjson.Get(p, "tool").Exists() { // an event with a name of its own, which this loop leaves out
				return false
			}
			failed := gjson.Get(p, "error").Exists() || gjson.Get(p, "base_resp").Exists() || gjson.Get(p, "object").String() == "error"
			return !failed && (!choices.IsArray() || n == 0 && len(choices.Array()) == 0)
		}),
	},
	{
		Name: "stream/expects-a-delta",
		Does: "The delta of every choice is looked at, also where there is none.",
		Reports: []string{
			"https://github.com/openai/openai-node/issues/1015",
			"https://github.com/aaif-goose/goose/issues/8641",
			"https://github.com/langchain-ai/langchain/issues/18977",
			"https://github.com/microsoft/agent-framework/issues/5734",
			"https://github.com/pydantic/pydantic-ai/issues/5170",
		},
		Breaks: []string{"stream/no-delta"},
		Make: raw.Chokes(func(_ int, p string) bool {
			choice := gjson.Get(p, "choices.0")
			return choice.Exists() && !choice.Get("delta").IsObject()
		}),
	},
	{
		Name:    "stream/expects-no-null",
		Does:    "A role of null does not fit the schema of a chunk.",
		Reports: []string{"https://github.com/brainlid/langchain/issues/367"},
		Breaks:  []string{"stream/nulls"},
		Make: raw.Chokes(func(_ int, p string) bool {
			role := gjson.Get(p, "choices.0.delta.role")
			return role.Exists() && role.Type == gjson.Null
		}),
	},
	{
		Name:    "stream/expects-known-keys",
		Does:    "A chunk with a key of an unexpected type does not fit its schema, and is lost.",
		Reports: []string{"https://github.com/shiaho777/web-to-app/issues/413"},
		Breaks:  []string{"stream/unknown-keys"},
		Make:    raw.Chokes(func(_ int, p string) bool { return gjson.Get(p, "choices.0.delta.p").IsArray() }),
	},
	{
		Name:   "stream/stops-at-the-finish-word",
		Does:   "A chunk with a finish reason is not searched for text.",
		Breaks: []string{"stream/text-to-the-end"},
		Make: raw.OnStream(func(a *raw.Answer) {
			for i, p := range a.Payloads {
				if gjson.Get(p, "choices.0.finish_reason").String() != "" {
					a.Payloads[i] = raw.Remove(p, "choices.0.delta.content")
				}
			}
		}),
	},
	{
		Name:    "stream/adds-counts-up",
		Does:    "All token counts of a stream are added up.",
		Reports: []string{"https://github.com/microsoft/semantic-kernel/issues/12977"},
		Breaks:  []string{"stream/usage-last-wins"},
		Make: raw.OnStream(func(a *raw.Answer) {
			prompt, completion, count, last := int64(0), int64(0), 0, 0
			for i, p := range a.Payloads {
				if usage := gjson.Get(p, "usage"); usage.IsObject() {
					prompt, completion = prompt+usage.Get("prompt_tokens").Int(), completion+usage.Get("completion_tokens").Int()
					count, last = count+1, i
				}
			}
			if count > 1 {
				p := raw.Set(a.Payloads[last], "usage.prompt_tokens", prompt)
				a.Payloads[last] = raw.Set(p, "usage.completion_tokens", completion)
			}
		}),
	},
	{
		Name:    "stream/expects-counts",
		Does:    "A stream without token counts, though they were asked for, ends in an error.",
		Reports: []string{"https://github.com/charmbracelet/fantasy/issues/116"},
		Breaks:  []string{"stream/usage-optional"},
		Make: raw.OnStream(func(a *raw.Answer) {
			counted := slices.ContainsFunc(a.Payloads, func(p string) bool {
				return gjson.Get(p, "usage").IsObject() || gjson.Get(p, "choices.0.usage").IsObject()
			})
			if a.Done && finishOf(a) != "" && !counted {
				a.Payloads = []string{"nil pointer"}
			}
		}),
	},
}
