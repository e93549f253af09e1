package fuzzing

import (
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// TestCompare: two runs of one conversation that completed are to be alike.
func TestCompare(t *testing.T) {
	answer := "Text 1."
	c := &Conversation{Prompts: []Prompt{{Text: "Question 1.", Turns: []Turn{{}}}}}
	c.Prompts[0].Turns[0].Step.Text = &answer
	played := func(scenario, dialect string, d wire.Delivery, status protocol.Status, text string, runs ...string) runner.Played {
		run := trace.Run{Case: trace.Case{Scenario: scenario, Dialect: dialect, Profile: dialect, Delivery: d}, Outcome: &protocol.Outcome{Status: status, Text: text}}
		for _, arguments := range runs {
			run.Executions = append(run.Executions, &trace.Execution{Tool: "get_weather", Arguments: arguments})
		}
		return runner.Played{Case: report.Case{ID: scenario, Scenario: scenario, Profile: dialect, Delivery: string(d)}, Run: &rules.Run{Run: run}}
	}
	b := newBatch()
	b.conversations["c"], b.comparisons["c"] = c, "c-without-failures"
	caching := func(p runner.Played) runner.Played {
		p.Run.Designs = []protocol.Design{protocol.CachedResults}
		return p
	}
	first := played("c", "chat", wire.DeliverJSON, protocol.Completed, answer, `{"city":"Oslo"}`)
	for _, test := range []struct {
		name  string
		other runner.Played
		want  string
	}{
		{"the same", played("c", "messages", wire.DeliverJSON, protocol.Completed, answer, `{ "city": "Oslo" }`), ""},
		{"another answer in another dialect", played("c", "messages", wire.DeliverJSON, protocol.Completed, "No.", `{"city":"Oslo"}`), sameDialects},
		{"the texts of earlier turns before it in a stream", played("c", "chat", wire.DeliverSSE, protocol.Completed, "I look it up."+answer, `{"city":"Oslo"}`), ""},
		{"no answer in a stream", played("c", "chat", wire.DeliverSSE, protocol.Completed, "", `{"city":"Oslo"}`), sameDeliveries},
		{"a run more in a stream", played("c", "chat", wire.DeliverSSE, protocol.Completed, answer, `{"city":"Oslo"}`, `{"city":"Oslo"}`), sameDeliveries},
		{"a run more in a stream, which a cache of results did not spare", caching(played("c", "chat", wire.DeliverSSE, protocol.Completed, answer, "{\n\"city\":\"Oslo\"}", `{"city":"Oslo"}`)), ""},
		{"other arguments", played("c", "chat", wire.DeliverSSE, protocol.Completed, answer, `{"city":"Lima"}`), sameDeliveries},
		{"another run without a failure", played("c-without-failures", "chat", wire.DeliverJSON, protocol.Completed, answer), sameFailures},
		{"it gave up, which rules are about", played("c", "chat", wire.DeliverSSE, protocol.Failed, ""), ""},
		{"another dialect and another delivery", played("c", "messages", wire.DeliverSSE, protocol.Completed, "No."), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			all := []ended{whatRemains(first), whatRemains(test.other)}
			if test.want == sameFailures {
				slices.Reverse(all) // comparisons are played first
			}
			hits := (&fuzzer{}).compare(b, all)
			got := ""
			if len(hits) > 0 {
				got = hits[0].finding.Rule
			}
			if got != test.want || len(hits) > 1 {
				t.Errorf("found %q in %d places, want %q", got, len(hits), test.want)
			}
		})
	}
}

// TestCompareLeavesToThePlainStream: an odd delivery is judged only beside the plain stream. Where
// that one breaks a rule, the same mistake in the odd one is no finding of its own.
func TestCompareLeavesToThePlainStream(t *testing.T) {
	answer := "Text 2."
	c := &Conversation{Prompts: []Prompt{{Text: "Question 1.", Turns: []Turn{{}}}}}
	c.Prompts[0].Turns[0].Step.Text = &answer
	b := newBatch()
	b.conversations["c"] = c
	whole := ended{scenario: "c", dialect: "chat", profile: "openai", delivery: wire.DeliverJSON, good: true, text: answer}
	in := func(d wire.Delivery, good bool, text string) ended {
		return ended{scenario: "c", dialect: "chat", profile: "openai", delivery: d, good: good, text: text}
	}
	elsewhere := in(wire.DeliverSSE, false, "")
	elsewhere.profile = "mistral"
	for _, test := range []struct {
		name   string
		played []ended
		want   int
	}{
		{"the plain stream was not played", []ended{whole, in(wire.DeliverMerged, true, "Text 1.")}, 1},
		{"the plain stream breaks a rule", []ended{whole, in(wire.DeliverSSE, false, ""), in(wire.DeliverMerged, true, "Text 1.")}, 0},
		{"the plain stream of another profile breaks a rule", []ended{whole, elsewhere, in(wire.DeliverMerged, true, "Text 1.")}, 1},
		{"only the odd stream breaks a rule", []ended{whole, in(wire.DeliverSSE, true, "Text 1."), in(wire.DeliverMerged, false, "")}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			if hits := (&fuzzer{}).compare(b, test.played); len(hits) != test.want {
				t.Errorf("found %d differences, want %d: %+v", len(hits), test.want, hits)
			}
		})
	}
}

// TestCommentOfAComparison: loopproof run compares nothing, and passes a scenario in which a loop
// differs from itself. The file says what shows the difference.
func TestCommentOfAComparison(t *testing.T) {
	f := &fuzzer{Config: Config{Seed: 41}}
	for rule, want := range map[string]bool{sameDeliveries: true, "outcome/final-text": false} {
		text := strings.Join(f.comment(&Finding{Finding: report.Finding{Rule: rule, Message: "it differs"}, Number: 27}), " ")
		if got := strings.Contains(text, "loopproof fuzz --seed 41 --conversation 27"); got != want {
			t.Errorf("%s: names the command %t, want %t: %s", rule, got, want, text)
		}
	}
}
