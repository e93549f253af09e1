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
