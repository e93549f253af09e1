package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/loopproof/loopproof/internal/runner/testadapters"
)

// TestMain lets many scripts run at a time unless -parallel says otherwise, since they wait for
// processes and for the times that scenarios name.
func TestMain(m *testing.M) {
	flag.Set("test.parallel", "8")
	testscript.Main(m, map[string]func(){
		"loopproof": main,
		"faulty":    faultyAdapter,
		"modest":    modestAdapter,
		"oneshot":   oneShot,
		"mcpagent":  func() { testadapters.Agent(os.Args[1:]) },
		"acpagent":  testadapters.ACPAgent,
		"talk":      talk,
		"toyproof":  toyLoopproof,
		"toyloop":   toyLoop,
		"stuck":     stuckAdapter,
	})
}

// TestScripts runs the command as people do: each script in testdata/script is a folder of files
// and a list of commands.
func TestScripts(t *testing.T) {
	t.Setenv("GITHUB_STEP_SUMMARY", "") // which is our own CI's
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "returns": returns},
		Setup: func(env *testscript.Env) error {
			env.Setenv("GOGC", "400") // each command is short
			root, err := filepath.Abs("../..")
			env.Setenv("ROOT", root)
			return err
		},
	})
}

// exits CODE COMMAND ARGS... runs a command and demands its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	want := wantedCode(ts, neg, args)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, expected %d", got, want)
	}
}

// returns CODE loopproof ARGS... is exits, but in this process, which has read the library already.
// It is for command lines that name no files of the script.
func returns(ts *testscript.TestScript, neg bool, args []string) {
	want := wantedCode(ts, neg, args)
	if args[1] != "loopproof" {
		ts.Fatalf("only loopproof returns here, not %s", args[1])
	}
	if got := execute(args[2:], streams{out: ts.Stdout(), err: ts.Stderr(), width: 100}); got != want {
		ts.Fatalf("exit code %d, expected %d", got, want)
	}
}

func wantedCode(ts *testscript.TestScript, neg bool, args []string) int {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits|returns CODE COMMAND ARGS...")
	}
	code, err := strconv.Atoi(args[0])
	ts.Check(err)
	return code
}
