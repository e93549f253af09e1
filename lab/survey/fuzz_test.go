package main

import (
	"os"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/lab/internal/matrix"
)

// A stand-in for loopproof fuzz: it says what it was called with, and prints the result of the
// folder of the adapter.
const fuzzStandIn = `#!/bin/sh
echo "$@" > args
echo "for people" >&2
for last; do :; done
cat "$last.json"
[ "$last" = good ]
`

func TestRandomConversations(t *testing.T) {
	p := inFolder(t)
	p.conversations, p.seed = 20, 7
	for file, text := range map[string]string{
		"loopproof": fuzzStandIn,
		"good.json": `{"seed":7,"conversations":20,"cases":41,"findings":[],"known":{"retry/bounded":3}}`,
		"bad.json":  `{"seed":7,"conversations":20,"cases":40,"findings":[{"rule":"retry/bounded","message":"it asks again","once":true,"reproduce":"loopproof run --scenario x","consequences":[{"rule":"retry/fast","message":"too soon","scenario":"y.yaml"}]}]}`,
		"no.json":   `nothing`,
	} {
		if err := os.WriteFile(file, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{"good", "bad", "no"} {
		if err := os.Mkdir(folder, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for folder, want := range map[string]struct {
		code int
		said string
	}{
		"good": {exitFine, "      seed 7: 20 conversations, 41 cases, 1 known rules and 0 others broken\n"},
		"bad":  {exitUnseen, "      retry/bounded (once): it asks again\n        loopproof run --scenario x\n        also retry/fast: too soon y.yaml\n"},
		"no":   {exitFault, "FAILED: loopproof fuzz --json printed something else: "},
	} {
		out := &strings.Builder{}
		p.out = out
		l := fetched("l", folder)
		l.KnownFailing = "known.yaml"
		if code := p.fuzzAll(t.Context(), []*matrix.Loop{l}); code != want.code || !strings.Contains(out.String(), want.said) {
			t.Errorf("%s: code %d, and it said:\n%s", folder, code, out)
		}
		args, _ := os.ReadFile("args")
		const called = "fuzz --json --for 0 --count 20 --out reports/l/fuzz --seed 7 --known-failing lab/adapters/node/l/known.yaml -- node lab/adapters/node/l/adapter.mjs "
		if !strings.HasPrefix(string(args), called) {
			t.Errorf("it was called with %s", args)
		}
	}
}
