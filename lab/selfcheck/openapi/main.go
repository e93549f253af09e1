// Openapi holds every answer and event of the mock provider against a published description of its
// API:
//
//	go run ./openapi openapi.yaml
//	go run ./openapi -profile openai-responses openapi.yaml
//	go run ./selfcheck/openapi -requests openapi.yaml
//	go run ./openapi -profile open-responses public/openapi/openapi.json
//
// The first file is that of https://github.com/openai/openai-openapi, for Chat Completions and
// Responses, the other that of https://github.com/openresponses/openresponses. With -requests, the
// forms of requests to both are held against it instead. The exit code is 0 when all samples
// satisfy it, 1 when one does not, and 2 when there was nothing to hold against it.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/loopproof/loopproof/lab/selfcheck"
)

func main() {
	flags := flag.NewFlagSet("openapi", flag.ExitOnError)
	profile := flags.String("profile", "openai", "the profile whose answers are held against the description")
	requests := flags.Bool("requests", false, "hold the forms of requests against the description, in the folder lab")
	flags.Usage = func() {
		fmt.Fprintf(flags.Output(), "usage: openapi [-profile NAME] FILE\n\nFILE is the openapi.yaml of https://github.com/openai/openai-openapi, or the openapi.json of Open Responses.\n\n")
		flags.PrintDefaults()
	}
	flags.Parse(os.Args[1:])
	if flags.NArg() != 1 {
		flags.Usage()
		os.Exit(2)
	}
	var broken int
	var err error
	if *requests {
		broken, err = runForms(os.Stdout, flags.Arg(0))
	} else {
		broken, err = run(os.Stdout, flags.Arg(0), *profile)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "openapi:", err)
		os.Exit(2)
	}
	if broken > 0 {
		os.Exit(1)
	}
}

// run prints how the answers under a profile break the description and returns how many ways there
// are.
func run(out io.Writer, file, profile string) (broken int, err error) {
	compiled, err := load(file)
	if err != nil {
		return 0, err
	}
	samples, err := selfcheck.Samples()
	if err != nil {
		return 0, err
	}
	held, seen := 0, map[string]bool{}
	for _, s := range samples {
		schema, described := compiled[s.Kind]
		if s.Profile != profile || !described {
			continue
		}
		held++
		problem, err := check(schema, s)
		if err != nil {
			return 0, err
		}
		if problem != "" && !seen[problem] {
			seen[problem] = true
			fmt.Fprintf(out, "%s, %s:\n%s\n\t%s\n\n", s.Scenario, s.Kind, problem, s.JSON)
		}
	}
	if held == 0 {
		return 0, fmt.Errorf("there is no profile %q of an API that %s describes", profile, file)
	}
	fmt.Fprintf(out, "%d answers and events of %s: %d ways in which they break the description\n", held, profile, len(seen))
	return len(seen), nil
}

func check(schema *jsonschema.Schema, s selfcheck.Sample) (problem string, err error) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(s.JSON))
	if err != nil {
		return "", fmt.Errorf("the %s of %s is not JSON: %w", s.Kind, s.Scenario, err)
	}
	if err := schema.Validate(value); err != nil {
		_, places, _ := strings.Cut(err.Error(), "\n") // the first line names the schema alone
		return places, nil
	}
	return "", nil
}
