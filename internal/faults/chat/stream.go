package chat

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

var stream = []raw.Fault{
	{
		Name: "stream/appends-to-the-last-call",
		Does: "A fragment without an id goes to the call that was opened last, whatever its index says.",
		Reports: []string{
			"https://github.com/QwenLM/Qwen-Agent/issues/943",
			"https://github.com/charmbracelet/fantasy/issues/347",
			"https://github.com/open-webui/open-webui/issues/13726",
			"https://github.com/praxis-proxy/ai/issues/266",
			"https://github.com/crmne/ruby_llm/commit/504fca4f",
		},
		Breaks: []string{"stream/fragments-by-index"},
		Make: onPieces(func() func(*piece) {
			var heads opened
			last := ""
			return func(p *piece) {
				switch index := p.get("index").Raw; {
				case index == "":
				case heads.take(p):
					last = index
				default:
					p.raw = raw.SetRaw(p.raw, "index", last)
				}
			}
		}),
	},
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
		Name:    "stream/takes-no-index-for-zero",
		Does:    "A piece of a tool call without an index is taken for one of the first call.",
		Reports: []string{"https://github.com/langchain-ai/langchain/issues/34654", "https://github.com/continuedev/continue/issues/5508"},
		Breaks:  []string{"stream/index-missing"},
		Make: onPieces(func() func(*piece) {
			first := true
			return func(p *piece) {
				if p.get("index").Exists() {
					return
				}
				p.set("index", 0)
				if !first {
					p.remove("id")
					p.remove("function.name")
				}
				first = false
			}
		}),
	},
	{
		Name: "stream/fills-a-list-by-index",
		Does: "Calls are kept in a list; one whose index is not the next place in it is lost.",
		Reports: []string{
			"https://github.com/openai/openai-go/issues/464",
			"https://github.com/trpc-group/trpc-agent-go/issues/127",
			"https://github.com/cline/cline/pull/13123",
		},
		Breaks: []string{"stream/index-odd", "stream/index-huge"},
		Make: onPieces(func() func(*piece) {
			length := int64(0)
			return func(p *piece) {
				index := p.get("index")
				switch {
				case !index.Exists():
				case index.Int() == length:
					length++
				case index.Int() > length || index.Int() < 0:
					p.drop()
				}
			}
		}),
	},
	{
		Name:    "stream/wants-an-index-above-nothing",
		Does:    "A call with an index below 0 is left out.",
		Reports: []string{"https://github.com/openai/openai-go/issues/464"},
		Breaks:  []string{"stream/index-odd"},
		Make: onPieces(func() func(*piece) {
			return func(p *piece) {
				if p.get("index").Int() < 0 {
					p.drop()
				}
			}
		}),
	},
	{
		Name:   "stream/bounds-the-index",
		Does:   "A call with an index above 1023 is left out, so that nobody can make the list of calls grow, and nobody is told.",
		Breaks: []string{"stream/index-huge"},
		Make: onPieces(func() func(*piece) {
			return func(p *piece) {
				if p.get("index").Int() >= 1024 {
					p.drop()
				}
			}
		}),
	},
	{
		Name: "stream/trusts-the-index",
		Does: "Pieces with the same index are one call, whatever their ids say.",
		Reports: []string{
			"https://github.com/trpc-group/trpc-agent-go/issues/949",
			"https://github.com/langchain-ai/langchain/issues/34807",
			"https://github.com/huggingface/smolagents/issues/1569",
		},
		Breaks: []string{"stream/index-shared"},
		Make: onPieces(func() func(*piece) {
			ids := map[int64]string{}
			return func(p *piece) {
				id, index := p.text("id"), p.get("index")
				if id == "" || !index.Exists() {
					return
				}
				if known, used := ids[index.Int()]; used && known != id {
					p.remove("id")
					p.remove("function.name")
				} else {
					ids[index.Int()] = id
				}
			}
		}),
	},
	{
		Name:    "stream/takes-an-empty-id-for-one",
		Does:    "A piece of a tool call with an empty id is taken for one of another call, which does not exist.",
		Reports: []string{"https://github.com/spring-projects/spring-ai/issues/6374", "https://github.com/langchain-ai/langgraphjs/issues/1289"},
		Breaks:  []string{"stream/id-empty-later"},
		Make: func() raw.Mutation {
			dropped := false // in an answer before: its broken call alone is enough
			return raw.OnStream(func(a *raw.Answer) {
				if dropped {
					return
				}
				var heads opened
				eachPiece(a, func(p *piece) {
					if head := heads.take(p); !head && p.get("id").Exists() && p.text("id") == "" && heads.withID(p) {
						p.drop()
						dropped = true
					}
				})
			})()
		},
	},
	{
		Name:    "stream/appends-ids",
		Does:    "The id of a call is put together from all its pieces, as the arguments are.",
		Reports: []string{"https://github.com/nlpodyssey/openai-agents-go/commit/5d53fac"},
		Breaks:  []string{"stream/id-repeated"},
		Make: raw.OnStream(func(a *raw.Answer) {
			count := map[string]int{}
			eachPiece(a, func(p *piece) { count[p.text("id")]++ })
			eachPiece(a, func(p *piece) {
				if id := p.text("id"); id != "" {
					p.set("id", strings.Repeat(id, count[id]))
				}
			})
		}),
	},
	{
		Name:    "stream/begins-a-call-at-every-id",
		Does:    "A piece with an id that is new begins a call, also where it has no name.",
		Reports: []string{"https://github.com/poolsideai/pool/issues/9"},
		Breaks:  []string{"egress/call-has-name", "stream/id-changing"},
		Make: onPieces(func() func(*piece) {
			ids, next := map[int64]string{}, 100
			return func(p *piece) {
				id, index := p.text("id"), p.get("index")
				known, used := ids[index.Int()]
				switch {
				case id == "" || !index.Exists():
				case !used:
					ids[index.Int()] = id
				case id != known && p.text("function.name") == "":
					next++
					p.set("index", next)
				}
			}
		}),
	},
	{
		Name:    "stream/drops-pieces-under-another-id",
		Does:    "A piece with another id than the first of its call is dropped.",
		Reports: []string{"https://github.com/cubist38/mlx-openai-server/pull/216"},
		Breaks:  []string{"stream/id-changing"},
		Make: onPieces(func() func(*piece) {
			var heads opened
			return func(p *piece) {
				if id := p.text("id"); !heads.take(p) && id != "" && id != heads.of(p).text("id") {
					p.drop()
				}
			}
		}),
	},
	{
		Name: "stream/drops-calls-without-id",
		Does: "A tool call without an id is dropped.",
		Reports: []string{
			"https://github.com/openai/openai-node/pull/1958",
			"https://github.com/binaricat/Netcatty/pull/1007",
			"https://github.com/vercel/ai/issues/18440",
		},
		Breaks: []string{"stream/id-missing"},
		Make:   onHeads(func(p *piece) bool { return p.text("id") != "" }),
	},
	{
		Name:    "stream/tidies-ids",
		Does:    "What is no letter, digit, _ or - is taken out of ids, and at most 64 characters are kept.",
		Reports: []string{"https://github.com/RooCodeInc/Roo-Code/pull/10763"},
		Breaks:  []string{"stream/ids-of-any-form"},
		Make: onPieces(func() func(*piece) {
			return func(p *piece) {
				if id := p.text("id"); id != "" {
					tidy := unusual.ReplaceAllString(id, "")
					p.set("id", tidy[:min(len(tidy), 64)])
				}
			}
		}),
	},
	{
		Name:    "stream/appends-names",
		Does:    "The name of the tool is put together from all pieces of a call, as the arguments are.",
		Reports: []string{"https://github.com/agno-agi/agno/issues/6989", "https://github.com/trpc-group/trpc-agent-go/issues/949"},
		Breaks:  []string{"stream/name-not-doubled"},
		Make: onPieces(func() func(*piece) {
			var heads opened
			return func(p *piece) {
				if head := heads.take(p); !head && p.text("function.name") != "" && p.text("function.name") == heads.name(p) {
					p.set("function.name", "_"+p.text("function.name"))
				}
			}
		}),
	},
	{
		Name:    "stream/keeps-the-first-name",
		Does:    "What comes first of the name of a tool is its name.",
		Reports: []string{"https://github.com/vercel/ai/issues/14722"},
		Breaks:  []string{"stream/name-in-pieces"},
		Make: onPieces(func() func(*piece) {
			var heads opened
			return func(p *piece) {
				if head := heads.take(p); !head && heads.name(p) != "" && p.text("function.name") != heads.name(p) {
					p.remove("function.name")
				}
			}
		}),
	},
	{
		Name: "stream/drops-calls-without-type",
		Does: "A tool call without a type is dropped.",
		Reports: []string{
			"https://github.com/vercel/ai/issues/12770",
			"https://github.com/vercel/ai/pull/5800",
			"https://github.com/charmbracelet/fantasy/issues/113",
		},
		Breaks: []string{"stream/type-missing"},
		Make:   onHeads(func(p *piece) bool { return p.text("type") == "function" }),
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
		Does:    "A text ends the calls that were begun before it; what comes of them after it is lost.",
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
		Does:    "A delta with a content is about text, even when that is empty: the call beside it is never finished.",
		Reports: []string{"https://github.com/openai/openai-go/issues/417"},
		Breaks:  []string{"execution/every-call-run", "stream/text-and-call-together"},
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
		Does:    "An empty list of tool calls is taken for one with calls, whose first is then not there.",
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
		Breaks: []string{"stream/no-choices"},
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
