package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// TestServeTellsPeople: on a terminal, serve prints lines that say what to set and where to look;
// with --json, and where its output is no terminal, one line of JSON.
func TestServeTellsPeople(t *testing.T) {
	for _, c := range []struct {
		people, json bool
	}{{true, false}, {true, true}, {false, false}} {
		var out, err bytes.Buffer
		in := streams{out: &out, err: &err, people: c.people, width: 100}
		cmd := serveCommand(in)
		args := []string{"--addr", "127.0.0.1:0", "--profile", "openai", "--profile", "anthropic", "--scenario", "pairing/single-call"}
		if c.json {
			args = append(args, "--json")
		}
		cmd.SetArgs(args)
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if problem := cmd.ExecuteContext(ended); problem != nil {
			t.Fatal(problem)
		}
		if !c.people || c.json {
			if !json.Valid(out.Bytes()) {
				t.Errorf("%+v: no JSON: %s", c, &out)
			}
			continue
		}
		for _, words := range []string{"OpenAI (openai), Anthropic (anthropic)", "set  OPENAI_BASE_URL=http://127.0.0.1:", "/v1\n", "set  ANTHROPIC_BASE_URL=http://", "/loopproof/ shows every request", "scenarios  pairing/single-call"} {
			if !strings.Contains(out.String(), words) {
				t.Errorf("%+v: nothing says %q:\n%s", c, words, &out)
			}
		}
	}
}
