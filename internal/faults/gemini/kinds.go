package gemini

import (
	"fmt"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// kinds are faults in the keys of contents, calls, responses and tools, and in their places.
var kinds = []raw.Fault{
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
}

// withConfig makes a loop that sends a key of generationConfig.
func withConfig(key, value string) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) { r.SetRaw("generationConfig."+key, value) })
}
