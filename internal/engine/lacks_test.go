package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// One script for all dialects: each profile plays what it can show, and a step that is no answer
// without the rest is an error that says so, and not another step.
func TestScriptsArePlayedWithoutWhatAProfileLacks(t *testing.T) {
	s := script(t, "think", `
model:
  - {when: {user: Hello}, reasoning: Hm., text: Good day., commentary: I look.}
  - {when: {user: Refuse}, refusal: I must not.}
  - {when: {user: Think}, reasoning: Hm.}
  - {text: Anything.}
`)
	srv := start(t, engine.Config{Profile: profile(t, "openai"), ExtraProfiles: []*profiles.Profile{profile(t, "anthropic"), profile(t, "openai-responses")}, Scenarios: []*scenarios.Scenario{s}})
	for _, c := range []struct {
		path, body string
		status     int
		says       string
	}{
		{"/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Hello"}]}`, 200, "Good day."},
		{"/v1/messages", `{"model":"m","max_tokens":50,"messages":[{"role":"user","content":"Hello"}]}`, 200, "Good day."},
		{"/v1/responses", `{"model":"m","input":"Hello"}`, 200, "I look."},
		{"/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Refuse"}]}`, 200, "I must not."},
		{"/v1/messages", `{"model":"m","max_tokens":50,"messages":[{"role":"user","content":"Refuse"}]}`, 404, "tep 2 of think (line 6) cannot answer this request, since the profile anthropic cannot show it: a refusal has no words of its own"},
		{"/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Think"}]}`, 404, "tep 3 of think (line 7) cannot answer this request, since the profile openai cannot show it: an answer does not show what the model thinks"},
		{"/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"What else?"}]}`, 200, "Anything."},
	} {
		got := do(t, http.MethodPost, srv.URL+c.path, c.body)
		if got.status != c.status || !strings.Contains(got.body, c.says) {
			t.Errorf("%s with %s: %d %s\nwant %d %s", c.path, c.body, got.status, got.body, c.status, c.says)
		}
	}
}

// A script that names profiles is for these alone where several are played.
func TestScriptsThatNameProfiles(t *testing.T) {
	only := script(t, "only", "profiles: [anthropic]\nmodel: [{text: Named.}]\n")
	other := script(t, "other", "when: {turn: 1}\nmodel: [{text: Other.}]\n")
	srv := start(t, engine.Config{Profile: profile(t, "openai"), ExtraProfiles: []*profiles.Profile{profile(t, "anthropic")}, Scenarios: []*scenarios.Scenario{only, other}})
	two := `"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]`
	if got := do(t, http.MethodPost, srv.URL+"/v1/messages", `{"model":"m","max_tokens":5,`+two+`}`); !got.says("Named.") {
		t.Errorf("anthropic: %d %s", got.status, got.body)
	}
	if got := do(t, http.MethodPost, srv.URL+"/v1/chat/completions", `{"model":"m",`+two+`}`); got.status != http.StatusNotFound {
		t.Errorf("openai: %d %s", got.status, got.body)
	}
}
