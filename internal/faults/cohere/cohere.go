// Package cohere holds the faults and variations that are about the bytes of Cohere's /v2/chat.
package cohere

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/dialect/cohere"
	"github.com/loopproof/loopproof/internal/faults/raw"
)

// Faults returns the faults.
func Faults() []raw.Fault {
	return slices.Concat(faults, raw.OfForm(cohere.Form(), "egress/form-cohere-", []string{
		"response_format.type enum", "stop_sequences maxItems", "tools[].type required",
		"messages[](assistant) keys", "messages[](tool) keys", "messages[](assistant).tool_calls[] keys",
		"messages[](assistant).tool_calls[].type required", "messages[](assistant).tool_calls[].function.arguments type",
	}))
}

// eachCalling changes every turn of the model that calls tools.
func eachCalling(change func(r *raw.Request, path string, m gjson.Result)) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		r.Each("assistant", func(path string, m gjson.Result) {
			if m.Get("tool_calls").Exists() {
				change(r, path, m)
			}
		})
	})
}

// inTheLastEvent changes how an answer ends: in the last event of a stream, or in the whole of it.
func inTheLastEvent(change func(end string) string) func() raw.Mutation {
	return raw.OnAnswer(func(a *raw.Answer) {
		for i, p := range a.Payloads {
			if gjson.Get(p, "type").String() == "message-end" {
				a.Payloads[i] = raw.SetRaw(p, "delta", change(gjson.Get(p, "delta").Raw))
			}
		}
	})
}

var faults = []raw.Fault{
	{
		Name:    "egress/says-the-plan-as-a-text",
		Does:    "What the model said beside its calls goes back as the text of the turn.",
		Reports: []string{"https://github.com/vercel/ai/issues/5794"},
		Breaks:  []string{"egress/plan-beside-calls"},
		Make: eachCalling(func(r *raw.Request, path string, m gjson.Result) {
			if plan := m.Get("tool_plan"); plan.Exists() {
				r.Delete(path + ".tool_plan")
				r.Set(path+".content", plan.String())
			}
		}),
	},
	{
		Name:    "egress/marks-functions-as-strict",
		Does:    "A function is strict in the words of OpenAI.",
		Reports: []string{"https://github.com/OpenRouterTeam/openrouter-examples/issues/71"},
		Breaks:  []string{"egress/function-keys"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("tools.0").Exists() {
				r.Set("tools.0.function.strict", true)
			}
		}),
	},
	{
		Name:   "egress/leaves-the-schema-of-no-parameters-out",
		Does:   "A tool without parameters is offered without a schema, which OpenAI takes.",
		Breaks: []string{"egress/input-schema-given"},
		Make: raw.OnRequest(func(r *raw.Request) {
			for i, tool := range r.Get("tools").Array() {
				if len(tool.Get("function.parameters.properties").Map()) == 0 {
					r.Delete(fmt.Sprintf("tools.%d.function.parameters", i))
				}
			}
		}),
	},
	{
		Name:    "egress/says-any-for-required",
		Does:    "tool_choice is any, as other APIs call it, where a tool has to be called.",
		Reports: []string{"https://github.com/langchain-ai/langchain-cohere/issues/161"},
		Breaks:  []string{"egress/parameter-words"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("tools.0").Exists() {
				r.Set("tool_choice", "any")
			}
		}),
	},
	{
		Name:   "egress/adds-a-file-to-what-the-user-says",
		Does:   "Beside what the user said stands a part with a file, as OpenAI has them.",
		Breaks: []string{"egress/part-types"},
		Make: raw.OnPrompts(func(r *raw.Request, path, said string) {
			r.SetRaw(path+".content", strings.TrimSuffix(raw.Texts(said), "]")+`,{"type":"file","file":{"file_id":"file_1"}}]`)
		}),
	},
	{
		Name:    "failure/takes-an-error-for-the-end",
		Does:    "Why the model stopped is not read, so that an answer in which it failed is a whole one.",
		Reports: []string{"https://github.com/ankit373/hydra/issues/976"},
		Breaks:  []string{"failure/in-band-error-reported", "failure/broken-turn-not-run"},
		Make: inTheLastEvent(func(end string) string {
			return raw.Remove(strings.Replace(end, `"ERROR"`, `"COMPLETE"`, 1), "error")
		}),
	},
}

// Where it is written what a request may have, and loops that write it.
const (
	chatAPI       = "https://docs.cohere.com/reference/chat"
	guide         = "https://docs.cohere.com/docs/tool-use-usage-patterns"
	langchainCode = "https://github.com/langchain-ai/langchain-cohere/blob/main/libs/cohere/langchain_cohere/chat_models.py"
)

// Variations returns the variations.
func Variations() []raw.Variation { return variations }

// resultsAs writes the text of each result otherwise.
func resultsAs(write func(text string) string) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) {
		r.Each("tool", func(path string, m gjson.Result) { r.SetRaw(path+".content", write(m.Get("content").String())) })
	})
}

// document is a block with a document.
func document(data string) string { return `[{"type":"document","document":{"data":` + data + `}}]` }

var variations = []raw.Variation{
	{
		Name: "results/documents-with-an-output", Does: "A result is a document whose only text is what the tool returned.",
		Sources: []string{langchainCode + " (output)"},
		Make:    resultsAs(func(text string) string { return document(raw.Set("{}", "output", text)) }),
	},
	{
		Name: "results/documents-of-json", Does: "A result that is a JSON object is the data of a document, and others are texts.",
		Sources: []string{guide + " (document)"},
		Make: resultsAs(func(text string) string {
			if gjson.Valid(text) && gjson.Parse(text).IsObject() {
				return document(text)
			}
			return raw.Texts(text)
		}),
	},
	{
		Name: "results/documents-in-a-text", Does: "The data of a document is JSON in a text, as in Cohere's guides.",
		Sources: []string{guide + " (json.dumps)"},
		Shoulds: []string{"execution/result-not-encoded-again"},
		Why:     "Whatever a tool returns is an object under one key; the quotes and backslashes are what it costs, as in results/wrapped.",
		Make: resultsAs(func(text string) string {
			return `[{"type":"document","document":{"id":"0","data":` + gjson.Get(raw.Set("{}", "t", raw.Set("{}", "output", text)), "t").Raw + `}}]`
		}),
	},
	{
		Name: "turns/without-a-text-beside-calls", Does: "A turn with calls has an empty text.",
		Sources: []string{chatAPI + " (content of an assistant message)"},
		Make: eachCalling(func(r *raw.Request, path string, m gjson.Result) {
			if !m.Get("content").Exists() {
				r.Set(path+".content", "")
			}
		}),
	},
	{
		Name: "turns/texts-as-lists", Does: "Texts of the user, of the system and of answers are lists of one part.",
		Sources: []string{chatAPI + " (content: a string or a list)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			for _, role := range []string{"system", "user", "assistant"} {
				r.Each(role, func(path string, m gjson.Result) {
					if text := m.Get("content"); text.Type == gjson.String && !m.Get("tool_calls").Exists() {
						r.SetRaw(path+".content", raw.Texts(text.String()))
					}
				})
			}
		}),
	},
	{
		Name: "turns/with-citations", Does: "An answer goes back with the list of its citations.",
		Sources: []string{chatAPI + " (citations)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			r.Each("assistant", func(path string, _ gjson.Result) { r.SetRaw(path+".citations", "[]") })
		}),
	},
}
