package gemini

import (
	"fmt"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// kinds are faults in the keys of contents, calls, responses and tools, and in their places.
var kinds = []raw.Fault{
	{
		Name:   "egress/keeps-the-content-of-other-apis",
		Does:   "What the user said stands under the key content, too.",
		Breaks: []string{"egress/content-keys"},
		Make:   onPrompt(func(r *raw.Request, path string) { r.Set(path+".content", r.Get(path+".parts.0.text").String()) }),
	},
	{
		Name:   "egress/dates-contents",
		Does:   "Contents say when they were made.",
		Breaks: []string{"egress/content-keys"},
		Make:   onPrompt(func(r *raw.Request, path string) { r.Set(path+".createTime", "2026-01-01T00:00:00Z") }),
	},
	{
		Name:   "egress/types-calls",
		Does:   "A call goes back with a type, as in other APIs.",
		Breaks: []string{"egress/function-call-keys"},
		Make:   onParts("functionCall", func(r *raw.Request, path string, _ gjson.Result) { r.Set(path+".functionCall.type", "function") }),
	},
	{
		Name:   "egress/notes-the-arguments-beside-the-args",
		Does:   "A call goes back with its arguments as a text, beside the args.",
		Breaks: []string{"egress/function-call-keys"},
		Make: onParts("functionCall", func(r *raw.Request, path string, part gjson.Result) {
			r.Set(path+".functionCall.arguments", part.Get("functionCall.args").Raw)
		}),
	},
	{
		Name:   "egress/says-in-responses-that-a-tool-failed",
		Does:   "A response carries the key is_error of another API.",
		Breaks: []string{"egress/function-response-keys"},
		Make: onParts("functionResponse", func(r *raw.Request, path string, part gjson.Result) {
			r.Set(path+".functionResponse.is_error", part.Get("functionResponse.response.error").Exists())
		}),
	},
	{
		Name:   "egress/names-the-call-in-responses",
		Does:   "A response carries the key tool_call_id of another API.",
		Breaks: []string{"egress/function-response-keys"},
		Make: onParts("functionResponse", func(r *raw.Request, path string, part gjson.Result) {
			r.Set(path+".functionResponse.tool_call_id", part.Get("functionResponse.id").String())
		}),
	},
	{
		Name:   "egress/puts-texts-among-the-parts-of-responses",
		Does:   "What a tool said stands among the parts of its response, too.",
		Breaks: []string{"egress/response-parts-are-data"},
		Make: onParts("functionResponse", func(r *raw.Request, path string, part gjson.Result) {
			if said := part.Get("functionResponse.response.output"); said.Exists() {
				r.SetRaw(path+".functionResponse.parts", raw.List([]string{raw.Set(`{}`, "text", said.String())}))
			}
		}),
	},
	{
		Name:   "egress/offers-tools-as-other-apis",
		Does:   "Beside the functions stands a tool of the type function, as in Chat Completions.",
		Breaks: []string{"egress/tool-kinds"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("tools.0").Exists() {
				r.Set("tools.0.type", "function")
			}
		}),
	},
	{
		Name:   "egress/chooses-tools-as-in-other-apis",
		Does:   "Which tools may be called is said under the name that other APIs have for it.",
		Breaks: []string{"egress/tool-config-keys"},
		Make:   raw.OnRequest(func(r *raw.Request) { r.Set("toolConfig.tool_choice", "auto") }),
	},
	{
		Name:   "egress/names-functions-in-the-calling-config",
		Does:   "The functions that may be called are named under a key of another API.",
		Breaks: []string{"egress/tool-config-keys"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("tools.0.functionDeclarations.0").Exists() {
				r.SetRaw("toolConfig.functionCallingConfig", `{"mode":"AUTO","disable_parallel_tool_use":true}`)
			}
		}),
	},
	{
		Name:    "egress/puts-signatures-together",
		Does:    "The signature of the second turn with calls stands behind that of the first one.",
		Reports: []string{"https://github.com/MayDay-wpf/snow-cli/issues/84"},
		Breaks:  []string{"egress/signature-is-base64", "reasoning/call-signature-returned", "reasoning/signatures-untouched"},
		Make: raw.OnRequest(func(r *raw.Request) {
			all := ""
			for i, c := range r.Get("contents").Array() {
				for n, part := range c.Get("parts").Array() {
					signature := part.Get("thoughtSignature").String()
					if signature == "" || !part.Get("functionCall").Exists() {
						continue
					}
					if all != "" {
						r.Set(fmt.Sprintf("contents.%d.parts.%d.thoughtSignature", i, n), all+"="+signature)
					}
					all = signature
				}
			}
		}),
	},
	{
		Name:    "egress/signs-with-a-word",
		Does:    "What the user says has a word of the loop's own for a signature.",
		Reports: []string{"https://github.com/decolua/9router/pull/450"},
		Breaks:  []string{"egress/signature-is-base64"},
		Make:    onPrompt(func(r *raw.Request, path string) { r.Set(path+".parts.0.thoughtSignature", "no signature") }),
	},
	{
		Name:   "egress/instructs-with-a-file",
		Does:   "The system instruction has a file beside its text.",
		Breaks: []string{"egress/instruction-of-texts"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("systemInstruction.parts").Exists() {
				r.SetRaw("systemInstruction.parts.-1", `{"fileData":{"mimeType":"text/plain","fileUri":"https://example.com/rules.txt"}}`)
			}
		}),
	},
	{
		Name:    "egress/searches-beside-functions",
		Does:    "Google's search is offered beside the functions.",
		Reports: []string{"https://github.com/googleapis/go-genai/issues/323", "https://github.com/snailyp/gemini-balance/pull/17"},
		Breaks:  []string{"egress/own-tools-apart"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("tools.0.functionDeclarations").Exists() {
				r.SetRaw("tools.-1", `{"googleSearch":{}}`)
			}
		}),
	},
	{
		Name:    "egress/asks-for-json-beside-functions",
		Does:    "Answers in JSON are asked for beside the functions.",
		Reports: []string{"https://github.com/googleapis/python-genai/issues/867", "https://github.com/openai/openai-agents-python/issues/656"},
		Breaks:  []string{"egress/json-apart-from-functions"},
		Make:    withConfig("responseMimeType", `"application/json"`),
	},
	{
		Name:   "egress/says-twice-how-much-to-think",
		Does:   "A level of thinking is sent beside a budget.",
		Breaks: []string{"egress/thinking-said-once", "egress/model-takes-config"}, // the second of a model that takes no level
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Set("generationConfig.thinkingConfig.thinkingLevel", "LOW")
			r.Set("generationConfig.thinkingConfig.thinkingBudget", 1024)
		}),
	},
	{
		Name:   "egress/stops-at-many-texts",
		Does:   "A request has six texts at which the model stops.",
		Breaks: []string{"egress/stop-sequences-few"},
		Make:   withConfig("stopSequences", `["<a>","<b>","<c>","<d>","<e>","<f>"]`),
	},
	{
		Name:   "egress/sends-a-response-schema-alone",
		Does:   "The schema of an answer is sent without the type of one.",
		Breaks: []string{"egress/response-schema-with-json"},
		Make:   withConfig("responseSchema", `{"type":"OBJECT","properties":{"answer":{"type":"STRING"}}}`),
	},
	{
		Name:   "egress/sends-the-temperature-as-a-word",
		Does:   "The temperature is a word.",
		Breaks: []string{"egress/config-types"},
		Make:   withConfig("temperature", `"low"`),
	},
	{
		Name:   "egress/limits-the-output-to-a-fraction",
		Does:   "The longest answer is a number with a fraction.",
		Breaks: []string{"egress/config-types"},
		Make:   withConfig("maxOutputTokens", `4096.5`),
	},
	{
		Name:   "egress/stops-at-a-number",
		Does:   "What the model stops at is a number.",
		Breaks: []string{"egress/config-types"},
		Make:   withConfig("stopSequences", `[7]`),
	},
	{
		Name:   "egress/sends-a-temperature-of-five",
		Does:   "The temperature is beyond what the API takes.",
		Breaks: []string{"egress/config-ranges"},
		Make:   withConfig("temperature", `5`),
	},
	{
		Name: "egress/punishes-repetition",
		Does: "The frequencyPenalty of another API is sent to a model that takes none.",
		Reports: []string{
			"https://github.com/google-gemini/cookbook/issues/1290", "https://github.com/cline/cline/pull/5898", "https://github.com/PublicAffairs/openai-gemini/issues/63",
		},
		Breaks: []string{"egress/model-takes-config"},
		Make:   withConfig("frequencyPenalty", `0.5`),
	},
	{
		Name:    "egress/sends-tools-beside-a-cache",
		Does:    "The functions are sent beside the cache in which they are.",
		Reports: []string{"https://github.com/langchain-ai/langchain-google/issues/978", "https://github.com/567-labs/instructor/issues/2580"},
		Breaks:  []string{"egress/cached-content-alone"},
		Make:    raw.OnRequest(func(r *raw.Request) { r.Set("cachedContent", "cachedContents/loopproof") }),
	},
	{
		Name:    "egress/sends-a-drawing-as-an-image",
		Does:    "An SVG goes with the prompt as an image.",
		Reports: []string{"https://github.com/google/adk-python/issues/5693", "https://github.com/google-gemini/gemini-cli/issues/3054"},
		Breaks:  []string{"egress/media-types"},
		Make: onPrompt(func(r *raw.Request, path string) {
			r.SetRaw(path+".parts.-1", `{"fileData":{"mimeType":"image/svg+xml","fileUri":"https://example.com/drawing.svg"}}`)
		}),
	},
	{
		Name:   "egress/says-flags-in-words",
		Does:   "That a parameter may be null is said by a word.",
		Breaks: []string{"egress/value-types"},
		Make: asSchema(func(schema string) string {
			return raw.SetRaw(schema, "properties.remark", `{"type":"string","nullable":"maybe"}`)
		}),
	},
	{
		Name:   "egress/describes-functions-by-lists",
		Does:   "The description of a function is a list of lines.",
		Breaks: []string{"egress/value-types", "history/schemas-as-given"},
		Make: eachFunction(func(r *raw.Request, path string, f gjson.Result) {
			r.SetRaw(path+".description", raw.List([]string{`"One line."`, `"Another one."`}))
		}),
	},
	{
		Name:   "egress/limits-thinking-as-in-other-apis",
		Does:   "How much to think is said under the name that another API has for it.",
		Breaks: []string{"egress/inner-keys"},
		Make:   raw.OnRequest(func(r *raw.Request) { r.Set("generationConfig.thinkingConfig.budget_tokens", 1024) }),
	},
	{
		Name:   "egress/types-files-as-in-other-apis",
		Does:   "Behind the prompt stands a file whose type is under the name that another API has for it.",
		Breaks: []string{"egress/inner-keys"},
		Make: onPrompt(func(r *raw.Request, path string) {
			r.SetRaw(path+".parts.-1", `{"fileData":{"mimeType":"text/plain","media_type":"text/plain","fileUri":"https://example.com/notes.txt"}}`)
		}),
	},
}

// withConfig makes a loop that sends a key of generationConfig.
func withConfig(key, value string) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) { r.SetRaw("generationConfig."+key, value) })
}
