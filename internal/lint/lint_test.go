package lint_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/lint"
	"github.com/loopproof/loopproof/internal/lint/savedrequests"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/trace"
)

const (
	call    = `{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	orphan  = `{"model":"m","messages":[{"role":"user","content":"x"},` + call + `,{"role":"user","content":"y"}]}`
	settled = `{"model":"m","messages":[{"role":"user","content":"x"},` + call + `,{"role":"tool","tool_call_id":"a","content":"1"}]}`
)

func check(t *testing.T, data string, names ...string) lint.Result {
	t.Helper()
	found, err := savedrequests.Find([]byte(data), savedrequests.Options{Dialects: dialect.All()})
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	var under []*profiles.Profile
	for _, name := range names {
		p, err := profiles.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		under = append(under, p)
	}
	return lint.Check(t.Context(), found[0], under)
}

// archived is a HAR with a request to a deployment of Azure.
func archived(body string) string {
	return `{"log":{"version":"1.2","entries":[{"request":{"method":"POST","url":"https://e.openai.azure.com/openai/deployments/gpt-5/chat/completions?api-version=2024-10-21","headers":[],"postData":{"mimeType":"application/json","text":"` + body + `"}},"response":{"status":200}}]}}`
}

// TestCheck: what each profile answers, the rules that are broken, and whether that is a failure.
func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name, data string
		profiles   []string
		answers    []int  // the status of each profile
		rules      string // that are broken, the gravest first
		fails      bool
	}{
		{"nothing wrong", settled, []string{"openai", "mistral"}, []int{0, 0}, "", false},
		{"a call without a result", orphan, []string{"openai", "mistral"}, []int{400, 400}, "pairing/every-call-answered", true},
		{"only some refuse it", `{"model":"m","messages":[{"role":"user","content":"x"}],"tools":[]}`, []string{"ollama", "mistral"}, []int{0, 422}, "egress/no-empty-tool-list", true},
		{"a list of messages has no model", `[{"role":"user","content":"x"},` + call + `,{"role":"tool","tool_call_id":"a","content":"1"}]`, []string{"openai"}, []int{0}, "", false},
		{"the provider has the call", `{"model":"m","previous_response_id":"resp_1","input":[{"type":"function_call_output","call_id":"a","output":"1"}]}`, []string{"openai-responses-stored"}, []int{0}, "", false},
		{"a result alone", `{"model":"m","input":[{"type":"function_call_output","call_id":"a","output":"1"}]}`, []string{"openai-responses-stored"}, []int{400}, "pairing/no-orphan-result", true},
		{"a deployment in the URL", archived(`{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}`), []string{"azure"}, []int{0}, "", false},
		{"a key that is there twice", `{"model":"m","model":"n","messages":[{"role":"user","content":"x"}]}`, []string{"openai"}, nil, "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := check(t, test.data, test.profiles...)
			var broken []string
			for _, f := range r.Findings {
				if f.Level != trace.Info {
					broken = append(broken, f.Rule)
				}
			}
			for i, a := range r.Answers {
				if a.Status != test.answers[i] {
					t.Errorf("%s answers %d: %s", a.Profile, a.Status, a.Message)
				}
			}
			if len(r.Answers) != len(test.answers) || strings.Join(broken, " ") != test.rules || r.Fails() != test.fails {
				t.Errorf("%d answers, broken are %v, it fails is %v, the problem is %q", len(r.Answers), broken, r.Fails(), r.Problem)
			}
		})
	}
}

// TestFindingsOfProfilesAreOne: a violation under several profiles is one finding with the highest
// level, and names those under which it has that level.
func TestFindingsOfProfilesAreOne(t *testing.T) {
	r := check(t, orphan, "openai", "gateway", "mistral")
	if len(r.Findings) == 0 || r.Findings[0].Rule != "pairing/every-call-answered" || len(r.Findings[0].Profiles) != 3 {
		t.Errorf("the findings are %+v", r.Findings)
	}
}
