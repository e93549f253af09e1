package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// The URL of a request says in the dialect gemini what the model is, and in which form the answer is wanted.
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
	if count := do(t, http.MethodPost, url+"/v1beta/models/m-1:countTokens", prompt); !gjson.Get(count.body, "totalTokens").Exists() {
		t.Errorf("a count of tokens is answered %d: %s", count.status, count.body)
	}
	if list := do(t, http.MethodGet, url+"/v1beta/models", "").body; gjson.Get(list, "models.0.name").String() != "models/loopproof" {
		t.Errorf("the list of models is %s", list)
	}
}

// A thought signature is known again without having been kept, and refused when it was changed or is missing.
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
