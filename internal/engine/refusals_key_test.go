package engine_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// keySent is the rule that no request to a server breaks whose clients were given no key.
const keySent = "egress/key-sent"

// askIn returns a path and the body of a good request in a dialect: of its own, or as in Chat Completions.
func askIn(d *wire.Dialect) [2]string {
	if ask, own := asksIn[d.Name]; own {
		return ask
	}
	return [2]string{d.Endpoint.Path(), asksIn["chat"][1]}
}

var asksIn = map[string][2]string{
	"chat":         {"/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Go."}]}`},
	"messages":     {"/v1/messages", `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Go."}]}`},
	"responses":    {"/responses", `{"model":"m","input":"Go."}`},
	"gemini":       {"/v1beta/models/m:generateContent", `{"contents":[{"role":"user","parts":[{"text":"Go."}]}]}`},
	"interactions": {"/v1beta/interactions", `{"model":"m","input":"Go."}`},
	"ollama-chat":  {"/api/chat", `{"model":"m","messages":[{"role":"user","content":"Go."}]}`},
	"converse":     {"/model/m/converse", `{"messages":[{"role":"user","content":[{"text":"Go."}]}]}`},
}

// sentTo sends a request with these headers and no others that have a key.
func sentTo(t *testing.T, url, body string, headers ...string) answer {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Anthropic-Version", "2023-06-01")
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header, string(data), err}
}

// A loop that loses its key is refused, in the words of the profile, where the provider needs one.
// One that never sent a key is not: it may have been set up for a server that needs none.
func TestLoopsThatLoseTheirKey(t *testing.T) {
	says := scenario(t, "model: [{text: Hello.}]")
	for _, p := range profiles.All() {
		if p.Through != nil { // whose requests TestDoors sends
			continue
		}
		refusal, refuses := p.Refusal(keySent)
		srv := start(t, engine.Config{Profile: p})
		run := srv.StartRun(engine.RunConfig{Scenario: says, Profile: p})
		ask := askIn(p.Speaks)
		url := run.Task(srv.URL).BaseURL + ask[0]
		for _, headers := range [][]string{nil, {p.Speaks.Endpoint.Keys[0], "Bearer k"}} {
			if got := sentTo(t, url, ask[1], headers...); got.status != http.StatusOK {
				t.Errorf("%s answers a first request with %q by %d %s", p.Name, headers, got.status, got.body)
			}
		}
		for _, headers := range [][]string{nil, {"Authorization", "Bearer "}, {"Authorization", ""}} {
			got := sentTo(t, url, ask[1], headers...)
			switch {
			case !refuses && got.status == http.StatusOK:
			case refuses && got.status == refusal.Status && withExampleID(got.body) == string(p.Error(refusal.Status, refusal.Words)):
			default:
				t.Errorf("%s answers a request with %q by %d %s", p.Name, headers, got.status, got.body)
			}
		}
	}
}

// A key is taken wherever a provider of the dialect looks for it.
func TestPlacesOfAKey(t *testing.T) {
	says := scenario(t, "model: [{text: Hello.}]")
	for name, places := range map[string][][]string{
		"openai":           {{"Authorization", "Bearer k"}, {"Authorization", "Basic Oms="}, {"Api-Key", "k"}},
		"openai-responses": {{"Authorization", "Bearer k"}, {"Api-Key", "k"}},
		"anthropic":        {{"X-Api-Key", "k"}, {"Authorization", "Bearer k"}},
		"gemini-3":         {{"X-Goog-Api-Key", "k"}, {"Authorization", "Bearer k"}, {"?", "key=k"}},
	} {
		p := profile(t, name)
		srv := start(t, engine.Config{Profile: p})
		for _, headers := range places {
			run := srv.StartRun(engine.RunConfig{Scenario: says, Profile: p})
			ask := askIn(p.Speaks)
			url := run.Task(srv.URL).BaseURL + ask[0]
			sentTo(t, url, ask[1], p.Speaks.Endpoint.Keys[0], "Bearer k")
			if headers[0] == "?" {
				url, headers = url+"?"+headers[1], nil
			}
			if got := sentTo(t, url, ask[1], headers...); got.status != http.StatusOK {
				t.Errorf("%s answers a request with a key in %q by %d %s", name, headers, got.status, got.body)
			}
		}
	}
}

// Whoever asks a server was given no key, and needs none: by hand, and in the run of a test.
func TestServersNeedNoKey(t *testing.T) {
	says := scenario(t, "model: [{text: Hello.}]")
	for _, name := range []string{"openai", "openai-responses", "anthropic", "gemini-3", "openrouter"} {
		p := profile(t, name)
		srv := start(t, engine.Config{Profile: p, Scenarios: []*scenarios.Scenario{says}})
		ask := askIn(p.Speaks)
		if got := sentTo(t, srv.URL+p.Speaks.Endpoint.BasePath+ask[0], ask[1]); got.status != http.StatusOK {
			t.Errorf("%s answers a request without a key by %d %s", name, got.status, got.body)
		}
	}
}
