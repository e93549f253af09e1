package engine_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
)

// told is what a client and the journal are told of a request.
type told struct {
	Status   int
	Body     string
	Outcome  string
	Findings []trace.Finding
	Refusal  *trace.Refusal
	Request  string
}

// askAndNote sends a request and returns what is told of it.
func askAndNote(p *engine.Provider, path, body string, headers map[string]string) told {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	entries := p.Journal().Entries()
	last := entries[len(entries)-1]
	return told{w.Code, withExampleID(w.Body.String()), last.Outcome(), last.Findings, last.Exchange.Refusal, string(last.Body())}
}

// TestRequestsThatAreSentAgain: of a request that was sent before, the client and the journal are
// told the same as when it came first, in each wire API, also after others.
func TestRequestsThatAreSentAgain(t *testing.T) {
	const refusedBody = `{"model":"m","messages":[{"role":"user","content":"Say hello."},{"role":"tool","tool_call_id":"call_1","content":"x"}]}`
	var all []*profiles.Profile
	for _, name := range []string{"openai", "anthropic", "openai-responses", "gemini-3"} {
		p, err := profiles.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	requests := append(plainRequests[:len(plainRequests):len(plainRequests)],
		plainRequest{"refused", "/v1/chat/completions", refusedBody},
		plainRequest{"with a finding", "/v1/chat/completions", strings.Replace(plainBody, `{"model"`, `{"made_up":1,"model"`, 1)},
		plainRequest{"of no script", "/v1/chat/completions", hello},
		plainRequest{"unreadable", "/v1/chat/completions", `{"model":`},
	)
	for name, scripts := range map[string][]string{
		"prompts":    {plainScenario, "loopproof: 1\ntitle: t\nprompt: Something else.\nmodel:\n  - text: No.\n"},
		"steps":      {unpromptedScenario},
		"unique ids": {"behaviour: {ids: unique}\n" + unpromptedScenario},
	} {
		t.Run(name, func(t *testing.T) {
			fresh := func() *engine.Provider {
				c := engine.Config{Profile: all[0], ExtraProfiles: all[1:], Secret: "s"}
				for _, text := range scripts {
					c.Scenarios = append(c.Scenarios, parse(t, text))
				}
				return engine.New(c)
			}
			again, findings := fresh(), 0
			for _, round := range []string{"first", "second", "third", "fourth"} {
				for _, request := range requests {
					want, got := askAndNote(fresh(), request.path, request.body, nil), askAndNote(again, request.path, request.body, nil)
					findings += len(want.Findings)
					if name == "unique ids" { // which differ each time
						want.Body, got.Body = strconv.Itoa(len(want.Body)), strconv.Itoa(len(got.Body))
					}
					if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
						t.Errorf("%s, the %s time (-alone +again):\n%s", request.name, round, diff)
					}
				}
			}
			if findings == 0 {
				t.Error("no request has findings that could differ")
			}
		})
	}
}

// unpromptedScenario answers by steps, one of which repeats what was asked.
const unpromptedScenario = `loopproof: 1
title: t
tools:
  look: {parameters: {where: string}, results: [{text: It is there.}]}
model:
  - when: {user: {contains: hello}}
    text: "You said: {{ user }}"
  - when: {model: m}
    calls: [{as: there, tool: look, arguments: '{"where":"here"}'}]
  - text: Hello.
`

// TestUniqueIDsOfSameRequests: each answer to the same request has an id of its own where the
// script wants it.
func TestUniqueIDsOfSameRequests(t *testing.T) {
	p, seen := engine.New(engine.Config{Scenarios: []*scenarios.Scenario{parse(t, "behaviour: {ids: unique}\n"+unpromptedScenario)}}), map[string]bool{}
	for range 5 {
		seen[askAndNote(p, "/v1/chat/completions", plainBody, nil).Body] = true
	}
	if len(seen) != 5 {
		t.Errorf("5 answers are %d different ones", len(seen))
	}
}

// TestSameBodyUnderOtherHeaders: what rules say of headers is that of the request, and not of an
// earlier one with the same body.
func TestSameBodyUnderOtherHeaders(t *testing.T) {
	p := engine.New(engine.Config{Profile: profile(t, "anthropic"), Lenient: true, Scenarios: []*scenarios.Scenario{parse(t, plainScenario)}})
	const body = `{"model":"m","max_tokens":100,"messages":[` + plainMessages + `]}`
	for range 3 {
		for _, version := range []string{"2023-06-01", ""} {
			headers := map[string]string{"Content-Type": "application/json"}
			if version != "" {
				headers["Anthropic-Version"] = version
			}
			broken := ""
			for _, f := range askAndNote(p, "/v1/messages", body, headers).Findings {
				broken += f.Rule
			}
			if blamed := strings.Contains(broken, "egress/version-named"); blamed != (version == "") {
				t.Errorf("with the version %q, these rules are broken: %s", version, broken)
			}
		}
	}
}

// TestSameModelUnderOtherURLs: a model that the URL names is that of the request.
func TestSameModelUnderOtherURLs(t *testing.T) {
	p := engine.New(engine.Config{Profile: profile(t, "gemini-3"), Scenarios: []*scenarios.Scenario{parse(t, plainScenario)}})
	body := plainRequests[len(plainRequests)-1].body
	for range 3 {
		for _, model := range []string{"one", "two"} {
			got := askAndNote(p, "/v1beta/models/"+model+":generateContent", body, nil)
			if want := fmt.Sprintf(`"modelVersion":%q`, model); !strings.Contains(got.Body, want) {
				t.Errorf("the answer is %s, want %s in it", got.Body, want)
			}
		}
	}
}

// TestAttemptsAtTheSameRequest: how often a request was sent counts.
func TestAttemptsAtTheSameRequest(t *testing.T) {
	p := engine.New(engine.Config{Scenarios: []*scenarios.Scenario{parse(t, "loopproof: 1\ntitle: t\nprompt: Go.\nmodel:\n  - status: 429\n  - status: 503\n  - text: Done.\n")}})
	var got []int
	for range 4 {
		got = append(got, askAndNote(p, "/v1/chat/completions", hello, nil).Status)
	}
	if diff := cmp.Diff([]int{429, 503, 200, 200}, got); diff != "" {
		t.Errorf("the statuses (-want +got):\n%s", diff)
	}
}
