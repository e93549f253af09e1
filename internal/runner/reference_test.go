package runner

import (
	"context"
	"encoding/json"
	"flag"
	"net/http"
	"slices"
	"testing"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

func caseOf(c report.Case) trace.Case {
	return trace.Case{Scenario: c.Scenario, Dialect: c.Dialect, Profile: c.Profile, Delivery: wire.Delivery(c.Delivery)}
}

func quoteJSON(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

var referenceClaims = claims.Without()

// commandClaims are what the reference loop claims as a command, which can only print its answer
// and cannot be cancelled, and which is played without a server of MCP.
var commandClaims = slices.DeleteFunc(claims.For(claims.AnyLoop), func(f protocol.Feature) bool {
	return f == protocol.Images || f == protocol.Compaction || f == protocol.MCPTools || f == protocol.ChangingTools
})

// otherDesign are rules about what the reference loop does not do: it ends at an answer that the
// token limit cut, does not have the provider pause behind a summary, and asks clouds where OpenAI is.
// Correct loops that ask for the rest, or the pause, or elsewhere, keep them, in the tests of
// internal/faults. A rule that is otherwise tested stands behind the scenario in which it is not.
var otherDesign = map[string]bool{
	"finish/half-in-request-for-rest": true, "finish/half-in-answer": true, "finish/compaction-is-continued": true,
	"egress/deployment-version": true, "egress/publisher-named": true,
	"egress/cut-arguments egress/arguments-parse": true,
}

var allCases = flag.Bool("all-cases", false, "play all cases to the reference loop, as CI does, and not only those of the short plan")

// TestReferenceLoopIsConformant plays the short plan to the reference loop, or everything. Every
// rule that a scenario lists finds its evidence in every case of that scenario, every rule does in
// one, and nothing is broken.
func TestReferenceLoopIsConformant(t *testing.T) {
	t.Parallel()
	r := inMemory(t, Config{Seed: 41, Claims: loops.Claims{Dialects: profiles.Dialects(profiles.All()), Features: referenceClaims, Profiles: []string{"**"}}, Select: Select{Quick: !*allCases}}, referenceOver)
	want := report.Partial
	if *allCases {
		want = report.Conformant
	}
	if r.Result != want {
		t.Errorf("the result is %s, want %s", r.Result, want)
	}
	library, err := catalog.Scenarios(nil, profiles.Known{})
	if err != nil {
		t.Fatal(err)
	}
	plan := &Plan{scenarios: map[string]*scenarios.Scenario{}, profiles: map[string]*profiles.Profile{}}
	for _, s := range library {
		plan.scenarios[s.ID] = s
	}
	for _, p := range profiles.All() {
		plan.profiles[p.Name] = p
	}
	for _, c := range r.Cases {
		for _, f := range c.Findings {
			t.Errorf("%s: %s: %s; expected %s, actual %s", c.ID, f.Rule, f.Message, f.Expected, f.Actual)
		}
		for _, id := range plan.listed(caseOf(c)) {
			leftToProvider := rulebook.Lookup(id).Returned && c.Verdicts[id] == trace.Unclaimed // which kept the conversation
			if c.Verdicts[id] != trace.Passed && !leftToProvider && !otherDesign[id] && !otherDesign[c.Scenario+" "+id] {
				t.Errorf("%s gives no evidence for %s, which it lists", c.ID, id)
			}
		}
	}
	for _, rule := range r.Rules {
		want := trace.Passed
		if otherDesign[rule.ID] {
			want = trace.Unclaimed
		}
		if rule.Verdict != want {
			t.Errorf("%s is %s", rule.ID, rule.Verdict)
		}
	}
	for _, id := range untestedByQuick(t, r) {
		t.Errorf("%s is not tested by the short plan", id)
	}
}

// untestedByQuick returns the rules that pass in no case of the short plan: it is short, not blind.
func untestedByQuick(t *testing.T, whole *report.Report) []string {
	t.Helper()
	config := Config{Claims: loops.Claims{Dialects: profiles.Dialects(profiles.All()), Features: referenceClaims}, Select: Select{Quick: true}}
	plan, err := newPlan(config, config.options(profiles.Known{}).Hello("reference", ""))
	if err != nil {
		t.Fatal(err)
	}
	short := map[string]bool{}
	for _, c := range plan.Cases {
		short[c.ID()] = true
	}
	passed := map[string]bool{}
	for _, c := range whole.Cases {
		for id, verdict := range c.Verdicts {
			passed[id] = passed[id] || short[c.ID] && verdict == trace.Passed
		}
	}
	return slices.DeleteFunc(rulebook.IDs(), func(id string) bool {
		ofDraft := rulebook.Lookup(id).Dialect != nil && rulebook.Lookup(id).Dialect.Draft // which is played where it is named
		return passed[id] || otherDesign[id] || ofDraft
	})
}

// TestReferenceLoopInEveryFormat: whatever its record is written in, it tells the truth.
func TestReferenceLoopInEveryFormat(t *testing.T) {
	for _, format := range transcript.Names(false) {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			r := inMemory(t, Config{
				Seed:   41,
				Claims: loops.Claims{Features: referenceClaims, Profiles: []string{"**"}},
				Select: Select{Quick: true, Scenarios: []string{"record/**", "execution/**", "pairing/**", "history/**", "limits/**"}},
			}, func(way http.RoundTripper) loops.Func {
				return func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
					task.TranscriptFormat = format
					return referenceOver(way)(ctx, task)
				}
			})
			for _, c := range r.Cases {
				for _, f := range c.Findings {
					t.Errorf("%s: %s: %s; expected %s, actual %s", c.ID, f.Rule, f.Message, f.Expected, f.Actual)
				}
			}
			for _, rule := range r.With(trace.Failed) {
				t.Errorf("%s is failed", rule.ID)
			}
			if schema := "record/" + format + "-schema"; !slices.ContainsFunc(r.With(trace.Passed), func(rule report.Rule) bool { return rule.ID == schema }) {
				t.Errorf("%s was not judged", schema)
			}
			for _, other := range transcript.Names(false) {
				schema := "record/" + other + "-schema"
				if other != format && !slices.ContainsFunc(r.With(trace.Unclaimed), func(rule report.Rule) bool { return rule.ID == schema }) {
					t.Errorf("%s is not unclaimed", schema)
				}
			}
		})
	}
}
