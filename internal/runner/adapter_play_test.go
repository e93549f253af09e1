package runner

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/runner/testadapters"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// TestGoodAdapterBreaksNothing plays every scenario through a process and real connections, which
// change no verdict.
func TestGoodAdapterBreaksNothing(t *testing.T) {
	t.Parallel()
	r := play(t, Config{Loop: testAdapter("good", ""), Seed: 41, Timeout: ample, Select: Select{Quick: true}})
	if r.Result != report.Partial { // only a complete run can be conformant
		t.Errorf("the result is %s", r.Result)
	}
	for _, rule := range r.Rules {
		if rule.Verdict != trace.Passed && rule.Verdict != trace.Unclaimed {
			t.Errorf("%s is %s", rule.ID, rule.Verdict)
		}
	}
	if want := (report.Loop{Name: "test adapter", Version: "1.2.3", Language: "go"}); r.Loop != want {
		t.Errorf("the loop is %+v, want %+v", r.Loop, want)
	}
}

// sixCases are a few scenarios in both plain deliveries. The prompt of one of them begins with
// "Compare".
func sixCases(a loops.Adapter) Config {
	return Config{
		Loop: a, Seed: 41, Timeout: ample, StartTimeout: ample,
		Select: Select{Scenarios: []string{"pairing/parallel-results", "pairing/single-call", "pairing/three-rounds"}, Profiles: []string{"openai"}, Deliveries: []string{"json", "sse"}},
	}
}

const atFault = "Compare the weather in Oslo and Lima."

// casesThatBreak returns the cases in which a rule is broken.
func casesThatBreak(r *report.Report, rule string) []string {
	var cases []string
	for _, c := range r.Cases {
		if c.Verdicts[rule] == trace.Failed {
			cases = append(cases, c.ID)
		}
	}
	return cases
}

// TestPlayBlamesOneTask plays to adapters that die or block at one scenario. It alone is broken,
// and the rest is judged.
func TestPlayBlamesOneTask(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"dies", "blocks"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			c := sixCases(testAdapter(mode, atFault))
			if mode == "blocks" {
				c.Timeout = 8 * time.Second // ample for the others, on a busy machine, too
			}
			r, err := Play(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			want := "pairing/parallel-results@chat/openai/json pairing/parallel-results@chat/openai/sse"
			if got := strings.Join(casesThatBreak(r, "outcome/run-ends"), " "); got != want || len(r.Cases) != 6 {
				t.Errorf("of %d cases, %q do not end, want %q of 6", len(r.Cases), got, want)
			}
			if r.Result != report.NotConformant {
				t.Errorf("the result is %s", r.Result)
			}
		})
	}
}

// TestPlayReportsViolations demands the whole report and an error besides.
func TestPlayReportsViolations(t *testing.T) {
	t.Parallel()
	for mode, says := range map[string]string{
		"answers-twice":    "reported two outcomes for one task (7 times)", // once in the preflight
		"answers-stranger": "reported an outcome for a task that it was not given (7 times)",
		"chatters":         "printed a line that is not JSON; standard output is for the protocol, logs belong on standard error (7 times)",
		"bad-status":       "reported an outcome that does not fit the protocol",
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			r, err := Play(t.Context(), sixCases(testAdapter(mode, atFault)))
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("the error is %v, want it to say %q", err, says)
			}
			if r == nil || len(r.Cases) != 6 {
				t.Fatalf("the report is not whole: %+v", r)
			}
		})
	}
}

// TestPlayEndsWhenTheAdapterIsGone demands a report of what was judged, and the reason why there is
// no more.
func TestPlayEndsWhenTheAdapterIsGone(t *testing.T) {
	t.Parallel()
	r, err := Play(t.Context(), sixCases(testAdapter("dies-for-good", t.TempDir()+"/died")))
	if err == nil || !strings.Contains(err.Error(), "could not be started again") {
		t.Errorf("the error is %v", err)
	}
	if r == nil || len(r.Cases) == 6 || r.Result != report.NotConformant {
		t.Errorf("the report is %+v", r)
	}
}

func TestPreflightOfAdapters(t *testing.T) {
	t.Parallel()
	for mode, says := range map[string][]string{
		"exits-after-hello": {"and crashed at a task that asks for one text", "it ended with the exit code 0"},
		"null":              {"preflight: the loop never called the mock provider at http://127.0.0.1:", "it reported the status completed", "the client has to call the base_url of the task"},
		"never-answers":     {"preflight: the loop never called the mock provider at http://127.0.0.1:", "and reported no outcome within 8s", "thinking"},
		"dies":              {"and crashed at a task", "it ended with the exit code 7", "panic:"},
		"bad-types":         {"and crashed at a task", `"text" cannot be a array`},
		"closes-stdout":     {"and crashed at a task", "it closed its standard output, but did not end"},
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			c := sixCases(testAdapter(mode, ""))
			if mode == "never-answers" {
				c.StartTimeout = 8 * time.Second
			}
			r, err := Play(t.Context(), c)
			var preflight *loops.PreflightError
			if !errors.As(err, &preflight) || r == nil {
				t.Fatalf("got %v and %v, want a report and a preflight error", r, err)
			}
			if r.Result != report.NotConformant || len(r.Cases) > 0 || r.Stopped != preflight.Problem {
				t.Errorf("the report is %+v, want one without cases that says %q", r, preflight.Problem)
			}
			for _, s := range says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("got %v\nwant it to say %q", err, s)
				}
			}
		})
	}
}

func TestCommandIsConformant(t *testing.T) {
	t.Parallel()
	c := sixCases(loops.Adapter{})
	c.Loop, c.Name, c.Claims.Features, c.Timeout = loops.Command{Command: os.Args[0], Env: testadapters.Env("command-good", "")}, "my agent", commandClaims, ample
	r, err := Play(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if r.Result != report.Partial || len(r.Cases) != 6 || r.Loop.Name != "my agent" {
		t.Errorf("the result of %+v is %s after %d cases", r.Loop, r.Result, len(r.Cases))
	}
}

// TestUnreadKeysAreTold: the report has a note of it, and who started the run is told at once.
func TestUnreadKeysAreTold(t *testing.T) {
	t.Parallel()
	const hello = `{"type":"hello","protocol":1,"name":"my-loop","dialects":["chat"],"featurs":["streaming"]}`
	var told []string
	r, err := Play(t.Context(), Config{
		Loop: testAdapter("own-hello", hello), Select: Select{Scenarios: []string{"pairing/single-call"}, Quick: true},
		Hooks: Hooks{OnRemark: func(remark string) { told = append(told, remark) }},
	})
	if r == nil {
		t.Fatal(err)
	}
	const want = `the hello of the adapter has the unknown key "featurs" at /featurs, which is ignored (did you mean "features"?)`
	if !slices.Equal(told, []string{want}) || !slices.Contains(r.Notes, want) {
		t.Errorf("told %q, and the notes are %q", told, r.Notes)
	}
}
