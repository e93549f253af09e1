package engine_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
)

// ours is the body of an error of our own, in the envelope of a profile.
func ours(p *profiles.Profile, status int, message string) string {
	kind := "invalid_request_error"
	return string(p.Error(status, profiles.Words{Message: message, Type: &kind}))
}

// What is no request at all is answered in the envelope of the run's provider and recorded, and
// costs the run no turn.
func TestUnreadableRequests(t *testing.T) {
	const parse = "We could not parse the JSON body of your request: "
	deep := strings.Repeat("[", 100_000)
	for _, c := range []struct{ name, body, want string }{
		{"nothing", "", parse + "it is empty."},
		{"no JSON", "model=gpt-4o", parse + "invalid character 'm' at start of value at offset 0."},
		{"truncated", `{"model":"m","messages":[{"role":`, parse + "it breaks off after 33 bytes."},
		{"a list", "[]", parse + "it is an array, not an object."},
		{"null", "null", parse + "it is null, not an object."},
		{"two values", hello + hello, parse + fmt.Sprintf("more follows after the JSON value, at offset %d.", len(hello)+1)},
		{"deep nesting", deep, parse + "exceeded max depth at offset 10000."},
		{"duplicate key", `{"model":"a","messages":[],"model":"b"}`, parse + `the key "model" occurs twice, at /model.`},
		{"duplicate key deep inside", `{"model":"a","messages":[{"role":"user","content":"a","content":"b"}]}`, parse + `the key "content" occurs twice, at /messages/0/content.`},
	} {
		for _, p := range profiles.Of("chat", profiles.All()) {
			t.Run(c.name+"/"+p.Name, func(t *testing.T) {
				srv := start(t, engine.Config{})
				run := srv.StartRun(engine.RunConfig{Scenario: scenario(t, "model: [{text: Done.}]"), Profile: p})
				base := srv.URL + "/run/" + run.ID
				got := ask(t, base, c.body)
				if want := ours(p, 400, c.want); got.status != 400 || got.body != want || got.header.Get("Content-Type") != "application/json" {
					t.Errorf("answered %d %s, want 400 %s", got.status, got.body, want)
				}
				if again := ask(t, base, hello); !again.says(`"Done."`) {
					t.Errorf("the next request was answered %d %s", again.status, again.body)
				}
				exchanges, _ := run.Record()
				if len(exchanges) != 2 || exchanges[0].Request != nil || exchanges[0].Problem == "" || exchanges[1].Turn == nil {
					t.Errorf("recorded %d exchanges, the first with the problem %q", len(exchanges), exchanges[0].Problem)
				}
			})
		}
	}
}

func TestHugeBody(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "mistral")})
	for _, c := range []struct{ body, want string }{
		{`{"model":"m","messages":[{"role":"user","content":"` + strings.Repeat("a", 50<<20) + `"}]}`, "The request is too large: at most 33554432 bytes are read."},
		{`{"model":"m","messages":[` + strings.Repeat("1,", 500_000) + `1]}`, "We could not parse the JSON body of your request: it has more than 500000 values."},
	} {
		got := ask(t, srv.URL, c.body)
		if want := ours(profile(t, "mistral"), 413, c.want); got.status != 413 || got.body != want {
			t.Errorf("answered %d %s, want 413 %s", got.status, got.body, want)
		}
		if entries := srv.Journal().Entries(); !strings.EqualFold(entries[len(entries)-1].Exchange.Problem, strings.TrimSuffix(c.want, ".")) {
			t.Errorf("the journal notes %q", entries[len(entries)-1].Exchange.Problem)
		}
	}
	if again := do(t, http.MethodGet, srv.URL+"/v1/models", ""); again.status != 200 {
		t.Errorf("afterwards the server answers %d", again.status)
	}
}

func TestAstray(t *testing.T) {
	p := profile(t, "mistral")
	srv := start(t, engine.Config{})
	run := srv.StartRun(engine.RunConfig{Scenario: scenario(t, "model: [{text: Done.}]"), Profile: p})
	ended := srv.StartRun(engine.RunConfig{Scenario: scenario(t, "model: [{text: Done.}]"), Profile: p})
	srv.EndRun(ended)
	var others []string
	for _, d := range dialect.Known()[1:] {
		others = append(others, d.Endpoint.Path()+" (--profile "+d.Standard+")")
	}
	paths := " The paths here are /v1/chat/completions (profile openai), /v1/models, /v1/embeddings, whatever stands before them, the same under /run/{run}, and /loopproof/." +
		" For " + strings.Join(others, ", ") + ", also play a profile of that dialect. Moderations, images, speech, files, batches and some more have constant answers; loopproof serve --endpoints FILE adds others. A fallback (--fallback URL) answers all other paths."
	for _, c := range []struct {
		method, path string
		status       int
		message      string
		profile      string
	}{
		{"POST", "/v1/v1/chat/completions", 404, "Unknown request URL: POST /v1/v1/chat/completions." + paths, "openai"},
		{"POST", "/v1/nothing", 404, "Unknown request URL: POST /v1/nothing." + paths, "openai"},
		{"POST", "/v1/responses", 404, "The profile openai that is played here speaks the dialect chat, and this is a path of the dialect responses; choose a profile of that one, such as --profile openai-responses.", "openai"},
		{"GET", "/", 404, "Unknown request URL: GET /." + paths, "openai"},
		{"GET", "/v1/chat/completions", 405, "Not allowed to GET on /v1/chat/completions.", "openai"},
		{"DELETE", "/v1/models", 405, "Not allowed to DELETE on /v1/models.", "openai"},
		{"POST", "/run/nope/v1/chat/completions", 404, `There is no run "nope" here; it may have ended.`, "openai"},
		{"GET", "/run/nope/v1/models", 404, `There is no run "nope" here; it may have ended.`, "openai"},
		{"POST", "/run/" + ended.ID + "/v1/chat/completions", 404, `The run "` + ended.ID + `" has ended: its outcome was reported, or its time was over, so nothing may be asked in it any more.`, "openai"},
		{"POST", "/run/" + run.ID + "/completions", 404, "Unknown request URL: POST /run/" + run.ID + "/completions." + paths, "mistral"},
		{"GET", "/v1beta/models/m:generateContent", 405, "Not allowed to GET on /v1beta/models/m:generateContent.", "openai"},
		{"PUT", "/run/" + run.ID + "/v1/chat/completions", 405, "Not allowed to PUT on /run/" + run.ID + "/v1/chat/completions.", "mistral"},
	} {
		got := do(t, c.method, srv.URL+c.path, hello)
		if want := ours(profile(t, c.profile), c.status, c.message); got.status != c.status || got.body != want {
			t.Errorf("%s %s answers %d %s, want %s", c.method, c.path, got.status, got.body, want)
		}
		entries := srv.Journal().Entries()
		if last := entries[len(entries)-1]; !last.Unrouted || last.Exchange.Problem != c.message {
			t.Errorf("%s %s is in the journal as %+v", c.method, c.path, last)
		}
	}
	if exchanges, _ := run.Record(); len(exchanges) != 0 {
		t.Errorf("the run recorded %d exchanges", len(exchanges))
	}
}

// A client that speaks HTTP/2, or takes the server for a proxy, is told so, not that a path is
// unknown.
func TestOtherProtocolsAreTold(t *testing.T) {
	srv := start(t, engine.Config{})
	for sent, want := range map[string]string{
		"PRI * HTTP/2.0\r\n\r\n": "The client speaks HTTP/2, and this server HTTP/1.1 only",
		"CONNECT api.openai.com:443 HTTP/1.1\r\nHost: api.openai.com:443\r\nConnection: close\r\n\r\n": "The client takes this server for a proxy, through which it asks for https://api.openai.com:443",
	} {
		c, err := net.Dial("tcp", strings.TrimPrefix(srv.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(c, sent)
		got, _ := io.ReadAll(c)
		c.Close()
		if !strings.HasPrefix(string(got), "HTTP/1.1 404 ") || !strings.Contains(string(got), want) {
			t.Errorf("%q is answered %q, want %q", sent, got, want)
		}
	}
}

// A request that names no model is refused where the provider has no model of its own choice, and
// noted everywhere.
func TestNoModel(t *testing.T) {
	for name, status := range map[string]int{"openai": 400, "deepseek": 400, "deepseek-r1": 400, "mistral": 422, "openrouter": 200, "vllm": 200} {
		srv := start(t, engine.Config{Profile: profile(t, name), Scenarios: lookAndTell(t)})
		for _, model := range []string{"", `"model":"",`, `"model":null,`, `"model":7,`} {
			if name == "vllm" && model == `"model":7,` {
				continue // which is not a text, and refused as such
			}
			got := ask(t, srv.URL, `{`+model+`"messages":[{"role":"user","content":"Go."}]}`)
			if got.status != status || status == 200 && !got.says(`"model":"loopproof"`) {
				t.Errorf("%s answers %d %s, want %d", name, got.status, got.body, status)
			}
		}
		for _, e := range srv.Journal().Entries() {
			if len(e.Findings) == 0 || e.Findings[0].Rule != "egress/model-named" {
				t.Errorf("%s: the journal says %+v", name, e.Findings)
			}
		}
	}
}

// Each value of a request in turn gets each wrong type. Every request is answered, with the status
// of a provider, in JSON, and the server lives on. What exactly is refused is the profile's affair.
func TestWrongTypesEverywhere(t *testing.T) {
	values := []string{"null", "true", "7", `"text"`, "[]", "{}", "[null]", `[[{}]]`}
	places := []string{
		`{"model":%s,"messages":[{"role":"user","content":"a"}]}`,
		`{"model":"m","messages":%s}`,
		`{"model":"m","messages":[%s]}`,
		`{"model":"m","messages":[{"role":%s}]}`,
		`{"model":"m","messages":[{"role":"user","content":%s}]}`,
		`{"model":"m","messages":[{"role":"user","content":[{"type":%s}]}]}`,
		`{"model":"m","messages":[{"role":"assistant","tool_calls":%s}]}`,
		`{"model":"m","messages":[{"role":"assistant","tool_calls":[%s]},{"role":"tool"}]}`,
		`{"model":"m","messages":[{"role":"assistant","tool_calls":[{"id":%s,"function":%[1]s}]}]}`,
		`{"model":"m","messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":%s,"arguments":%[1]s}}]},{"role":"tool","tool_call_id":%[1]s,"content":%[1]s}]}`,
		`{"model":"m","messages":[{"role":"assistant","reasoning_content":%s,"reasoning_details":%[1]s,"tool_calls":[{"id":"a"}]},{"role":"tool","tool_call_id":"a"}]}`,
		`{"model":"m","stream":%s,"stream_options":%[1]s,"messages":[{"role":"user","content":"a"}]}`,
		`{"model":"m","tools":%s,"tool_choice":%[1]s,"messages":[{"role":"user","content":"a"}]}`,
		`{"model":"m","tools":[{"function":%s}],"messages":[{"role":"user","content":"a"}]}`,
	}
	for _, p := range profiles.Of("chat", profiles.All()) {
		t.Run(p.Name, func(t *testing.T) {
			srv := start(t, engine.Config{Profile: p, Scenarios: lookAndTell(t)})
			for _, place := range places {
				for _, value := range values {
					body := fmt.Sprintf(place, value)
					got := ask(t, srv.URL, body)
					refused := got.status >= 400 && got.status <= 422 || got.status == http.StatusInternalServerError && refusesWith500(p)
					if got.status != 200 && !refused || got.body == "" || got.err != nil {
						t.Errorf("%s is answered %d %q, %v", body, got.status, got.body, got.err)
					}
				}
			}
			if got := ask(t, srv.URL, hello); got.status != 200 {
				t.Errorf("afterwards the server answers %d %s", got.status, got.body)
			}
		})
	}
}

// refusesWith500 reports whether a profile is of a provider that answers 500 to a wrong request.
func refusesWith500(p *profiles.Profile) bool {
	return slices.ContainsFunc(p.Refuses, func(r profiles.Refusal) bool { return r.Status == http.StatusInternalServerError })
}
