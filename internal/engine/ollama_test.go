package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// Ollama's /api/generate has a prompt in place of messages, and the answer no message; /api/embed
// has vectors.
func TestOllamaBesidesChat(t *testing.T) {
	srv := start(t, engine.Config{
		Profile:   profile(t, "ollama-native"),
		Scenarios: []*scenarios.Scenario{script(t, "all", "embeddings: [{input: cat, vector: [1, 2]}]\nmodel: [{when: {system: {contains: terse}}, text: 'Hello {{ user }}.'}]\n")},
	})
	const prompt = `{"model":"m","system":"Be terse.","prompt":"Tess","keep_alive":0,"stream":false}`
	for _, c := range []struct{ path, body, says string }{
		{"/api/generate", prompt, `"done":true,"done_reason":"stop"`},
		{"/api/generate", prompt, `"response":"Hello Tess."}`},
		{"/api/generate", strings.Replace(prompt, `,"stream":false`, "", 1), `"done":false,"response":"Hell"}` + "\n"},
		{"/api/chat", `{"model":"m","stream":false,"messages":[{"role":"system","content":"Be terse."},{"role":"user","content":"Tess"}]}`, `"message":{"role":"assistant","content":"Hello Tess."}`},
		{"/api/embed", `{"model":"e","input":["cat"]}`, `{"model":"e","embeddings":[[1,2]],`},
		{"/api/embed", `{"model":"e","input":"cat"}`, `{"model":"e","embeddings":[[1,2]],`},
	} {
		if got := do(t, http.MethodPost, srv.URL+c.path, c.body); got.status != 200 || !strings.Contains(got.body, c.says) {
			t.Errorf("%s answers %d %s, want %s", c.path, got.status, got.body, c.says)
		}
	}
	for _, e := range srv.Journal().Entries() {
		if len(e.Findings) > 0 {
			t.Errorf("a request breaks %v", e.Findings)
		}
	}
}

// Models are told of in the words of Ollama, those that are configured.
func TestOllamaModels(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "ollama-native"), Models: []string{"qwen3:8b"}})
	for _, c := range []struct {
		method, path, body string
		status             int
		says               string
	}{
		{"GET", "/api/tags", "", 200, `{"models":[{"name":"qwen3:8b","model":"qwen3:8b","modified_at":`},
		{"GET", "/api/ps", "", 200, `{"models":[{"name":"qwen3:8b","model":"qwen3:8b","size":`},
		{"POST", "/api/show", `{"model":"qwen3:8b"}`, 200, `"capabilities":["completion","tools","thinking","vision"]`},
		{"POST", "/api/show", `{"name":"qwen3:8b"}`, 200, `"model_info":{`},
		{"POST", "/api/show", `{"model":"other"}`, 404, `{"error":"model 'other' not found"}`},
		{"POST", "/api/show", `{}`, 400, `{"error":"model is required"}`},
		{"GET", "/v1/models", "", 200, `{"object":"list","data":[{"id":"qwen3:8b"`}, // https://docs.ollama.com/api/openai-compatibility
		{"GET", "/v1/models/other", "", 404, `{"error":"The model 'other' does not exist"}`},
	} {
		if got := do(t, c.method, srv.URL+c.path, c.body); got.status != c.status || !strings.Contains(got.body, c.says) {
			t.Errorf("%s %s answers %d %s, want %d %s", c.method, c.path, got.status, got.body, c.status, c.says)
		}
	}
}

// Cohere lists its models in a form of its own: https://docs.cohere.com/reference/list-models
func TestCohereModels(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "cohere"), Models: []string{"command-a-03-2025"}})
	for path, says := range map[string]string{
		"/v1/models":                   `{"models":[{"name":"command-a-03-2025","is_deprecated":false,"endpoints":["chat"]`,
		"/v1/models/command-a-03-2025": `{"name":"command-a-03-2025",`,
		"/v1/models/other":             `"message":"model 'other' not found, make sure`,
	} {
		if got := do(t, http.MethodGet, srv.URL+path, ""); !strings.Contains(got.body, says) {
			t.Errorf("%s answers %d %s, want %s", path, got.status, got.body, says)
		}
	}
}
