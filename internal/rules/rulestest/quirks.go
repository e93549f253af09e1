package rulestest

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// EveryQuirkCase are the cases of quirks that show in calls and in answers.
func EveryQuirkCase(quirks ...string) []Case {
	cases := CallQuirkCases(quirks...)
	return append(cases, answerQuirkCases(quirks...)...)
}

// Showing returns a scene whose first turn shows a quirk, as an ordinary stream under a profile
// that shows it.
func (s Setting) Showing(quirk string) Setting {
	var by []string
	for _, d := range dialect.All() { // the words of a quirk are those of the first that has it
		for _, p := range profiles.Of(d.Name, profiles.All()) {
			if _, shown := p.Quirk(quirk); shown {
				by = append(by, p.Name)
			}
		}
	}
	s.profile = by[0]
	if slices.Contains(by, "gateway") { // which is regular but for the quirk
		s.profile = "gateway"
	}
	s.Scenario = strings.Replace(s.Scenario, "\nmodel:\n  - ", "\nmodel:\n  - quirks: ["+quirk+"]\n    ", 1)
	return s.By(wire.DeliverSSE)
}

// Does is what findings about a quirk begin with.
func Does(quirk string) string {
	q, _ := profiles.QuirkNamed(profiles.All(), quirk)
	return "the provider " + q.Does + ", and "
}

// OwnIDs returns calls without an id under ids of the loop's own.
const OwnIDs = `
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

// BothCities is how findings list the calls of [TwoCities].
const BothCities = `get_weather "{\"city\":\"Oslo\"}", get_weather "{\"city\":\"Lima\"}"`

// CallQuirkCases are cases that every rule about quirks in calls has, for each of its quirks.
func CallQuirkCases(quirks ...string) []Case {
	cases := []Case{SeesNothing("no quirk", TwoCities.By(wire.DeliverSSE), TwoCitiesDone)}
	for _, quirk := range quirks {
		done := TwoCitiesDone
		if quirk == "call-id-missing" || quirk == "call-id-empty" {
			done = OwnIDs
			cases = append(cases, Holds(quirk+", and the order is for history/calls-in-their-order", TwoCities.Showing(quirk), ownIDsBackwards))
		}
		cases = append(cases,
			Holds(quirk, TwoCities.Showing(quirk), done),
			Breaks(quirk+", and a call is lost", TwoCities.Showing(quirk), OneCityDone,
				Found(1, "", Does(quirk)+"the call lima was not run", `one run with "{\"city\":\"Lima\"}"`, "none")),
			Breaks(quirk+", and the loop ends", TwoCities.Showing(quirk), `
				asks
				failed: no JSON`,
				Found(1, "", Does(quirk)+"the loop ended at a turn with tool calls", BothCities, `the loop reported failed: "no JSON"`)))
	}
	return cases
}

// answerQuirkCases are cases that every rule about quirks in answers has, for each of its quirks.
func answerQuirkCases(quirks ...string) []Case {
	cases := []Case{SeesNothing("no quirk in the answer", OneCity.By(wire.DeliverSSE), OneCityDone)}
	for _, quirk := range quirks {
		scene := OneCity.Answering(quirk)
		cases = append(cases,
			Holds(quirk+" in an answer", scene, OneCityDone),
			SeesNothing(quirk+" in an answer that was never asked for", scene, `
				asks
				failed: no`),
			Breaks(quirk+", and the text is lost", scene, `
				asks
				runs oslo
				asks on
					calls oslo
					result oslo
				completed: It is`,
				Found(2, "", Does(quirk)+"the reported answer is not the model's", `the answer "It is 4 C in Oslo."`, `"It is"`)))
	}
	return cases
}

// Answering is [Setting.Showing] for the last turn.
func (s Setting) Answering(quirk string) Setting {
	s.profile = s.Showing(quirk).profile
	s.Scenario = strings.TrimRight(s.Scenario, "\n") + "\n    quirks: [" + quirk + "]\n"
	return s.By(wire.DeliverSSE)
}
