package pairs

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// The list is valid, each pair was played as it is there, and came out as the list says.
func TestPairs(t *testing.T) {
	t.Chdir("../../..")
	pairs, err := readPairs(ListFile)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range pairs {
		names = append(names, p.Name)
		r, err := readResult(p)
		if err != nil {
			t.Fatal(err)
		}
		if said := r.unexpected(p); said != "" {
			t.Errorf("%s: %s", p.Name, said)
		}
		for _, rule := range p.Rules {
			if _, played := r.Good.Rules[rule]; !played {
				t.Errorf("%s was played without the rule %s: cd lab && go run ./pairs %s", p.Name, rule, p.Name)
			}
		}
	}
	files, err := filepath.Glob(resultsFolder + "/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".json"); !slices.Contains(names, name) {
			t.Errorf("%s is about no pair of %s", file, ListFile)
		}
	}
}

// example is a pair that is complete.
const example = `pairs:
  - name: a-pair
    title: A bug
    fix: https://github.com/o/r/pull/1
    adapter: lab/adapters/node/openai-run-tools
    package: openai
    bad: 1.0.0
    good: 1.0.1
    rules: [pairing/ids-present]
    cases: ['pairing/single-call@chat/*/json']
`

func TestBadLists(t *testing.T) {
	t.Chdir("../../..")
	for name, c := range map[string]struct{ old, new, want string }{
		"as it is":         {"", "", ""},
		"unknown key":      {"title:", "tittle:", "tittle"},
		"no title":         {"A bug", "''", "no title"},
		"odd name":         {"a-pair", "A Pair", "small letters"},
		"no repository":    {"github.com/o/r/pull/1", "example.org", "on GitHub"},
		"one version":      {"1.0.1", "1.0.0", "a bad and a good version"},
		"no adapter":       {"openai-run-tools", "nowhere", "adapter.mjs or an adapter.py"},
		"unknown rule":     {"ids-present", "ids-presnt", `did you mean "pairing/ids-present"`},
		"unknown scenario": {"single-call@", "single-cal@", `did you mean "pairing/single-call"`},
		"half a case":      {"@chat/*/json", "", "SCENARIO@DIALECT/PROFILE/DELIVERY"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "pairs.yaml")
			if err := os.WriteFile(file, []byte(strings.Replace(example, c.old, c.new, 1)), 0o666); err != nil {
				t.Fatal(err)
			}
			switch _, err := readPairs(file); {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestTwoPairsOfOneName(t *testing.T) {
	t.Chdir("../../..")
	file := filepath.Join(t.TempDir(), "pairs.yaml")
	_, second, _ := strings.Cut(example, "pairs:\n")
	if err := os.WriteFile(file, []byte(example+second), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readPairs(file); err == nil || !strings.Contains(err.Error(), "two pairs a-pair") {
		t.Error(err)
	}
}

func TestChosenPairs(t *testing.T) {
	all := []pair{{Name: "one"}, {Name: "two"}, {Name: "three"}}
	for _, c := range []struct{ wanted, want []string }{
		{nil, []string{"one", "two", "three"}},
		{[]string{"three", "one"}, []string{"one", "three"}},
	} {
		chosen, err := choose(all, c.wanted)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range chosen {
			names = append(names, p.Name)
		}
		if diff := cmp.Diff(c.want, names); diff != "" {
			t.Error(diff)
		}
	}
	if _, err := choose(all, []string{"tow"}); err == nil || !strings.Contains(err.Error(), "two") {
		t.Error(err)
	}
	if len(all) != 3 || all[1].Name != "two" {
		t.Error("choosing changed the list")
	}
}

func TestPins(t *testing.T) {
	p := pair{Adapter: "lab/adapters/node/l", Package: "l", Bad: "1", Good: "2", With: map[string]string{"m": "5"}, BadWith: map[string]string{"m": "4"}}
	if diff := cmp.Diff([]string{"l==1", "m==4"}, pinned(p.pins(bad), "==")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"l==2", "m==5"}, pinned(p.pins(good), "==")); diff != "" {
		t.Error(diff)
	}
	other := p
	other.BadWith = nil
	if p.folder(bad) == other.folder(bad) || p.folder(good) != other.folder(good) {
		t.Error("a folder is not that of its packages")
	}
}

func TestOutcomes(t *testing.T) {
	p := pair{Rules: []string{"a/b", "c/d"}}
	of := func(first, second trace.Verdict) outcome {
		return outcomeOf(&report.Report{Rules: []report.Rule{
			{ID: "a/b", Verdict: first, Cases: 2}, {ID: "c/d", Verdict: second, Cases: 1}, {ID: "e/f", Verdict: trace.Failed},
		}}, p.Rules)
	}
	broken, kept := of(trace.Failed, trace.Failed), of(trace.Passed, trace.Passed)
	for name, c := range map[string]struct {
		r     result
		apart bool
	}{
		"told apart":            {result{Bad: broken, Good: kept}, true},
		"both broken":           {result{Bad: broken, Good: broken}, false},
		"both good":             {result{Bad: kept, Good: kept}, false},
		"one rule of two":       {result{Bad: of(trace.Failed, trace.Passed), Good: kept}, false},
		"good one never judged": {result{Bad: broken, Good: of(trace.Passed, trace.Untested)}, false},
		"not in the report":     {result{Bad: broken, Good: outcomeOf(&report.Report{}, p.Rules)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			p.Same = ""
			if c.r.toldApart(p) != c.apart || (c.r.unexpected(p) == "") != c.apart {
				t.Errorf("told apart: %v, unexpected: %q", c.r.toldApart(p), c.r.unexpected(p))
			}
			p.Same = "a reason"
			if (c.r.unexpected(p) == "") == c.apart {
				t.Errorf("with a reason, unexpected: %q", c.r.unexpected(p))
			}
		})
	}
}

func TestInterruptedRunPlaysNoMore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var said strings.Builder
	p := player{out: &said}
	if unexpected, faults := p.playAll(ctx, []pair{{Name: "a"}, {Name: "b"}}); unexpected != 0 || faults != 2 || said.String() != "" {
		t.Errorf("%d unexpected, %d faults, and it said %q", unexpected, faults, said.String())
	}
}

// An adapter is copied with what it imports from the starters.
func TestCopiedAdapter(t *testing.T) {
	t.Chdir("../../..")
	root := t.TempDir()
	if err := copyModules(root, "lab/adapters/node/openai-run-tools", protocolForNode); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"lab/adapters/node/openai-run-tools/adapter.mjs", "packages/starters/protocol/node/protocol.mjs"} {
		if _, err := os.Stat(filepath.Join(root, file)); err != nil {
			t.Error(err)
		}
	}
}
