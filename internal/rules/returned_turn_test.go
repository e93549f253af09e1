package rules_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/rules"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// greeted is a conversation that the loop opens with words of its own.
const greeted = `
	asks
		assistant: Hello, how can I help?
		prompt 1
	asks on
		calls oslo
		result oslo
	completed`

// askedAgain asks twice for the same.
var askedAgain = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - calls: [{as: again, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is still 4 C.
`)

// cancelledAndAskedAgain makes two calls, whose prompt is cancelled, and one of them again beside
// another. The calls have no ids.
var cancelledAndAskedAgain = Scene("needs: [cancel, multi-prompt, parallel-calls]\n" + WeatherTool + `
prompts: [Compare the weather in Oslo and Lima., "No, in Rome and Oslo."]
model:
  - calls:
      - {as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}
      - {as: lima, tool: get_weather, arguments: '{"city":"Lima"}'}
    cancel: {during: tool, scope: prompt}
  - calls:
      - {as: rome, tool: get_weather, arguments: '{"city":"Rome"}'}
      - {as: again, tool: get_weather, arguments: '{"city":"Oslo"}'}
  - text: Rome is warmer.
`).Under("vertex")

// cancelledAndTheSameAgain makes a call, whose prompt is cancelled, and then the same call for the
// next prompt. The calls have no ids.
var cancelledAndTheSameAgain = Scene("needs: [cancel, multi-prompt]\n" + WeatherTool + `
prompts: [What is the weather in Lima and in Oslo?, "No, only in Oslo."]
model:
  - calls: [{as: first, tool: get_weather, arguments: '{"city":"Lima"}'}]
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
    cancel: {during: tool, scope: prompt}
  - calls: [{as: again, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C.
`).Under("vertex")

// brokenThenRepaired makes a call that cannot be run, and then another under its id.
var brokenThenRepaired = Scene(WeatherTool + `
prompt: What is the weather in Oslo?
model:
  - calls: [{as: broken, tool: get_weather, arguments: '{city: Oslo}'}]
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}', same-id-as: broken}]
  - text: It is 4 C.
`).Under("vllm")

// TestEchoes says where each turn of the model came back: in which request, as which message, with
// which result for each of its calls.
func TestEchoes(t *testing.T) {
	for _, test := range []struct {
		name     string
		in       Setting
		dialogue string
		want     []string
	}{
		{"two rounds", TwoRounds, TwoRoundsDone, []string{
			"turn 1: message 1 of request 2, oslo 4 C",
			"turn 2: message 3 of request 3, lima 19 C",
		}},
		{"two prompts", TwoPrompts, TwoPromptsDone, []string{
			"turn 1: message 1 of request 2, oslo 4 C",
			"turn 2: message 3 of request 3",
			"turn 3: message 5 of request 4, lima 19 C",
		}},
		{"the last turn of a run does not come back", OneCity, OneCityDone, []string{
			"turn 1: message 1 of request 2, oslo 4 C",
		}},
		{"the call under the id of one that was left out", brokenThenRepaired, `
			asks
			asks
				prompt 1
				assistant:
			asks
				prompt 1
				assistant:
				calls oslo
				result oslo
			completed`, []string{
			"turn 1: message 1 of request 2",
			"turn 2: message 2 of request 3, oslo 4 C",
		}},
		{"calls without ids, of which a cancelled turn made one", cancelledAndAskedAgain, `
			asks
			cancels
			asks on
				calls oslo, lima
				results oslo, lima
				prompt 2
			runs rome
			runs again
			asks on
				calls rome, again
				results rome, again
			completed`, []string{
			"turn 2: message 4 of request 3, rome 11 C, again 4 C",
		}},
		{"the call of a cancelled turn again, without ids", cancelledAndTheSameAgain, `
			asks
			runs first
			asks on
				calls first
				result first
			cancels
			asks on
				calls oslo
				result oslo: Error: cancelled
				prompt 2
			runs again
			asks on
				calls again
				result again
			completed`, []string{
			"turn 1: message 1 of request 2, first 19 C",
			"turn 3: message 6 of request 4, again 4 C",
		}},
		{"the call of a cancelled turn that is forgotten again, without ids", cancelledAndTheSameAgain, `
			asks
			runs first
			asks on
				calls first
				result first
			cancels
			asks on
				prompt 2
			runs again
			asks on
				calls again
				result again
			completed`, []string{
			"turn 1: message 1 of request 2, first 19 C",
			"turn 3: message 4 of request 4, again 4 C",
		}},
		{"greetings and examples in front of the prompt", OneCity, greeted, []string{
			"turn 1: message 2 of request 2, oslo 4 C",
		}},
		{"a turn that is missing after a greeting", OneCity, `
			asks
				assistant: Hello, how can I help?
				prompt 1
			asks on
				result oslo
			completed`, []string{
			"turn 1: missing in request 2",
		}},
		{"the same call again, and the first one forgotten", askedAgain, `
			asks
			asks on
				calls oslo
				result oslo
			asks
				prompt 1
				calls again
				result again
			completed`, []string{
			"turn 1: message 1 of request 2, oslo 4 C",
			"turn 2: message 1 of request 3, again 4 C",
		}},
		{"the same call again, both under new ids, and the first one forgotten", askedAgain, `
			asks
			asks on
				calls oslo
				result oslo
			asks
				prompt 1
				{"role":"assistant","tool_calls":[{"id":"new","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
				{"role":"tool","tool_call_id":"new","content":"4 C"}
			completed`, []string{
			"turn 1: message 1 of request 2, oslo 4 C",
			"turn 2: message 1 of request 3, again 4 C",
		}},
		{"new ids", TwoRounds, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"get_weather","arguments":"{ \"city\": \"Oslo\" }"}}]}
				{"role":"tool","tool_call_id":"1","content":"cold"}
			asks on
				{"role":"assistant","tool_calls":[{"id":"2","function":{"name":"get_weather","arguments":"{ \"city\": \"Lima\" }"}}]}
				{"role":"tool","tool_call_id":"2","content":"warm"}
			completed`, []string{
			"turn 1: message 1 of request 2, oslo cold",
			"turn 2: message 3 of request 3, lima warm",
		}},
		{"no ids, other arguments: the place will do", OneCity, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"function":{"name":"weather","arguments":"{}"}}]}
				{"role":"tool","content":"4 C"}
			completed`, []string{
			"turn 1: message 1 of request 2, oslo 4 C",
		}},
		{"the place will not do for a message too many", OneCity, `
			asks
			asks on
				assistant: Let me see.
				{"role":"assistant","tool_calls":[{"function":{"name":"weather","arguments":"{}"}}]}
				{"role":"tool","content":"4 C"}
			completed`, []string{
			"turn 1: missing in request 2",
		}},
		{"equal calls in two turns", SamePrice, `
			asks
			asks on
				calls first
				result first: 101
			asks on
				calls again
				result again: 102
			completed`, []string{
			"turn 1: message 1 of request 2, first 101",
			"turn 2: message 3 of request 3, again 102",
		}},
		{"equal calls in two turns, under new ids", SamePrice, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"get_price","arguments":"{\"share\":\"ACME\"}"}}]}
				{"role":"tool","tool_call_id":"1","content":"101"}
			asks on
				{"role":"assistant","tool_calls":[{"id":"2","function":{"name":"get_price","arguments":"{\"share\":\"ACME\"}"}}]}
				{"role":"tool","tool_call_id":"2","content":"102"}
			completed`, []string{
			"turn 1: message 1 of request 2, first 101",
			"turn 2: message 3 of request 3, again 102",
		}},
		{"the id of the turn before again", RepeatedIDs, RepeatedIDsDone, []string{
			"turn 1: message 1 of request 2, author Goethe",
			"turn 2: message 3 of request 3, year 1808",
		}},
		{"the id of the turn before again, with each turn twice", RepeatedIDs, `
			asks
			asks on
				calls author
				result author
				calls author
				result author
			asks
				prompt 1
				calls author
				result author
				calls author
				result author
				calls year
				result year
				calls year
				result year
			completed`, []string{
			"turn 1: message 1 of request 2, author Goethe",
			"turn 2: message 5 of request 3, year 1808",
		}},
		{"the id of a turn of an earlier prompt, which was forgotten", Scene(WeatherTool + `
prompts: [What is the weather in Oslo?, And in Lima?]
model:
  - calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
  - calls: [{as: lima, tool: get_weather, arguments: '{"city":"Lima"}', same-id-as: oslo}]
  - text: It is 19 C in Lima.
`), QuestionsAndAnswers, []string{
			"turn 1: message 1 of request 2, oslo 4 C",
			"turn 2: message 1 of request 3",
			"turn 3: message 3 of request 4, lima 19 C",
		}},
		{"the second turn under the repeated id is missing", RepeatedIDs, `
			asks
			asks on
				calls author
				result author
			asks on
			completed`, []string{
			"turn 1: message 1 of request 2, author Goethe",
			"turn 2: missing in request 3",
		}},
		{"two calls in one turn that share an id by the loop's doing", TwoCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{"id":"w","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}},{"id":"w","function":{"name":"get_weather","arguments":"{\"city\":\"Lima\"}"}}]}
				{"role":"tool","tool_call_id":"w","content":"cold"}
				{"role":"tool","tool_call_id":"w","content":"warm"}
			completed`, []string{
			"turn 1: message 1 of request 2, oslo cold, lima warm",
		}},
		{"the calls in another order", TwoCities, Reordered, []string{
			"turn 1: message 1 of request 2, oslo 4 C, lima 19 C",
		}},
		{"one id is new", TwoCities, `
			asks
			asks on
				{"role":"assistant","tool_calls":[{{lima call}},{"id":"1","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
				result lima: warm
				{"role":"tool","tool_call_id":"1","content":"cold"}
			completed`, []string{
			"turn 1: message 1 of request 2, oslo cold, lima warm", // no other call is like that of Oslo
		}},
		{"split over two messages", TwoCities, TurnInTwo, []string{
			"turn 1: message 1 of request 2, oslo 4 C, lima 19 C",
		}},
		{"text apart from the calls", Talking, `
			asks
			asks on
				assistant: I look up both.
				{"role":"assistant","tool_calls":[{{oslo call}},{{lima call}}]}
				result oslo
				result lima
			completed`, []string{
			"turn 1: message 2 of request 2, oslo 4 C, lima 19 C",
		}},
		{"only the text", Talking, `
			asks
			asks on
				assistant: I look up both.
			completed`, []string{
			"turn 1: message 1 of request 2",
		}},
		{"turns that failed leave no trace", Busy, AfterRound(`asks on
			asks on
			completed`), []string{
			"turn 1: message 1 of request 2, oslo 4 C",
		}},
		{"a truncated turn is none that has to come back", CutInCall, AfterList(`asks on
				calls delete
				result delete: cut off
			completed`), []string{
			"turn 1: message 1 of request 2, list a.old, b.old, c.new",
		}},
		{"a window without the prompt, and calls without ids", OneCity.Showing("call-id-empty"), `
			asks
			runs get_weather {"city":"Oslo"}
			asks
				user: Tools were called.
				{"role":"assistant","tool_calls":[{"id":"w1","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}
				{"role":"tool","tool_call_id":"w1","content":"4 C"}
			completed`, []string{
			"turn 1: message 1 of request 2, oslo 4 C",
		}},
		{"requests of another conversation are passed over", OneCity, `
			asks
			sends {"messages":[{"role":"user","content":"Find a title."}]}
			sends garbage
			asks
				prompt 1
				calls oslo
				result oslo
			completed`, []string{
			"turn 1: message 1 of request 4, oslo 4 C",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, e := range test.in.Play(t, test.dialogue).ReturnedTurns() {
				got = append(got, describeEcho(e))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("echoes (-want +got):\n%s", diff)
			}
		})
	}
}

func describeEcho(e rules.ReturnedTurn) string {
	if e.Message == nil {
		return fmt.Sprintf("turn %d: missing in request %d", e.Turn.Number+1, e.In.Number)
	}
	text := fmt.Sprintf("turn %d: message %d of request %d", e.Turn.Number+1, e.Index, e.In.Number)
	for n, call := range e.Turn.Answer.Calls {
		if res, ok := e.Result(n); ok {
			text += ", " + call.As + " " + res.Content.Text
		}
	}
	return text
}
