package gemini

import (
	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// egress are faults in the parts and the keys of a request.
var egress = []raw.Fault{
	{
		Name:   "egress/puts-two-things-into-a-part",
		Does:   "After the prompt is a part with a text and a file.",
		Breaks: []string{"egress/part-says-one-thing"},
		Make: onPrompt(func(r *raw.Request, path string) {
			r.SetRaw(path+".parts.-1", `{"text":"Be brief.","fileData":{"mimeType":"text/plain","fileUri":"https://example.com/notes.txt"}}`)
		}),
	},
	{
		Name:    "egress/puts-an-empty-part-behind-the-prompt",
		Does:    "A text that is empty is a part without anything in it.",
		Reports: []string{"https://github.com/genkit-ai/genkit/issues/3816", "https://github.com/router-for-me/CLIProxyAPI/issues/1292"},
		Breaks:  []string{"egress/content-is-text-or-parts"},
		Make:    onPrompt(func(r *raw.Request, path string) { r.SetRaw(path+".parts.-1", `{}`) }),
	},
	{
		Name:    "egress/asks-for-a-stream-in-the-body",
		Does:    "Whether a stream is wanted is said in the body, as in other APIs, and in the URL.",
		Reports: []string{"https://github.com/yym68686/ChatGPT-Telegram-Bot/issues/101"},
		Breaks:  []string{"egress/request-keys"},
		Make:    raw.OnRequest(func(r *raw.Request) { r.Set("stream", true) }),
	},
	{
		Name:    "egress/returns-chunks-without-parts",
		Does:    "A content without parts goes back behind each turn, as it ended the stream.",
		Reports: []string{"https://github.com/langchain-ai/langchain-google/issues/691", "https://github.com/vercel/ai/issues/3775"},
		Breaks:  []string{"egress/contents-have-parts"},
		Make: onContents(func(contents []string) []string {
			var all []string
			for _, c := range contents {
				all = append(all, c)
				if gjson.Get(c, "role").String() == "model" {
					all = append(all, `{"role":"model","parts":[]}`)
				}
			}
			return all
		}),
	},
	{
		Name:   "egress/responds-with-a-text",
		Does:   "What a tool returned goes back as a text, and not within an object.",
		Breaks: []string{"egress/response-is-object"},
		Make: onParts("functionResponse", func(r *raw.Request, path string, part gjson.Result) {
			if said := part.Get("functionResponse.response.output"); said.Exists() {
				r.Set(path+".functionResponse.response", said.String())
			}
		}),
	},
	{
		Name:   "egress/responds-under-the-id",
		Does:   "Responses have the id of their call for a name.",
		Breaks: []string{"egress/response-named-as-its-call"},
		Make: onParts("functionResponse", func(r *raw.Request, path string, part gjson.Result) {
			r.Set(path+".functionResponse.name", part.Get("functionResponse.id").String())
		}),
	},
	{
		Name:   "egress/returns-args-as-a-text",
		Does:   "The args of a call go back as a text with JSON, as in other APIs.",
		Breaks: []string{"egress/args-are-object"},
		Make: onParts("functionCall", func(r *raw.Request, path string, part gjson.Result) {
			if args := part.Get("functionCall.args"); args.Exists() {
				r.Set(path+".functionCall.args", args.Raw)
			}
		}),
	},
	{
		Name:   "egress/sends-json-schema-as-parameters",
		Does:   "Parameters have the keys of JSON Schema that a Schema does not have.",
		Breaks: []string{"egress/schema-keys"},
		Make: asSchema(func(schema string) string {
			return raw.Set(schema, "\\$schema", "http://json-schema.org/draft-07/schema#")
		}),
	},
	{
		Name:   "egress/instructs-with-a-text",
		Does:   "The system instruction is a text.",
		Breaks: []string{"egress/instruction-form"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if said := r.Get("systemInstruction.parts.0.text"); said.Exists() {
				r.Set("systemInstruction", said.String())
			}
		}),
	},
	{
		Name:    "egress/says-how-to-call-nothing",
		Does:    "How functions are called is said in all requests, whether there are functions or not.",
		Reports: []string{"https://github.com/tailcallhq/forgecode/issues/1404", "https://github.com/AstrBotDevs/AstrBot/issues/7406", "https://github.com/langchain4j/langchain4j/issues/3579"},
		Breaks:  []string{"egress/calling-needs-functions"},
		Make:    raw.OnRequest(func(r *raw.Request) { r.SetRaw("toolConfig.functionCallingConfig", `{"mode":"AUTO"}`) }),
	},
	{
		Name:   "egress/allows-a-function-that-is-not-there",
		Does:   "A function is allowed by the name that it had before.",
		Breaks: []string{"egress/allowed-names-declared"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("tools.0.functionDeclarations.0").Exists() {
				r.SetRaw("toolConfig.functionCallingConfig", `{"mode":"VALIDATED","allowedFunctionNames":["final_report"]}`)
			}
		}),
	},
	{
		Name:   "egress/allows-names-beside-auto",
		Does:   "Functions are allowed by name although the model may call any.",
		Breaks: []string{"egress/allowed-names-declared"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if name := r.Get("tools.0.functionDeclarations.0.name"); name.Exists() {
				r.SetRaw("toolConfig.functionCallingConfig", raw.Set(`{"mode":"AUTO"}`, "allowedFunctionNames.0", name.String()))
			}
		}),
	},
}
