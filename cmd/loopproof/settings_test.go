package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestSettings: the command line comes before the environment, and that before the file.
func TestSettings(t *testing.T) {
	for _, c := range []struct {
		name        string
		args        []string
		environment []string
		file        string
		flag, want  string // the flag and its value
		problem     string // of the error or the warning
	}{
		{name: "default", flag: "addr", want: "127.0.0.1:8080"},
		{name: "environment", environment: []string{"LOOPPROOF_ADDR=0.0.0.0:1"}, flag: "addr", want: "0.0.0.0:1"},
		{name: "flag first", args: []string{"--addr", "a:2"}, environment: []string{"LOOPPROOF_ADDR=b:1"}, file: "addr: c:3", flag: "addr", want: "a:2"},
		{name: "environment before file", environment: []string{"LOOPPROOF_ADDR=b:1"}, file: "addr: c:3", flag: "addr", want: "b:1"},
		{name: "file", file: "addr: c:3", flag: "addr", want: "c:3"},
		{name: "list in a variable", environment: []string{"LOOPPROOF_SCENARIO=a, b"}, flag: "scenario", want: "[a,b]"},
		{name: "list in a file", file: "scenario: [a, b]", flag: "scenario", want: "[a,b]"},
		{name: "one item of a list", file: "scenario: a,b", flag: "scenario", want: `["a,b"]`},
		{name: "list on the command line", args: []string{"--scenario", "c"}, environment: []string{"LOOPPROOF_SCENARIO=a"}, flag: "scenario", want: "[c]"},
		{name: "number and words with hyphens", file: "journal-mb: 7", flag: "journal-mb", want: "7"},
		{name: "bool", file: "lenient: true", flag: "lenient", want: "true"},
		{name: "duration", environment: []string{"LOOPPROOF_BODY_TIME=7s"}, flag: "body-time", want: "7s"},
		{name: "behaviour", file: "behaviour: {first-token: 300ms}", flag: "behaviour", want: `{"first-token":"300ms"}`},
		{name: "empty is not set", environment: []string{"LOOPPROOF_ADDR="}, flag: "addr", want: "127.0.0.1:8080"},
		{name: "service of Kubernetes", environment: []string{"LOOPPROOF_PORT=tcp://10.0.0.1:80", "LOOPPROOF_SERVICE_HOST=10.0.0.1", "LOOPPROOF_PORT_80_TCP_ADDR=10.0.0.1"}, flag: "port", want: "0"},
		{name: "no number", environment: []string{"LOOPPROOF_PORT=x"}, problem: `LOOPPROOF_PORT must be a whole number, not "x"`},
		{name: "misspelt variable", environment: []string{"LOOPPROOF_SCENARIOS=a"}, problem: `the variable LOOPPROOF_SCENARIOS is not known (did you mean "LOOPPROOF_SCENARIO"?)`},
		{name: "misspelt key", file: "a: 1\nscenarios: a", problem: `:2:12: unknown key "scenarios" (did you mean "scenario"?); the keys are the flags of the command, without --`},
		{name: "list for one value", file: "addr: [a]", problem: "addr takes one value, not a list"},
		{name: "no mapping", file: "- a", problem: "expected the names of flags and their values"},
		{name: "no file", args: []string{"--config", "none.yaml"}, problem: "--config: open none.yaml"},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := serveCommand(streams{}).Flags()
			args := c.args
			if c.file != "" {
				file := filepath.Join(t.TempDir(), "serve.yaml")
				if err := os.WriteFile(file, []byte(c.file), 0o644); err != nil {
					t.Fatal(err)
				}
				args = append(args, "--config", file)
			}
			if err := set.Parse(args); err != nil {
				t.Fatal(err)
			}
			warnings, err := applySettings(set, c.environment)
			told := strings.Join(warnings, "\n")
			if err != nil {
				told += err.Error()
			}
			if c.problem == "" && told != "" || !strings.Contains(told, c.problem) {
				t.Fatalf("it says %q", told)
			}
			if c.flag != "" && set.Lookup(c.flag).Value.String() != c.want {
				t.Errorf("--%s is %s", c.flag, set.Lookup(c.flag).Value)
			}
		})
	}
}

// TestDeploymentVariables: the files and pages about containers name variables that there are.
func TestDeploymentVariables(t *testing.T) {
	var known []string
	serveCommand(streams{}).Flags().VisitAll(func(f *pflag.Flag) { known = append(known, variableOf(f.Name)) })
	for _, file := range []string{"deploy/Dockerfile", "deploy/compose.yaml", "deploy/kubernetes.yaml", "docs/operations.md"} {
		data, err := os.ReadFile(filepath.Join("../..", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`LOOPPROOF_[A-Z_]+[A-Z]`).FindAllString(string(data), -1) {
			if !slices.Contains(known, name) {
				t.Errorf("%s: there is no variable %s", file, name)
			}
		}
	}
}
