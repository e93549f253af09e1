package engine_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// begin starts a run of a scenario and returns it with its base URL.
func begin(t *testing.T, srv *engine.Server, text string, c engine.RunConfig) (*engine.Run, string) {
	t.Helper()
	c.Scenario = scenario(t, text)
	if c.Profile == nil {
		c.Profile = profile(t, "openai")
	}
	run := srv.StartRun(c)
	return run, srv.URL + "/run/" + run.ID
}

const story = `
system: Be terse.
tools:
  look:
    description: Looks.
    parameters: {at: string}
    results: [{text: a cat}]
model:
  - calls: [{as: a, tool: look, arguments: '{"at":"this"}'}]
  - status: 429
    retry-after: 1500ms
    error: {message: Not so fast., code: slow_down}
  - status: 503
    retry-after: 2s
  - text: It is a cat.
`

// Inside a run each request gets the next turn, whatever it says: what it should have said is for
// the rules.
func TestRunGoesByItsCursor(t *testing.T) {
	srv := start(t, engine.Config{})
	run, base := begin(t, srv, story, engine.RunConfig{})
	var got []string
	for n := range 6 {
		a := ask(t, base, messages(user, fmt.Sprintf(`{"role":"user","content":"%d"}`, n)))
		got = append(got, fmt.Sprintf("%d %s%s %s", a.status, a.header.Get("Retry-After"), a.header.Get("Retry-After-Ms"), gist(a.body)))
	}
	want := []string{
		"200  look", "429 1500 Not so fast.", "503 2 overloaded", "200  It is a cat.",
		"200  There is nothing more to say.", "200  There is nothing more to say.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	exchanges, _ := run.Record()
	for i, x := range exchanges {
		if x.Number != i+1 || x.Overrun != (i >= 4) || x.Overrun == (x.Turn != nil) || x.End < x.Start {
			t.Errorf("exchange %d is recorded as %+v", i, x)
		}
	}
}

// gist returns the one thing that a body is about.
func gist(body string) string {
	for _, words := range []string{`"look"`, "Not so fast.", "overloaded", "It is a cat.", "There is nothing more to say."} {
		if strings.Contains(body, words) {
			return strings.Trim(words, `"`)
		}
	}
	return body
}

func TestTask(t *testing.T) {
	srv := start(t, engine.Config{})
	run, base := begin(t, srv, story, engine.RunConfig{Delivery: wire.DeliverJSON})
	want := protocol.Task{
		Type: "task", Dialect: "chat", BaseURL: base + "/v1", APIKey: "loopproof-" + run.ID, Model: "loopproof", Profile: "openai",
		System: "Be terse.", Prompts: []string{"Go."}, MaxTurns: 12,
		Tools: []protocol.Tool{{
			Name: "look", Description: "Looks.", URL: base + "/tools/look",
			Parameters: []byte(`{"type":"object","properties":{"at":{"type":"string"}},"required":["at"]}`),
		}},
	}
	if diff := cmp.Diff(want, run.Task(srv.URL)); diff != "" {
		t.Errorf("the task (-want +got):\n%s", diff)
	}
	limited, _ := begin(t, srv, "max-turns: 3\nmodel: [{text: Done.}]", engine.RunConfig{})
	if task := limited.Task(srv.URL); task.MaxTurns != 3 || !task.Stream || task.Tools == nil {
		t.Errorf("the task is %+v", task)
	}
}

// Who asks the same again gets the same answer again, since it may not have been read: a few times,
// unless a tool was run for it. An answer that was none is followed by the next.
func TestRunRepeatsItself(t *testing.T) {
	next := messages(user, quiet, `{"role":"tool","tool_call_id":"x","content":"a cat"}`)
	for _, c := range []struct {
		name    string
		asks    []string // bodies, or "tool"
		want    []string
		repeats []int
	}{
		{"an answer with calls", []string{hello, hello, next, next}, []string{"look", "look", "Not so fast.", "overloaded"}, []int{0, 1, 0, 0}},
		{"in other white space", []string{hello, hello[:1] + " " + hello[1:]}, []string{"look", "look"}, []int{0, 1}},
		{"not without end", []string{hello, hello, hello, hello}, []string{"look", "look", "look", "Not so fast."}, []int{0, 1, 2, 0}},
		{"after a tool was run", []string{hello, "tool", hello}, []string{"look", "Not so fast."}, []int{0, 0}},
		{"another request", []string{hello, next}, []string{"look", "Not so fast."}, []int{0, 0}},
		{"the last answer", []string{hello, next, next, next, next}, []string{"look", "Not so fast.", "overloaded", "It is a cat.", "It is a cat."}, []int{0, 0, 0, 0, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := start(t, engine.Config{})
			run, base := begin(t, srv, story, engine.RunConfig{Lenient: true})
			var got []string
			for _, body := range c.asks {
				if body == "tool" {
					runTool(t, base+"/tools/look", `{"at":"this"}`)
					continue
				}
				got = append(got, gist(ask(t, base, body).body))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("answers (-want +got):\n%s", diff)
			}
			exchanges, _ := run.Record()
			for i, x := range exchanges {
				if x.Repeats != c.repeats[i] {
					t.Errorf("request %d repeats %d, want %d", x.Number, x.Repeats, c.repeats[i])
				}
			}
		})
	}
}

// The model calls a tool by the name under which the request offers it, and the tool is run under
// that name and its own.
func TestRunCallsToolsAsTheyAreOffered(t *testing.T) {
	srv := start(t, engine.Config{})
	run, base := begin(t, srv, story, engine.RunConfig{})
	offer := `"tools":[{"type":"function","function":{"name":"eyes-look","parameters":{"type":"object","properties":{}}}}]`
	if got := ask(t, base, `{"model":"m",`+offer+`,"messages":[`+user+`]}`); !got.says(`"name":"eyes-look"`) {
		t.Errorf("answered %s", got.body)
	}
	for _, name := range []string{"eyes-look", "look"} {
		if got := runTool(t, base+"/tools/"+name, `{"at":"this"}`); got.body != "a cat" {
			t.Errorf("%s answered %d %s", name, got.status, got.body)
		}
	}
	exchanges, executions := run.Record()
	if call := exchanges[0].Turn.Answer.Calls[0]; call.Name != "eyes-look" || call.Scripted() != "look" {
		t.Errorf("the call is recorded as %+v", call)
	}
	for _, e := range executions {
		if e.Tool != "look" || e.Unknown {
			t.Errorf("a run is recorded as %+v", e)
		}
	}
}

// A violation is refused and costs no turn; a lenient run only records it.
func TestStrictAndLenient(t *testing.T) {
	violation := messages(user, quiet, user)
	for _, c := range []struct {
		lenient bool
		want    []string
	}{
		{false, []string{"400", "200 look"}},
		{true, []string{"200 look", "200 It is a cat."}},
	} {
		srv := start(t, engine.Config{})
		run, base := begin(t, srv, "tools: {look: {results: [{text: a}]}}\nmodel:\n  - calls: [{as: a, tool: look, arguments: '{}'}]\n  - text: It is a cat.", engine.RunConfig{Lenient: c.lenient})
		var got []string
		for _, body := range []string{violation, hello} {
			a := ask(t, base, body)
			answer := fmt.Sprint(a.status)
			if a.status == http.StatusOK {
				answer += " " + gist(a.body)
			}
			got = append(got, answer)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("lenient: %v (-want +got):\n%s", c.lenient, diff)
		}
		exchanges, _ := run.Record()
		refusal := exchanges[0].Refusal
		if refusal == nil || refusal.Rule != "pairing/every-call-answered" || refusal.Given == c.lenient || exchanges[1].Refusal != nil {
			t.Errorf("lenient: %v, the refusal is recorded as %+v", c.lenient, refusal)
		}
	}
}

// A request without messages cannot be answered even with leniency.
func TestLenientStillNeedsMessages(t *testing.T) {
	srv := start(t, engine.Config{})
	_, base := begin(t, srv, "model: [{text: Done.}]", engine.RunConfig{Lenient: true})
	if got := ask(t, base, `{"model":"m"}`); got.status != 400 {
		t.Errorf("answered %d %s", got.status, got.body)
	}
	if got := ask(t, base, hello); !got.says("Done.") {
		t.Errorf("answered %d %s", got.status, got.body)
	}
}

const toolbox = `
tools:
  look:
    parameters: {at: string, times: integer?}
    results:
      - {when: {at: sea}, after: 50ms, text: waves}
      - {when: {at: void}, fail: nothing to see}
      - {when: {at: empty}, text: ""}
      - {when: {at: much}, text: ab, repeat: 3}
  bare:
    results: [{text: ok}]
model: [{text: Done.}]
`

func TestTools(t *testing.T) {
	const schema = `{"type":"object","properties":{"at":{"type":"string"},"times":{"type":"integer"}},"required":["at"]}`
	for _, c := range []struct {
		name, tool, arguments string
		status                int
		body                  string
		failed, unknown       bool
		slept                 time.Duration
	}{
		{"result", "look", `{"at":"sea"}`, 200, "waves", false, false, 50 * time.Millisecond},
		{"white space around", "look", " {\"at\":\"sea\"}\n", 200, "waves", false, false, 50 * time.Millisecond},
		{"failure", "look", `{"at":"void"}`, 500, "nothing to see", true, false, 0},
		{"empty result", "look", `{"at":"empty"}`, 200, "", false, false, 0},
		{"long result", "look", `{"at":"much"}`, 200, "ababab", false, false, 0},
		{"no arguments", "bare", "", 200, "ok", false, false, 0},
		{"null as arguments", "bare", "null", 200, "ok", false, false, 0},
		{"unknown tool", "see", "{}", 404, `there is no tool "see"`, true, true, 0},
		{"no JSON", "look", `{"at":`, 400, `the arguments are not JSON: {"at":`, true, false, 0},
		{"missing argument", "look", "{}", 422, "the arguments do not fit the parameters of look: " + schema, true, false, 0},
		{"wrong type", "look", `{"at":"sea","times":1.5}`, 422, "the arguments do not fit the parameters of look: " + schema, true, false, 0},
		{"no result for these", "look", `{"at":"land"}`, 422, `the tool look has no result for {"at":"land"}`, true, true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			still := &clock{}
			srv := start(t, engine.Config{Clock: still})
			run, base := begin(t, srv, toolbox, engine.RunConfig{})
			got := runTool(t, base+"/tools/"+c.tool, c.arguments)
			if got.status != c.status || got.body != c.body || !strings.HasPrefix(got.header.Get("Content-Type"), "text/plain") {
				t.Errorf("answered %d %q, want %d %q", got.status, got.body, c.status, c.body)
			}
			_, executions := run.Record()
			want := []*trace.Execution{{Tool: c.tool, CallID: "call_7", Arguments: c.arguments, Result: c.body, Failed: c.failed, Unknown: c.unknown}}
			if diff := cmp.Diff(want, executions, cmpopts.IgnoreFields(trace.Execution{}, "Start", "End")); diff != "" {
				t.Errorf("recorded (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]time.Duration{c.slept}, still.slept); diff != "" {
				t.Errorf("slept (-want +got):\n%s", diff)
			}
		})
	}
}

func runTool(t *testing.T, url, arguments string) answer {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(arguments))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set(protocol.CallIDHeader, "call_7")
	return send(t, req)
}

// A result may change each time that it applies; the last text stays.
func TestToolWhoseResultChanges(t *testing.T) {
	srv := start(t, engine.Config{})
	_, base := begin(t, srv, `
tools:
  look:
    parameters: {at: string}
    results: [{when: {at: sky}, text: blue}, {text: queued, then: [running, done]}]
model: [{text: Done.}]
`, engine.RunConfig{})
	for i, want := range []string{"queued", "running", "blue", "done", "done"} {
		at := `{"at":"job"}`
		if want == "blue" {
			at = `{"at":"sky"}`
		}
		if got := runTool(t, base+"/tools/look", at); got.body != want {
			t.Errorf("answer %d is %q, want %q", i, got.body, want)
		}
	}
}

// A tool that shows something answers with an image, the same each time within a run.
func TestToolThatShowsAnImage(t *testing.T) {
	srv := start(t, engine.Config{})
	run, base := begin(t, srv, `
needs: [images]
tools:
  look:
    parameters: {at: string}
    results: [{image: png}]
model: [{text: Done.}]
`, engine.RunConfig{})
	first, again := runTool(t, base+"/tools/look", `{"at":"this"}`), runTool(t, base+"/tools/look", `{"at":"this"}`)
	if first.status != 200 || first.header.Get("Content-Type") != "image/png" || !strings.HasPrefix(first.body, "\x89PNG") || again.body != first.body {
		t.Errorf("answered %d %s %q, and then %q", first.status, first.header.Get("Content-Type"), first.body, again.body)
	}
	_, executions := run.Record()
	if got := executions[0]; got.Result != "" || got.Image == nil || string(got.Image.Data) != first.body || got.Said() != fmt.Sprintf("(image/png, %d bytes)", len(first.body)) {
		t.Errorf("the run says %+v", got)
	}
}

func TestToolOfNoRun(t *testing.T) {
	srv := start(t, engine.Config{})
	if got := runTool(t, srv.URL+"/run/nope/tools/look", "{}"); got.status != 404 || got.body != "there is no run \"nope\" here; it may have ended\n" {
		t.Errorf("answered %d %q", got.status, got.body)
	}
	_, base := begin(t, srv, toolbox, engine.RunConfig{})
	if got := do(t, http.MethodGet, base+"/tools/look", ""); got.status != 405 {
		t.Errorf("a GET is answered %d %q", got.status, got.body)
	}
}

// Many runs at once on one server: each sees its own requests and tools, and answers with ids of
// its own.
func TestRunsAreIsolated(t *testing.T) {
	const runs = 40
	srv := start(t, engine.Config{})
	var all sync.WaitGroup
	var mu sync.Mutex
	ids := map[string]bool{}
	for i := range runs {
		run, base := begin(t, srv, story, engine.RunConfig{Delivery: wire.DeliverJSON})
		all.Go(func() {
			first := ask(t, base, fmt.Sprintf(`{"model":"m%d","messages":[{"role":"user","content":"Go."}]}`, i))
			runTool(t, base+"/tools/look", fmt.Sprintf(`{"at":"%d"}`, i))
			exchanges, executions := run.Record()
			if len(exchanges) != 1 || exchanges[0].Request.Model != fmt.Sprint("m", i) || len(executions) != 1 || executions[0].Arguments != fmt.Sprintf(`{"at":"%d"}`, i) {
				t.Errorf("run %d recorded %+v and %+v", i, exchanges, executions)
			}
			id := run.Script().Turns[0].Answer.Calls[0].ID
			if !strings.Contains(first.body, id) {
				t.Errorf("run %d was not answered with its id %s: %s", i, id, first.body)
			}
			mu.Lock()
			defer mu.Unlock()
			ids[id] = true
		})
	}
	all.Wait()
	if len(ids) != runs {
		t.Errorf("%d runs gave %d ids", runs, len(ids))
	}
}

func TestRunOfOneSecretIsTheSameAgain(t *testing.T) {
	bodies := func(secret string) (all string) {
		srv := start(t, engine.Config{})
		_, base := begin(t, srv, story, engine.RunConfig{Secret: secret})
		for range 4 {
			all += ask(t, base, hello).body
		}
		return all
	}
	one, again := bodies("one"), bodies("one")
	if one != again {
		t.Error("the same secret gave other bytes")
	}
	drawn, another := bodies(""), bodies("")
	if one == bodies("two") || drawn == another {
		t.Error("another secret gave the same bytes")
	}
}
