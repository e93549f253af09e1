package rules_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

var quirkLogic = []Case{
	Holds("under an id of the loop's own", TwoCities.Showing("call-id-missing"), OwnIDs),
	Holds("of a loop whose tools are its own", TwoCities.Showing("call-index-shared"), `
		asks
		asks on
			calls oslo, lima
			result oslo
			result lima
		completed`),
	Holds("what the loop does without the quirk as well", TwoCities.Showing("call-index-shared").Alongside(OneCityDone), OneCityDone),
	Breaks("a call is run twice", TwoCities.Showing("call-index-shared"), `
		asks
		runs oslo
		runs lima
		runs lima
		asks on
			calls oslo, lima
			result oslo
			result lima
		completed`,
		Found(1, "", Does("call-index-shared")+"the call lima was run 2 times", `one run with "{\"city\":\"Lima\"}"`, `get_weather with "{\"city\":\"Lima\"}", get_weather with "{\"city\":\"Lima\"}"`)),
	Breaks("the arguments are another call's", OneCity.Showing("call-index-negative"), `
		asks
		runs oslo with {"city":"Lima"}
		asks on
			calls oslo
			result oslo
		completed`,
		Found(1, "", Does("call-index-negative")+"the call oslo was run with other arguments", `one run with "{\"city\":\"Oslo\"}"`, `get_weather with "{\"city\":\"Lima\"}"`)),
	Breaks("a call comes back that nobody made", OneCity.Showing("call-index-negative"), `
		asks
		runs oslo
		asks on
			{"role":"assistant","tool_calls":[{{oslo call}},{"id":"x","type":"function","function":{"name":"","arguments":""}}]}
			result oslo
			{"role":"tool","tool_call_id":"x","content":"Error: no such tool"}
		completed`,
		Found(2, "/messages/1", Does("call-index-negative")+"1 call came back that the model did not make", `get_weather "{\"city\":\"Oslo\"}"`,
			`[{{oslo call}},{"id":"x","type":"function","function":{"name":"","arguments":""}}]`)),
	Breaks("without an id", OneCity.Showing("call-id-empty"), `
		asks
		runs oslo as -
		asks on
			{"role":"assistant","tool_calls":[{"id":"","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
			{"role":"tool","tool_call_id":"","content":"4 C"}
		completed`,
		Found(2, "/messages/1/tool_calls/0", Does("call-id-empty")+"the call oslo came back without an id", "an id that its result has too",
			`{"id":"","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`)),
	Breaks("another id", OneCity.Showing("call-id-long"), `
		asks
		runs oslo
		asks on
			{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
			{"role":"tool","tool_call_id":"a","content":"4 C"}
		completed`,
		Found(2, "/messages/1/tool_calls/0", Does("call-id-long")+"the call oslo came back under another id", `the id "{{oslo}}"`,
			`{"id":"a","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`)),
	Holds("an id of the loop's own, after an answer that is not odd in its ids", OneCity.Showing("call-index-negative"), `
		asks
		runs oslo
		asks on
			{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
			{"role":"tool","tool_call_id":"a","content":"4 C"}
		completed`),
	Holds("another id, also without the quirk", OneCity.Showing("call-id-long").Alongside(`
		asks
		runs oslo
		asks on
			{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
			{"role":"tool","tool_call_id":"a","content":"4 C"}
		completed`), `
		asks
		runs oslo
		asks on
			{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
			{"role":"tool","tool_call_id":"a","content":"4 C"}
		completed`),
	Holds("arguments that are no JSON come back as none", Scene(strings.Replace(OneCity.Scenario, `'{"city":"Oslo"}'`, "'{city: Oslo}'", 1)).Showing("call-index-negative"), `
		asks
		asks on
			{"role":"assistant","tool_calls":[{"id":"{{oslo}}","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
			{"role":"tool","tool_call_id":"{{oslo}}","content":"Error: the arguments are not JSON"}
		completed`),
	Breaks("a crash", OneCity.Showing("call-index-negative"), `
		asks
		crashed`,
		Found(1, "", Does("call-index-negative")+"the loop ended at a turn with tool calls", `get_weather "{\"city\":\"Oslo\"}"`, "the loop crashed")),
}

// TestQuirkLogic tests what all rules about quirks share, with a rule about any of them.
func TestQuirkLogic(t *testing.T) {
	rule := &rules.Rule{ID: "stream/any-quirk", Level: trace.Must}
	for _, q := range profiles.AllQuirks(profiles.All()) {
		rule.Quirks = append(rule.Quirks, rules.Quirk{Name: q.Name})
	}
	for _, c := range quirkLogic {
		t.Run(string(c.Kind)+"/"+c.Name, func(t *testing.T) { c.Check(t, rule) })
	}
}

// TestNeedsBaseline says which runs without quirks are compared with a plainer one.
func TestNeedsBaseline(t *testing.T) {
	failing := Scene(Talking.Scenario + "  - status: 503\n")
	for _, test := range []struct {
		name     string
		in       Setting
		dialogue string
		want     bool
	}{
		{"all is whole", TwoCities.By(wire.DeliverSSE), TwoCitiesDone, true},
		{"text beside calls, and a failure later", failing.By(wire.DeliverSSE), TwoCitiesDone, true},
		{"the same, not streamed", failing, TwoCitiesDone, false},
		{"the same, cut otherwise", failing.By(wire.DeliverBytes), TwoCitiesDone, false},
		{"a failure, and no text beside calls", Scene(TwoCities.Scenario + "  - status: 503\n").By(wire.DeliverSSE), TwoCitiesDone, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := test.in.Play(t, test.dialogue).NeedsBaseline(); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
}
