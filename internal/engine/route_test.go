package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// Profiles of one dialect are played below prefixes, outside of runs and in them, by the same
// scripts.
func TestRoutesByPrefix(t *testing.T) {
	srv := start(t, engine.Config{
		Profile: profile(t, "openai"),
		Routes: []engine.Route{
			{Prefix: "/deepseek", Profile: profile(t, "deepseek")}, {Prefix: "/eu/claude", Profile: profile(t, "anthropic")}, {Prefix: "/mistral", Profile: profile(t, "mistral")},
			{Prefix: "/deepseek/groq", Profile: profile(t, "groq")},
		},
		Scenarios: []*scenarios.Scenario{script(t, "all", "embeddings: [{input: a, vector: [1, 2]}]\nmodel: [{calls: [{tool: look, arguments: {}}]}]\n")},
	})
	run := testRun(t, srv, engine.TestRunConfig{})
	own := testRun(t, srv, engine.TestRunConfig{Profile: profile(t, "openai")})
	const turn = `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Go."}]}`
	for _, base := range []string{srv.URL, srv.URL + "/run/" + run.ID} {
		for _, c := range []struct{ path, profile string }{
			{"/v1/chat/completions", "openai"}, {"/deepseek/v1/chat/completions", "deepseek"}, {"/deepseek/chat/completions", "deepseek"},
			{"/mistral/v1/chat/completions", "mistral"}, {"/deepseeker/v1/chat/completions", "openai"}, {"/eu/claude/v1/messages", "anthropic"},
			{"/deepseek/groq/v1/chat/completions", "groq"}, {"/mistral/v1/models", "mistral"}, {"/mistral/v1/embeddings", "mistral"},
		} {
			method, body := http.MethodPost, turn
			if strings.HasSuffix(c.path, "models") {
				method = http.MethodGet
			}
			if strings.HasSuffix(c.path, "embeddings") {
				body = `{"model":"m","input":"a"}`
			}
			got := do(t, method, base+c.path, body)
			journal := srv.Journal()
			if base != srv.URL {
				journal = run.Journal()
			}
			entries := journal.Entries()
			if last := entries[len(entries)-1]; got.status != 200 || last.Profile.Name != c.profile {
				t.Errorf("%s is answered %d under %s, want %s: %s", c.path, got.status, last.Profile.Name, c.profile, got.body)
			}
			if body != turn && !strings.Contains(got.body, "[1,2]") {
				t.Errorf("the vector is %s", got.body)
			}
		}
	}
	do(t, http.MethodPost, srv.URL+"/run/"+own.ID+"/deepseek/v1/chat/completions", turn)
	if e := own.Journal().Entries(); len(e) != 1 || e[0].Profile.Name != "openai" {
		t.Errorf("a run with a profile of its own plays another one")
	}
}

// Profiles of one dialect are played for models, which are named in the body or in the path.
func TestRoutesByModel(t *testing.T) {
	srv := start(t, engine.Config{
		Profile: profile(t, "openai"), ExtraProfiles: []*profiles.Profile{profile(t, "gemini-3")},
		Routes: []engine.Route{
			{Models: "deepseek-*", Profile: profile(t, "deepseek")}, {Models: "*-large*", Profile: profile(t, "mistral")},
			{Models: "openrouter/*", Profile: profile(t, "openrouter")}, {Models: "gemini-2*", Profile: profile(t, "gemini-2.5")},
			{Prefix: "/groq", Profile: profile(t, "groq")},
		},
		Scenarios: []*scenarios.Scenario{script(t, "all", "model: [{text: Hello.}]\n")},
	})
	run := testRun(t, srv, engine.TestRunConfig{})
	chat := func(model string) string {
		return `{"model":"` + model + `","messages":[{"role":"user","content":"Go."}]}`
	}
	const gemini = `{"contents":[{"role":"user","parts":[{"text":"Go."}]}]}`
	for _, c := range []struct{ method, path, body, profile string }{
		{"POST", "/v1/chat/completions", chat("gpt-5"), "openai"},
		{"POST", "/v1/chat/completions", chat("deepseek-chat"), "deepseek"},
		{"POST", "/v1/chat/completions", chat("deepseek-large-2"), "deepseek"}, // the longer pattern
		{"POST", "/v1/chat/completions", chat("mistral-large-latest"), "mistral"},
		{"POST", "/api/v1/chat/completions", chat("openrouter/a/b"), "openrouter"},
		{"POST", "/groq/v1/chat/completions", chat("deepseek-chat"), "groq"}, // a prefix wins
		{"POST", "/openai/deployments/mistral-large/chat/completions", chat("any"), "mistral"},
		{"POST", "/v1beta/models/gemini-2.5-pro:generateContent", gemini, "gemini-2.5"},
		{"POST", "/v1beta/models/gemini-3-pro:generateContent", gemini, "gemini-3"},
		{"POST", "/v1/embeddings", `{"model":"mistral-large-embed","input":"a"}`, "mistral"},
		{"GET", "/v1/models/deepseek-chat", "", "deepseek"},
		{"GET", "/v1/models", "", "openai"},
	} {
		if got := do(t, c.method, srv.URL+"/run/"+run.ID+c.path, c.body); got.status != 200 {
			t.Errorf("%s answers %d %s", c.path, got.status, got.body)
		}
		entries := run.Journal().Entries()
		if last := entries[len(entries)-1]; last.Profile.Name != c.profile {
			t.Errorf("%s with %s is answered under %s, want %s", c.path, c.body, last.Profile.Name, c.profile)
		}
	}
}
