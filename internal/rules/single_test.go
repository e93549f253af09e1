package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReturned: where in its script a conversation stands is read from the history of a single request.
func TestReturned(t *testing.T) {
	for _, test := range []struct {
		name     string
		in       setting
		messages string
		want     int
	}{
		{"the beginning", twoRounds, `prompt 1`, 0},
		{"one turn", twoRounds, `
			prompt 1
			calls oslo
			result oslo`, 1},
		{"all turns", twoRounds, `
			prompt 1
			calls oslo
			result oslo
			calls lima
			result lima
			assistant: Lima is warmer.`, 3},
		{"the answer with space around it", twoPrompts, `
			prompt 1
			calls oslo
			result oslo
			{"role":"assistant","content":[{"type":"text","text":"It is 4 C in Oslo.\n"}]}
			prompt 2`, 2},
		{"a greeting is none of it", twoRounds, `
			assistant: Hello, how can I help?
			prompt 1`, 0},
		{"examples are none of it", noTools, `
			user: Say goodbye.
			assistant: Goodbye.
			prompt 1`, 0},
		{"a greeting, and one turn", twoRounds, `
			assistant: Hello, how can I help?
			prompt 1
			calls oslo
			result oslo`, 1},
		{"new ids", twoRounds, `
			prompt 1
			{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"get_weather","arguments":"{\"city\": \"Oslo\"}"}}]}
			{"role":"tool","tool_call_id":"1","content":"4 C"}`, 1},
		{"one turn in two messages", twoCities, `
			prompt 1
			calls oslo
			result oslo
			calls lima
			result lima`, 1},
		{"the text of a turn apart from its calls", talking, `
			prompt 1
			assistant: I look up both.
			{"role":"assistant","tool_calls":[{{oslo call}},{{lima call}}]}
			result oslo
			result lima`, 1},
		{"the same call in two turns, the first of them", samePrice, `
			prompt 1
			calls first
			result first`, 1},
		{"the same id in two turns, the first of them", repeatedIDs, `
			prompt 1
			calls author
			result author`, 1},
		{"the same id in two turns, both", repeatedIDs, `
			prompt 1
			calls author
			result author
			calls year
			result year`, 2},
		{"a history window that lost the first round", twoRounds, `
			prompt 1
			calls lima
			result lima`, 2},
		{"a turn that was changed beyond recognition", twoRounds, `
			prompt 1
			{"role":"assistant","content":"(called a tool)"}
			user: 4 C`, 1},
		{"an error is stepped over once a later turn is back", wrongOnce, `
			prompt 1
			calls oslo
			result oslo
			assistant: It is 4 C in Oslo.`, 3},
		{"an error that may be yet to come", wrongOnce, `
			prompt 1
			calls oslo
			result oslo`, 1},
		{"a truncated turn that the loop kept", half, `
			prompt 1
			calls oslo
			result oslo
			assistant: The weather in Oslo is not
			user: Go on.`, 1},
		{"a prompt in other words", twoRounds, `
			user: Which is warmer?
			calls oslo
			result oslo`, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := test.in.play(t, "asks\n"+test.messages)
			if got := Returned(run.Script, run.Exchanges[0].Request); got != test.want {
				t.Errorf("turn %d comes next, want %d", got, test.want)
			}
		})
	}
}

func TestCheckRequest(t *testing.T) {
	for _, test := range []struct {
		name     string
		in       setting
		scripted bool
		messages string
		want     []string // rules and places
	}{
		{"the beginning", oneCity, true, `prompt 1`, nil},
		{"one round", oneCity, true, `
			prompt 1
			calls oslo
			result oslo`, nil},
		{"one round without a script", oneCity, false, `
			prompt 1
			calls oslo
			result oslo`, nil},
		{"what tools say is their own", oneCity, true, `
			prompt 1
			calls oslo
			result oslo: 7 C, says a tool of the user's`, nil},
		{"a greeting and a reminder", oneCity, true, `
			system: Be kind.
			assistant: Hello.
			prompt 1
			calls oslo
			result oslo
			user: <reminder>Be brief.</reminder>`, nil},
		{"a missing result, without a script", oneCity, false, `
			prompt 1
			calls oslo`, []string{"pairing/every-call-answered /messages/1/tool_calls"}},
		{"other bytes and a lost text", talking, true, `
			prompt 1
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}},{"id":"{{lima}}","type":"function","function":{"name":"get_weather","arguments":"{ \"city\":\"Lima\"}"}}]}
			result oslo
			result lima`, []string{
			"history/text-comes-back /messages/1/content",
			"arguments/echoed-verbatim /messages/1/tool_calls/1/function/arguments",
		}},
		{"other bytes, which nobody knows without a script", talking, false, `
			prompt 1
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}},{"id":"{{lima}}","type":"function","function":{"name":"get_weather","arguments":"{ \"city\":\"Lima\"}"}}]}
			result oslo
			result lima`, nil},
		{"reasoning that is missing", thinking, true, `
			prompt 1
			{"role":"assistant","content":"","tool_calls":[{{oslo call}}]}
			result oslo`, []string{"reasoning/resent-on-tool-turns /messages/1/reasoning_content"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := test.in.play(t, "asks\n"+test.messages)
			script := run.Script
			if !test.scripted {
				script = nil
			}
			var got []string
			for _, f := range CheckRequest(run.Script.Profile, script, &Exchange{Number: 7, Request: run.Exchanges[0].Request}) {
				got = append(got, f.Rule+" "+f.Pointer)
				if f.Request != 0 || f.Level != Lookup(f.Rule).LevelUnder(run.Script.Profile) {
					t.Errorf("a finding of request %d as a %s", f.Request, f.Level)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}
