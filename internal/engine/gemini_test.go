package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// The URL of a request says in the dialect gemini what the model is, and in which form the answer
// is wanted.
func TestTheURLSaysModelAndStream(t *testing.T) {
	looks := scenario(t, `
tools: {look: {results: [{text: a}]}}
model:
  - calls: [{as: a, tool: look, arguments: "{}"}]
  - text: Done.
`)
	url := start(t, engine.Config{Profile: profile(t, "gemini-3"), Scenarios: []*scenarios.Scenario{looks}, Secret: "shared"}).URL
	prompt := `{"contents":[{"role":"user","parts":[{"text":"` + looks.Prompts[0] + `"}]}]}`
	for _, c := range []struct {
		name, path, kind string
		call, model      string // where they are in the body
	}{
		{"a document", "/v1beta/models/m-1:generateContent", "application/json", "candidates.0.content.parts.0.functionCall.name", "modelVersion"},
		{"an array", "/v1beta/models/m-1:streamGenerateContent", "application/json", "0.candidates.0.content.parts.0.functionCall.name", "0.modelVersion"},
		{"events", "/v1beta/models/m-1:streamGenerateContent?alt=sse", "text/event-stream; charset=utf-8", "", ""},
		{"Vertex AI", "/v1/projects/p/locations/global/publishers/google/models/m-1:generateContent", "application/json", "candidates.0.content.parts.0.functionCall.name", "modelVersion"},
		{"a tuned model", "/v1beta/tunedModels/m-1:generateContent", "application/json", "candidates.0.content.parts.0.functionCall.name", "modelVersion"},
		{"an endpoint of Vertex AI", "/v1/projects/p/locations/l/endpoints/m-1:generateContent", "application/json", "candidates.0.content.parts.0.functionCall.name", "modelVersion"},
		{"a stream of an endpoint", "/v1beta1/projects/p/locations/l/endpoints/m-1:streamGenerateContent?alt=sse", "text/event-stream; charset=utf-8", "", ""},
		{"Vertex AI with a key", "/v1beta1/publishers/google/models/m-1:generateContent?key=k", "application/json", "candidates.0.content.parts.0.functionCall.name", "modelVersion"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := do(t, http.MethodPost, url+c.path, prompt)
			body := got.body
			if kind := got.header.Get("Content-Type"); got.status != http.StatusOK || kind != c.kind {
				t.Fatalf("answered %d as %s: %s", got.status, kind, body)
			}
			if c.call == "" {
				body, c.call, c.model = strings.TrimPrefix(strings.SplitN(body, "\n", 2)[0], "data: "), "candidates.0.content.parts.0.functionCall.name", "modelVersion"
			}
			if name, model := gjson.Get(body, c.call).String(), gjson.Get(body, c.model).String(); name != "look" || model != "m-1" {
				t.Errorf("the call %q of the model %q in %s", name, model, body)
			}
		})
	}
	for _, models := range []string{"/v1beta/models", "/v1beta1/projects/p/locations/global/publishers/google/models", "/v1/publishers/google/models", "/v1/projects/p/locations/l/endpoints"} {
		if count := do(t, http.MethodPost, url+models+"/m-1:countTokens", prompt); !gjson.Get(count.body, "totalTokens").Exists() {
			t.Errorf("a count of tokens under %s is answered %d: %s", models, count.status, count.body)
		}
	}
	if list := do(t, http.MethodGet, url+"/v1beta/models", "").body; gjson.Get(list, "models.0.name").String() != "models/loopproof" {
		t.Errorf("the list of models is %s", list)
	}
}

// A thought signature is known again without having been kept, and refused when it was changed or
// is missing.
func TestThoughtSignaturesAreChecked(t *testing.T) {
	looks := scenario(t, `
tools: {look: {results: [{text: a}]}}
model:
  - calls: [{as: a, tool: look, arguments: "{}"}]
  - text: Done.
`)
	url := start(t, engine.Config{Profile: profile(t, "gemini-3"), Scenarios: []*scenarios.Scenario{looks}, Secret: "shared"}).URL + "/v1beta/models/m:generateContent"
	prompt := `{"role":"user","parts":[{"text":"` + looks.Prompts[0] + `"}]}`
	said := gjson.Get(do(t, http.MethodPost, url, `{"contents":[`+prompt+`]}`).body, "candidates.0.content").Raw
	id, signature := gjson.Get(said, "parts.0.functionCall.id").String(), gjson.Get(said, "parts.0.thoughtSignature").String()
	response := `{"role":"user","parts":[{"function_response":{"id":"` + id + `","name":"look","response":{"output":"a"}}}]}`
	for _, c := range []struct {
		name, said string
		status     int
		message    string
	}{
		{"as it came", said, 200, ""},
		{"changed", strings.Replace(said, signature, signature[:len(signature)-2]+"AA", 1), 400, "Corrupted thought signature."},
		{"missing", strings.Replace(said, `,"thoughtSignature":"`+signature+`"`, "", 1), 400, "Function call is missing a thought_signature"},
	} {
		got := do(t, http.MethodPost, url, `{"contents":[`+prompt+`,`+c.said+`,`+response+`]}`)
		if got.status != c.status || !strings.HasPrefix(gjson.Get(got.body, "error.message").String(), c.message) {
			t.Errorf("%s: answered %d: %s", c.name, got.status, got.body)
		}
	}
}

// What is asked for in a URL is in one form with alt=sse and in another without it, whatever the
// method.
func TestBothMethodsTakeBothForms(t *testing.T) {
	says := scenario(t, "model: [{text: Hello.}]")
	url := start(t, engine.Config{Profile: profile(t, "gemini-3"), Scenarios: []*scenarios.Scenario{says}}).URL + "/v1beta/models/m"
	prompt := `{"contents":[{"role":"user","parts":[{"text":"` + says.Prompts[0] + `"}]}]}`
	for _, c := range []struct{ path, kind, begins string }{
		{":generateContent", "application/json", `{"candidates"`},
		{":generateContent?alt=json", "application/json", `{"candidates"`},
		{":generateContent?alt=sse", "application/json", `{"candidates"`},
		{":streamGenerateContent", "application/json", `[`},
		{":streamGenerateContent?alt=json", "application/json", `[`},
		{":streamGenerateContent?alt=sse", "text/event-stream; charset=utf-8", "data: {"},
	} {
		got := do(t, http.MethodPost, url+c.path, prompt)
		if got.status != http.StatusOK || got.header.Get("Content-Type") != c.kind || !strings.HasPrefix(got.body, c.begins) {
			t.Errorf("%s is answered %d as %s: %.80s", c.path, got.status, got.header.Get("Content-Type"), got.body)
		}
	}
}

// Where models are configured, a URL with another one is answered in Google's words.
func TestUnknownModelOfAURL(t *testing.T) {
	says := scenario(t, "model: [{text: Hello.}]")
	url := start(t, engine.Config{Profile: profile(t, "gemini-3"), Scenarios: []*scenarios.Scenario{says}, Models: []string{"gemini-3-pro"}}).URL
	prompt := `{"contents":[{"role":"user","parts":[{"text":"` + says.Prompts[0] + `"}]}]}`
	got := do(t, http.MethodPost, url+"/v1beta/models/gemini-9:generateContent", prompt)
	message := gjson.Get(got.body, "error.message").String()
	if got.status != http.StatusNotFound || gjson.Get(got.body, "error.status").String() != "NOT_FOUND" || !strings.HasPrefix(message, "models/gemini-9 is not found for API version v1beta") {
		t.Errorf("answered %d: %s", got.status, got.body)
	}
	if known := do(t, http.MethodPost, url+"/v1beta/models/gemini-3-pro:generateContent", prompt); known.status != http.StatusOK {
		t.Errorf("a model that is configured is answered %d: %s", known.status, known.body)
	}
}

// Bodies that Google takes or refuses, however odd they look.
func TestOddBodiesOfGemini(t *testing.T) {
	says := scenario(t, "model: [{text: Hello.}]")
	url := start(t, engine.Config{Profile: profile(t, "gemini-3"), Scenarios: []*scenarios.Scenario{says}}).URL + "/v1beta/models/m:generateContent"
	asked := `{"role":"user","parts":[{"text":"` + says.Prompts[0] + `"}]}`
	called := `{"role":"model","parts":[{"function_call":{"name":"look","args":{},"id":"c1"},"thought_signature":"c2ln"},{"functionCall":{"name":"look","args":{}}}]}`
	for _, c := range []struct {
		name, contents string
		status         int
		message        string
	}{
		{"calls with and without ids", asked + `,` + called + `,{"role":"user","parts":[{"function_response":{"name":"look","id":"c1","response":{}}},{"functionResponse":{"name":"look","response":{}}}]}`, 200, ""},
		{"a response with an id that never was", asked + `,` + called + `,{"role":"user","parts":[{"functionResponse":{"name":"look","id":"c9","response":{}}},{"functionResponse":{"name":"look","id":"c8","response":{}}}]}`, 400, "Please ensure that the number of function response parts"},
		{"a part of a kind that nobody knows yet", `{"role":"user","parts":[{"text":"Go."},{"hologram":{}}]}`, 200, ""},
		{"a part of another API", `{"role":"user","parts":[{"type":"text","text":"Go."}]}`, 400, "Invalid JSON payload received. Unknown name \"type\" at 'contents[0].parts[0]': Cannot find field."},
		{"a part of another API alone", `{"role":"user","parts":[{"image_url":{}}]}`, 400, "Invalid JSON payload received. Unknown name \"image_url\" at 'contents[0].parts[0]': Cannot find field."},
		{"what is said of a video in a part of its own", `{"role":"user","parts":[{"text":"Go."},{"videoMetadata":{"startOffset":"2s"}}]}`, 200, ""},
		{"a signature alone", `{"role":"user","parts":[{"thought_signature":"c2ln"}]}`, 400, "* GenerateContentRequest.contents[0].parts[0].data: required oneof field 'data'"},
		{"a call at the beginning", called, 400, "Please ensure that"},
		{"no contents", ``, 400, "* GenerateContentRequest.contents: contents is not specified"},
		{"a part that says nothing", `{"parts":[{"text":"Go."},{}]}`, 400, "* GenerateContentRequest.contents[0].parts[1].data: required oneof field 'data' must have one initialized field"},
		{"no parts", asked + `,{"role":"model","parts":[]}`, 400, "* GenerateContentRequest.contents[1].parts: contents.parts must not be empty."},
		{"a role of null", `{"role":null,"parts":[{"text":"Go."}]}`, 200, ""},
		{"a part without a list around it", `{"parts":{"text":"Go."}}`, 200, ""},
		{"another role", `{"role":"function","parts":[{"text":"Go."}]}`, 400, "Role 'function' is not supported. Please use a valid role: SYSTEM, SYSTEM_1, USER, ASSISTANT,"},
		{"a role that the error names as valid", `{"role":"assistant","parts":[{"text":"Go."}]}`, 200, ""},
	} {
		got := do(t, http.MethodPost, url, `{"contents":[`+c.contents+`],"tools":[{"function_declarations":[{"name":"look"}]}],"tool_config":{"function_calling_config":{"mode":"auto"}}}`)
		if got.status != c.status || !strings.HasPrefix(gjson.Get(got.body, "error.message").String(), c.message) {
			t.Errorf("%s: answered %d: %s", c.name, got.status, got.body)
		}
	}
}

// The models of the generation 2.5 are behind the same API: what is refused because of its form is
// refused for both.
func TestOlderModelsOfGeminiRefuseForms(t *testing.T) {
	says := scenario(t, "model: [{text: Hello.}]")
	for _, name := range []string{"gemini-2.5", "vertex"} {
		url := start(t, engine.Config{Profile: profile(t, name), Scenarios: []*scenarios.Scenario{says}}).URL + "/v1beta/models/m:generateContent"
		for body, message := range map[string]string{
			`{"contents":[{"parts":["Go."]}]}`:                                                   "Invalid value at 'contents[0].parts[0]'",
			`{"contents":[{"role":"user","parts":[]}]}`:                                          "* GenerateContentRequest.contents[0].parts",
			`{"contents":[{"role":"function","parts":[{"text":"Go."}]}]}`:                        "Role 'function' is not supported",
			`{"contents":[{"role":"user","parts":[{"text":"Go."}]}],"generationConfig":{"n":1}}`: "Invalid JSON payload received.",
		} {
			if got := do(t, http.MethodPost, url, body); got.status != 400 || !strings.HasPrefix(gjson.Get(got.body, "error.message").String(), message) {
				t.Errorf("%s: %s is answered %d: %s", name, body, got.status, got.body)
			}
		}
	}
}

// Functions that Google refuses, in its words.
func TestOddFunctionsOfGemini(t *testing.T) {
	says := scenario(t, "model: [{text: Hello.}]")
	url := start(t, engine.Config{Profile: profile(t, "gemini-3"), Scenarios: []*scenarios.Scenario{says}}).URL + "/v1beta/models/m:generateContent"
	for _, c := range []struct{ name, functions, message string }{
		{"letters", `{"name":"get weather"}`, "* GenerateContentRequest.tools[0].function_declarations[0].name: Invalid function name."},
		{"dots and colons", `{"name":"weather.get:now"}`, ""},
		{"a digit first", `{"name":"9lives"}`, "* GenerateContentRequest.tools[0].function_declarations[0].name: Invalid function name."},
		{"twice", `{"name":"a"},{"name":"a"}`, "Duplicate function declaration found: a"},
		{"keys of JSON Schema", `{"name":"a","parameters":{"type":"object","$schema":"x"}}`, "Invalid JSON payload received. Unknown name \"$schema\" at 'tools[0].function_declarations[0].parameters': Cannot find field."},
	} {
		got := do(t, http.MethodPost, url, `{"contents":{"parts":{"text":"`+says.Prompts[0]+`"}},"tools":[{"functionDeclarations":[`+c.functions+`]}]}`)
		if message := gjson.Get(got.body, "error.message").String(); (got.status == http.StatusOK) != (c.message == "") || !strings.HasPrefix(message, c.message) {
			t.Errorf("%s: answered %d: %s", c.name, got.status, got.body)
		}
	}
}

// An error that replaces an array is in an array:
// https://github.com/google-gemini/gemini-cli/issues/16543
func TestErrorsInPlaceOfAnArray(t *testing.T) {
	busy := scenario(t, "model: [{status: 429}, {text: Hello.}]")
	for _, c := range []struct{ path, prompt, code string }{
		{":streamGenerateContent", busy.Prompts[0], "0.error.code"},
		{":streamGenerateContent?alt=sse", busy.Prompts[0], "error.code"},
		{":generateContent", busy.Prompts[0], "error.code"},
	} {
		url := start(t, engine.Config{Profile: profile(t, "gemini-3"), Scenarios: []*scenarios.Scenario{busy}}).URL + "/v1beta/models/m" + c.path
		failed := do(t, http.MethodPost, url, `{"contents":[{"parts":[{"text":"`+c.prompt+`"}]}]}`)
		if code := gjson.Get(failed.body, c.code).Int(); failed.status != 429 || code != 429 {
			t.Errorf("%s: answered %d: %s", c.path, failed.status, failed.body)
		}
		refused := do(t, http.MethodPost, url, `{"contents":[]}`)
		if code := gjson.Get(refused.body, c.code).Int(); refused.status != 400 || code != 400 {
			t.Errorf("%s: refused with %d: %s", c.path, refused.status, refused.body)
		}
	}
}

// Embeddings are asked for one by one or in batches, and the same text has the same vector.
func TestEmbeddingsOfContents(t *testing.T) {
	url := start(t, engine.Config{Profile: profile(t, "gemini-3")}).URL + "/v1beta/models/gemini-embedding-001"
	content := `{"content":{"parts":[{"text":"Hello."}]},"output_dimensionality":4}`
	one := do(t, http.MethodPost, url+":embedContent", content).body
	batch := do(t, http.MethodPost, url+":batchEmbedContents", `{"requests":[`+content+`,`+content+`]}`).body
	values := gjson.Get(one, "embedding.values").Raw
	if len(gjson.Parse(values).Array()) != 4 || gjson.Get(batch, "embeddings.1.values").Raw != values {
		t.Errorf("one is %s, a batch %s", one, batch)
	}
	if whole := do(t, http.MethodPost, url+":embedContent", `{"content":{"parts":[{"text":"Hello."}]}}`).body; gjson.Get(whole, "embedding.values.#").Int() != 3072 {
		t.Errorf("without a size it is %.80s", whole)
	}
	vertex := strings.Replace(url, "/v1beta/", "/v1beta1/publishers/google/", 1)
	sized := do(t, http.MethodPost, vertex+":embedContent", `{"content":{"parts":[{"text":"Hello."}]},"embedContentConfig":{"outputDimensionality":4}}`).body
	predicted := do(t, http.MethodPost, vertex+":predict", `{"instances":[{"content":"Hello."}],"parameters":{"outputDimensionality":4}}`).body
	if gjson.Get(sized, "embedding.values").Raw != values || gjson.Get(predicted, "predictions.0.embeddings.values").Raw != values {
		t.Errorf("on Vertex AI one is %s, and predicted is %s", sized, predicted)
	}
	if bad := do(t, http.MethodPost, url+":embedContent", `{}`); bad.status != 400 || gjson.Get(bad.body, "error.status").String() != "INVALID_ARGUMENT" {
		t.Errorf("without a content it is %d %s", bad.status, bad.body)
	}
}
