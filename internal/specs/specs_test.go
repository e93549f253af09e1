package specs_test

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/onsi/ginkgo/v2"

	"github.com/loopproof/loopproof/internal/faults"
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/specs"
	"github.com/loopproof/loopproof/protocol"
)

// children are tests as in packages of users. Each runs in a process of its own, since Ginkgo keeps
// its specs in the package and some of these have to fail.
var children = map[string]func(t *testing.T){
	"good loop": func(t *testing.T) { specs.Run(t, config(referenceLoop)) },
	"two good loops": func(t *testing.T) {
		specs.Run(t, config(referenceLoop))
		specs.Run(t, config(referenceLoop))
	},
	"loop that answers twice": func(t *testing.T) { specs.Run(t, config(fault("pairing/answers-twice"))) },
	"loop that answers twice in every scenario": func(t *testing.T) {
		c := config(fault("pairing/answers-twice"))
		c.Select.Scenarios = nil
		specs.Run(t, c)
	},
	"loop that breaks a should": func(t *testing.T) {
		specs.Run(t, config(fault("arguments/writes-them-again")))
	},
	"strict about a should": func(t *testing.T) {
		c := config(fault("arguments/writes-them-again"))
		c.Strict = true
		specs.Run(t, c)
	},
	"loop that does nothing": func(t *testing.T) {
		specs.Run(t, config(func(context.Context, protocol.Task) (protocol.Outcome, error) {
			return protocol.Outcome{Status: protocol.Completed}, nil
		}))
	},
	"known to fail": func(t *testing.T) {
		c := config(fault("pairing/answers-twice"))
		c.Select.Scenarios = []string{"pairing/single-call"}
		c.KnownFailing = os.Getenv("LOOPPROOF_TEST_LIST")
		specs.Run(t, c)
	},
	"loop that does nothing, with a list that is not there": func(t *testing.T) {
		c := config(func(context.Context, protocol.Task) (protocol.Outcome, error) {
			return protocol.Outcome{Status: protocol.Completed}, nil
		})
		c.KnownFailing = "nowhere.yaml"
		specs.Run(t, c)
	},
	"wrong pattern": func(t *testing.T) {
		c := config(referenceLoop)
		c.Select.Scenarios = []string{"pairing/singel-call"}
		specs.Run(t, c)
	},
	"in a suite of its own": func(t *testing.T) {
		ginkgo.It("has a spec of its own", func() {})
		specs.Register(config(referenceLoop))
		ginkgo.RunSpecs(t, "mine")
	},
	"bad loop in a suite of its own": func(t *testing.T) {
		specs.Register(config(fault("pairing/answers-twice")))
		ginkgo.RunSpecs(t, "mine")
	},
	"alongside a spec that fails": func(t *testing.T) {
		ginkgo.It("has a spec of its own", func() { ginkgo.Fail("my own failure") })
		specs.Run(t, config(referenceLoop))
	},
}

// config plays a few areas to a loop, since only the output of Ginkgo is tested here.
func config(loop loops.Func) runner.Config {
	return runner.Config{Loop: loop, Seed: 41, Claims: loops.Claims{Features: hooks.Claims}, Select: runner.Select{Quick: true, Scenarios: []string{"pairing/*", "history/*", "arguments/spaces-and-key-order"}}}
}

func referenceLoop(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
	return refloop.Loop{}.Run(ctx, task), nil
}

func fault(name string) loops.Func {
	for _, f := range faults.All() {
		if f.Name == name {
			return f.Run
		}
	}
	panic("there is no fault " + name)
}

// childVariable is set in the processes that run a child of [TestChild].
const childVariable = "LOOPPROOF_TEST_CHILD"

// TestMain lets many tests run at a time, since they wait for programs, but not where Ginkgo runs,
// which knows nothing of -parallel. Garbage is collected seldom, since each program is short.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	if os.Getenv(childVariable) == "" {
		flag.Set("test.parallel", "8")
	}
	os.Exit(m.Run())
}

func TestChild(t *testing.T) {
	if child, ok := children[os.Getenv(childVariable)]; ok {
		child(t)
	}
}

// goTest runs a child and returns what it printed and whether it passed.
func goTest(t *testing.T, child string, env []string, flags ...string) (string, bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"-test.run=^TestChild$"}, flags...)...)
	cmd.Env = append(append(os.Environ(), childVariable+"="+child), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

func TestGinkgo(t *testing.T) {
	list := filepath.Join(t.TempDir(), "known-failing.yaml")
	write := func(text string) {
		if err := os.WriteFile(list, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("- rule: pairing/one-result-per-call\n  case: pairing/single-call@**\n  reason: https://example.com/1\n")

	quiet := []string{"•", "\x1b[", "[FAIL]", "Ran ", "Will run"} // Ginkgo's own words
	tests := []struct {
		child  string
		flags  []string
		passes bool
		says   []string
		never  []string
	}{
		{"good loop", nil, true, []string{"\nPARTIAL  TestChild (go): no rule is broken"}, quiet},
		{"good loop", []string{"-ginkgo.label-filter=area:pairing && delivery:sse"}, true, []string{"\nPARTIAL  "}, quiet},
		{"good loop", []string{"-ginkgo.label-filter=rule:pairing.every-call-answered"}, true, []string{"passed  1 must\n"}, quiet},
		{"good loop", []string{"-ginkgo.label-filter=rule:pairing.no-such-rule"}, false, []string{"select no spec"}, quiet},
		{"good loop", []string{"-ginkgo.focus=pairing/single-call@chat/openai/sse"}, true, []string{"1 played"}, quiet},
		{"good loop", []string{"-ginkgo.v", "-ginkgo.focus=pairing/single-call@chat/openai/sse"}, true, []string{"0 Failed", "\nPARTIAL  "}, nil},
		{"two good loops", nil, true, []string{"\nPARTIAL  TestChild (go): no rule is broken"}, quiet},
		{"loop that answers twice", nil, false, []string{
			"FAIL  pairing/one-result-per-call  must\n", "a second result for the call", "expected", "actual",
			"Duplicate value for 'tool_call_id'", "LOOPPROOF_SEED=41 go test -run '^TestChild$' -ginkgo.focus=",
			"\nFAIL  pairing/single-call@chat/openai/json  pairing/one-result-per-call (must): a second result for the call",
			"\nNOT CONFORMANT  TestChild (go): 1 must is broken\n--- FAIL: TestChild",
		}, quiet},
		{"loop that answers twice", []string{"-ginkgo.label-filter=area:history"}, true, []string{"\nPARTIAL  "}, []string{"one-result-per-call"}},
		{"loop that breaks a should", nil, true, []string{
			"\nwarn  ", "WARN  arguments/echoed-verbatim  should\n", "\nPARTIAL  TestChild (go): 1 should is broken; only a complete run can be conformant\n",
		}, quiet},
		{"strict about a should", nil, false, []string{"FAIL  arguments/echoed-verbatim  should\n"}, quiet},
		{"loop that does nothing", nil, false, []string{"nothing was judged: preflight: the loop never called the mock provider"}, quiet},
		{"known to fail", nil, true, []string{"\nknown  pairing/single-call@", "https://example.com/1", "; all failures are on the list /"}, quiet},
		{"loop that does nothing, with a list that is not there", nil, false, []string{"nothing was judged: there is no known-failing list nowhere.yaml"}, quiet},
		{"wrong pattern", nil, false, []string{"nothing was judged: the pattern pairing/singel-call", "pairing/single-call"}, quiet},
		{"in a suite of its own", nil, true, []string{"0 Failed", "PARTIAL  the loop (go): "}, nil},
		{"bad loop in a suite of its own", nil, false, []string{
			"1 Failed", "[FAILED] pairing/one-result-per-call (must): a second result for the call", "NOT CONFORMANT  the loop (go): ",
		}, nil},
		{"alongside a spec that fails", nil, false, []string{"my own failure", "PARTIAL  TestChild (go): "}, nil},
	}
	for _, test := range tests {
		t.Run(strings.Join(append([]string{test.child}, test.flags...), " "), func(t *testing.T) {
			t.Parallel()
			out, passed := goTest(t, test.child, []string{"LOOPPROOF_TEST_LIST=" + list}, append(test.flags, "-test.v")...)
			if passed != test.passes {
				t.Errorf("passed is %v, expected %v\n%s", passed, test.passes, tail(out))
			}
			for _, words := range test.says {
				if !strings.Contains(out, words) {
					t.Errorf("it does not say %q\n%s", words, tail(out))
				}
			}
			for _, words := range test.never {
				if strings.Contains(out, words) {
					t.Errorf("it says %q\n%s", words, tail(out))
				}
			}
		})
	}
}

// What a stranger sees of a first failing go test fits on two screens, and ends with the result.
func TestOutputOfAFailingTest(t *testing.T) {
	t.Parallel()
	out, passed := goTest(t, "loop that answers twice in every scenario", nil)
	if passed {
		t.Fatal("it passed")
	}
	if n := strings.Count(out, "\n"); n > 100 {
		t.Errorf("it prints %d lines\n%s", n, tail(out))
	}
	for line := range strings.Lines(out) {
		if n := utf8.RuneCountInString(line); n > 200 {
			t.Errorf("a line has %d characters: %s", n, line)
		}
	}
	if !regexp.MustCompile(`\nNOT CONFORMANT  TestChild \(go\): 1 must is broken\n--- FAIL: TestChild \(\d+\.\d+s\)\nFAIL\n$`).MatchString(out) {
		t.Errorf("it does not end with the result\n%s", tail(out))
	}
}

func tail(out string) string {
	const most = 3000
	if len(out) > most {
		return "…" + out[len(out)-most:]
	}
	return out
}
