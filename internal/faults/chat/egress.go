package chat

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/profiles"
)

var egress = []raw.Fault{
	{
		Name:     "egress/leaves-the-publisher-out",
		Does:     "On the OpenAI-compatible path of Vertex AI a model of Google is asked for by its name alone.",
		Reports:  []string{"https://github.com/NousResearch/hermes-agent/issues/56778"},
		Breaks:   []string{"egress/publisher-named"},
		Profiles: []string{"vertex-compat"},
		Make:     onVertex("gemini-3-"),
	},
	{
		Name:     "egress/leaves-the-version-of-azure-out",
		Does:     "A request goes to a deployment of Azure, whose URL does not say the version of the API.",
		Reports:  []string{"https://github.com/MicrosoftDocs/azure-docs/issues/114602"},
		Breaks:   []string{"egress/deployment-version"},
		Profiles: []string{"azure"},
		Make:     raw.OnSend(toDeployment("")),
	},
	{
		Name:     "egress/names-a-model-version-to-azure",
		Does:     "A request goes to a deployment of Azure with the version of a model in place of that of the API.",
		Reports:  []string{"https://github.com/langchain-ai/langchain/issues/13284"},
		Breaks:   []string{"egress/deployment-version"},
		Profiles: []string{"azure"},
		Make:     raw.OnSend(toDeployment("api-version=0613")),
	},
	{
		Name:    "egress/sends-message-ids",
		Does:    "Assistant messages carry an id of the loop's own.",
		Reports: []string{"https://github.com/openai/openai-agents-js/pull/1064"},
		Breaks:  []string{"egress/assistant-message-keys"},
		Make:    addKey("assistant", "id", "msg_1"),
	},
	{
		Name:    "egress/echoes-a-null-refusal",
		Does:    "What came in the answer goes back as it is, a refusal of null included, which some providers refuse.",
		Reports: []string{"https://github.com/partITech/php-mistral/issues/76"},
		Breaks:  []string{"egress/assistant-message-keys"},
		Make:    addKey("assistant", "refusal", nil),
	},
	{
		Name:    "egress/echoes-the-stream-index",
		Does:    "The index of a streamed call goes back with it.",
		Reports: []string{"https://github.com/labring/FastGPT/issues/1253"},
		Breaks:  []string{"egress/call-keys"},
		Make: raw.OnRequest(func(r *raw.Request) {
			eachCall(r, func(path string, _ gjson.Result) { r.Set(path+".index", 0) })
		}),
	},
	{
		Name:    "egress/sends-parsed-arguments",
		Does:    "Calls go back with the arguments as the loop parsed them alongside the string.",
		Reports: []string{"https://github.com/openai/openai-node/pull/1990"},
		Breaks:  []string{"egress/no-private-fields"},
		Make: raw.OnRequest(func(r *raw.Request) {
			eachCall(r, func(path string, c gjson.Result) {
				r.Set(path+".function.parsed_arguments", map[string]any{})
			})
		}),
	},
	{
		Name: "egress/sends-null-for-an-empty-result",
		Does: "A tool that returned nothing is answered with a content of null.",
		Reports: []string{
			"https://github.com/docker/cagent/issues/333",
			"https://github.com/cline/cline/pull/7247",
			"https://github.com/crmne/ruby_llm/commit/4371a1b2",
		},
		Breaks: []string{"egress/tool-content-is-text"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("tool", func(path string, m gjson.Result) {
				if m.Get("content").String() == "" {
					r.Set(path+".content", nil)
				}
			})
		}),
	},
	{
		Name:    "egress/sends-an-empty-list-beside-calls",
		Does:    "A turn with calls and no text goes back with an empty list of parts.",
		Reports: []string{"https://github.com/langchain-ai/langchainjs/pull/11419"},
		Breaks:  []string{"egress/no-empty-content-list"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("assistant", func(path string, m gjson.Result) {
				if len(m.Get("tool_calls").Array()) > 0 && m.Get("content").String() == "" {
					r.SetRaw(path+".content", "[]")
				}
			})
		}),
	},
	{
		Name:    "egress/sends-arguments-as-object",
		Does:    "The arguments of calls go back as objects.",
		Reports: []string{"https://github.com/badlogic/pi-mono/issues/1259"},
		Breaks:  []string{"egress/arguments-are-text"},
		Make: raw.OnRequest(func(r *raw.Request) {
			eachCall(r, func(path string, c gjson.Result) {
				if args := c.Get("function.arguments").String(); gjson.Valid(args) {
					r.SetRaw(path+".function.arguments", args)
				}
			})
		}),
	},
	{
		Name:    "egress/drops-the-call-type",
		Does:    "Calls go back without a type.",
		Reports: []string{"https://github.com/vercel/ai/issues/12770"},
		Breaks:  []string{"egress/call-type"},
		Make: raw.OnRequest(func(r *raw.Request) {
			eachCall(r, func(path string, _ gjson.Result) { r.Delete(path + ".type") })
		}),
	},
	{
		Name:    "egress/sends-a-message-without-role",
		Does:    "A message has lost its role.",
		Reports: []string{"https://github.com/trpc-group/trpc-agent-go/issues/2228"},
		Breaks:  []string{"egress/messages-given"},
		Make:    addMessage(`{"content":"Be kind."}`),
	},
	{
		Name:    "egress/says-developer-everywhere",
		Does:    "The system prompt is sent as developer, which only OpenAI knows.",
		Reports: []string{"https://github.com/decolua/9router/issues/773"},
		Breaks:  []string{"egress/known-roles"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("system", func(path string, _ gjson.Result) { r.Set(path+".role", "developer") })
		}),
	},
	{
		Name:   "egress/sends-a-number-as-content",
		Does:   "A note to the model is sent as a bare number.",
		Breaks: []string{"egress/content-is-text-or-parts"},
		Make:   addMessage(`{"role":"system","content":42}`),
	},
	{
		Name:    "egress/always-forbids-parallel-calls",
		Does:    "parallel_tool_calls is false in all requests, whether there are tools or not.",
		Reports: []string{"https://github.com/openai/openai-agents-js/pull/1637", "https://github.com/openai/openai-agents-python/pull/4359"},
		Breaks:  []string{"egress/tool-options-need-tools"},
		Make:    raw.OnRequest(func(r *raw.Request) { r.Set("parallel_tool_calls", false) }),
	},
	{
		Name:   "egress/asks-for-the-next-best-tokens-alone",
		Does:   "top_logprobs are sent, and logprobs left out, except to Mistral, which has no such key.",
		Breaks: []string{"egress/top-logprobs-need-logprobs"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if !strings.HasPrefix(r.Task.Profile, "mistral") {
				r.Set("top_logprobs", 2)
			}
		}),
	},
	{
		Name:   "egress/always-asks-for-usage",
		Does:   "stream_options are sent whether a stream is asked for or not.",
		Breaks: []string{"egress/stream-options-need-stream"},
		Make:   raw.OnRequest(func(r *raw.Request) { r.Set("stream_options.include_usage", true) }),
	},
	{
		Name:   "egress/chooses-in-the-words-of-another-api",
		Does:   "tool_choice is \"any\", as in other APIs.",
		Breaks: []string{"egress/tool-choice"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("tools").Exists() {
				r.Set("tool_choice", "any")
			}
		}),
	},
	{
		Name:    "egress/sends-switches-of-other-providers",
		Does:    "A switch that one provider needs is sent to all.",
		Reports: []string{"https://github.com/FlowiseAI/Flowise/issues/2866"},
		Breaks:  []string{"egress/request-keys"},
		Make:    raw.OnRequest(func(r *raw.Request) { r.Set("enable_thinking", true) }),
	},
	{
		Name:    "egress/limits-a-model-that-thinks",
		Does:    "The limit of the answer is sent to gpt-5 as to the models before it.",
		Reports: []string{"https://github.com/continuedev/continue/issues/7052", "https://github.com/langgenius/dify/issues/24307", "https://github.com/BoltAI/BoltAI/issues/369"},
		Breaks:  []string{"egress/model-takes-parameters"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Set("model", "gpt-5-"+r.Get("model").String())
			r.Set("max_tokens", 4096)
		}),
	},
	{
		Name:    "egress/asks-for-json-without-a-word",
		Does:    "An answer in JSON is asked for by response_format alone.",
		Reports: []string{"https://github.com/ultimatejimmy/xray.koplugin/issues/33", "https://github.com/StefanBratanov/jvm-openai/issues/15"},
		Breaks:  []string{"egress/json-mode-named"},
		Make:    raw.OnRequest(func(r *raw.Request) { r.SetRaw("response_format", `{"type":"json_object"}`) }),
	},
	{
		Name:     "egress/asks-for-an-open-answer-strictly",
		Does:     "The schema of an answer is sent as strict as a library writes it.",
		Reports:  []string{"https://github.com/dottxt-ai/outlines/issues/844", "https://github.com/moeru-ai/xsai/issues/145"},
		Profiles: []string{"openai"}, // others take no schema
		Breaks:   []string{"egress/answer-schema-strict"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.SetRaw("response_format", `{"type":"json_schema","json_schema":{"name":"weather","strict":true,"schema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}`)
		}),
	},
	{
		Name:   "egress/asks-for-two-answers",
		Does:   "Two answers are asked for, and one is looked at.",
		Breaks: []string{"egress/one-candidate"},
		Make:   raw.OnRequest(func(r *raw.Request) { r.Set("n", 2) }),
	},
	{
		Name:    "egress/sends-settings-as-texts",
		Does:    "The temperature comes from the environment and is sent as the text that it is there.",
		Reports: []string{"https://github.com/instructlab/instructlab/issues/3511", "https://github.com/cline/cline/pull/7397"},
		Breaks:  []string{"egress/parameter-types"},
		Make:    raw.OnRequest(func(r *raw.Request) { r.Set("temperature", "0.5") }),
	},
	{
		Name:   "egress/samples-by-percent-in-chat",
		Does:   "The temperature is a percentage.",
		Breaks: []string{"egress/parameter-ranges"},
		Make:   setting("temperature", 70),
	},
	{
		Name:    "egress/stops-at-five-texts",
		Does:    "A request has five texts at which the model stops; OpenAI takes four.",
		Reports: []string{"https://github.com/continuedev/continue/issues/1572"},
		Breaks:  []string{"egress/value-forms"},
		Make:    setting("stop", []string{"<a>", "<b>", "<c>", "<d>", "<e>"}),
	},
	{
		Name:   "egress/asks-for-a-tier-of-another-provider",
		Does:   "service_tier has a word that one provider alone has; Mistral, which has no such key, is asked for nothing.",
		Breaks: []string{"egress/parameter-words"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if !strings.HasPrefix(r.Task.Profile, "mistral") {
				r.Set("service_tier", "on_demand")
			}
		}),
	},
	{
		Name:   "egress/forces-a-tool-of-another-task",
		Does:   "tool_choice forces a tool by a name that none of the tools has, where a tool can be forced by name.",
		Breaks: []string{"egress/chosen-tool-offered"},
		Make: raw.OnRequest(func(r *raw.Request) {
			p, err := profiles.Get(r.Task.Profile)
			named := err == nil && (len(p.Accepts.ToolChoices) == 0 || slices.Contains(p.Accepts.ToolChoices, "an object"))
			if named && r.Get("tools").Exists() {
				r.SetRaw("tool_choice", `{"type":"function","function":{"name":"final_report"}}`)
			}
		}),
	},
	{
		Name:   "egress/sends-the-old-keys-too",
		Does:   "function_call is sent alongside the tools, except to Mistral, which refuses it.",
		Breaks: []string{"egress/no-legacy-functions"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if !strings.HasPrefix(r.Task.Profile, "mistral") {
				r.Set("function_call", "auto")
			}
		}),
	},
	{
		Name:    "egress/names-the-user",
		Does:    "The user's messages carry a name with a space.",
		Reports: []string{"https://github.com/FlowiseAI/Flowise/issues/2948", "https://github.com/ag2ai/ag2/issues/451"},
		Breaks:  []string{"egress/message-name"},
		Make:    addKey("user", "name", "Ada Lovelace"),
	},
	{
		Name:    "egress/sends-empty-names-with-failures",
		Does:    "The result of a tool that failed carries an empty name.",
		Reports: []string{"https://github.com/charmbracelet/crush/issues/659"},
		Breaks:  []string{"egress/message-name"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("tool", func(path string, m gjson.Result) {
				if isError(m.Get("content").String()) {
					r.Set(path+".name", "")
				}
			})
		}),
	},
	{
		Name:    "egress/requires-null",
		Does:    "Where a tool requires no parameter, its schema says null in the place of the list.",
		Reports: []string{"https://github.com/mark3labs/mcphost/issues/34"},
		Breaks:  []string{"egress/tool-parameters-are-a-schema", "egress/schema-valid"},
		Make: onTools(func(r *raw.Request, path string, _ gjson.Result) {
			if len(r.Get(path+".function.parameters.required").Array()) == 0 {
				r.Set(path+".function.parameters.required", nil)
			}
		}),
	},
	{
		Name:   "egress/sends-parts-of-another-api",
		Does:   "A note to the model is a part of a type that only the Responses API knows.",
		Breaks: []string{"egress/part-types"},
		Make:   addMessage(`{"role":"system","content":[{"type":"input_text","text":"Be kind."}]}`),
	},
	{
		Name: "egress/sends-empty-parts",
		Does: "A note to the model has a part without text.",
		Reports: []string{
			"https://github.com/MoonshotAI/kimi-cli/issues/2396",
			"https://github.com/dotnet/extensions/issues/6405",
			"https://github.com/strands-agents/sdk-python/issues/1878",
			"https://github.com/0xPlaygrounds/rig/issues/1735",
		},
		Breaks: []string{"egress/no-empty-text-part"},
		Make:   addMessage(`{"role":"system","content":[{"type":"text","text":"Be kind."},{"type":"text","text":""}]}`),
	},
	{
		Name: "egress/sends-results-as-lists",
		Does: "Results go out as lists of parts.",
		Reports: []string{
			"https://github.com/tailcallhq/forgecode/issues/2008",
			"https://github.com/QwenLM/qwen-code/issues/2158",
			"https://github.com/strands-agents/sdk-python/issues/1878",
		},
		Breaks: []string{"egress/tool-content-is-one-text"},
		Make:   asParts("tool"),
	},
	{
		Name:    "egress/sends-answers-as-lists",
		Does:    "What the model said goes back as a list of parts.",
		Reports: []string{"https://github.com/vercel/ai/issues/17930"},
		Breaks:  []string{"egress/assistant-content-is-one-text"},
		Make:    asParts("assistant"),
	},
}
