package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// showing returns a scene whose first turn shows a quirk, as an ordinary stream under a profile that shows it.
func (s setting) showing(quirk string) setting {
	var by []string
	for _, p := range profiles.All() {
		if _, shown := p.Quirk(quirk); shown {
			by = append(by, p.Name)
		}
	}
	s.profile = by[0]
	if slices.Contains(by, "gateway") { // which is regular but for the quirk
		s.profile = "gateway"
	}
	s.scenario = strings.Replace(s.scenario, "\nmodel:\n  - ", "\nmodel:\n  - quirks: ["+quirk+"]\n    ", 1)
	return s.by(wire.DeliverSSE)
}

// does is what findings about a quirk begin with.
func does(quirk string) string {
	q, _ := profiles.QuirkNamed(profiles.All(), quirk)
	return "the provider " + q.Does + ", and "
}

// ownIDs returns calls without an id under ids of the loop's own.
const ownIDs = `
	asks
	runs oslo as -
	runs lima as -
	asks on
		{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}},{"id":"b","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Lima\"}"}}]}
		{"role":"tool","tool_call_id":"a","content":"4 C"}
		{"role":"tool","tool_call_id":"b","content":"19 C"}
	completed`

// ownIDsBackwards is a loop that sends the calls back in reverse.
const ownIDsBackwards = `
	asks
	runs oslo as -
	runs lima as -
	asks on
		{"role":"assistant","tool_calls":[{"id":"b","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Lima\"}"}},{"id":"a","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
		{"role":"tool","tool_call_id":"b","content":"19 C"}
		{"role":"tool","tool_call_id":"a","content":"4 C"}
	completed`

const bothCities = `get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}"`

// callQuirkCases are cases that every rule about quirks in calls has, for each of its quirks.
func callQuirkCases(quirks ...string) []ruleCase {
	cases := []ruleCase{seesNothing("no quirk", twoCities.by(wire.DeliverSSE), twoCitiesDone)}
	for _, quirk := range quirks {
		done := twoCitiesDone
		if quirk == "call-id-missing" || quirk == "call-id-empty" {
			done = ownIDs
			cases = append(cases, holds(quirk+", and the order is for history/calls-in-their-order", twoCities.showing(quirk), ownIDsBackwards))
		}
		cases = append(cases,
			holds(quirk, twoCities.showing(quirk), done),
			breaks(quirk+", and a call is lost", twoCities.showing(quirk), oneCityDone,
				finding{1, "", does(quirk) + "the call lima was not run", `one run with "{\"city\":\"Lima\"}"`, "none"}),
			breaks(quirk+", and the loop ends", twoCities.showing(quirk), `
				asks
				failed: no JSON`,
				finding{1, "", does(quirk) + "the loop ended at a turn with tool calls", bothCities, `the loop reported failed: "no JSON"`}))
	}
	return cases
}

// answerQuirkCases are cases that every rule about quirks in answers has, for each of its quirks.
func answerQuirkCases(quirks ...string) []ruleCase {
	cases := []ruleCase{seesNothing("no quirk in the answer", oneCity.by(wire.DeliverSSE), oneCityDone)}
	for _, quirk := range quirks {
		scene := oneCity.answering(quirk)
		cases = append(cases,
			holds(quirk+" in an answer", scene, oneCityDone),
			seesNothing(quirk+" in an answer that was never asked for", scene, `
				asks
				failed: no`),
			breaks(quirk+", and the text is lost", scene, `
				asks
				runs oslo
				asks on
					calls oslo
					result oslo
				completed: It is`,
				finding{2, "", does(quirk) + "the reported answer is not the model's", `the answer "It is 4 C in Oslo."`, `"It is"`}))
	}
	return cases
}

// answering is [setting.showing] for the last turn.
func (s setting) answering(quirk string) setting {
	s.profile = s.showing(quirk).profile
	s.scenario = strings.TrimRight(s.scenario, "\n") + "\n    quirks: [" + quirk + "]\n"
	return s.by(wire.DeliverSSE)
}

var quirkLogic = []ruleCase{
	holds("under an id of the loop's own", twoCities.showing("call-id-missing"), ownIDs),
	holds("of a loop whose tools are its own", twoCities.showing("call-index-shared"), `
		asks
		asks on
			calls oslo, lima
			result oslo
			result lima
		completed`),
	holds("what the loop does without the quirk as well", twoCities.showing("call-index-shared").beside(oneCityDone), oneCityDone),
	breaks("a call is run twice", twoCities.showing("call-index-shared"), `
		asks
		runs oslo
		runs lima
		runs lima
		asks on
			calls oslo, lima
			result oslo
			result lima
		completed`,
		finding{1, "", does("call-index-shared") + "the call lima was run 2 times", `one run with "{\"city\":\"Lima\"}"`, `get_weather with "{\"city\":\"Lima\"}", get_weather with "{\"city\":\"Lima\"}"`}),
	breaks("the arguments are another call's", oneCity.showing("call-index-negative"), `
		asks
		runs oslo with {"city":"Lima"}
		asks on
			calls oslo
			result oslo
		completed`,
		finding{1, "", does("call-index-negative") + "the call oslo was run with other arguments", `one run with "{\"city\":\"Oslo\"}"`, `get_weather with "{\"city\":\"Lima\"}"`}),
	breaks("a call comes back that nobody made", oneCity.showing("call-index-negative"), `
		asks
		runs oslo
		asks on
			{"role":"assistant","tool_calls":[{{oslo call}},{"id":"x","type":"function","function":{"name":"","arguments":""}}]}
			result oslo
			{"role":"tool","tool_call_id":"x","content":"Error: no such tool"}
		completed`,
		finding{2, "/messages/1", does("call-index-negative") + "1 call came back that the model did not make", `get_weather "{\"city\":\"Oslo\"}"`,
			`[{{oslo call}},{"id":"x","type":"function","function":{"name":"","arguments":""}}]`}),
	breaks("without an id", oneCity.showing("call-id-empty"), `
		asks
		runs oslo as -
		asks on
			{"role":"assistant","tool_calls":[{"id":"","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
			{"role":"tool","tool_call_id":"","content":"4 C"}
		completed`,
		finding{2, "/messages/1/tool_calls/0", does("call-id-empty") + "the call oslo came back without an id", "an id that its result has too",
			`{"id":"","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`}),
	breaks("another id", oneCity.showing("call-id-long"), `
		asks
		runs oslo
		asks on
			{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
			{"role":"tool","tool_call_id":"a","content":"4 C"}
		completed`,
		finding{2, "/messages/1/tool_calls/0", does("call-id-long") + "the call oslo came back under another id", `the id "{{oslo}}"`,
			`{"id":"a","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`}),
	breaks("a crash", oneCity.showing("call-index-negative"), `
		asks
		crashed`,
		finding{1, "", does("call-index-negative") + "the loop ended at a turn with tool calls", `get_weather "{\"city\":\"Oslo\"}"`, "the loop crashed"}),
}

// TestQuirkLogic tests what all rules about quirks share, with a rule about any of them.
func TestQuirkLogic(t *testing.T) {
	var names []string
	for _, q := range profiles.AllQuirks(profiles.All()) {
		names = append(names, q.Name)
	}
	rule := &Rule{ID: "stream/any-quirk", Level: Must, Quirks: names}
	for _, c := range quirkLogic {
		t.Run(string(c.kind)+"/"+c.name, func(t *testing.T) { c.check(t, rule) })
	}
}

// TestRulesAboutQuirks: each quirk belongs to a rule, and a scenario with quirks lists the rules about them and others
// that look at single requests.
func TestRulesAboutQuirks(t *testing.T) {
	owners := map[string]string{}
	for _, rule := range Book() {
		for _, name := range rule.Quirks {
			if _, known := profiles.QuirkNamed(profiles.All(), name); !known {
				t.Errorf("%s is about the quirk %s, which does not exist", rule.ID, name)
			}
			if owners[name] != "" {
				t.Errorf("%s and %s are both about the quirk %s", owners[name], rule.ID, name)
			}
			owners[name] = rule.ID
		}
	}
	asked := map[string]bool{}
	all, err := scenarios.Load(scenarios.Files(), Vocabulary(profiles.All()))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		for _, name := range s.Quirks() {
			asked[name] = true
			if !contains(fmt.Sprint(s.Rules), owners[name]) {
				t.Errorf("%s asks for the quirk %s and does not list the rule %s", s.ID, name, owners[name])
			}
		}
	}
	for _, q := range profiles.AllQuirks(profiles.All()) {
		if owners[q.Name] == "" {
			t.Errorf("no rule is about the quirk %s", q.Name)
		}
		if len(profiles.Quirks(profiles.All())[q.Name]) == 0 {
			t.Errorf("no profile shows the quirk %s", q.Name)
		}
		if !asked[q.Name] {
			t.Errorf("no scenario asks for the quirk %s", q.Name)
		}
	}
}
