package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// One server speaks both dialects, each on its paths, from the same scripts, and counts what it is
// asked together.
func TestServerOfTwoDialects(t *testing.T) {
	forChat := script(t, "chat", "profiles: [openai]\nwhen: {user: Call.}\nmodel: [{calls: [{as: a, tool: look, arguments: '[\"Oslo\"]'}]}]")
	srv := start(t, engine.Config{
		ExtraProfiles: []*profiles.Profile{profile(t, "anthropic")}, Scenarios: append(shop(t), forChat),
		Behaviour: behaviour(t, "rate-limit: {requests: 8}"),
	})
	run := testRun(t, srv, engine.TestRunConfig{})
	for _, base := range []string{srv.URL, srv.URL + "/run/" + run.ID} {
		for name, path := range pathOf {
			weather := do(t, http.MethodPost, base+path, said(name, "How is the weather?"))
			other := do(t, http.MethodPost, base+path, said(name, "Call."))
			if !weather.says("get_weather") || strings.Contains(weather.body, `"type":"message"`) != (name == "anthropic") {
				t.Errorf("%s%s answers %d %s", base, path, weather.status, weather.body)
			}
			if want := map[string]string{"openai": "Oslo", "anthropic": "I cannot say."}[name]; !other.says(want) {
				t.Errorf("%s%s answers %d %s, want %s", base, path, other.status, other.body, want)
			}
		}
	}
	if got := do(t, http.MethodPost, srv.URL+pathOf["anthropic"], said("anthropic", "Sing.")).header; got.Get("anthropic-ratelimit-requests-remaining") != "3" {
		t.Errorf("the headers are %v", got)
	}
	if a, b := srv.Journal().Count(), run.Journal().Count(); a != 5 || b != 4 {
		t.Errorf("the journals have %d and %d requests", a, b)
	}
	if err := srv.Play([]*scenarios.Scenario{script(t, "new", "model: [{when: {}, text: New.}]")}); err != nil {
		t.Fatal(err)
	}
	for name, path := range pathOf {
		for _, base := range []string{srv.URL, srv.URL + "/run/" + run.ID} {
			if got := do(t, http.MethodPost, base+path, said(name, "Sing.")); !got.says("New.") {
				t.Errorf("%s%s answers %d %s", base, path, got.status, got.body)
			}
		}
	}
}

// A run with a profile of its own speaks that in its dialect, and the server's in the others.
func TestRunWithAProfileBesideThatOfTheServer(t *testing.T) {
	srv := start(t, engine.Config{ExtraProfiles: []*profiles.Profile{profile(t, "anthropic")}, Scenarios: shop(t)})
	run := testRun(t, srv, engine.TestRunConfig{Profile: profile(t, "mistral")})
	empty := strings.Replace(said("openai", "Sing."), "{", `{"tools":[],`, 1)
	if got := do(t, http.MethodPost, srv.URL+"/run/"+run.ID+pathOf["openai"], empty); got.status != 422 {
		t.Errorf("mistral answers %d %s", got.status, got.body)
	}
	if got := do(t, http.MethodPost, srv.URL+"/run/"+run.ID+pathOf["anthropic"], said("anthropic", "Sing.")); !got.says(`"type":"message"`) {
		t.Errorf("the other dialect answers %d %s", got.status, got.body)
	}
}
