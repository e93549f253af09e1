package rules_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/rules"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

func numbers(exchanges []*trace.Exchange) []int {
	var n []int
	for _, x := range exchanges {
		n = append(n, x.Number)
	}
	return n
}

// TestRun: garbage, and requests of other conversations, are no part of a run.
func TestRun(t *testing.T) {
	run := TwoRounds.Play(t, `
		sends garbage
		asks
		sends {"messages":[{"role":"user","content":"Find a title."},{"role":"tool","tool_call_id":"x","content":"y"}]}
		asks
			prompt 1
			calls oslo
			result oslo
		asks on
			assistant: Lima is warmer.
		completed`)
	if diff := cmp.Diff([]int{2, 4, 5}, numbers(run.Conversation())); diff != "" {
		t.Errorf("taken (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{2, 4}, numbers(run.Served())); diff != "" {
		t.Errorf("served (-want +got):\n%s", diff)
	}
	if !run.UsedTools() || run.Last().Number != 4 {
		t.Errorf("it used tools: %v, the last one is %d", run.UsedTools(), run.Last().Number)
	}
	if next := run.Next(run.Exchanges[1]); next.Number != 4 {
		t.Errorf("after request 2 comes %d", next.Number)
	}
	if next := run.Next(run.Exchanges[4]); next != nil {
		t.Errorf("after the last request comes %d", next.Number)
	}
	if run.Exchanges[0].Problem == "" || run.Exchanges[0].Request != nil {
		t.Error("garbage has no problem")
	}
}

func TestCaseID(t *testing.T) {
	c := trace.Case{Scenario: "pairing/single-call", Dialect: "chat", Profile: "openai", Delivery: wire.DeliverSSE}
	if id := c.ID(); id != "pairing/single-call@chat/openai/sse" {
		t.Errorf("the id is %q", id)
	}
}

// TestContains: what counts as saying something.
func TestContains(t *testing.T) {
	const said = "Über \"uns\"\n4 C\n"
	for text, want := range map[string]bool{
		"Über \"uns\"\n4 C":                                true,
		"Result: Über \"uns\"\n4 C, it says":               true,
		`"Über \"uns\"\n4 C"`:                              true,
		`{"a":["\u00dcber \u0022uns\u0022\u000a4 C"]}`:     true,
		`Result: {"a":"\u00dcber \"uns\"\n4 C"} (cached)`:  true,
		`{"a":"{\"b\":\"\\u00dcber \\\"uns\\\"\\n4 C\"}"}`: true,
		`Über "uns"`:                    false,
		"":                              false,
		`{"a":"\u00dcber \"uns\" 4 C"}`: false,
		`{"a":`:                         false,
		`}{`:                            false,
		`"`:                             false,
	} {
		if rules.ContainsText(text, said) != want {
			t.Errorf("%q says it: %v", text, !want)
		}
	}
	for text, want := range map[string]bool{
		`{"tags":["ü"],"id":7}`:                      true,
		`{"result": {"id": 7.0, "tags":["\u00fc"]}}`: true,
		`[{"id":7,"tags":["ü"]}]`:                    true,
		`{"id":7}`:                                   false,
		`{"id":7,"tags":["u"]}`:                      false,
	} {
		if rules.ContainsText(text, ` { "id": 7, "tags": ["ü"] } `) != want {
			t.Errorf("%s has the value: %v", text, !want)
		}
	}
}

// TestDescribeEnd: of a long message both ends are shown, since Python ends a traceback with the
// error, and Node begins with it.
func TestDescribeEnd(t *testing.T) {
	traceback := "Traceback (most recent call last):\n" + strings.Repeat("  File \"agent.py\", line 120, in main\n", 20) + "RuntimeError: the stream ended early"
	for _, test := range []struct{ message, want string }{
		{"no text", `the loop reported failed: "no text"`},
		{strings.Repeat("é", rules.MaxShown), `the loop reported failed: "` + strings.Repeat("é", rules.MaxShown) + `"`},
		{traceback, `the loop reported failed: "Traceback (most recent call last):\n  File \"agent.py\", line 120, " … "py\", line 120, in main\n  File \"agent.py\", line 120, in main\nRuntimeError: the stream ended early" (811 characters)`},
	} {
		run := &rules.Run{Run: trace.Run{Outcome: &protocol.Outcome{Status: protocol.Failed, Error: test.message}}}
		if diff := cmp.Diff(test.want, run.DescribeEnd()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
