package suite_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onsi/ginkgo/v2"

	"github.com/loopproof/loopproof/internal/faults"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/suite"
)

// children are the tests that somebody else might have in their own package. Each runs in a process of its own, since
// Ginkgo keeps its specs in the package and some of these have to fail.
var children = map[string]func(t *testing.T){
	"good loop": func(t *testing.T) { suite.Run(t, config(referenceLoop)) },
	"two good loops": func(t *testing.T) {
		suite.Run(t, config(referenceLoop))
		suite.Run(t, config(referenceLoop))
	},
	"loop that answers twice": func(t *testing.T) { suite.Run(t, config(fault("pairing/answers-twice"))) },
	"loop that breaks a should": func(t *testing.T) {
		suite.Run(t, config(fault("arguments/writes-them-again")))
	},
	"strict about a should": func(t *testing.T) {
		c := config(fault("arguments/writes-them-again"))
		c.Strict = true
		suite.Run(t, c)
	},
	"loop that does nothing": func(t *testing.T) {
		suite.Run(t, config(func(context.Context, suite.Task) (suite.Outcome, error) {
			return suite.Outcome{Status: suite.Completed}, nil
		}))
	},
	"known to fail": func(t *testing.T) {
		c := config(fault("pairing/answers-twice"))
		c.Scenarios = []string{"pairing/single-call"}
		c.KnownFailing = os.Getenv("LOOPPROOF_TEST_LIST")
		suite.Run(t, c)
	},
	"wrong pattern": func(t *testing.T) {
		c := config(referenceLoop)
		c.Scenarios = []string{"pairing/singel-call"}
		suite.Run(t, c)
	},
	"in a suite of its own": func(t *testing.T) {
		ginkgo.It("has a spec of its own", func() {})
		suite.Register(config(referenceLoop))
		ginkgo.RunSpecs(t, "mine")
	},
}

func config(loop suite.LoopFunc) suite.Config {
	return suite.Config{Loop: loop, Features: faults.Claims, Quick: true, Seed: 41}
}

func referenceLoop(ctx context.Context, task suite.Task) (suite.Outcome, error) {
	return refloop.Loop{}.Run(ctx, task), nil
}

func fault(name string) suite.LoopFunc {
	for _, f := range faults.All() {
		if f.Name == name {
			return f.Run
		}
	}
	panic("there is no fault " + name)
}

const childVariable = "LOOPPROOF_TEST_CHILD"

func TestChild(t *testing.T) {
	if child, ok := children[os.Getenv(childVariable)]; ok {
		child(t)
	}
}

// goTest runs a child and returns what it printed and whether it passed.
func goTest(t *testing.T, child string, env []string, flags ...string) (string, bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"-test.run=^TestChild$", "-ginkgo.no-color"}, flags...)...)
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

	tests := []struct {
		child  string
		flags  []string
		passes bool
		says   []string
	}{
		{"good loop", nil, true, []string{"0 Failed"}},
		{"good loop", []string{"-ginkgo.label-filter=area:pairing && delivery:sse"}, true, []string{"0 Failed"}},
		{"good loop", []string{"-ginkgo.label-filter=rule:pairing.every-call-answered"}, true, []string{"0 Failed"}},
		{"good loop", []string{"-ginkgo.label-filter=rule:pairing.no-such-rule"}, false, nil},
		{"good loop", []string{"-ginkgo.focus=pairing/single-call@chat/openai/sse"}, true, []string{"0 Failed"}},
		{"two good loops", nil, true, nil},
		{"loop that answers twice", nil, false, []string{
			"pairing/one-result-per-call", "a second result for the call", "expected", "actual",
			"Duplicate value for 'tool_call_id'", "LOOPPROOF_SEED=41 go test -run '^TestChild$' -ginkgo.focus=",
		}},
		{"loop that answers twice", []string{"-ginkgo.label-filter=area:history"}, true, nil},
		{"loop that breaks a should", nil, true, []string{"0 Failed"}},
		{"strict about a should", nil, false, []string{"arguments/echoed-verbatim"}},
		{"loop that does nothing", nil, false, []string{"never called the mock provider"}},
		{"known to fail", nil, true, []string{"0 Failed"}},
		{"wrong pattern", nil, false, []string{"pairing/singel-call", "pairing/single-call"}},
		{"in a suite of its own", nil, true, []string{"0 Failed"}},
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
		})
	}
}

func tail(out string) string {
	const most = 3000
	if len(out) > most {
		return "…" + out[len(out)-most:]
	}
	return out
}
