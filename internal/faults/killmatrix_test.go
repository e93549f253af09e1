package faults

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/engine/toolserver"
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// TestMain collects garbage seldom, since what the loops leave behind is small.
func TestMain(m *testing.M) {
	flag.Parse()
	if *extent != "all" && *extent != "sample" {
		fmt.Fprintf(os.Stderr, "-kill-matrix is %q, expected all or sample\n", *extent)
		os.Exit(2)
	}
	if !slices.ContainsFunc(catalog.Library{}.IDs(), isWithin) {
		fmt.Fprintf(os.Stderr, "-kill-scenarios is %q, which matches no scenario\n", *within)
		os.Exit(2)
	}
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// TestKillMatrix judges every fault, and compares the rules that it breaks with those that it
// declares, in the cases in which it changes anything.
func TestKillMatrix(t *testing.T) {
	for _, p := range played() {
		if !judgedIn(p.dialect, p.Name, p.Dialects()) {
			continue
		}
		t.Run(p.Name+"@"+p.dialect, func(t *testing.T) {
			t.Parallel()
			if err := p.judge(t); err != nil {
				t.Error(err)
			}
		})
	}
}

// extent is how much of the kill matrix is judged.
var extent = flag.String("kill-matrix", "sample", `how much is judged: "sample", in one dialect unless tests are chosen with -run, or "all" for every case in which a fault changes anything`)

// everyRehearsal is for whoever changes how a fault is shown what was recorded.
var everyRehearsal = flag.Bool("kill-rehearse", false, "rehearse each fault in every case, also where it is known without whether it changes anything, and compare; takes three times as long")

// within are the scenarios to which the kill matrix is narrowed, for whoever adds one: nothing but
// what is declared may be broken in them, and what is declared need not show.
var within = flag.String("kill-scenarios", "", `judge all cases of the scenarios that match, and of no others: "finish/*"`)

// By default a fault is judged in so many scenarios, each under one profile, and looked for in so
// many.
const (
	sampled  = 2
	searched = 16
)

// judgedIn reports whether a fault or variation is judged in one of its dialects. All tests
// together leave time for one of them only, another one for each name; tests that are chosen with
// -run are judged in all.
func judgedIn(dialect, name string, dialects []string) bool {
	chosen := flag.Lookup("test.run").Value.String() != ""
	if *extent == "all" || *within != "" || chosen {
		return true
	}
	return dialect == dialects[family{}.place(name)%uint64(len(dialects))]
}

// atMost is how many scenarios are judged: so many, or all when all are asked for.
func atMost(sample int) int {
	if *extent == "all" || *within != "" {
		return math.MaxInt
	}
	return sample
}

// judge compares the rules that a fault breaks with those that it declares, in the cases in which
// it changes anything. By default these are a sample of them. When the sample does not show all
// declared rules, the other cases are played, too.
func (p performance) judge(t *testing.T) error {
	rehearsed, err := archived.of(t, p)
	if err != nil {
		return err
	}
	most, look := atMost(sampled), atMost(searched)
	declared := slices.Sorted(slices.Values(p.BreaksIn(p.dialect)))
	var broken, shown []string
	for left := rehearsed.families(p); len(left) > 0; most, look = 4*most, math.MaxInt {
		var cases []string
		cases, left = rehearsed.affected(t, p, left, most, look)
		if len(cases) == 0 {
			continue
		}
		r, err := p.play(t, cases)
		if err != nil {
			return err
		}
		broken, shown = append(broken, failed(r)...), append(shown, undeclared(r, declared)...)
		broken = slices.Compact(slices.Sorted(slices.Values(broken)))
		if slices.Equal(broken, declared) || len(shown) > 0 {
			break
		}
	}
	switch {
	case slices.Equal(broken, declared), *within != "" && len(shown) == 0:
		return nil
	case len(broken) == 0:
		return fmt.Errorf("%s\nbreaks nothing in any case", p.Does)
	}
	return fmt.Errorf("%s\nbreaks   %s\ndeclares %s\n%s", p.Does, strings.Join(broken, ", "), strings.Join(declared, ", "), strings.Join(shown, "\n"))
}

// config is what is played to a fault.
func (p performance) config() runner.Config {
	return runner.Config{Seed: 41, Untraced: true, ToolServer: toolserver.ForRun, Claims: loops.Claims{Dialects: []string{p.dialect}, Features: p.features, Designs: p.designs, Profiles: p.profiles}, Select: runner.Select{Quick: true}}
}

// performance is a fault in a dialect, with what is claimed for it.
type performance struct {
	hooks.Fault
	dialect  string
	features []protocol.Feature
	designs  []protocol.Design
	profiles []string
}

func played() []performance {
	var all []performance
	for _, f := range All() {
		for _, dialect := range f.Dialects() {
			all = append(all, performance{Fault: f, dialect: dialect, features: f.Claims(), profiles: profilesIn(f.Profiles, dialect)})
		}
	}
	return all
}

// concerns reports whether a fault is judged in a scenario. One that only changes the record which
// an outcome hands over changes nothing that other rules see, so that those will do which are about
// records.
func (p performance) concerns(s *scenarios.Scenario) bool {
	about := func(rule string) bool { return strings.HasPrefix(rule, "record/") }
	return p.Area() != "record" || strings.HasPrefix(s.ID, "record/") || slices.ContainsFunc(s.Rules, about)
}

// failed returns the rules that are broken, but for those that only are since a loop summarised its
// history unasked: from there on, all may be.
func failed(r *report.Report) []string {
	var ids []string
	for _, rule := range r.Rules {
		findings := slices.DeleteFunc(findingsOf(r, rule.ID), func(f report.Finding) bool { return f.Because == rulebook.UnaskedSummary })
		if rule.Verdict == trace.Failed && len(findings) > 0 {
			ids = append(ids, rule.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// findingsOf returns what a rule found in all cases.
func findingsOf(r *report.Report, rule string) (all []report.Finding) {
	for _, c := range r.Cases {
		for _, f := range c.Findings {
			if f.Rule == rule {
				all = append(all, f)
			}
		}
	}
	return all
}

// undeclared shows the first findings that were not declared.
func undeclared(r *report.Report, declared []string) []string {
	var lines []string
	for _, c := range r.Cases {
		for _, f := range c.Findings {
			if !slices.Contains(declared, f.Rule) && f.Because != rulebook.UnaskedSummary && len(lines) < 5 {
				lines = append(lines, fmt.Sprintf("%s %s: %s; expected %s, actual %s", c.ID, f.Rule, f.Message, f.Expected, f.Actual))
			}
		}
	}
	return lines
}

func TestFaultsAreDescribed(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range All() {
		areas := slices.Compact(slices.Sorted(func(yield func(string) bool) {
			for _, r := range rulebook.Book() {
				if !yield(r.Area()) {
					return
				}
			}
		}))
		if !slices.Contains(areas, f.Area()) {
			t.Errorf("%s: there is no area %s", f.Name, f.Area())
		}
		if seen[f.Name] {
			t.Errorf("two faults are called %s", f.Name)
		}
		seen[f.Name] = true
		if !strings.HasSuffix(f.Does, ".") || len(f.Breaks) == 0 {
			t.Errorf("%s: a fault says in a sentence what it does, and which rules it breaks", f.Name)
		}
		if (f.Only|f.Unless != 0) != strings.HasSuffix(f.Elsewhere, ".") {
			t.Errorf("%s: a fault that is left out of a dialect says why in a sentence, and no other", f.Name)
		}
		if len(f.Dialects()) == 0 {
			t.Errorf("%s: no dialect can tell the fault", f.Name)
		}
		for _, id := range f.Breaks {
			if rulebook.Lookup(id) == nil {
				t.Errorf("%s declares the rule %s, which does not exist", f.Name, id)
			}
		}
	}
}

// TestFaultsAreInTheirFolder: the folder of a fault that is about no dialect is the area in its name.
func TestFaultsAreInTheirFolder(t *testing.T) {
	for _, f := range All() {
		if f.Dialect != "" {
			continue
		}
		in := func(file string) bool {
			text, err := os.ReadFile(file)
			return err == nil && strings.Contains(string(text), strconv.Quote(f.Name))
		}
		files, err := filepath.Glob(filepath.Join(f.Area(), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(files, in) {
			t.Errorf("%s is not in the folder %s", f.Name, f.Area())
		}
	}
}

// shownByRuns are consequences that no fault shows, and the test TestExplain of the rulebook does.
var shownByRuns = []string{"pairing/result-names-a-call", "outcome/run-ends", "history/prompts-sent", "outcome/no-made-up-answer"}

// TestEveryConsequenceIsShown: some fault breaks both rules.
func TestEveryConsequenceIsShown(t *testing.T) {
	all := All()
	for _, rule := range rulebook.Book() {
		for _, c := range rulebook.Consequences(rule) {
			shown := slices.Contains(shownByRuns, c.Rule) || slices.Contains(shownByRuns, c.From)
			for _, f := range all {
				shown = shown || slices.Contains(f.Breaks, c.Rule) && slices.Contains(f.Breaks, c.From)
			}
			if !shown {
				t.Errorf("no fault breaks %s and %s", c.Rule, c.From)
			}
		}
	}
}
