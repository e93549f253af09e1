package engine_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

const goodDay = "model:\n  - when: {user: Go.}\n    text: Good day.\n"

func testRun(t *testing.T, srv *engine.Server, c engine.TestRunConfig) *engine.TestRun {
	t.Helper()
	run, err := srv.StartTestRun(c)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// askAs asks with a header, or with an API key where there is none of that name.
func askAs(t *testing.T, base, header, value string) answer {
	t.Helper()
	req, _ := http.NewRequest(http.MethodPost, base+"/v1/chat/completions", strings.NewReader(hello))
	resp, err := http.DefaultClient.Do(withHeader(req, header, value))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var body strings.Builder
	fmt.Fprint(&body, resp.Status)
	return answer{status: resp.StatusCode, body: body.String()}
}

func withHeader(req *http.Request, name, value string) *http.Request {
	req.Header.Set(name, value)
	return req
}

// A request belongs to a run by its path, by a header, or by its API key, in whichever way that is
// sent.
func TestWaysIntoATestRun(t *testing.T) {
	srv := start(t, engine.Config{Scenarios: lookAndTell(t)})
	run := testRun(t, srv, engine.TestRunConfig{ID: "mine"})
	askAs(t, srv.URL+"/run/mine", "X-None", "")
	askAs(t, srv.URL, engine.RunHeader, "mine")
	askAs(t, srv.URL, "Authorization", "Bearer loopproof-mine")
	askAs(t, srv.URL, "X-Api-Key", "loopproof-mine")
	askAs(t, srv.URL, "Api-Key", run.APIKey())
	askAs(t, srv.URL, "Authorization", "Bearer sk-anything")
	if in, out := run.Journal().Count(), srv.Journal().Count(); in != 5 || out != 1 {
		t.Errorf("%d requests are in the run and %d outside, want 5 and 1", in, out)
	}
	srv.EndTestRun(run)
	for header, value := range map[string]string{engine.RunHeader: "mine", "Authorization": "Bearer loopproof-mine"} {
		if got := askAs(t, srv.URL, header, value); got.status != http.StatusNotFound {
			t.Errorf("with %s of a run that ended the answer is %d", header, got.status)
		}
	}
	if got := ask(t, srv.URL+"/run/mine", hello); got.body != ours(profile(t, "openai"), 404, `There is no run "mine" here; it may have ended.`) {
		t.Errorf("a run that ended answers %s", got.body)
	}
}

// What happens in one run is not seen in another: neither attempts nor journal nor scripts.
func TestTestRunsDoNotSeeEachOther(t *testing.T) {
	flaky := []*scenarios.Scenario{scenario(t, "model: [{status: 503}, {text: Done.}]")}
	srv := start(t, engine.Config{Scenarios: flaky})
	var all sync.WaitGroup
	for range 8 {
		run := testRun(t, srv, engine.TestRunConfig{})
		all.Go(func() {
			first, second := ask(t, run.BaseURL(srv.URL)[:len(run.BaseURL(srv.URL))-len("/v1")], hello), ask(t, srv.URL+"/run/"+run.ID, hello)
			if first.status != 503 || !second.says("Done.") || run.Journal().Count() != 2 {
				t.Errorf("the run answers %d, then %d %s, and noted %d", first.status, second.status, second.body, run.Journal().Count())
			}
		})
	}
	all.Wait()
	own := script(t, "own", goodDay)
	run := testRun(t, srv, engine.TestRunConfig{Scenarios: []*scenarios.Scenario{own}})
	if got := ask(t, srv.URL+"/run/"+run.ID, hello); !got.says("Good day.") {
		t.Errorf("a run with a script of its own answers %d %s", got.status, got.body)
	}
	if srv.Journal().Count() != 0 {
		t.Errorf("the journal outside of runs has %d requests", srv.Journal().Count())
	}
}

func TestTestRunsWithAProfileOfTheirOwn(t *testing.T) {
	srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{scenario(t, "model: [{text: Done.}]")}})
	run := testRun(t, srv, engine.TestRunConfig{Profile: profile(t, "anthropic")})
	body := `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Go."}]}`
	if got := do(t, http.MethodPost, run.BaseURL(srv.URL)+"/v1/messages", body); !got.says(`"type":"message"`) {
		t.Errorf("the run answers %d %s", got.status, got.body)
	}
}

func TestNamesOfTestRuns(t *testing.T) {
	srv := start(t, engine.Config{Scenarios: lookAndTell(t)})
	started := srv.StartRun(engine.RunConfig{Scenario: lookAndTell(t)[0], Profile: profile(t, "openai")})
	testRun(t, srv, engine.TestRunConfig{ID: "taken"})
	for _, id := range []string{"taken", started.ID, engine.DefaultRun, "a/b", "a b", strings.Repeat("a", 65)} {
		if _, err := srv.StartTestRun(engine.TestRunConfig{ID: id}); err == nil {
			t.Errorf("a run may be named %q", id)
		}
	}
}

// What is played may change while the server continues; test runs follow it, but for those with
// scripts of their own.
func TestWhatIsPlayedMayChange(t *testing.T) {
	one, two := scenario(t, "model: [{text: Old.}]"), scenario(t, "model: [{text: New.}]")
	srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{one}})
	follows := testRun(t, srv, engine.TestRunConfig{})
	own := testRun(t, srv, engine.TestRunConfig{Scenarios: []*scenarios.Scenario{one}})
	if err := srv.Play([]*scenarios.Scenario{one, two}); err == nil {
		t.Error("two scenarios with one prompt are played")
	}
	if err := srv.Play([]*scenarios.Scenario{two}); err != nil {
		t.Fatal(err)
	}
	for base, want := range map[string]string{srv.URL: "New.", srv.URL + "/run/" + follows.ID: "New.", srv.URL + "/run/" + own.ID: "Old."} {
		if got := ask(t, base, hello); !got.says(want) {
			t.Errorf("%s answers %s, want %s", base, got.body, want)
		}
	}
}
