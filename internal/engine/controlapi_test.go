package engine_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// look returns what the server says of itself under a path.
func look(t *testing.T, srv *engine.Server, path string, status int) gjson.Result {
	t.Helper()
	got := do(t, http.MethodGet, srv.URL+"/loopproof"+path, "")
	if got.status != status {
		t.Fatalf("%s answers %d: %s", path, got.status, got.body)
	}
	return gjson.Parse(got.body)
}

func tell(t *testing.T, srv *engine.Server, path, body string, status int) gjson.Result {
	t.Helper()
	got := do(t, http.MethodPost, srv.URL+"/loopproof"+path, body)
	if got.status != status {
		t.Fatalf("%s answers %d: %s", path, got.status, got.body)
	}
	return gjson.Parse(got.body)
}

// A client makes a run, plays it, looks at it and drops it, all over HTTP.
func TestRunOverHTTP(t *testing.T) {
	srv := start(t, engine.Config{Scenarios: lookAndTell(t)})
	run := tell(t, srv, "/runs", `{"scenario":"test/scenario","profile":"mistral","lenient":true,"secret":"s"}`, 201)
	id, base := run.Get("id").String(), run.Get("task.base_url").String()
	if run.Get("profile").String() != "mistral" || run.Get("task.prompts.0").String() != "Go." || !strings.HasPrefix(base, srv.URL+"/run/"+id) {
		t.Fatalf("the run is %s", run.Raw)
	}
	if got := do(t, http.MethodPost, base+"/chat/completions", hello); !got.says("look") {
		t.Fatalf("it answers %d %s", got.status, got.body)
	}
	do(t, http.MethodPost, base+"/chat/completions", messages(user, quiet, user))
	if got := look(t, srv, "/runs/"+id, 200); got.Get("sum.requests").Int() != 2 || got.Get("sum.musts").Int() == 0 {
		t.Errorf("the run is %s", got.Raw)
	}
	first := look(t, srv, "/runs/"+id+"/requests/1", 200)
	if first.Get("messages.0.text").String() != "Go." || first.Get("headers.Authorization.0").String() != "(redacted)" ||
		first.Get("answer.calls.0.name").String() != "look" || first.Get("answer.status").Int() != 200 {
		t.Errorf("the first request is %s", first.Raw)
	}
	second := look(t, srv, "/runs/"+id+"/requests/2", 200)
	if second.Get("refusal.given").Bool() || second.Get("refusal.status").Int() < 400 || second.Get("answer.status").Int() != 200 {
		t.Errorf("the second request is %s", second.Raw)
	}
	if got := do(t, http.MethodGet, srv.URL+"/loopproof/runs/"+id+"/requests/1/body", ""); got.body != hello {
		t.Errorf("its body is %q", got.body)
	}
	if got := do(t, http.MethodGet, srv.URL+"/loopproof/runs/"+id+"/requests/1/answer", ""); !strings.Contains(got.body, `"look"`) {
		t.Errorf("its answer is %q", got.body)
	}
	report := look(t, srv, "/runs/"+id+"/report", 200)
	if report.Get("schema").String() != "loopproof.report/1" || report.Get("result").String() != "not-conformant" || len(report.Get("cases").Array()) != 2 {
		t.Errorf("the report is %s", report.Raw)
	}

	tell(t, srv, "/runs/"+id+"/reset", "", 200)
	if got := look(t, srv, "/runs/"+id, 200); got.Get("sum.requests").Int() != 0 {
		t.Errorf("after a reset the run is %s", got.Raw)
	}
	if got := do(t, http.MethodPost, base+"/chat/completions", hello); !got.says("look") {
		t.Errorf("after a reset it answers %d %s", got.status, got.body)
	}
	if got := do(t, http.MethodDelete, srv.URL+"/loopproof/runs/"+id, ""); got.status != 200 {
		t.Errorf("to forget it answers %d %s", got.status, got.body)
	}
	look(t, srv, "/runs/"+id, 404)
	if got := do(t, http.MethodPost, base+"/chat/completions", hello); got.status != 404 {
		t.Errorf("a forgotten run answers %d", got.status)
	}
}

func TestRunOfAText(t *testing.T) {
	srv := start(t, engine.Config{})
	text, _ := json.Marshal("loopproof: 1\ntitle: Mine\nprompt: Hello?\nmodel: [{text: Good day.}]\n")
	run := tell(t, srv, "/runs", fmt.Sprintf(`{"yaml":%s}`, text), 201)
	got := do(t, http.MethodPost, run.Get("task.base_url").String()+"/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Hello?"}]}`)
	if !got.says("Good day.") || run.Get("title").String() != "Mine" {
		t.Errorf("the run is %s and answers %s", run.Raw, got.body)
	}
	if got := look(t, srv, "/runs", 200); got.Get("runs.#").Int() != 2 || got.Get("runs.0.id").String() != "default" {
		t.Errorf("the runs are %s", got.Raw)
	}
}

// An application makes a run for a test and names it.
func TestTestRunOverHTTP(t *testing.T) {
	srv := start(t, engine.Config{Scenarios: lookAndTell(t)})
	script, _ := json.Marshal("loopproof: 1\ntitle: Greeting\n" + goodDay)
	run := tell(t, srv, "/runs", fmt.Sprintf(`{"id":"my-test","profile":"mistral","scripts":[%s]}`, script), 201)
	if run.Get("base_url").String() != srv.URL+"/run/my-test/v1" || run.Get("api_key").String() != "loopproof-my-test" || run.Get("task").Exists() {
		t.Errorf("the run is %s", run.Raw)
	}
	if got := do(t, http.MethodPost, run.Get("base_url").String()+"/chat/completions", hello); !got.says("Good day.") {
		t.Errorf("it answers %d %s", got.status, got.body)
	}
	if got := look(t, srv, "/assert?run=my-test&answer=Good&count=1", 200); !got.Get("holds").Bool() {
		t.Errorf("the assert answers %s", got.Raw)
	}
	tell(t, srv, "/runs/my-test/reset", "", 200)
	look(t, srv, "/assert?run=my-test&count=0", 200)
	if got := do(t, http.MethodDelete, srv.URL+"/loopproof/runs/my-test", ""); got.status != 200 {
		t.Errorf("to forget it answers %d", got.status)
	}
	look(t, srv, "/runs/my-test", 404)
	slow := tell(t, srv, "/runs", `{"behaviour":{"faults":[{"status":529}]}}`, 201)
	if got := do(t, http.MethodPost, slow.Get("base_url").String()+"/chat/completions", hello); got.status != 529 {
		t.Errorf("a run with a behaviour of its own answers %d %s", got.status, got.body)
	}
	if got := tell(t, srv, "/runs", "", 201); got.Get("id").String() == "" {
		t.Errorf("a run without a name is %s", got.Raw)
	}
}

// A helper for a test framework gets the environment of a run, and its verdict in words.
func TestEnvironmentAndVerdict(t *testing.T) {
	srv := start(t, engine.Config{Scenarios: lookAndTell(t), ExtraProfiles: []*profiles.Profile{profile(t, "anthropic"), profile(t, "openai-responses")}})
	env := tell(t, srv, "/runs", `{"id":"mine"}`, 201).Get("environment")
	root := srv.URL + "/run/mine"
	want := map[string]string{
		"OPENAI_BASE_URL": root + "/v1", "OPENAI_API_KEY": "loopproof-mine", "ANTHROPIC_BASE_URL": root, "ANTHROPIC_API_KEY": "loopproof-mine",
	}
	for name, value := range want {
		if env.Get(name).String() != value {
			t.Errorf("%s is %s, and not %s", name, env.Get(name), value)
		}
	}
	if len(env.Map()) != len(want) {
		t.Errorf("the environment is %s", env.Raw)
	}
	do(t, http.MethodPost, root+"/v1/chat/completions", hello)
	if got := look(t, srv, "/runs/mine/verdict", 200); !got.Get("passed").Bool() || got.Get("message").String() != "" || got.Get("sum.requests").Int() != 1 || got.Get("broken").Raw != "[]" {
		t.Errorf("the verdict is %s", got.Raw)
	}
	do(t, http.MethodPost, root+"/v1/chat/completions", messages(user, quiet, user))
	do(t, http.MethodPost, root+"/v1/chat/completions", "{")
	got := look(t, srv, "/runs/mine/verdict", 200)
	for _, want := range []string{"FAIL  pairing/every-call-answered", "request 2  /messages/1", "source  https://", "got a 400: we could not parse"} {
		if got.Get("passed").Bool() || !strings.Contains(got.Get("message").String(), want) {
			t.Errorf("the verdict has no %q: %s", want, got.Get("message"))
		}
	}
	if first := got.Get("broken.0"); first.Get("rule").String() != "pairing/every-call-answered" || first.Get("level").String() != "must" {
		t.Errorf("the broken rules are %s", got.Get("broken"))
	}
	lenient := tell(t, srv, "/runs", `{"id":"lenient","lenient":true}`, 201).Get("base_url").String()
	do(t, http.MethodPost, lenient+"/chat/completions", messages(user, quiet, user))
	if got := look(t, srv, "/runs/lenient/verdict", 200); !got.Get("passed").Bool() || got.Get("sum.musts").Int() == 0 {
		t.Errorf("the verdict on a lenient run is %s", got.Raw)
	}
}

func TestRunsThatCannotBe(t *testing.T) {
	srv := start(t, engine.Config{Library: catalog.Library{}})
	for _, c := range []struct{ body, want string }{
		{`{"scenario":"pairing/single-call","yaml":"x"}`, "either a scenario"},
		{`{"scenario":"pairing/single-call","id":"x"}`, "takes neither an id"},
		{`{"id":"a b"}`, "a run is named by"},
		{`{"id":"default"}`, "there is a run"},
		{`{"delivery":"sse"}`, "only a run with a scenario"},
		{`{"scripts":["loopproof: 1"]}`, "script-1.yaml"},
		{`{"yaml":"loopproof: 1\ntitle: t\nmodel: [{when: {}, text: a}]"}`, "takes its text in scripts"},
		{`{"behaviour":{"first-tokn":"1s"}}`, `behaviour:1:2: unknown key "first-tokn" (did you mean "first-token"?)`},
		{`{"scenario":"pairing/single-call","behaviour":{"chunk":1}}`, "nor a behaviour"},
		{`{"scenario":"pairing/single-cal"}`, `did you mean "pairing/single-call"?`},
		{`{"scenario":"pairing/single-call","profile":"opeani"}`, `did you mean "openai"?`},
		{`{"scenario":"pairing/single-call","delivery":"fast"}`, `there is no delivery "fast"`},
		{`{"scenario":"pairing/single-call","speed":1}`, `unknown key`},
		{`{"scenario":"pairing/single-call","scenario":"pairing/two-tools"}`, `in the body the key "scenario" occurs twice, at /scenario`},
		{`{"scenario":"cancel/before-an-answer"}`, "the user cancels"},
		{`{"yaml":"loopproof: 1\ntitel: x"}`, "titel"},
		{`{"scenario":`, "JSON that breaks off"},
	} {
		if got := tell(t, srv, "/runs", c.body, 400); !strings.Contains(got.Get("error.message").String(), c.want) {
			t.Errorf("%s: %s, want %s", c.body, got.Raw, c.want)
		}
	}
	if got := do(t, http.MethodDelete, srv.URL+"/loopproof/runs/default", ""); got.status != 409 {
		t.Errorf("to end the default run answers %d", got.status)
	}
	look(t, srv, "/runs/nobody/requests/1", 404)
	look(t, srv, "/runs/default/requests/1", 404)
	look(t, srv, "/runs/default/requests/99999999999999999999999/body", 404)
}

func TestRequestsAndAsserts(t *testing.T) {
	srv := start(t, engine.Config{Scenarios: lookAndTell(t)})
	ask(t, srv.URL, hello)
	ask(t, srv.URL, messages(user, quiet, user))
	do(t, http.MethodGet, srv.URL+"/favicon.ico", "")

	q := func(s string) string { return url.QueryEscape(s) }
	for _, c := range []struct {
		path  string
		count int64
	}{
		{"/requests", 2},
		{"/requests?unrouted=true", 3},
		{"/requests?status=4xx", 1},
		{"/requests?called=look", 1},
		{"/requests?rule=" + q("pairing/**"), 1},
		{"/requests?run=default&limit=1", 2},
	} {
		if got := look(t, srv, c.path, 200); got.Get("count").Int() != c.count {
			t.Errorf("%s: %s", c.path, got.Raw)
		}
	}
	for path, status := range map[string]int{
		"/requests?run=nobody":           404,
		"/assert?run=nobody&count=0":     404,
		"/wait?run=nobody&count=0":       404,
		"/assert?rule=pairng/*&count=0":  400,
		"/requests?rule=pairng/*":        400,
		"/assert?called=look":            200,
		"/assert?called=look&count=1":    200,
		"/assert?called=look&count=2":    409,
		"/assert?result=nothing":         409,
		"/assert?level=must&count=0":     409,
		"/assert?count=two":              400,
		"/assert?conut=2":                400,
		"/assert?count=1&count=2":        400,
		"/assert?within=forever":         400,
		"/assert?count=1&at_least=1":     400,
		"/requests?status=40":            400,
		"/requests?limit=-1":             400,
		"/requests?unrouted=perhaps":     400,
		"/wait?called=look":              200,
		"/wait?called=nothing&within=0s": 409,
	} {
		look(t, srv, path, status)
	}
	tell(t, srv, "/assert", `{"in_order":[{"called":"look"},{"status":"400"}]}`, 200)
	got := tell(t, srv, "/assert", `{"in_order":[{"status":"400"},{"called":"look"}]}`, 409)
	if text := got.Get("message").String(); !strings.Contains(text, "number 2 is missing") || !strings.Contains(text, "POST /v1/chat/completions") {
		t.Errorf("the message is %s", text)
	}
}

// sleeper is the clock of the machine, and reports when something waits on it.
type sleeper struct {
	engine.SystemClock
	waits chan time.Duration
}

func (s sleeper) Sleep(ctx context.Context, d time.Duration) bool {
	s.waits <- d
	return s.SystemClock.Sleep(ctx, d)
}

// A wait ends as soon as the request has come, or when the server ends.
func TestWait(t *testing.T) {
	clock := sleeper{waits: make(chan time.Duration, 99)}
	srv := start(t, engine.Config{Scenarios: lookAndTell(t), Clock: clock})
	waiting := make(chan answer)
	wait := func(query string) {
		go func() { waiting <- do(t, http.MethodGet, srv.URL+"/loopproof/wait?"+query, "") }()
		for <-clock.waits != time.Minute {
		}
	}
	wait("status=200&within=1m")
	ask(t, srv.URL, hello)
	if got := <-waiting; got.status != 200 || gjson.Get(got.body, "count").Int() != 1 {
		t.Errorf("who waited is answered %d %s", got.status, got.body)
	}
	wait("count=7&within=1m")
	resp, err := http.Get(srv.URL + "/loopproof/events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	ending, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := srv.Shutdown(ending); err != nil {
		t.Errorf("the server does not end: %v", err)
	}
	if got := <-waiting; got.status != 409 {
		t.Errorf("who waited till the end is answered %d %s", got.status, got.body)
	}
	if _, err := io.ReadAll(resp.Body); err != nil {
		t.Errorf("the events end with %v", err)
	}
}

func TestEvents(t *testing.T) {
	srv := start(t, engine.Config{Scenarios: lookAndTell(t)})
	look(t, srv, "/events?run=nobody", 404)
	resp, err := http.Get(srv.URL + "/loopproof/events?run=default")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	next := func() string {
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				return data
			}
		}
		return "the stream has ended"
	}
	if got := next(); got != `"default:0"` {
		t.Errorf("the first event is %s", got)
	}
	ask(t, srv.URL, hello)
	if got := next(); !strings.HasPrefix(got, `"default:`) || got == `"default:0"` {
		t.Errorf("the second event is %s", got)
	}
}

// The list of conversations is searched and filtered without JavaScript.
func TestListIsFiltered(t *testing.T) {
	text := "model:\n  - {when: {user: {contains: busy}}, status: 503}\n  - {text: Good day to you.}\n"
	srv := start(t, engine.Config{Scenarios: []*scenarios.Scenario{script(t, "app/talk", text)}})
	if _, err := srv.StartTestRun(engine.TestRunConfig{ID: "mine"}); err != nil {
		t.Fatal(err)
	}
	say := func(base, text string) {
		ask(t, base, fmt.Sprintf(`{"model":"gpt-5","messages":[{"role":"user","content":%q}]}`, text))
	}
	say(srv.URL, "Are you busy?")
	say(srv.URL, "Hello?")
	say(srv.URL+"/run/mine", "Whose are you?")
	ask(t, srv.URL, `{"model":"gpt-5","messages":[{"role":"user","content":"Odd"},{"role":"tool","tool_call_id":"x","content":"y"}]}`)
	all := []string{"Are you busy?", "Hello?", "Whose are you?", "Odd"}
	for query, want := range map[string]string{
		"":                     "Are you busy? Hello? Whose are you? Odd",
		"?q=GOOD+day":          "Hello? Whose are you?",
		"?q=pairing/":          "Odd",
		"?q=nothing+like+that": "",
		"?only=broken":         "Odd",
		"?only=errors":         "Are you busy? Odd",
		"?only=errors&q=busy":  "Are you busy?",
		"?run=mine":            "Whose are you?",
		"?run=nobody":          "",
		"?flat=1&all=1":        "Are you busy? Hello? Whose are you? Odd",
	} {
		body := do(t, http.MethodGet, srv.URL+"/loopproof/"+query, "").body
		var found []string
		for _, title := range all {
			if strings.Contains(body, "<bdi>"+title+"</bdi></a>") {
				found = append(found, title)
			}
		}
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%q lists %q, want %q", query, got, want)
		}
	}
}
