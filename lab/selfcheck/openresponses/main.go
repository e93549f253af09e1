// Openresponses runs the compliance tests of Open Responses, which its authors publish, against the
// profile open-responses:
//
//	go run ./openresponses CHECKOUT
//	go run ./openresponses CHECKOUT --filter streaming-response,tool-calling --verbose
//
// CHECKOUT is a clone of https://github.com/openresponses/openresponses, at the commit 92c12d9 for
// which this was written last, after "bun install zod". What follows is for its
// bin/compliance-test.ts. The tests need Bun: Node's WebSocket sends no headers. The exit code is
// that of the tests, and 2 when they could not be run.
package main

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"

	"github.com/loopproof/loopproof/mockprovider"
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/scenarios"
)

//go:embed model.yaml
var model string

func main() {
	flags := flag.NewFlagSet("openresponses", flag.ExitOnError)
	bun := flags.String("bun", "bun", "the command that runs the tests")
	profile := flags.String("profile", "open-responses", "the profile that answers")
	flags.Usage = func() {
		fmt.Fprintf(flags.Output(), "usage: openresponses [-bun COMMAND] [-profile NAME] CHECKOUT [ARGUMENTS of bin/compliance-test.ts]\n\n")
		flags.PrintDefaults()
	}
	flags.Parse(os.Args[1:])
	if flags.NArg() == 0 {
		flags.Usage()
		os.Exit(2)
	}
	code, err := run(*bun, *profile, flags.Arg(0), flags.Args()[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "openresponses:", err)
		os.Exit(2)
	}
	os.Exit(code)
}

// run runs the tests of a checkout against a profile and returns their exit code.
func run(bun, profile, checkout string, args []string) (code int, err error) {
	p, err := profiles.Get(profile)
	if err != nil {
		return 0, err
	}
	script, err := scenarios.Parse("model.yaml", model)
	if err != nil {
		return 0, err
	}
	srv := mockprovider.NewServer(mockprovider.Config{Profile: p, Scenarios: []*scenarios.Scenario{script}})
	defer srv.Close()
	tests := exec.Command(bun, append([]string{"run", "bin/compliance-test.ts", "--base-url", srv.URL + "/v1", "--api-key", "none"}, args...)...)
	tests.Dir, tests.Stdout, tests.Stderr = checkout, os.Stdout, os.Stderr
	var failed *exec.ExitError
	if err := tests.Run(); errors.As(err, &failed) {
		return failed.ExitCode(), nil
	} else if err != nil {
		return 0, err
	}
	return 0, nil
}
