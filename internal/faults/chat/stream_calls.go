package chat

import (
	"strings"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// streamCalls are the faults of the area stream in how the pieces of tool calls are put together.
var streamCalls = []raw.Fault{
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
		Name:    "stream/takes-no-index-for-zero",
		Does:    "A piece of a tool call without an index is treated as one of the first call.",
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
		Does:   "A call with an index above 1023 is left out without an error, to bound the list of calls.",
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
		Name:     "stream/takes-an-empty-id-for-one",
		Does:     "A piece of a tool call with an empty id is treated as one of another call, which does not exist.",
		Reports:  []string{"https://github.com/spring-projects/spring-ai/issues/6374", "https://github.com/langchain-ai/langgraphjs/issues/1289"},
		Profiles: []string{"gateway"}, // DashScope always does so, also where the rule is not judged
		Breaks:   []string{"stream/id-empty-later"},
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
		Does:    "What is not a letter, digit, _ or - is taken out of ids, and at most 64 characters are kept.",
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
}
