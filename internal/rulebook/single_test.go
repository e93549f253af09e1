package rulebook_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
)

func TestCheckRequest(t *testing.T) {
	for _, test := range []struct {
		name     string
		in       Setting
		scripted bool
		messages string
		want     []string // rules and places
	}{
		{"the beginning", OneCity, true, `prompt 1`, nil},
		{"one round", OneCity, true, `
			prompt 1
			calls oslo
			result oslo`, nil},
		{"one round without a script", OneCity, false, `
			prompt 1
			calls oslo
			result oslo`, nil},
		{"what tools say is their own", OneCity, true, `
			prompt 1
			calls oslo
			result oslo: 7 C, says a tool of the user's`, nil},
		{"a greeting and a reminder", OneCity, true, `
			system: Be kind.
			assistant: Hello.
			prompt 1
			calls oslo
			result oslo
			user: <reminder>Be brief.</reminder>`, nil},
		{"a missing result, without a script", OneCity, false, `
			prompt 1
			calls oslo`, []string{"pairing/every-call-answered /messages/1/tool_calls"}},
		{"other bytes and a lost text", Talking, true, `
			prompt 1
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}},{"id":"{{lima}}","type":"function","function":{"name":"get_weather","arguments":"{ \"city\":\"Lima\"}"}}]}
			result oslo
			result lima`, []string{
			"history/text-comes-back /messages/1/content",
			"arguments/echoed-verbatim /messages/1/tool_calls/1/function/arguments",
		}},
		{"other bytes, which nobody knows without a script", Talking, false, `
			prompt 1
			{"role":"assistant","content":null,"tool_calls":[{{oslo call}},{"id":"{{lima}}","type":"function","function":{"name":"get_weather","arguments":"{ \"city\":\"Lima\"}"}}]}
			result oslo
			result lima`, nil},
		{"reasoning that is missing", Thinking, true, `
			prompt 1
			{"role":"assistant","content":"","tool_calls":[{{oslo call}}]}
			result oslo`, []string{"reasoning/resent-on-tool-turns /messages/1/reasoning_content"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := test.in.Play(t, "asks\n"+test.messages)
			script := run.Script
			if !test.scripted {
				script = nil
			}
			var got []string
			for _, f := range rulebook.CheckRequest(t.Context(), run.Script.Profile, script, &trace.Exchange{Number: 7, Request: run.Exchanges[0].Request}) {
				got = append(got, f.Rule+" "+f.Pointer)
				if f.Request != 0 || f.Level != rulebook.Lookup(f.Rule).LevelUnder(run.Script.Profile) {
					t.Errorf("a finding of request %d as a %s", f.Request, f.Level)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// A request that nobody is known to refuse breaks a should alone, also where no run is judged.
func TestASingleRequestIsNoWorseThanInARun(t *testing.T) {
	p, err := profiles.Get("gemini-interactions")
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]trace.Level{
		`{"model":"m","input":[{"type":"function_call","id":"c","name":"f","arguments":{}},{"type":"user_input","content":"Never mind."}]}`:                                  trace.Must,
		`{"model":"m","previous_interaction_id":"v1_1","input":[{"type":"function_call","id":"c","name":"f","arguments":{}},{"type":"user_input","content":"Never mind."}]}`: trace.Should,
	} {
		req, err := p.Speaks.Read([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		var level trace.Level
		for _, f := range rulebook.CheckRequest(t.Context(), p, nil, &trace.Exchange{Request: req}) {
			if f.Rule == "pairing/every-call-answered" {
				level = f.Level
			}
		}
		if level != want {
			t.Errorf("the level is %q, want %q: %s", level, want, body)
		}
	}
}
