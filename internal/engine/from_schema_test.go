package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// An answer is made of the schema of the request, for its text or for a tool, in every dialect.
func TestFromSchema(t *testing.T) {
	srv := start(t, engine.Config{
		Profile: profile(t, "openai"), ExtraProfiles: []*profiles.Profile{profile(t, "openai-responses"), profile(t, "anthropic"), profile(t, "gemini-3")},
		Scenarios: []*scenarios.Scenario{script(t, "form", "model:\n  - {when: {result: {}}, text: Done.}\n  - from-schema: true\n")},
	})
	const city = `{"type":"object","properties":{"city":{"type":"string"},"degrees":{"type":"integer"}},"required":["city","degrees"],"additionalProperties":false}`
	const text = `{\"city\":\"city\",\"degrees\":1}`
	const asks = `"messages":[{"role":"user","content":"Go."}]`
	for _, c := range []struct{ path, body, want string }{
		{"/v1/chat/completions", `{"model":"m",` + asks + `,"response_format":{"type":"json_schema","json_schema":{"name":"City","strict":true,"schema":` + city + `}}}`, `"content":"` + text},
		{"/v1/chat/completions", `{"model":"m","stream":true,` + asks + `,"tools":[{"type":"function","function":{"name":"other"}},{"type":"function","function":{"name":"look","parameters":` + city + `}}],"tool_choice":{"type":"function","function":{"name":"look"}}}`, `"name":"look"`},
		{"/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Go, in JSON."}],"response_format":{"type":"json_object"}}`, `"content":"{}"`},
		{"/v1/chat/completions", `{"model":"m",` + asks + `,"tools":[{"type":"function","function":{"name":"look"}}]}`, `"arguments":"{}"`},
		{"/v1/chat/completions", `{"model":"m",` + asks + `}`, `step 2 of form cannot answer: its answer is made of a schema, and the request has none`},
		{"/v1/responses", `{"model":"m","input":"Go.","text":{"format":{"type":"json_schema","name":"City","schema":` + city + `}}}`, `"text":"` + text},
		{"/v1/messages", `{"model":"m","max_tokens":99,` + asks + `,"tools":[{"name":"look","input_schema":` + city + `}],"tool_choice":{"type":"any"}}`, `"input":{"city":"city","degrees":1}`},
		{"/v1beta/models/m:generateContent", `{"contents":[{"role":"user","parts":[{"text":"Go."}]}],"generationConfig":{"responseMimeType":"application/json","responseSchema":{"type":"OBJECT","properties":{"city":{"type":"STRING"},"degrees":{"type":"INTEGER"}}}}}`, `"text":"` + text},
	} {
		if got := do(t, http.MethodPost, srv.URL+c.path, c.body); !strings.Contains(strings.ToLower(got.body), strings.ToLower(c.want)) {
			t.Errorf("%s %s\ngives %d %s\nwant %s", c.path, c.body, got.status, got.body, c.want)
		}
	}
}

// Several calls are made of the tools in their order, and again from the first.
func TestFromSchemaMakesSeveralCalls(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "openai"), Scenarios: []*scenarios.Scenario{script(t, "form", "model:\n  - from-schema: {calls: 3}\n")}})
	got := do(t, http.MethodPost, srv.URL+"/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Go."}],"tools":[{"type":"function","function":{"name":"a"}},{"type":"function","function":{"name":"b"}}]}`)
	if a, b := strings.Count(got.body, `"name":"a"`), strings.Count(got.body, `"name":"b"`); a != 2 || b != 1 {
		t.Errorf("a is called %d times, and b %d times: %s", a, b, got.body)
	}
}
