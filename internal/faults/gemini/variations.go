package gemini

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
)

// variations are what correct loops do otherwise with the bytes of the dialect gemini.
var variations = []raw.Variation{
	{
		Name:    "results/under-the-key-result",
		Does:    "What a tool returned goes back under the key result.",
		Sources: []string{"https://github.com/charmbracelet/fantasy/tree/main/providertests/testdata/TestGoogleCommon (recorded)"},
		Make: onParts("functionResponse", func(r *raw.Request, path string, part gjson.Result) {
			if said := part.Get("functionResponse.response.output"); said.Exists() {
				r.SetRaw(path+".functionResponse.response", raw.Set(`{}`, "result", said.String()))
			}
		}),
	},
	{
		Name:     "results/in-the-role-tool",
		Does:     "What a tool returned goes back in a content of the role tool.",
		Sources:  []string{"https://github.com/googleapis/python-genai#function-calling (role='tool')"},
		Profiles: []string{"gemini-2.5", "vertex"}, // newer models refuse it: https://github.com/genkit-ai/genkit/pull/5780
		Make: raw.OnRequest(func(r *raw.Request) {
			for i, c := range r.Get("contents").Array() {
				if c.Get("parts.0.functionResponse").Exists() {
					r.Set(fmt.Sprintf("contents.%d.role", i), "tool")
				}
			}
		}),
	},
	{
		Name:    "turns/without-thoughts",
		Does:    "Thoughts do not go back; what is signed does.",
		Sources: []string{"https://ai.google.dev/gemini-api/docs/thought-signatures (what has to go back are the signatures)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			for i, c := range r.Get("contents").Array() {
				var kept []string
				for _, part := range c.Get("parts").Array() {
					if !part.Get("thought").Bool() {
						kept = append(kept, part.Raw)
					}
				}
				if len(kept) > 0 {
					r.SetRaw(fmt.Sprintf("contents.%d.parts", i), "["+strings.Join(kept, ",")+"]")
				}
			}
		}),
	},
	{
		Name:    "turns/each-part-a-content",
		Does:    "Each part of a turn goes back as a content of its own, as it came in a stream.",
		Shoulds: []string{"history/turn-in-one-message"},
		Why:     "Gemini accepts it, but a turn in several contents is not the turn that the model wrote.",
		Sources: []string{"https://github.com/googleapis/python-genai/blob/main/google/genai/models.py (model_output; test_stream_afc_thoughts has Gemini answer it)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			var contents []string
			for _, c := range r.Get("contents").Array() {
				if c.Get("role").String() != "model" {
					contents = append(contents, c.Raw)
					continue
				}
				for _, part := range c.Get("parts").Array() {
					contents = append(contents, raw.SetRaw(`{"role":"model"}`, "parts", "["+part.Raw+"]"))
				}
			}
			r.SetRaw("contents", "["+strings.Join(contents, ",")+"]")
		}),
	},
	{
		Name:    "turns/signatures-in-the-url-alphabet",
		Does:    "Thought signatures go back in the alphabet of base64 that is meant for URLs.",
		Sources: []string{"https://protobuf.dev/programming-guides/json/ (parsers accept both alphabets of base64, with and without padding)", "https://github.com/googleapis/python-genai/blob/main/google/genai/_common.py (encode_unserializable_types)"},
		Make: onParts("thoughtSignature", func(r *raw.Request, path string, part gjson.Result) {
			r.Set(path+".thoughtSignature", strings.NewReplacer("+", "-", "/", "_").Replace(part.Get("thoughtSignature").String()))
		}),
	},
	{
		Name:    "system/with-a-role",
		Does:    "The system instruction says a role, too.",
		Sources: []string{"https://github.com/googleapis/go-genai/blob/main/types.go (NewContentFromText)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			if r.Get("systemInstruction").Exists() {
				r.Set("systemInstruction.role", "user")
			}
		}),
	},
	{
		Name:    "turns/one-part-without-a-list",
		Does:    "Where a content has one part, there is no list around it; nor is there one around the tools.",
		Sources: []string{"https://github.com/google-gemini/generative-ai-python/blob/main/samples/rest/function_calling.sh (Google's own sample)", "https://github.com/protocolbuffers/protobuf/blob/v21.12/src/google/protobuf/util/internal/proto_writer.cc (StartObject takes an object for a repeated field)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			for i, c := range r.Get("contents").Array() {
				if parts := c.Get("parts").Array(); len(parts) == 1 {
					r.SetRaw(fmt.Sprintf("contents.%d.parts", i), parts[0].Raw)
				}
			}
			for _, path := range []string{"systemInstruction.parts", "tools", "contents"} {
				if all := r.Get(path).Array(); len(all) == 1 {
					r.SetRaw(path, all[0].Raw)
				}
			}
		}),
	},
	{
		Name:    "tools/chosen-in-small-letters",
		Does:    "Whether functions are called is said in small letters.",
		Sources: []string{"https://github.com/google-gemini/generative-ai-python/blob/main/samples/rest/function_calling.sh (Google's own sample has the mode none)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			const path = "toolConfig.functionCallingConfig.mode"
			if said := r.Get(path).String(); said != "" {
				r.Set(path, strings.ToLower(said))
			} else if r.Get("tools.0.functionDeclarations.0").Exists() {
				r.Set(path, "auto")
			}
		}),
	},
	{
		Name:    "tools/in-snake-case",
		Does:    "Functions are declared in the spelling of the protos.",
		Sources: []string{"https://protobuf.dev/programming-guides/json/ (parsers accept both the lowerCamelCase name and the original proto field name)"},
		Make: raw.OnRequest(func(r *raw.Request) {
			declared := r.Get("tools.0.functionDeclarations")
			if !declared.Exists() {
				return
			}
			r.SetRaw("tools.0.function_declarations", declared.Raw)
			r.Delete("tools.0.functionDeclarations")
			if said := r.Get("systemInstruction"); said.Exists() {
				r.SetRaw("system_instruction", said.Raw)
				r.Delete("systemInstruction")
			}
		}),
	},
}
