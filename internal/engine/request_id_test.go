package engine_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// TestRequestIDs: each request has an id of its own, which is the same on every server; an error
// repeats it, also in the middle of a stream that comes byte by byte.
func TestRequestIDs(t *testing.T) {
	script := script(t, "errors", `
model:
  - {when: {user: fail}, status: 529}
  - {when: {user: break}, text: It is cold., in-band-error: {after: 3 events}}
  - {text: Done.}
`)
	for name, form := range map[string]string{"anthropic": `^req_011[A-Za-z0-9]{21}$`, "openai": `^req_[0-9a-f]{32}$`} {
		var first []string
		for range 2 {
			p := profile(t, name)
			srv := start(t, engine.Config{Profile: p, Secret: "constant", Scenarios: []*scenarios.Scenario{script}})
			var ids []string
			for _, says := range []string{"Hi", "Hi", "fail", "fail", "break"} {
				body := `{"model":"m","max_tokens":9,"stream":` + map[bool]string{true: "true", false: "false"}[says == "break"] + `,"messages":[{"role":"user","content":"` + says + `"}]}`
				got := do(t, http.MethodPost, srv.URL+p.Speaks.Endpoint.Path(), body)
				id := got.header.Get("X-Request-Id") + got.header.Get("Request-Id")
				if !regexp.MustCompile(form).MatchString(id) {
					t.Errorf("%s has the id %q", name, id)
				}
				if says != "Hi" && name == "anthropic" && !strings.Contains(got.body, `"request_id":"`+id+`"`) {
					t.Errorf("%s: the id is %s, and the body %s", says, id, got.body)
				}
				ids = append(ids, id)
			}
			if first == nil {
				first = ids
			}
			if strings.Join(ids, " ") != strings.Join(first, " ") {
				t.Errorf("one server has %s, and another %s", first, ids)
			}
			for i, id := range ids {
				if strings.Contains(strings.Join(ids[:i], " "), id) {
					t.Errorf("two requests have the id %s", id)
				}
			}
		}
	}
}

// TestRequestIDsOfRuns: a run with the secret of another one has the same ids, and two runs of an
// application have not.
func TestRequestIDsOfRuns(t *testing.T) {
	p := profile(t, "openai")
	said := script(t, "greets", "prompt: Hi\nmodel: [{text: Hello.}]\n")
	srv := start(t, engine.Config{Profile: p, Secret: "constant", Scenarios: []*scenarios.Scenario{said}})
	idIn := func(base string) string {
		return do(t, http.MethodPost, base+"/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Hi"}]}`).header.Get("X-Request-Id")
	}
	var ids []string
	for _, secret := range []string{"seed 7", "seed 7", "seed 8"} {
		run := srv.StartRun(engine.RunConfig{Scenario: said, Profile: p, Secret: secret})
		ids = append(ids, idIn(srv.URL+"/run/"+run.ID))
		srv.EndRun(run)
	}
	if ids[0] != ids[1] || ids[0] == ids[2] {
		t.Errorf("runs with the secrets seed 7, seed 7 and seed 8 have the ids %s", ids)
	}
	if a, b := idIn(srv.URL+"/run/one"), idIn(srv.URL+"/run/two"); a == b || a == "" {
		t.Errorf("two runs of an application have the ids %q and %q", a, b)
	}
}
