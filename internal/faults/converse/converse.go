// Package converse holds the faults and variations that are about the bytes of Bedrock Converse.
package converse

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/dialect/converse"
	"github.com/loopproof/loopproof/internal/faults/raw"
)

// Faults returns the faults.
func Faults() []raw.Fault {
	return slices.Concat(faults, raw.OfForm(converse.Form(), "egress/form-converse-", mutated))
}

// Variations returns the variations.
func Variations() []raw.Variation { return variations }

// mutated are nodes of the form, with a keyword, that a fault breaks in each request that has a
// place for it. Those that are not here break more than one rule when a loop breaks them in all of
// its requests, or have a fault in the list of the others, as they were seen.
var mutated = []string{
	"inferenceConfig.maxTokens minimum", "inferenceConfig.temperature maximum",
	"outputConfig.textFormat.structure required",
	"performanceConfig.latency enum", "serviceTier.type enum",
	"toolConfig.tools[].toolSpec.strict type",
}

// eachBlock changes every block of a kind in the messages of a request.
func eachBlock(r *raw.Request, kind string, change func(path string, said gjson.Result)) {
	for i, m := range r.Get("messages").Array() {
		for n, b := range m.Get("content").Array() {
			if said := b.Get(kind); said.Exists() {
				change(fmt.Sprintf("messages.%d.content.%d", i, n), said)
			}
		}
	}
}

// onBlocks is a mutation that changes every block of a kind.
func onBlocks(kind string, change func(r *raw.Request, path string, said gjson.Result)) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		eachBlock(r, kind, func(path string, said gjson.Result) { change(r, path, said) })
	})
}

// behindBlocks adds a block at the end of each message of a role, of which keep says that it is one
// for it.
func behindBlocks(r *raw.Request, role, block string, keep func(m gjson.Result) bool) {
	r.Each(role, func(path string, m gjson.Result) {
		if keep(m) {
			r.SetRaw(path+".content.-1", block)
		}
	})
}

// begin puts a round of an earlier conversation in front of a request whose tools can be called: what
// the user said, what the model did, and what came of its call, if it made one.
func begin(r *raw.Request, answer, result string) {
	if !r.Get("toolConfig").Exists() {
		return
	}
	round := []string{
		`{"role":"user","content":[{"text":"What did you see yesterday?"}]}`, `{"role":"assistant","content":[` + answer + `]}`,
	}
	if result != "" {
		round = append(round, `{"role":"user","content":[`+result+`]}`, `{"role":"assistant","content":[{"text":"Nothing."}]}`)
	}
	r.SetMessages(append(round, r.Messages()...))
}

// beginsWith is a mutation that begins with a round.
func beginsWith(answer, result string) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) { begin(r, answer, result) })
}

// hasKind reports whether a message has a block of a kind.
func hasKind(m gjson.Result, kind string) bool {
	return slices.ContainsFunc(m.Get("content").Array(), func(b gjson.Result) bool { return b.Get(kind).Exists() })
}

// seen is what came of the call of an earlier round.
const seen = `{"toolResult":{"toolUseId":"tooluse_1","content":[{"text":"Snow."}]}}`

// faults are loops that write what Converse does not take, or misread it.
var faults = []raw.Fault{
	{
		Name:    "egress/sends-what-another-api-calls-a-call",
		Does:    "A call of another conversation is in the history, of a tool whose name has a dot.",
		Reports: []string{"https://github.com/NousResearch/hermes-agent/pull/90016"},
		Breaks:  []string{"egress/tool-use-name-form"},
		Make:    beginsWith(`{"toolUse":{"toolUseId":"tooluse_1","name":"web.search","input":{}}}`, seen),
	},
	{
		Name:    "egress/sends-ids-with-signatures",
		Does:    "A call of another provider is in the history, under an id that holds its signature.",
		Reports: []string{"https://github.com/maximhq/bifrost/pull/6300"},
		Breaks:  []string{"pairing/ids-well-formed"},
		Make: beginsWith(`{"toolUse":{"toolUseId":"see|c2lnbmF0dXJl","name":"see","input":{}}}`,
			strings.Replace(seen, "tooluse_1", "see|c2lnbmF0dXJl", 1)),
	},
	{
		Name:    "egress/sends-inputs-as-texts",
		Does:    "The input of a call goes back as a text that holds JSON.",
		Reports: []string{"https://github.com/vercel/ai/pull/19023"},
		Breaks:  []string{"egress/input-is-object"},
		Make:    beginsWith(`{"toolUse":{"toolUseId":"tooluse_1","name":"see","input":"{}"}}`, seen),
	},
	{
		Name:    "egress/sends-lists-as-json",
		Does:    "A result that happens to be JSON goes back as such, also where it is a list.",
		Reports: []string{"https://github.com/aws/aws-sdk-js-v3/issues/7330", "https://github.com/deepset-ai/haystack-core-integrations/pull/3766"},
		Breaks:  []string{"egress/json-result-is-object"},
		Make: beginsWith(`{"toolUse":{"toolUseId":"tooluse_1","name":"see","input":{}}}`,
			`{"toolResult":{"toolUseId":"tooluse_1","content":[{"json":["snow","rain"]}]}}`),
	},
	{
		Name:   "egress/sends-signatures-alone",
		Does:   "Reasoning without a word goes back as its signature alone.",
		Breaks: []string{"egress/reasoning-text-given"},
		Make:   beginsWith(`{"reasoningContent":{"reasoningText":{"signature":"c2ln"}}},{"text":"Nothing."}`, ""),
	},
	{
		Name:   "egress/sends-documents-without-names",
		Does:   "A document of an earlier prompt has no name.",
		Breaks: []string{"egress/media-block-form"},
		Make: raw.OnRequest(func(r *raw.Request) {
			begin(r, `{"text":"Nothing."}`, "")
			if r.Get("toolConfig").Exists() {
				r.SetRaw("messages.0.content.-1", `{"document":{"format":"pdf","source":{"bytes":"JVBERi0xLjQ="}}}`)
			}
		}),
	},
	{
		Name:    "egress/marks-behind-reasoning",
		Does:    "What is to be cached ends directly behind the reasoning of a turn.",
		Reports: []string{"https://github.com/anomalyco/opencode/issues/36517", "https://github.com/strands-agents/harness-sdk/pull/1834"},
		Breaks:  []string{"egress/cache-point-not-behind-reasoning"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("assistant", func(path string, m gjson.Result) {
				var blocks []string
				for _, b := range m.Get("content").Array() {
					if blocks = append(blocks, b.Raw); b.Get("reasoningContent").Exists() {
						blocks = append(blocks, cachePoint)
					}
				}
				r.SetRaw(path+".content", raw.List(blocks))
			})
		}),
	},
	{
		Name:   "egress/marks-as-anthropic-does",
		Does:   "What is to be cached ends with a mark in the words of Anthropic.",
		Breaks: []string{"egress/cache-mark-form"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("system.0").Exists() {
				r.SetRaw("system.-1", `{"cachePoint":{"type":"ephemeral"}}`)
			}
		}),
	},
	{
		Name:   "egress/marks-within-texts",
		Does:   "What is to be cached ends with a text that has the mark within it.",
		Breaks: []string{"egress/part-says-one-thing"},
		Make: onBlocks("text", func(r *raw.Request, path string, _ gjson.Result) {
			r.SetRaw(path+".cachePoint", `{"type":"default"}`)
		}),
	},
	{
		Name:   "egress/sends-texts-without-blocks",
		Does:   "A content that is a text has no list of blocks around it.",
		Breaks: []string{"egress/contents-have-parts"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("user", func(path string, m gjson.Result) {
				if blocks := m.Get("content").Array(); len(blocks) == 1 && blocks[0].Get("text").Exists() {
					r.Set(path+".content", blocks[0].Get("text").String())
				}
			})
		}),
	},
	{
		Name:   "egress/sends-results-without-blocks",
		Does:   "The content of a result is a text.",
		Breaks: []string{"egress/result-block-form"},
		Make: onBlocks("toolResult", func(r *raw.Request, path string, said gjson.Result) {
			if blocks := said.Get("content").Array(); len(blocks) == 1 && blocks[0].Get("text").Exists() {
				r.Set(path+".toolResult.content", blocks[0].Get("text").String())
			}
		}),
	},
	{
		Name:     "egress/keeps-empty-texts-beside-calls",
		Does:     "A turn of calls goes back with an empty text in front of them.",
		Reports:  []string{"https://github.com/OpenHands/OpenHands/issues/5722", "https://github.com/boto/botocore/issues/3525"},
		Breaks:   []string{"egress/no-empty-text"},
		Profiles: []string{"bedrock-claude", "bedrock-nova"}, // Llama takes no text there at all
		Make: raw.OnRequest(func(r *raw.Request) {
			behindBlocks(r, "assistant", `{"text":""}`, func(m gjson.Result) bool { return hasKind(m, "toolUse") })
		}),
	},
	{
		Name:    "egress/chooses-none",
		Does:    "The model is kept from calling tools by a word that Converse does not have.",
		Reports: []string{"https://github.com/ankit373/hydra/issues/971"},
		Breaks:  []string{"egress/tool-choice-form"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("toolConfig").Exists() {
				r.SetRaw("toolConfig.toolChoice", `{"none":{}}`)
			}
		}),
	},
	{
		Name:   "egress/offers-a-tool-without-a-schema",
		Does:   "A tool that takes nothing has no schema.",
		Breaks: []string{"egress/input-schema-given"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("toolConfig").Exists() {
				r.SetRaw("toolConfig.tools.-1", `{"toolSpec":{"name":"spare","description":"Does nothing."}}`)
			}
		}),
	},
	{
		Name:   "egress/offers-a-tool-without-a-description",
		Does:   "A tool that nobody has described has an empty description.",
		Breaks: []string{"egress/tool-spec-form"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("toolConfig").Exists() {
				r.SetRaw("toolConfig.tools.-1", `{"toolSpec":{"name":"spare","description":"","inputSchema":{"json":{"type":"object"}}}}`)
			}
		}),
	},
	{
		Name:    "egress/prompts-behind-results",
		Does:    "What the user says behind results is a message of its own.",
		Reports: []string{"https://github.com/strands-agents/harness-sdk/pull/3622"},
		Breaks:  []string{"egress/roles-take-turns"},
		Make: raw.OnRequest(func(r *raw.Request) {
			var all []string
			for _, m := range r.Get("messages").Array() {
				blocks := m.Get("content").Array()
				said := slices.IndexFunc(blocks, func(b gjson.Result) bool { return !b.Get("toolResult").Exists() })
				if m.Get("role").String() != "user" || said <= 0 {
					all = append(all, m.Raw)
					continue
				}
				all = append(all, raw.SetRaw(m.Raw, "content", raw.List(raw.Items(blocks[:said]))), raw.SetRaw(m.Raw, "content", raw.List(raw.Items(blocks[said:]))))
			}
			r.SetMessages(all)
		}),
	},
	{
		Name:    "egress/notes-behind-results",
		Does:    "A note of the loop stands behind the results, as a message of its own.",
		Reports: []string{"https://github.com/elastic/kibana/issues/284682"},
		Breaks:  []string{"egress/roles-take-turns", "history/nothing-said-for-the-user"},
		Make: raw.OnRequest(func(r *raw.Request) {
			var all []string
			for _, m := range r.Messages() {
				if all = append(all, m); strings.Contains(m, `"toolResult"`) {
					all = append(all, `{"role":"user","content":[{"text":"<system>The tools have run.</system>"}]}`)
				}
			}
			r.SetMessages(all)
		}),
	},
	{
		Name:     "egress/notes-beside-results",
		Does:     "A note of the loop stands behind the results, in the same message, for a model that takes results alone.",
		Reports:  []string{"https://github.com/browser-use/browser-use/issues/710", "https://github.com/strands-agents/harness-sdk/issues/1223"},
		Breaks:   []string{"egress/turns-of-one-kind", "history/nothing-said-for-the-user"},
		Profiles: []string{"bedrock-llama"},
		Make: raw.OnRequest(func(r *raw.Request) {
			behindBlocks(r, "user", `{"text":"<system>The tools have run.</system>"}`, func(m gjson.Result) bool { return hasKind(m, "toolResult") })
		}),
	},
	{
		Name:     "egress/brings-texts-beside-calls",
		Does:     "A conversation with another model, which said something and called at once, goes on with one that takes calls alone.",
		Reports:  []string{"https://github.com/langchain-ai/langchain-aws/pull/1118", "https://github.com/quarkiverse/quarkus-langchain4j/issues/1983"},
		Breaks:   []string{"egress/turns-of-one-kind"},
		Profiles: []string{"bedrock-llama"},
		Make:     beginsWith(`{"text":"I look."},{"toolUse":{"toolUseId":"tooluse_1","name":"see","input":{}}}`, seen),
	},
	{
		Name:     "egress/forces-a-call",
		Does:     "The model is told to call a tool, by a word that it does not take.",
		Reports:  []string{"https://github.com/run-llama/llama_index/issues/19886", "https://github.com/strands-agents/harness-sdk/issues/1241"},
		Breaks:   []string{"egress/model-takes-tool-choice"},
		Profiles: []string{"bedrock-llama"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("toolConfig").Exists() {
				r.SetRaw("toolConfig.toolChoice", `{"any":{}}`)
			}
		}),
	},
	{
		Name:    "failure/skips-the-checksums",
		Does:    "The messages of a stream are read whatever their checksums are.",
		Reports: []string{"https://github.com/wso2/gateway-controllers/pull/285"},
		Breaks:  []string{"failure/damaged-stream-reported"},
		Make:    onStreams(func(stream []byte) []byte { return messages(stream, message.sealed) }),
	},
	{
		Name:    "finish/calls-by-the-word",
		Does:    "Tools are run if the reason to stop is tool_use, and not otherwise.",
		Reports: []string{"https://github.com/strands-agents/harness-sdk/issues/644"},
		Breaks:  []string{"finish/end-turn-with-calls"},
		Make: raw.OnAnswer(func(a *raw.Answer) {
			if len(a.Payloads) == 0 {
				return
			}
			answer := a.Payloads[0]
			if !isStream(a) && gjson.Get(answer, "stopReason").String() == "end_turn" {
				said := slices.DeleteFunc(gjson.Get(answer, "output.message.content").Array(), func(b gjson.Result) bool { return b.Get("toolUse").Exists() })
				a.Payloads[0] = raw.SetRaw(answer, "output.message.content", raw.List(raw.Items(said)))
			}
			if isStream(a) && strings.Contains(answer, `"stopReason":"end_turn"`) {
				a.Payloads[0] = string(messages([]byte(answer), func(m message) bool {
					return !m.payload.Get("start.toolUse").Exists() && !m.payload.Get("delta.toolUse").Exists()
				}))
			}
		}),
	},
	{
		Name:    "stream/keeps-what-has-ended",
		Does:    "A block is taken into the message when its contentBlockStop comes, and not otherwise.",
		Reports: []string{"https://github.com/maximhq/bifrost/issues/4262"},
		Breaks:  []string{"stream/block-ends-unsaid"},
		Make: onStreams(func(stream []byte) []byte {
			ended := map[int64]bool{}
			messages(stream, func(m message) bool {
				if m.name == "contentBlockStop" {
					ended[m.payload.Get("contentBlockIndex").Int()] = true
				}
				return true
			})
			return messages(stream, func(m message) bool {
				index := m.payload.Get("contentBlockIndex")
				return !index.Exists() || ended[index.Int()]
			})
		}),
	},
	{
		Name:     "egress/marks-behind-the-tools",
		Does:     "What is to be cached ends behind the tools, whatever the model takes.",
		Reports:  []string{"https://github.com/danny-avila/LibreChat/issues/13838", "https://github.com/NousResearch/hermes-agent/issues/97281"},
		Breaks:   []string{"egress/tools-not-marked"},
		Profiles: []string{"bedrock-nova"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("toolConfig").Exists() {
				r.SetRaw("toolConfig.tools.-1", cachePoint)
			}
		}),
	},
	{
		Name:     "egress/streams-whatever-the-model",
		Does:     "Every request asks for a stream, also of a model that calls no tools in streams.",
		Reports:  []string{"https://github.com/earendil-works/pi/issues/3739", "https://github.com/obot-platform/obot/issues/4101"},
		Breaks:   []string{"egress/tools-not-streamed"},
		Profiles: []string{"bedrock-llama"},
		Make: raw.OnSend(func(req *http.Request) {
			req.URL.Path = strings.TrimSuffix(req.URL.Path, "-stream") + "-stream"
			req.URL.RawPath = ""
		}),
	},
}
