package rulebook_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/rulebook"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// reasoningTwice thinks before each of two calls.
var reasoningTwice = Scene(`system: You are terse.
` + WeatherTool + `
prompt: Compare the weather in Oslo and Lima.
model:
  - reasoning: First Oslo.
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - reasoning: Then Lima.
    calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - text: Lima is warmer.
`)

// A run of reasoningTwice whose third request says something else instead of a part of the second.
const boundRun = `
	asks with {"thinking":{"type":"adaptive"},"system":"You are terse."}
		prompt 1
	runs oslo
	asks on with {"thinking":{"type":"adaptive"},"system":"You are terse."}
		calls oslo
		results oslo
	runs lima
	asks with {"thinking":{"type":"adaptive"},"system":"You are terse."}
		prompt 1
		calls oslo
		results oslo
		calls lima
		results lima
	completed`

// TestChangesBeforeBoundReasoning: the newest models of Anthropic refuse reasoning after a
// conversation that has changed; others lose no more than their cache.
func TestChangesBeforeBoundReasoning(t *testing.T) {
	last := strings.LastIndex(boundRun, "asks with")
	third := func(changes ...string) string { return boundRun[:last] + But(boundRun[last:], changes...) }
	unthinking := `calls oslo
		results oslo
		calls lima
		results lima`
	for _, test := range []struct {
		name, profile, run, rule string
		want                     trace.Level // "": no violation
	}{
		{"nothing changed", "anthropic-5.5", boundRun, "history/earlier-messages-unchanged", ""},
		{"an old result is shortened", "anthropic-5.5", third("results oslo", "result oslo: [cleared]"), "history/earlier-messages-unchanged", trace.Must},
		{"the time moves on in the system prompt", "anthropic-5.5", third("You are terse.", "You are terse. 12:01"), "history/earlier-messages-unchanged", trace.Must},
		{"the same with models that bind nothing", "anthropic", third("results oslo", "result oslo: [cleared]"), "history/earlier-messages-unchanged", trace.Should},
		{"blocks that do not fit are to be left out", "anthropic-5.5", third(`"type":"adaptive"`, `"type":"adaptive","block_binding":{"prefix_mismatch_behavior":"drop_block"}`, "results oslo", "result oslo: [cleared]"), "history/earlier-messages-unchanged", trace.Should},
		{"no reasoning goes back", "anthropic-5.5", third(unthinking, `{"role":"assistant","content":[{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo"}}]}
		result oslo: [cleared]
		{"role":"assistant","content":[{"type":"tool_use","id":"{{lima}}","name":"get_weather","input":{"city":"Lima"}}]}
		results lima`), "history/earlier-messages-unchanged", trace.Should},
		{"a tool is gone", "anthropic-5.5", third("asks with {", `asks with {"tools":[],`), "history/tools-stay", trace.Must},
		{"a tool is gone with models that bind nothing", "anthropic", third("asks with {", `asks with {"tools":[],`), "history/tools-stay", trace.Should},
	} {
		t.Run(test.name, func(t *testing.T) {
			j := rulebook.Lookup(test.rule).Judge(reasoningTwice.Under(test.profile).Play(t, test.run), claiming(protocol.Features()...))
			switch {
			case test.want == "" && j.Verdict != trace.Passed:
				t.Errorf("the verdict is %s: %v", j.Verdict, j.Findings)
			case test.want != "" && (j.Verdict != trace.Failed || j.Level != test.want || j.Findings[0].Level != test.want):
				t.Errorf("the verdict is %s (%s), want a failure as a %s: %v", j.Verdict, j.Level, test.want, j.Findings)
			}
		})
	}
}

// TestLevelsOfRecords: what only the documentation of one format demands is a should for records in
// others.
func TestLevelsOfRecords(t *testing.T) {
	for _, test := range []struct {
		name, run, rule string
		want            trace.Level
	}{
		{"another answer in the format that demands it", But(BothKept, `"content":"Lima is warmer."`, `"content":"No."`), "record/text-as-sent", trace.Must},
		{"another answer in messages of OpenAI", But(BothPlain, "assistant: Lima is warmer.", "assistant: No."), "record/text-as-sent", trace.Should},
		{"the result of a tool is gone, in messages of OpenAI", But(BothPlain, "result oslo\n\t\t\tresult lima\n\t\t\tassistant", "result oslo: ?\n\t\t\tresult lima\n\t\t\tassistant"), "record/result-is-the-tools", trace.Should},
		{"the same in those of ART", But(BothInART, `"content":"4 C"`, `"content":"?"`), "record/result-is-the-tools", trace.Must},
		{"no result for a call, which every provider refuses", But(BothPlain, "result lima\n\t\t\tassistant", "assistant"), "record/one-result-per-call", trace.Must},
	} {
		t.Run(test.name, func(t *testing.T) {
			j := rulebook.Lookup(test.rule).Judge(TwoCities.Play(t, test.run), claiming(protocol.Features()...))
			if j.Verdict != trace.Failed || j.Level != test.want || j.Findings[0].Level != test.want {
				t.Errorf("the verdict is %s (%s), want a failure as a %s: %v", j.Verdict, j.Level, test.want, j.Findings)
			}
		})
	}
}

// TestLevelsOfInBandErrors: that Messages answers with an error and the status 200 is documented
// for streams alone.
func TestLevelsOfInBandErrors(t *testing.T) {
	for _, test := range []struct {
		name string
		in   Setting
		want trace.Level
	}{
		{"an event of a stream of Messages", InBand.Under("anthropic").By(wire.DeliverSSE), trace.Must},
		{"the whole answer of Messages", InBand.Under("anthropic"), trace.Should},
		{"the whole answer of chat, as it was seen", InBand, trace.Must},
	} {
		t.Run(test.name, func(t *testing.T) {
			j := rulebook.Lookup("failure/in-band-error-reported").Judge(test.in.Play(t, AfterRound("completed: It is")), claiming(protocol.Features()...))
			if j.Verdict != trace.Failed || j.Level != test.want {
				t.Errorf("the verdict is %s (%s), want a failure as a %s: %v", j.Verdict, j.Level, test.want, j.Findings)
			}
		})
	}
}

// TestLevelsOfShortHistories: a window that slides over a conversation is a design; what is lost in
// the middle is lost.
func TestLevelsOfShortHistories(t *testing.T) {
	const begun = `
		asks
		asks on
			calls oslo
			result oslo
		asks on
			calls lima
			result lima
		asks
			prompt 1
			`
	for _, test := range []struct {
		name, last string
		want       trace.Level
	}{
		{"the oldest round is left out", "calls lima\nresult lima\ncalls rome\nresult rome\ncompleted", trace.Should},
		{"the two oldest are left out", "calls rome\nresult rome\ncompleted", trace.Must}, // of what was sent before, nothing is left
		{"one in the middle is left out", "calls oslo\nresult oslo\ncalls rome\nresult rome\ncompleted", trace.Must},
		{"a result is left out", "calls oslo\ncalls lima\nresult lima\ncalls rome\nresult rome\ncompleted", trace.Must},
	} {
		t.Run(test.name, func(t *testing.T) {
			j := rulebook.Lookup("history/only-grows").Judge(ThreeRounds.Play(t, begun+test.last), claiming(protocol.Features()...))
			if j.Verdict != trace.Failed || j.Level != test.want {
				t.Errorf("the verdict is %s (%s), want a failure as a %s: %v", j.Verdict, j.Level, test.want, j.Findings)
			}
		})
	}
}
