package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// house is how one dialect is asked: whole, as a stream, and for the number of tokens.
type house struct {
	profile, path, stream, counts string
	prompt                        string // the beginning of a body, without its bracket
	whole, streamed               string // what else the body has
	input                         string // the key of the tokens of the prompt
}

var houses = []house{
	{profile: "openai", path: "/v1/chat/completions", stream: "/v1/chat/completions",
		prompt: `{"model":"gpt-5","messages":[{"role":"user","content":"hello"}]`, streamed: `,"stream":true,"stream_options":{"include_usage":true}`, input: "prompt_tokens"},
	{profile: "openai-responses", path: "/v1/responses", stream: "/v1/responses", counts: "/v1/responses/input_tokens",
		prompt: `{"model":"gpt-5","input":[{"role":"user","content":"hello"}]`, streamed: `,"stream":true`, input: "input_tokens"},
	{profile: "anthropic", path: "/v1/messages", stream: "/v1/messages", counts: "/v1/messages/count_tokens",
		prompt: `{"model":"claude-opus-4-1","messages":[{"role":"user","content":"hello"}]`, whole: `,"max_tokens":1000`, streamed: `,"max_tokens":1000,"stream":true`, input: "input_tokens"},
	{profile: "gemini-3", path: "/v1beta/models/g:generateContent", stream: "/v1beta/models/g:streamGenerateContent?alt=sse", counts: "/v1beta/models/g:countTokens",
		prompt: `{"contents":[{"role":"user","parts":[{"text":"hello"}]}]`, input: "promptTokenCount"},
}

func (h house) server(t *testing.T, steps string) *engine.Server {
	t.Helper()
	return start(t, engine.Config{Profile: profile(t, h.profile), Scenarios: []*scenarios.Scenario{script(t, "s/usage", "model:\n"+steps)}})
}

// both returns the answer whole and streamed.
func (h house) both(t *testing.T, srv *engine.Server) [2]answer {
	t.Helper()
	return [2]answer{
		do(t, http.MethodPost, srv.URL+h.path, h.prompt+h.whole+"}"),
		do(t, http.MethodPost, srv.URL+h.stream, h.prompt+h.streamed+"}"),
	}
}

// last returns the last value of a key in a document or in the events of a stream.
func last(t *testing.T, a answer, key string) string {
	t.Helper()
	documents := [][]byte{[]byte(a.body)}
	if strings.HasPrefix(a.header.Get("Content-Type"), "text/event-stream") {
		documents = wire.ReadEvents([]byte(a.body))
	}
	found := ""
	for _, d := range documents {
		root, err := wire.ParseNode(d)
		if err != nil { // [DONE]
			continue
		}
		root.Walk(func(n *wire.Node) {
			if n.Key() == key && !n.Is(wire.Null) {
				found = n.TextOrJSON()
			}
		})
	}
	return found
}

// A prompt has as many tokens in a stream as in a document, and as many as are counted for it.
func TestPromptTokensAreTheSameEverywhere(t *testing.T) {
	for _, h := range houses {
		t.Run(h.profile, func(t *testing.T) {
			srv := h.server(t, "  - text: Hi.")
			said := h.both(t, srv)
			want := last(t, said[0], h.input)
			if got := last(t, said[1], h.input); want == "" || got != want {
				t.Errorf("%s tokens in the document, %s in the stream", want, got)
			}
			if h.counts == "" {
				return
			}
			counted := do(t, http.MethodPost, srv.URL+h.counts, h.prompt+"}")
			if !strings.Contains(counted.body, ":"+want) {
				t.Errorf("%s tokens in the answer, and counted: %s", want, counted.body)
			}
		})
	}
}

// What a step says of its usage comes in every delivery, in the words of the dialect.
func TestScriptedUsage(t *testing.T) {
	const step = "  - {text: Hi., usage: {input: 900, output: 40, cached: 700, cache-written: 100, reasoning: 16}, model-name: m-2, created: 5, system-fingerprint: fp_1}"
	for profile, want := range map[string]map[string]string{
		"openai":           {"prompt_tokens": "900", "completion_tokens": "40", "total_tokens": "940", "cached_tokens": "700", "reasoning_tokens": "16", "model": "m-2", "created": "5", "system_fingerprint": "fp_1"},
		"openai-responses": {"input_tokens": "900", "output_tokens": "40", "total_tokens": "940", "cached_tokens": "700", "cache_write_tokens": "100", "reasoning_tokens": "16", "model": "m-2", "created_at": "5"},
		"anthropic":        {"input_tokens": "100", "output_tokens": "40", "cache_read_input_tokens": "700", "cache_creation_input_tokens": "100", "model": "m-2"},
		"gemini-3":         {"promptTokenCount": "900", "candidatesTokenCount": "24", "thoughtsTokenCount": "16", "totalTokenCount": "940", "cachedContentTokenCount": "700", "modelVersion": "m-2"},
	} {
		for _, h := range houses {
			if h.profile != profile {
				continue
			}
			for i, a := range h.both(t, h.server(t, step)) {
				for key, value := range want {
					if got := last(t, a, key); got != value {
						t.Errorf("%s, %s: %s is %q, not %q:\n%s", profile, [2]string{"document", "stream"}[i], key, got, value, a.body)
					}
				}
			}
		}
	}
}

// A step may set one number, and the others are counted.
func TestScriptedUsageInPart(t *testing.T) {
	h := houses[0]
	counted, partly := h.both(t, h.server(t, "  - text: Hi.")), h.both(t, h.server(t, "  - {text: Hi., usage: {cached: 3}}"))
	for i := range counted {
		if want, got := last(t, counted[i], "prompt_tokens"), last(t, partly[i], "prompt_tokens"); got != want {
			t.Errorf("%s tokens of the prompt, not %s", got, want)
		}
		if got := last(t, partly[i], "cached_tokens"); got != "3" {
			t.Errorf("%s tokens of the cache, not 3", got)
		}
	}
}

// A prompt that is longer than the model takes is refused in the words of the provider.
func TestContextLimit(t *testing.T) {
	for profile, words := range map[string]string{
		"openai": "context_length_exceeded", "openai-responses": "context", "anthropic": "prompt is too long", "gemini-3": "exceeds the maximum number of tokens allowed (5)",
	} {
		for _, h := range houses {
			if h.profile != profile {
				continue
			}
			for _, a := range h.both(t, h.server(t, "  - {text: Hi., behaviour: {context-limit: 5}}")) {
				if a.status != http.StatusBadRequest || !strings.Contains(a.body, words) {
					t.Errorf("%s: %d %s", profile, a.status, a.body)
				}
			}
			if a := h.both(t, h.server(t, "  - {text: Hi., behaviour: {context-limit: 1000}}"))[0]; a.status != http.StatusOK {
				t.Errorf("%s: %d %s", profile, a.status, a.body)
			}
		}
	}
}

// What only a script can say, and numbers that cannot be, are errors.
func TestUsageThatCannotBe(t *testing.T) {
	for text, want := range map[string]string{
		"model:\n  - {text: Hi., usage: {input: 5, cached: 6}}":                         "among those of the input",
		"model:\n  - {text: Hi., usage: {output: 5, reasoning: 6}}":                     "among those of the output",
		"model:\n  - {text: Hi., usage: {cached: -1}}":                                  "not negative",
		"model:\n  - {status: 500, model-name: m}":                                      "only an answer",
		"prompt: Go.\nmodel:\n  - {text: Hi., model-name: m}":                           "only a script without a prompt",
		"prompt: Go.\nmodel:\n  - {text: Hi., usage: {input: 5, output: 5, cached: 1}}": "only a script without a prompt",
		"model:\n  - {text: Hi., behaviour: {context-limit: -1}}":                       "context-limit is a whole number",
	} {
		if _, err := scenarios.Parse("s/bad.yaml", []byte("loopproof: 1\ntitle: Test\n"+text+"\n"), rulebook.Vocabulary(profiles.Known{})); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngave %v, not %q", text, err, want)
		}
	}
}
