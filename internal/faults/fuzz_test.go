package faults

import (
	"context"
	"flag"
	"net/http"
	"path"
	"slices"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/engine/virtualtime"
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/fuzzing"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// How much is fuzzed: so many conversations a loop, drawn from a seed, in dialects and of names
// that match a pattern.
var (
	fuzzed     = flag.Int("fuzz-conversations", 0, "fuzz every fault with so many conversations, and tell the share that is found; 0: fuzz a few")
	fuzzedFrom = flag.Uint64("fuzz-seed", 1, "draw the conversations of this seed")
	fuzzedIn   = flag.String("fuzz-dialect", "*", "fuzz loops in the dialects that match")
	fuzzedBy   = flag.String("fuzz-faults", everyLoop, "fuzz the faults or variations that match")
	fuzzedOf   = flag.Int("fuzz-every", 1, "fuzz one fault in so many")
	fuzzedTo   = flag.String("fuzz-result", "", "add what became of each loop to this file as it is known, a line of JSON each; what the file tells already is not played again")
)

// sampledForFuzzing are faults that conversations drawn at random find soon.
var sampledForFuzzing = []string{"pairing/drops-the-last-result", "history/forgets-the-first-round"}

// TestFuzzFindsFaults lets loopproof fuzz alone look for faults, without the scenarios of the
// library.
func TestFuzzFindsFaults(t *testing.T) {
	most := max(*fuzzed, 40)
	results := openFuzzResults(t)
	t.Run("each", func(t *testing.T) {
		for _, p := range fuzzedFaults(t) {
			t.Run(p.Name+"@"+p.dialect, func(t *testing.T) {
				t.Parallel()
				known, ok := results.of(p, *fuzzedFrom)
				if !ok || !known.found() && known.Conversations < most {
					known = p.search(t, most)
					results.add(t, known)
				}
				if *fuzzed == 0 && !known.found() {
					t.Error("it is not found")
				}
			})
		}
	})
	if *fuzzed > 0 {
		t.Log(results.tables())
	}
}

// fuzzedFaults are the faults that the flags select: a few without flags.
func fuzzedFaults(t *testing.T) (chosen []performance) {
	t.Helper()
	fitting := 0
	for _, p := range played() {
		if !p.fuzzes(sampledForFuzzing) {
			continue
		}
		if fitting++; fitting%*fuzzedOf == 0 {
			chosen = append(chosen, p)
		}
	}
	if len(chosen) == 0 {
		t.Fatalf("-fuzz-faults %q with -fuzz-dialect %q and -fuzz-every %d selects no fault", *fuzzedBy, *fuzzedIn, *fuzzedOf)
	}
	return chosen
}

// fuzzes reports whether the flags select a loop: without flags, those of the sample in one dialect.
func (p performance) fuzzes(sample []string) bool {
	if *fuzzed == 0 && *fuzzedBy == everyLoop && (!slices.Contains(sample, p.Name) || p.dialect != "chat") {
		return false
	}
	dialect, _ := path.Match(*fuzzedIn, p.dialect)
	name, _ := path.Match(*fuzzedBy, p.Name)
	return dialect && name
}

// everyLoop is the pattern that matches the name of every fault and variation.
const everyLoop = "*/*"

// search plays conversations to a fault until one finds it.
func (p performance) search(t *testing.T, most int) fuzzResult {
	began := time.Now()
	result := fuzzLoop(t, p, fuzzing.Config{Seed: *fuzzedFrom, Most: most, Strict: true, First: true})
	told := p.result(result, time.Since(began))
	if len(result.Findings) == 0 && p.onlyInfo() {
		told.Verdict = fuzzInfo
	}
	return told
}

// fuzzLoop plays conversations to a fault or a variation, in simulated time.
func fuzzLoop(t *testing.T, p performance, with fuzzing.Config) (result fuzzing.Result) {
	t.Helper()
	virtualtime.Run(t, func(t *testing.T, n *virtualtime.Network) {
		config := p.config()
		config.Select, config.Listen = runner.Select{}, n.Listen
		config.Loop = loops.Func(func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
			return p.Told(p.Make().CarryOut(ctx, task, refloop.Loop{Backoff: time.Millisecond}, http.RoundTripper(n))), nil
		})
		session, err := runner.Open(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close()
		with.Session, with.Known = session, profiles.Known{}
		if result, err = fuzzing.Run(t.Context(), with); err != nil && len(result.Findings) == 0 && !p.onlyInfo() {
			t.Error(err) // what was not played finds nothing; a loop that sleeps for a day hangs in what is only told
		}
		session.Close()
		time.Sleep(time.Hour) // simulated: loops that still wait end
	})
	return result
}

// onlyInfo reports whether a fault breaks only rules whose violation is told, and fails no loop.
func (p performance) onlyInfo() bool {
	broken := p.BreaksIn(p.dialect)
	return len(broken) > 0 && !slices.ContainsFunc(broken, func(id string) bool { return rulebook.Lookup(id).Level != trace.Info })
}

// TestFuzzSparesTheReferenceLoop lets loopproof fuzz look for rules that the reference loop breaks,
// shoulds among them: a fault that breaks such a rule would be found by chance.
func TestFuzzSparesTheReferenceLoop(t *testing.T) {
	results := openFuzzResults(t)
	for _, p := range fuzzedReference() {
		t.Run(p.dialect, func(t *testing.T) {
			t.Parallel()
			p.spared(t, results, true)
		})
	}
}

// fuzzedReference is the reference loop, in the dialects that the flags select.
func fuzzedReference() (chosen []performance) {
	reference := hooks.Fault{Name: "reference/loop", Make: func() hooks.Mutation { return hooks.Mutation{} }}
	for _, dialect := range reference.Dialects() {
		p := performance{Fault: reference, dialect: dialect, profiles: []string{"**"}, features: claims.Without(protocol.Transcript, protocol.Events)}
		if p.fuzzes([]string{reference.Name}) {
			chosen = append(chosen, p)
		}
	}
	return chosen
}

// spared plays conversations to a loop that is right, and fails with those that break a rule.
func (p performance) spared(t *testing.T, results *fuzzResults, strict bool) {
	t.Helper()
	most := max(*fuzzed, 20)
	if known, ok := results.of(p, *fuzzedFrom); ok && !known.found() && known.Conversations >= most {
		return
	}
	began := time.Now()
	result := fuzzLoop(t, p, fuzzing.Config{Seed: *fuzzedFrom, Most: most, Strict: strict})
	for _, f := range result.Findings {
		t.Errorf("%s is broken by conversation %d:\n%s", f.Rule, f.Number, f.File)
	}
	if result.Cases == 0 {
		t.Error("nothing was played")
	}
	results.add(t, p.result(result, time.Since(began)))
}

// variationsForFuzzing are loops that differ much from the reference loop.
var variationsForFuzzing = []string{"execution/one-after-the-other", "results/wrapped"}

// TestFuzzSparesVariations lets loopproof fuzz look for musts that correct loops break: there is
// none.
func TestFuzzSparesVariations(t *testing.T) {
	results := openFuzzResults(t)
	chosen := fuzzedVariations()
	if len(chosen) == 0 && len(fuzzedReference()) == 0 {
		t.Fatalf("-fuzz-faults %q with -fuzz-dialect %q selects no variation, and not the reference loop", *fuzzedBy, *fuzzedIn)
	}
	for _, p := range chosen {
		t.Run(p.Name+"@"+p.dialect, func(t *testing.T) {
			t.Parallel()
			p.spared(t, results, false)
		})
	}
}

// fuzzedVariations are the variations that the flags select: a few without flags.
func fuzzedVariations() (chosen []performance) {
	for _, v := range Variations() {
		for _, dialect := range v.Dialects() {
			p := performance{Fault: v.Fault(), dialect: dialect, profiles: profilesIn(v.Profiles, dialect), features: v.Claims(), designs: v.Designs}
			if p.fuzzes(variationsForFuzzing) {
				chosen = append(chosen, p)
			}
		}
	}
	return chosen
}
