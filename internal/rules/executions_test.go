package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/wire"
)

// TestExecutions says to which call each run of a tool is counted, and which belong to none.
func TestExecutions(t *testing.T) {
	for _, test := range []struct {
		name     string
		in       setting
		dialogue string
		want     []string
	}{
		{"by the ids of the calls", twoCities, `
			asks
			runs lima
			runs oslo
			completed`, []string{"oslo: Oslo", "lima: Lima"}},
		{"by the arguments, without ids", twoCities, `
			asks
			runs get_weather { "city": "Lima" }
			runs get_weather {"city":"Oslo"}
			completed`, []string{"oslo: Oslo", "lima: Lima"}},
		{"by the arguments, under the loop's own ids", twoCities, `
			asks
			runs lima as 1
			runs oslo as 2
			completed`, []string{"oslo: Oslo", "lima: Lima"}},
		{"an id outweighs the arguments", twoCities, `
			asks
			runs oslo with {"city":"Lima"}
			runs lima with {"city":"Oslo"}
			completed`, []string{"oslo: Lima", "lima: Oslo"}},
		{"changed arguments go to the call that is left", twoCities, `
			asks
			runs get_weather {"city":"Rome"}
			runs get_weather {"city":"Oslo"}
			completed`, []string{"oslo: Oslo", "lima: Rome"}},
		{"changed arguments do not take the call of others that come later", twoCities, `
			asks
			runs get_weather {"city":"Rome"}
			runs get_weather {"city":"Oslo"}
			runs get_weather {"city":"Lima"}
			completed`, []string{"oslo: Oslo", "lima: Lima", "uncalled get_weather: Rome"}},
		{"equal calls, without ids", twoDice, `
			asks
			runs throw_die {"sides":6}
			runs throw_die {"sides":6}
			completed`, []string{"first: 6", "second: 6"}},
		{"one call too many", twoDice, `
			asks
			runs throw_die {"sides":6}
			runs throw_die {"sides":6}
			runs throw_die {"sides":6}
			completed`, []string{"first: 6, 6", "second: 6"}},
		{"equal calls of two turns, without ids", samePrice, `
			asks
			runs get_price {"share":"ACME"}
			asks on
				calls first
				result first
			runs get_price {"share":"ACME"}
			completed`, []string{"first: ACME", "again: ACME"}},
		{"twice before the second call was made", samePrice, `
			asks
			runs get_price {"share":"ACME"}
			runs get_price {"share":"ACME"}
			asks on
				calls first
				result first
			completed`, []string{"first: ACME, ACME", "again:"}},
		{"one id in two turns", repeatedIDs, `
			asks
			runs author
			asks on
				calls author
				result author
			runs year
			completed`, []string{"author: Faust author", "year: Faust year"}},
		{"no arguments, in three ways", blankTime, `
			asks
			runs get_time
			runs get_time null
			runs get_time {}
			completed`, []string{"time: nothing, nothing, nothing"}},
		{"null for what the model left out", dials, `
			asks
			runs set_dials {"name":"a","level":1,"gain":null}
			completed`, []string{"set: a"}},
		{"before the model was asked", oneCity, `
			runs get_weather {"city":"Oslo"}
			asks
			completed`, []string{"oslo:", "uncalled get_weather: Oslo"}},
		{"another tool than was called", twoTools, `
			asks
			runs get_time {"city":"Lima"}
			completed`, []string{"lima:", "uncalled get_time: Lima"}},
		{"a tool that does not exist", madeUp, `
			asks
			runs open_browser {"url":"https://example.com"}
			completed`, []string{"browser: https://example.com", "oslo:"}},
		{"calls of broken and truncated turns are counted too", cutAfterCall, `
			asks
			asks on
				calls list
				result list
			runs second with {}
			completed`, []string{"list:", "first:", "second: nothing"}},
		{"calls of a turn that was never served are none", twoRounds, `
			asks
			runs get_weather {"city":"Oslo"}
			runs get_weather {"city":"Lima"}
			completed`, []string{"oslo: Oslo", "uncalled get_weather: Lima"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := test.in.play(t, test.dialogue)
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
func firstArguments(executions ...*Execution) string {
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
