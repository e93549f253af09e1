package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// TestExecutions says to which call each run of a tool is counted, and which belong to none.
func TestExecutions(t *testing.T) {
	for _, test := range []struct {
		name     string
		in       Setting
		dialogue string
		want     []string
	}{
		{"by the ids of the calls", TwoCities, `
			asks
			runs lima
			runs oslo
			completed`, []string{"oslo: Oslo", "lima: Lima"}},
		{"by the arguments, without ids", TwoCities, `
			asks
			runs get_weather { "city": "Lima" }
			runs get_weather {"city":"Oslo"}
			completed`, []string{"oslo: Oslo", "lima: Lima"}},
		{"by the arguments, under the loop's own ids", TwoCities, `
			asks
			runs lima as 1
			runs oslo as 2
			completed`, []string{"oslo: Oslo", "lima: Lima"}},
		{"an id outweighs the arguments", TwoCities, `
			asks
			runs oslo with {"city":"Lima"}
			runs lima with {"city":"Oslo"}
			completed`, []string{"oslo: Lima", "lima: Oslo"}},
		{"changed arguments go to the call that is left", TwoCities, `
			asks
			runs get_weather {"city":"Rome"}
			runs get_weather {"city":"Oslo"}
			completed`, []string{"oslo: Oslo", "lima: Rome"}},
		{"the arguments of all calls were lost, and the tool fails for each", TwoCities, `
			asks
			runs get_weather {}
			runs get_weather {}
			completed`, []string{"oslo: nothing", "lima: nothing"}},
		{"the arguments of all calls were lost, and one of them was tried again", TwoCities, `
			asks
			runs get_weather {}
			runs get_weather {}
			runs get_weather {}
			completed`, []string{"oslo: nothing, nothing, nothing", "lima:"}},
		{"the arguments of one call were lost, and it was tried again", TwoCities, `
			asks
			runs get_weather {"city":"Oslo"}
			runs get_weather {}
			runs get_weather {}
			completed`, []string{"oslo: Oslo", "lima: nothing, nothing"}},
		{"the arguments of a call were lost, and it was tried again before the next turn", TwoRounds, `
			asks
			runs get_weather {}
			runs get_weather {}
			asks on
				calls oslo
				result oslo
			runs get_weather {"city":"Lima"}
			completed`, []string{"oslo: nothing, nothing", "lima: Lima"}},
		{"changed arguments do not take the call of others that come later", TwoCities, `
			asks
			runs get_weather {"city":"Rome"}
			runs get_weather {"city":"Oslo"}
			runs get_weather {"city":"Lima"}
			completed`, []string{"oslo: Oslo", "lima: Lima", "uncalled get_weather: Rome"}},
		{"equal calls, without ids", TwoDice, `
			asks
			runs throw_die {"sides":6}
			runs throw_die {"sides":6}
			completed`, []string{"first: 6", "second: 6"}},
		{"one call too many", TwoDice, `
			asks
			runs throw_die {"sides":6}
			runs throw_die {"sides":6}
			runs throw_die {"sides":6}
			completed`, []string{"first: 6, 6", "second: 6"}},
		{"of equal calls the one that was not denied, under an id of the loop's own", Scene(strings.NewReplacer("prompt:", "needs: [tool-approvals]\nprompt:", "results: [", "needs-approval: true\n    results: [", "as: first,", "as: first, denied: No.,").Replace(TwoDice.Scenario)), `
			asks
			runs second as 1
			completed`, []string{"first:", "second: 6"}},
		{"failed equal calls, tried again without ids", Scene(strings.Replace(TwoDice.Scenario, `text: "4"`, "fail: It fell off the table.", 1)), `
			asks
			runs throw_die {"sides":6}
			runs throw_die {"sides":6}
			runs throw_die {"sides":6}
			runs throw_die {"sides":6}
			completed`, []string{"first: 6, 6", "second: 6, 6"}},
		{"equal calls of two turns, without ids", SamePrice, `
			asks
			runs get_price {"share":"ACME"}
			asks on
				calls first
				result first
			runs get_price {"share":"ACME"}
			completed`, []string{"first: ACME", "again: ACME"}},
		{"of a loop with a cache, the run of the call before", SamePrice.Of(protocol.CachedResults), `
			asks
			runs first
			asks on
				calls first
				result first
			asks on
				calls again
				result again
			completed`, []string{"first: ACME", "again: ACME"}},
		{"of a loop with a cache that ended before it said so", SamePrice.Of(protocol.CachedResults), `
			asks
			runs first
			asks on
				calls first
				result first
			completed`, []string{"first: ACME", "again:"}},
		{"twice before the second call was made", SamePrice, `
			asks
			runs get_price {"share":"ACME"}
			runs get_price {"share":"ACME"}
			asks on
				calls first
				result first
			completed`, []string{"first: ACME, ACME", "again:"}},
		{"one id in two turns", RepeatedIDs, `
			asks
			runs author
			asks on
				calls author
				result author
			runs year
			completed`, []string{"author: Faust author", "year: Faust year"}},
		{"one id in two turns, of which the first could not be run", Scene(strings.Replace(RepeatedIDs.Scenario, `'{"query":"Faust author"}'`, "'{query: 1}'", 1)), `
			asks
			asks on
				calls author
				result author: Error: no JSON
			runs year
			completed`, []string{"author:", "year: Faust year"}},
		{"no arguments, in three ways", BlankTime, `
			asks
			runs get_time
			runs get_time null
			runs get_time {}
			completed`, []string{"time: nothing, nothing, nothing"}},
		{"null for what the model left out", Dials, `
			asks
			runs set_dials {"name":"a","level":1,"gain":null}
			completed`, []string{"set: a"}},
		{"before the model was asked", OneCity, `
			runs get_weather {"city":"Oslo"}
			asks
			completed`, []string{"oslo:", "uncalled get_weather: Oslo"}},
		{"another tool than was called", TwoTools, `
			asks
			runs get_time {"city":"Lima"}
			completed`, []string{"lima:", "uncalled get_time: Lima"}},
		{"a tool that does not exist", MadeUp, `
			asks
			runs open_browser {"url":"https://example.com"}
			completed`, []string{"browser: https://example.com", "oslo:"}},
		{"calls of broken and truncated turns are counted too", CutAfterCall, `
			asks
			asks on
				calls list
				result list
			runs second with {}
			completed`, []string{"list:", "first:", "second: nothing"}},
		{"calls of a turn that was never served are none", TwoRounds, `
			asks
			runs get_weather {"city":"Oslo"}
			runs get_weather {"city":"Lima"}
			completed`, []string{"oslo: Oslo", "uncalled get_weather: Lima"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := test.in.Play(t, test.dialogue)
			var got []string
			for _, c := range run.Calls() {
				got = append(got, c.Call.As+":"+firstArguments(c.Executions...))
			}
			for _, e := range run.Uncalled() {
				got = append(got, fmt.Sprintf("uncalled %s:%s", e.Tool, firstArguments(e)))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("executions (-want +got):\n%s", diff)
			}
		})
	}
}

// firstArguments returns the first argument of each run.
func firstArguments(executions ...*trace.Execution) string {
	text := ""
	for i, e := range executions {
		if i > 0 {
			text += ","
		}
		value := "nothing"
		if node, err := wire.ParseNode([]byte(e.Arguments)); err == nil && len(node.Members) > 0 {
			value = strings.Trim(string(node.Members[0].Value.Raw), `"`)
		}
		text += " " + value
	}
	return text
}
