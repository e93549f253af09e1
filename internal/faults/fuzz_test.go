package faults

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/fuzzing"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/virtualtime"
	"github.com/loopproof/loopproof/protocol"
)

// How much of the kill matrix is fuzzed: so many conversations a fault, in dialects and of names that match a pattern.
var (
	fuzzed   = flag.Int("fuzz-conversations", 0, "fuzz every fault with so many conversations, and tell the share that is found; 0: fuzz a few")
	fuzzedIn = flag.String("fuzz-dialect", "*", "fuzz faults in the dialects that match")
	fuzzedBy = flag.String("fuzz-faults", "*/*", "fuzz the faults that match")
	fuzzedOf = flag.Int("fuzz-every", 1, "fuzz one fault in so many")
	fuzzedTo = flag.String("fuzz-result", "", "write what became of each fault to this file")
)

// sampledForFuzzing are faults that conversations drawn at random find soon.
var sampledForFuzzing = []string{"pairing/drops-the-last-result", "history/forgets-the-first-round"}

// TestFuzzFindsFaults lets loopproof fuzz alone look for faults, without the scenarios of the library.
func TestFuzzFindsFaults(t *testing.T) {
	s := &fuzzShares{}
	most := *fuzzed
	t.Run("each", func(t *testing.T) {
		fitting := 0
		for _, p := range played() {
			if *fuzzed == 0 && (!slices.Contains(sampledForFuzzing, p.Name) || p.dialect != "chat") || !p.fuzzes() {
				continue
			}
			if fitting++; fitting%*fuzzedOf != 0 {
				continue
			}
			t.Run(p.Name+"@"+p.dialect, func(t *testing.T) {
				t.Parallel()
				found := p.fuzz(t, max(most, 40))
				s.note(p, found)
				if *fuzzed == 0 && found == nil {
					t.Error("it is not found")
				}
			})
		}
	})
	if *fuzzed > 0 {
		t.Log(s.String())
	}
	if *fuzzedTo != "" {
		if err := os.WriteFile(*fuzzedTo, []byte(strings.Join(s.lines, "")), 0o666); err != nil {
			t.Error(err)
		}
	}
}

func (p performance) fuzzes() bool {
	dialect, _ := path.Match(*fuzzedIn, p.dialect)
	name, _ := path.Match(*fuzzedBy, p.Name)
	return dialect && name
}

// fuzz plays conversations that are drawn at random to a fault, and returns the first finding, or nil.
func (p performance) fuzz(t *testing.T, most int) *fuzzing.Finding {
	result := fuzzLoop(t, p, fuzzing.Config{Seed: 1, Most: most, Strict: true, First: true})
	if len(result.Findings) == 0 {
		return nil
	}
	return &result.Findings[0]
}

// fuzzLoop plays conversations to a fault or a variation, in simulated time.
func fuzzLoop(t *testing.T, p performance, with fuzzing.Config) (result fuzzing.Result) {
	t.Helper()
	virtualtime.Run(t, func(t *testing.T, n *virtualtime.Network) {
		config := p.config()
		config.Select, config.Listen = runner.Select{}, n.Listen
		config.Loop = runner.LoopFunc(func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			return p.told(p.Make().carryOut(ctx, task, refloop.Loop{Backoff: time.Millisecond}, http.RoundTripper(n))), nil
		})
		session, err := runner.Open(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close()
		with.Session, with.Known = session, profiles.Known{}
		if result, err = fuzzing.Run(t.Context(), with); err != nil && len(result.Findings) == 0 {
			t.Error(err) // what was not played finds nothing
		}
		session.Close()
		time.Sleep(time.Hour) // simulated: loops that still wait end
	})
	return result
}

// fuzzShares are the faults that were found, by area. It is safe for use by many tests.
type fuzzShares struct {
	mu    sync.Mutex
	areas []*fuzzShare
	lines []string
}

type fuzzShare struct {
	area       string
	found, all int
	told       int // break nothing but what is only told
}

func (s *fuzzShares) note(p performance, found *fuzzing.Finding) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.areas, func(known *fuzzShare) bool { return known.area == p.area() })
	if i < 0 {
		i, s.areas = len(s.areas), append(s.areas, &fuzzShare{area: p.area()})
	}
	share, line := s.areas[i], "missed"
	share.all++
	switch {
	case found != nil:
		share.found++
		line = fmt.Sprintf("found %s in %s of conversation %d", found.Rule, found.Case, found.Number)
	case p.onlyInfo():
		share.told++
		line = "info"
	}
	s.lines = append(s.lines, fmt.Sprintf("%s@%s\t%s\t%s\n", p.Name, p.dialect, strings.Join(p.BreaksIn(p.dialect), " "), line))
}

// onlyInfo reports whether a fault breaks only rules whose violation is told, and fails no loop.
func (p performance) onlyInfo() bool {
	return !slices.ContainsFunc(p.BreaksIn(p.dialect), func(id string) bool { return rulebook.Lookup(id).Level != trace.Info })
}

func (s *fuzzShares) String() string {
	var b strings.Builder
	sum := fuzzShare{area: "all"}
	for _, a := range s.areas {
		sum.found, sum.all, sum.told = sum.found+a.found, sum.all+a.all, sum.told+a.told
	}
	for _, a := range append(s.areas, &sum) {
		fmt.Fprintf(&b, "\n%-10s %4d of %4d found, %.0f %%; %d of the others break nothing but info", a.area, a.found, a.all, 100*float64(a.found)/float64(max(1, a.all)), a.told)
	}
	return b.String()
}

// TestFuzzSparesTheReferenceLoop lets loopproof fuzz look for rules that the reference loop breaks, shoulds among them: a fault
// that breaks such a rule would be found by chance.
func TestFuzzSparesTheReferenceLoop(t *testing.T) {
	reference := Fault{Name: "reference/loop", Make: func() Mutation { return Mutation{} }}
	for _, dialect := range reference.Dialects() {
		p := performance{Fault: reference, dialect: dialect, profiles: []string{"**"}, features: reference.Claims()}
		if *fuzzed == 0 && dialect != "chat" || !p.fuzzes() {
			continue
		}
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			result := fuzzLoop(t, p, fuzzing.Config{Seed: 1, Most: max(*fuzzed, 20), Strict: true})
			for _, f := range result.Findings {
				t.Errorf("%s is broken by conversation %d:\n%s", f.Rule, f.Number, f.File)
			}
			if result.Cases == 0 {
				t.Error("nothing was played")
			}
		})
	}
}

// variationsForFuzzing are loops that differ much from the reference loop.
var variationsForFuzzing = []string{"execution/one-after-the-other", "results/wrapped"}

// TestFuzzSparesVariations lets loopproof fuzz look for musts that correct loops break: there is none.
func TestFuzzSparesVariations(t *testing.T) {
	for _, v := range Variations() {
		for _, dialect := range v.Dialects() {
			p := performance{Fault: v.fault(), dialect: dialect, profiles: v.profilesIn(dialect), features: v.Claims(), designs: v.Designs}
			if *fuzzed == 0 && (!slices.Contains(variationsForFuzzing, v.Name) || dialect != "chat") || !p.fuzzes() {
				continue
			}
			t.Run(v.Name+"@"+dialect, func(t *testing.T) {
				t.Parallel()
				result := fuzzLoop(t, p, fuzzing.Config{Seed: 1, Most: max(*fuzzed, 20)})
				for _, f := range result.Findings {
					t.Errorf("%s is broken:\n%s", f.Rule, f.File)
				}
				if result.Cases == 0 {
					t.Error("nothing was played")
				}
			})
		}
	}
}
