package mockprovider_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/mockprovider"
	"github.com/loopproof/loopproof/scenarios"
)

const (
	goodDay = "loopproof: 1\ntitle: Greeting\nmodel:\n  - when: {user: Go.}\n    text: Good day.\n"

	lookAndTell = "loopproof: 1\ntitle: A look\nprompt: Go.\ntools: {look: {parameters: {}, results: [{text: Rain.}]}}\n" +
		"model:\n  - calls: [{as: a, tool: look, arguments: '{}'}]\n  - text: It rains.\n"

	user  = `{"role":"user","content":"Go."}`
	hello = `{"model":"m","messages":[` + user + `]}`

	// unanswered has a call without a result.
	unanswered = `{"model":"m","messages":[` + user + `,{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"look","arguments":"{}"}}]},` + user + `]}`
)

// tester is a TB that records what it is told.
type tester struct {
	name     string
	cleanups []func()
	told     []string
}

func (t *tester) Helper()          {}
func (t *tester) Name() string     { return t.name }
func (t *tester) Cleanup(f func()) { t.cleanups = append(t.cleanups, f) }
func (t *tester) Logf(format string, a ...any) {
	t.told = append(t.told, "log: "+fmt.Sprintf(format, a...))
}
func (t *tester) Errorf(format string, a ...any) {
	t.told = append(t.told, "error: "+fmt.Sprintf(format, a...))
}
func (t *tester) Fatalf(format string, a ...any) {
	t.told = append(t.told, "fatal: "+fmt.Sprintf(format, a...))
}

// ask asks a model and returns the status and the body of the answer.
func ask(t *testing.T, base, body string) (int, string) {
	t.Helper()
	resp, err := http.Post(base+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

func TestForTest(t *testing.T) {
	script, err := scenarios.Parse("look.yaml", lookAndTell)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, body string
		lenient    bool
		want       string
	}{
		{"good", hello, false, ""},
		{"broken", unanswered, false, "error: loopproof: a real provider refuses what was sent: pairing/every-call-answered\n\nFAIL  pairing/every-call-answered  must\n"},
		{"broken and lenient", unanswered, true, "log: loopproof: what was found fails no test\n\nFAIL  pairing/every-call-answered  must\n"},
		{"unreadable", "{", false, "error: loopproof: 1 request could not be read as a request to a model\n\nrequest 1  POST "},
	} {
		srv := mockprovider.NewServer(mockprovider.Config{Scenarios: []*scenarios.Scenario{script}, Lenient: c.lenient})
		t.Cleanup(srv.Close)
		test := &tester{name: "TestA/with spaces/" + strings.Repeat("x", 80)}
		run := srv.ForTest(test)
		ask(t, run.BaseURL, c.body)
		for _, f := range test.cleanups {
			f()
		}
		if got := strings.Join(test.told, "\n"); !strings.HasPrefix(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%s: the test is told %q, want %q", c.name, got, c.want)
		}
		if status, _ := ask(t, run.BaseURL, hello); status != http.StatusNotFound {
			t.Errorf("%s: after the test its run answers %d", c.name, status)
		}
	}
}

func TestForTestWithScripts(t *testing.T) {
	srv := mockprovider.NewServer(mockprovider.Config{})
	t.Cleanup(srv.Close)
	if status, body := ask(t, srv.ForTest(t, goodDay).BaseURL, hello); status != http.StatusOK || !strings.Contains(body, "Good day.") {
		t.Errorf("the answer is %d %s", status, body)
	}
	test := &tester{name: "TestBad"}
	if run := srv.ForTest(test, "loopproof: 1\ntitel: x\n"); run != nil || len(test.told) != 1 || !strings.HasPrefix(test.told[0], "fatal: loopproof: script-1.yaml:2:1: unknown key") {
		t.Errorf("a bad script is reported as %q", test.told)
	}
}

// TestForTestWithoutAnAnswer: a request that no script answers fails the test, which is told what
// was tried.
func TestForTestWithoutAnAnswer(t *testing.T) {
	srv := mockprovider.NewServer(mockprovider.Config{})
	t.Cleanup(srv.Close)
	test := &tester{name: "TestA"}
	run := srv.ForTest(test, goodDay+"  - when: {result: {tool: look}}\n    text: It rains.\n")
	for range 2 {
		ask(t, run.BaseURL, strings.ReplaceAll(hello, "Go.", "Stay."))
	}
	ask(t, run.BaseURL, strings.ReplaceAll(unanswered, "Go.", "Stay."))
	for _, f := range test.cleanups {
		f()
	}
	got := strings.Join(test.told, "\n")
	for _, want := range []string{
		"error: loopproof: a real provider refuses what was sent: pairing/every-call-answered; 3 requests got no answer from the scripts\n\n",
		"/v1/chat/completions  m\n  got a 404: no script answers it: the user said \"Stay.\", in turn 1, of the model \"m\"\n" +
			"    script-1, step 1 (line 4): user: \"Stay.\" is not \"Go.\"\n    script-1, step 2 (line 6): result: no tool result answers the last turn of the model\n" +
			"  A step without `when` answers what is left.\n  The same was asked again later.\n",
		"  was refused; besides, no script answers it: ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the test is told:\n%s\nwant: %s", got, want)
		}
	}
	if n := strings.Count(got, "in turn 1"); n != 1 {
		t.Errorf("the same request is told %d times", n)
	}
}
