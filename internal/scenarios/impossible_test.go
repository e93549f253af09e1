package scenarios_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/scenarios"
)

// TestConditionsThatCannotHold: a `when` that no request can fit is a mistake, and the error says
// where and why.
func TestConditionsThatCannotHold(t *testing.T) {
	for _, c := range []struct{ scenario, step, want string }{
		{"", "turn: 3, turn-from: 4", "x.yaml:5:30: no request fits: `turn-from` is 4, and `turn` is 3; leave one of them away"},
		{"turn: 1", "turn-from: 2", "x.yaml:5:21: no request fits: `turn-from` is 2, and `turn` of the scenario is 1; leave one of them away"},
		{"turn-from: 3", "turn: 2", "x.yaml:5:16: no request fits: `turn` is 2, and `turn-from` of the scenario is 3"},
		{"turn: 1", "turn: 2", "x.yaml:5:16: no request fits: `turn` is 2, and `turn` of the scenario is 1"},
		{"", "turn: 2, round: 3", "x.yaml:5:26: no request fits: `round` is 3, and `turn` is 2: no round has more turns than the conversation"},
		{"turn: 2", "round: 3", "x.yaml:5:17: no request fits: `round` is 3, and `turn` of the scenario is 2"},
		{"round: 1", "round: 2", "x.yaml:5:17: no request fits: `round` is 2, and `round` of the scenario is 1"},
		{"wants-json: true", "wants-json: false", "x.yaml:5:22: no request fits: `wants-json` is false, and `wants-json` of the scenario is true"},

		{"", "user: {equals: Hi, contains: Oslo}", "x.yaml:5:16: no request fits: a user text that is \"Hi\" is none that contains \"Oslo\""},
		{"", "model: {equals: a, matches: ^b}", "x.yaml:5:17: no request fits: a model that is \"a\" is none that matches /^b/"},
		{"", "result: {tool: t, equals: a, contains: b}", "x.yaml:5:18: no request fits: a result that is \"a\" is none that contains \"b\""},
		{"user: Hi", "user: Ho", "x.yaml:5:16: no request fits: a user text that is \"Hi\", as the scenario wants it, is none that is \"Ho\""},
		{"user: {contains: Oslo}", "user: Hi", "x.yaml:5:16: no request fits: a user text that is \"Hi\" is none that contains \"Oslo\", as the scenario wants it"},
		{"", "headers: {X-A: a, x-a: b}", "x.yaml:5:19: no request fits: a header X-A that is \"a\" is none that is \"b\""},
		{"fields: {/a: x}", "fields: {/a: y}", "x.yaml:5:18: no request fits: a field /a that is \"x\", as the scenario wants it, is none that is \"y\""},

		{"", "turn: 2, not: {turn: 2}", "x.yaml:5:24: no request fits: `not` excludes turn 2"},
		{"", "turn: 4, not: {turn-from: 3}", "x.yaml:5:24: no request fits: `not` excludes turn 3 or later"},
		{"", "turn-from: 4, not: {turn-from: 3}", "x.yaml:5:29: no request fits: `not` excludes turn 3 or later"},
		{"", "not: {turn-from: 1}", "x.yaml:5:15: no request fits: `not` excludes turn 1 or later"},
		{"", "round: 1, not: {round: 1}", "x.yaml:5:25: no request fits: `not` excludes round 1"},
		{"", "wants-json: true, not: {wants-json: true}", "x.yaml:5:33: no request fits: `not` excludes wants-json true"},
		{"", "tools: [a, b], not: {tools: [b]}", "x.yaml:5:30: no request fits: `not` excludes tools b"},
		{"", "result: {tool: t}, not: {result: {}}", "x.yaml:5:34: no request fits: `not` excludes result"},
		{"", "user: {contains: in Oslo}, not: {user: {contains: Oslo}}", "x.yaml:5:42: no request fits: `not` excludes user contains \"Oslo\""},
		{"", "user: Hi, not: {user: {matches: '^H'}}", "x.yaml:5:25: no request fits: `not` excludes user matches /^H/"},
		{"", "not: {user: {contains: ''}}", "x.yaml:5:15: no request fits: `not` excludes user contains \"\""},
		{"not: {user: Hi}", "user: Hi", "x.yaml:5:9: no request fits: `not` of the scenario excludes user is \"Hi\""},
		{"turn: 2", "not: {turn: 2}", "x.yaml:5:15: no request fits: `not` excludes turn 2"},
	} {
		_, err := scenarios.Parse("x.yaml", impossible(c.scenario, c.step), vocabulary)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("{%s} and {%s}: the error is\n%v\nwithout\n%s", c.scenario, c.step, err, c.want)
		}
		if err != nil && strings.Count(err.Error(), "no request fits") != 1 {
			t.Errorf("{%s} and {%s}: more than one error: %v", c.scenario, c.step, err)
		}
	}
}

// Conditions that some request fits are taken.
func TestConditionsThatCanHold(t *testing.T) {
	for _, c := range []struct{ scenario, step string }{
		{"", "turn: 4, turn-from: 3"}, {"turn-from: 2", "turn-from: 4"}, {"", "turn: 3, round: 3"}, {"", "turn-from: 2, round: 3"},
		{"", "round: 1, result: {}"}, // the user says something besides the results
		{"", "turn: 1, result: {}"},  // of a call that the history does not have
		{"", "user: {equals: In Oslo., contains: Oslo, matches: '^In'}"},
		{"user: {contains: Oslo}", "user: {contains: Lima}"}, {"user: {matches: a}", "user: {matches: b}"},
		{"", "user: Hi, first-user: Ho"}, {"", "headers: {X-A: a, X-B: b}"}, {"", "fields: {/a: x, /A: y}"},
		{"", "turn: 2, not: {turn: 3}"}, {"", "turn-from: 2, not: {turn-from: 4}"}, {"", "turn-from: 2, not: {turn: 2}"}, {"", "tools: [a], not: {tools: [a, b]}"},
		{"", "result: {tool: t}, not: {result: {tool: u}}"}, {"", "result: {}, not: {result: {tool: t}}"},
		{"", "user: {contains: Oslo}, not: {user: {contains: in Oslo}}"}, {"", "user: {contains: a}, not: {user: {matches: b}}"}, {"", "user: Hi, not: {user: Ho}"},
		{"", "not: {wants-json: true}, wants-json: false"}, {"not: {user: Hi}", "user: Ho"}, {"", "not: {system: {contains: a}}, user: a"},
	} {
		if _, err := scenarios.Parse("x.yaml", impossible(c.scenario, c.step), vocabulary); err != nil {
			t.Errorf("{%s} and {%s}: %v", c.scenario, c.step, err)
		}
	}
}

func impossible(scenario, step string) []byte {
	return []byte("loopproof: 1\ntitle: x\nwhen: {" + scenario + "}\nmodel:\n- when: {" + step + "}\n  text: a\n")
}
