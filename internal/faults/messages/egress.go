package messages

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// deferredTool is a tool of the loop's own that the model has to search for.
const deferredTool = `{"name":"read_notes","description":"Read what was noted.","input_schema":{"type":"object","properties":{}},"defer_loading":true}`

var egress = []raw.Fault{
	{
		Name:   "egress/asks-for-threads-without-the-beta",
		Does:   "Requests with a thread do not name the beta.",
		Breaks: []string{"egress/threads-beta-named"},
		Make:   threaded(headers(func(h http.Header) { h.Del("Anthropic-Beta") })),
	},
	{
		Name:    "egress/edits-the-context-without-the-beta",
		Does:    "Requests ask the provider to clear old results, and do not name the beta.",
		Reports: []string{"https://github.com/anthropics/claude-code/issues/21612", "https://github.com/caozhiyuan/copilot-api/pull/175"},
		Breaks:  []string{"egress/context-betas-named"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.SetRaw("context_management", `{"edits":[{"type":"clear_tool_uses_20250919"}]}`)
		}),
	},
	{
		Name:    "egress/names-a-beta-that-never-was",
		Does:    "Requests name a beta that the provider does not know.",
		Reports: []string{"https://github.com/anthropics/anthropic-sdk-typescript/issues/851", "https://github.com/anthropics/claude-code/issues/21767", "https://github.com/quarkiverse/quarkus-langchain4j/issues/2132"},
		Breaks:  []string{"egress/betas-taken"},
		Make: func() raw.Mutation {
			return headers(func(h http.Header) { h.Add("Anthropic-Beta", "structured-outputs-2025-09-17") })
		},
	},
	{
		Name:     "egress/offers-what-the-model-refuses-there",
		Does:     "Requests at Vertex AI name a model of which web_fetch is refused there, and offer it.",
		Reports:  []string{"https://github.com/coder/xum/issues/2922"},
		Profiles: []string{"anthropic-vertex"},
		Breaks:   []string{"egress/tools-taken"},
		Make: raw.OnSend(func(req *http.Request) {
			req.URL.Path = strings.Replace(req.URL.Path, "/anthropic/models/", "/anthropic/models/claude-opus-4-6-", 1)
			raw.ChangeBody(req, func(body string) string {
				if !gjson.Get(body, "tools").Exists() {
					return body
				}
				return raw.SetRaw(body, "tools.-1", `{"type":"web_fetch_20250910","name":"web_fetch"}`)
			})
		}),
	},
	{
		Name:    "egress/cites-in-the-newest-version",
		Does:    "Requests name the newest version of the API, and the texts of the user have citations.",
		Reports: []string{"https://platform.claude.com/docs/en/api/migration-2026-10-21"},
		Breaks:  []string{"egress/blocks-of-version"},
		Make: raw.OnSend(func(req *http.Request) {
			req.Header.Set("Anthropic-Version", "2026-10-21")
			raw.ChangeBody(req, citing)
		}),
	},
	{
		Name:    "egress/leaves-the-version-out",
		Does:    "Requests do not say which version of the API they speak.",
		Reports: []string{"https://github.com/PipedreamHQ/pipedream/issues/9697", "https://github.com/explosion/spacy-llm/issues/323", "https://github.com/Farama-Foundation/ChatArena/issues/124"},
		Breaks:  []string{"egress/version-named"},
		Make:    func() raw.Mutation { return headers(func(h http.Header) { h.Del("Anthropic-Version") }) },
	},
	{
		Name:    "egress/says-the-version-twice",
		Does:    "The header with the version of the API is sent twice.",
		Reports: []string{"https://github.com/decolua/9router/issues/2357"},
		Breaks:  []string{"egress/version-named"},
		Make:    func() raw.Mutation { return headers(func(h http.Header) { h.Add("Anthropic-Version", "2023-06-01") }) },
	},
	{
		Name:   "egress/posts-a-form",
		Does:   "The body of a request is declared to be a form.",
		Breaks: []string{"egress/json-declared"},
		Make: func() raw.Mutation {
			return headers(func(h http.Header) { h.Set("Content-Type", "application/x-www-form-urlencoded") })
		},
	},
	{
		Name:   "egress/writes-null-for-what-is-not-set",
		Does:   "The temperature that nobody set is sent as null, where the provider refuses that.",
		Breaks: []string{"egress/parameter-types"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if refusesNull(r.Task.Profile) {
				r.SetRaw("temperature", "null")
			}
		}),
	},
	{
		Name:   "egress/samples-as-in-chat",
		Does:   "The temperature is one that Chat Completions takes; the thinking is off, with which none goes.",
		Breaks: []string{"egress/parameter-ranges"},
		Make:   settingForNoThought("temperature", 1.5),
	},
	{
		Name:   "egress/asks-for-a-tier-as-in-chat",
		Does:   "service_tier has a word of Chat Completions.",
		Breaks: []string{"egress/parameter-words"},
		Make:   raw.OnRequest(func(r *raw.Request) { r.Set("service_tier", "flex") }),
	},
	{
		Name: "egress/names-properties-as-odata",
		Does: "A tool is offered with a parameter that has the name of the server's own.",
		Reports: []string{
			"https://github.com/ComposioHQ/composio/issues/3500", "https://github.com/beautyfree/appstore-connect-mcp/issues/2",
			"https://github.com/twilio-labs/mcp/issues/58",
		},
		Breaks: []string{"egress/property-names"},
		Make: eachRawTool(func(r *raw.Request, path string) {
			r.SetRaw(path+".input_schema.properties.$top", `{"type":"integer"}`)
		}),
	},
	{
		Name: "egress/writes-tuples-of-draft-7",
		Does: "A tool is offered with a tuple as a library for an older draft writes it.",
		Reports: []string{
			"https://github.com/openclaw/openclaw/issues/98588", "https://github.com/AlexGladkov/claude-in-mobile/pull/55",
			"https://github.com/hyperdxio/hyperdx/pull/2925",
		},
		Breaks: []string{"egress/schema-of-2020-12"},
		Make: eachRawTool(func(r *raw.Request, path string) {
			r.SetRaw(path+".input_schema.properties.between", `{"type":"array","items":[{"type":"number"},{"type":"number"}]}`)
		}),
	},
	{
		Name: "egress/samples-a-model-that-takes-none",
		Does: "The temperature of other models is sent to Opus 4.7; the thinking is off, with which none goes.",
		Reports: []string{
			"https://github.com/altic-dev/FluidVoice/issues/285", "https://github.com/Davidvandijcke/coarse/issues/162",
			"https://github.com/HKUDS/nanobot/pull/3418",
		},
		Profiles: []string{"anthropic"}, // where the body names the model
		Breaks:   []string{"egress/model-takes-settings"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.SetRaw("thinking", `{"type":"disabled"}`)
			r.Set("model", "claude-opus-4-7-"+r.Get("model").String())
			r.Set("temperature", 0.2)
		}),
	},
	{
		Name:    "egress/sends-a-table-as-a-document",
		Does:    "A table goes with the prompt as a document in base64, as PDFs do.",
		Reports: []string{"https://github.com/langchain-ai/langchain/pull/37585"},
		Breaks:  []string{"egress/document-source"},
		Make: raw.OnPrompts(func(r *raw.Request, path, said string) {
			r.SetRaw(path+".content", `[{"type":"document","source":{"type":"base64","media_type":"text/csv","data":"YSxiCjEsMgo="}}]`)
			r.Set(path+".content.1", map[string]string{"type": "text", "text": said})
		}),
	},
	{
		Name: "egress/leaves-strict-schemas-open",
		Does: "The tools are strict, and their schemas say nothing of further properties.",
		Reports: []string{
			"https://github.com/ax-llm/ax/issues/458", "https://github.com/veryfront/veryfront-code/issues/3918",
		},
		Breaks: []string{"egress/closed-schemas"},
		Make: eachRawTool(func(r *raw.Request, path string) {
			r.Set(path+".strict", true)
			r.Delete(path + ".input_schema.additionalProperties")
		}),
	},
	{
		Name:    "egress/stops-at-line-breaks",
		Does:    "The model is to stop at empty lines.",
		Reports: []string{"https://github.com/BerriAI/litellm/issues/3286"},
		Breaks:  []string{"egress/stop-sequences-say-something"},
		Make:    raw.OnRequest(func(r *raw.Request) { r.Set("stop_sequences", []string{"\n\n\n"}) }),
	},
	{
		Name:    "egress/samples-in-two-ways",
		Does:    "A request has the temperature and the top_p of the settings, as Chat Completions takes them.",
		Reports: []string{"https://github.com/cloud-apim/otoroshi-llm-extension/issues/140", "https://github.com/BerriAI/litellm/issues/15097", "https://github.com/gptme/gptme/issues/1110"},
		Breaks:  []string{"egress/temperature-or-top-p"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.SetRaw("thinking", `{"type":"disabled"}`)
			r.Set("temperature", 1)
			r.Set("top_p", 0.9)
		}),
	},
	{
		Name: "egress/asks-for-an-hour-in-the-messages",
		Does: "The tools are marked for the cache without a time, and the first message for an hour.",
		Reports: []string{
			"https://github.com/headroomlabs-ai/headroom/issues/2939", "https://github.com/theopenco/llmgateway/pull/2629",
			"https://github.com/vellum-ai/vellum-assistant/pull/22191",
		},
		Breaks: []string{"egress/cache-times-in-order"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("tools.0").Exists() && r.Get("messages.0.content").IsArray() {
				r.SetRaw("tools.0.cache_control", mark)
				r.SetRaw("messages.0.content.0.cache_control", `{"type":"ephemeral","ttl":"1h"}`)
			}
		}),
	},
	{
		Name:    "egress/empty-text-for-an-empty-result",
		Does:    "The result of a tool that said nothing is sent as an empty text block.",
		Reports: []string{"https://github.com/anthropics/claude-code/issues/50010"},
		Breaks:  []string{"egress/no-empty-text"},
		Make: raw.OnRequest(func(r *raw.Request) {
			eachBlock(r, "tool_result", func(path string, b gjson.Result) {
				if b.Get("content").String() == "" {
					r.SetRaw(path+".content", `[{"type":"text","text":""}]`)
				}
			})
		}),
	},
	{
		Name:    "egress/input-as-text",
		Does:    "The input of a call goes back as a text of JSON.",
		Reports: []string{"https://github.com/danny-avila/agents/pull/369"},
		Breaks:  []string{"egress/input-is-object"},
		Make: raw.OnRequest(func(r *raw.Request) {
			eachBlock(r, "tool_use", func(path string, b gjson.Result) { r.Set(path+".input", b.Get("input").Raw) })
		}),
	},
	{
		Name:    "egress/marks-every-message-for-the-cache",
		Does:    "Every message of a long conversation carries a cache_control.",
		Reports: []string{"https://github.com/continuedev/continue/issues/6937", "https://github.com/tghamm/Anthropic.SDK/issues/50"},
		Breaks:  []string{"egress/cache-marks-bounded"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("user", func(path string, m gjson.Result) {
				for n := range m.Get("content").Array() {
					r.SetRaw(fmt.Sprintf("%s.content.%d.cache_control", path, n), `{"type":"ephemeral"}`)
				}
			})
		}),
	},
	{
		Name:    "egress/marks-the-last-tool-though-deferred",
		Does:    "The last tool is marked for the cache, also where it is one of the loop's own that is deferred.",
		Reports: []string{"https://github.com/router-for-me/CLIProxyAPI/issues/4561", "https://github.com/decolua/9router/pull/3687", "https://github.com/Wei-Shaw/sub2api/issues/4990"},
		Breaks:  []string{"egress/deferred-tools-not-cached"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("tools.0").Exists() {
				r.SetRaw("tools.-1", raw.Set(deferredTool, "cache_control.type", "ephemeral"))
			}
		}),
	},
	{
		Name:    "egress/defers-every-tool",
		Does:    "All tools are deferred, and none is there to search for them.",
		Reports: []string{"https://github.com/microsoft/vscode/issues/311946"},
		Breaks:  []string{"egress/a-tool-is-not-deferred"},
		Make:    eachRawTool(func(r *raw.Request, path string) { r.Set(path+".defer_loading", true) }),
	},
	{
		Name:   "egress/refers-to-a-tool-it-does-not-offer",
		Does:   "A result of the loop's own search for tools has a reference to the name that a tool has on its server of MCP.",
		Breaks: []string{"egress/references-name-tools"},
		Make:   raw.OnRequest(refersTo("notes:find")),
	},
	{
		Name:   "egress/chooses-in-a-word",
		Does:   "tool_choice is the word auto, as in Chat Completions.",
		Breaks: []string{"egress/tool-choice-form"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("tools").Exists() {
				r.Set("tool_choice", "auto")
			}
		}),
	},
	{
		Name:   "egress/writes-the-error-flag-as-a-word",
		Does:   "Results of tools that went well carry an is_error of \"false\".",
		Breaks: []string{"egress/result-block-form"},
		Make: raw.OnRequest(func(r *raw.Request) {
			eachBlock(r, "tool_result", func(path string, b gjson.Result) {
				if !b.Get("is_error").Bool() {
					r.Set(path+".is_error", "false")
				}
			})
		}),
	},
	{
		Name:   "egress/adds-a-part-of-another-api",
		Does:   "After the text of a result is a note, as a part that only the Responses API knows.",
		Breaks: []string{"egress/result-block-types"},
		Make: raw.OnRequest(func(r *raw.Request) {
			eachBlock(r, "tool_result", func(path string, b gjson.Result) {
				if text := b.Get("content"); text.String() != "" && !text.IsArray() && !b.Get("is_error").Bool() {
					r.SetRaw(path+".content", "["+raw.Set(`{"type":"text"}`, "text", text.String())+`,{"type":"output_text","text":"checked"}]`)
				}
			})
		}),
	},
	{
		Name:    "egress/keeps-the-deltas-of-inputs",
		Does:    "After each streamed call that goes back is its last delta, which was never put together.",
		Reports: []string{"https://github.com/1Panel-dev/MaxKB/issues/6480", "https://github.com/langchain-ai/langchainjs/pull/9809"},
		Breaks:  []string{"egress/block-types"},
		Make: raw.OnRequest(func(r *raw.Request) {
			eachContent(r, "assistant", func(blocks []gjson.Result) []string {
				kept := raw.Items(blocks)
				if isBlock(blocks[len(blocks)-1], "tool_use") {
					kept = append(kept, `{"type":"input_json_delta","partial_json":""}`)
				}
				return kept
			})
		}),
	},
	{
		Name:   "egress/types-texts-as-deltas",
		Does:   "The texts of the model go back under the type of the deltas in which they came.",
		Breaks: []string{"egress/block-types", "history/answers-come-back", "history/text-comes-back"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("assistant", func(path string, _ gjson.Result) {
				eachBlock(r, "text", func(at string, _ gjson.Result) {
					if strings.HasPrefix(at, path+".") {
						r.Set(at+".type", "text_delta")
					}
				})
			})
		}),
	},
	{
		Name:    "egress/keeps-the-index-of-blocks",
		Does:    "Blocks of the model go back with the index that they had in the stream.",
		Reports: []string{"https://github.com/langchain-ai/langchain/issues/31208"},
		Breaks:  []string{"egress/block-keys"},
		Make: raw.OnRequest(func(r *raw.Request) {
			eachBlock(r, "tool_use", func(path string, _ gjson.Result) { r.Set(path+".index", 0) })
		}),
	},
	{
		Name:    "egress/keeps-the-ids-of-texts",
		Does:    "The text of a result has an id, as a library for another protocol gives it.",
		Reports: []string{"https://github.com/langchain-ai/langchain/issues/40483"},
		Breaks:  []string{"egress/block-keys"},
		Make: raw.OnRequest(func(r *raw.Request) {
			eachBlock(r, "tool_result", func(path string, b gjson.Result) {
				if text := b.Get("content"); text.Type == gjson.String && text.String() != "" {
					r.SetRaw(path+".content", "["+raw.Set(`{"type":"text","id":"lc_1"}`, "text", text.String())+"]")
				}
			})
		}),
	},
	{
		Name:    "egress/sends-the-answer-as-it-was",
		Does:    "A turn of the model goes back with the reason why it stopped.",
		Reports: []string{"https://github.com/RooCodeInc/Roo-Code/issues/11429"},
		Breaks:  []string{"egress/message-keys"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("assistant", func(path string, _ gjson.Result) { r.Set(path+".stop_reason", "tool_use") })
		}),
	},
	{
		Name:    "egress/adds-parameters-to-tools",
		Does:    "Each tool has its schema under the name that other APIs have for it as well.",
		Reports: []string{"https://github.com/dirac-run/dirac/issues/57"},
		Breaks:  []string{"egress/tool-keys"},
		Make: raw.OnRequest(func(r *raw.Request) {
			for i, t := range r.Get("tools").Array() {
				r.SetRaw(fmt.Sprintf("tools.%d.parameters", i), t.Get("input_schema").Raw)
			}
		}),
	},
	{
		Name:    "egress/asks-for-a-format-of-openai",
		Does:    "Each request has the key response_format.",
		Reports: []string{"https://github.com/amrit110/oli/issues/7"},
		Breaks:  []string{"egress/request-keys"},
		Make:    raw.OnRequest(func(r *raw.Request) { r.SetRaw("response_format", `{"type":"text"}`) }),
	},
	{
		Name:   "egress/chooses-among-no-tools",
		Does:   "Each request says how the model may choose among the tools, whether there are any or not.",
		Breaks: []string{"egress/tool-options-need-tools"},
		Make:   raw.OnRequest(func(r *raw.Request) { r.SetRaw("tool_choice", `{"type":"auto"}`) }),
	},
	{
		Name:   "egress/answers-as-a-tool",
		Does:   "After the results is a message of the role tool, as in Chat Completions.",
		Breaks: []string{"egress/known-roles"},
		Make: raw.OnRequest(func(r *raw.Request) {
			var messages []string
			for _, m := range r.Messages() {
				if messages = append(messages, m); gjson.Get(m, "content.0.type").String() == "tool_result" {
					messages = append(messages, `{"role":"tool","content":"done"}`)
				}
			}
			r.SetMessages(messages)
		}),
	},
	{
		Name:    "egress/writes-null-for-a-text",
		Does:    "A turn that only called tools goes back with a text block whose text is null.",
		Reports: []string{"https://github.com/simonw/llm-anthropic/issues/23"},
		Breaks:  []string{"egress/no-empty-text"},
		Make: raw.OnRequest(func(r *raw.Request) {
			eachContent(r, "assistant", func(blocks []gjson.Result) []string {
				if !isBlock(blocks[0], "tool_use") {
					return raw.Items(blocks)
				}
				return append([]string{`{"type":"text","text":null}`}, raw.Items(blocks)...)
			})
		}),
	},
	{
		Name:    "egress/loses-names-in-blocks",
		Does:    "Calls go back without the name of their tool.",
		Reports: []string{"https://github.com/TanStack/ai/pull/536"},
		Breaks:  []string{"egress/call-has-name"},
		Make: raw.OnRequest(func(r *raw.Request) {
			eachBlock(r, "tool_use", func(path string, _ gjson.Result) { r.Set(path+".name", "") })
		}),
	},
	{
		Name:    "egress/forces-the-first-tool",
		Does:    "The first request of a conversation forces the model to use a tool, where it does not think with a budget.",
		Reports: []string{"https://github.com/can1357/oh-my-pi/issues/12939", "https://github.com/vercel/ai/issues/21364", "https://github.com/Yeachan-Heo/gajae-code/pull/482"},
		Breaks:  []string{"egress/tool-choice-form"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Number == 1 && r.Get("tools").Exists() && r.Get("thinking.type").String() == "adaptive" {
				r.SetRaw("tool_choice", `{"type":"any"}`)
			}
		}),
	},
}

// refersTo offers a tool that is deferred, and puts a reference to a tool behind each result that
// is a text, as what the loop's own search for tools has found.
func refersTo(tool string) func(*raw.Request) {
	return func(r *raw.Request) {
		if r.Get("tools.0").Exists() {
			r.SetRaw("tools.-1", deferredTool)
		}
		eachBlock(r, "tool_result", func(path string, b gjson.Result) {
			if said := b.Get("content"); said.Type == gjson.String && said.String() != "" && !b.Get("is_error").Bool() {
				r.SetRaw(path+".content", "["+raw.Set(`{"type":"text"}`, "text", said.String())+","+raw.Set(`{"type":"tool_reference"}`, "tool_name", tool)+"]")
			}
		})
	}
}
