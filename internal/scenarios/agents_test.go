package scenarios_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// delegating is a scenario with a sub-agent. Line numbers in the tests below count from its first
// line.
const delegating = `loopproof: 1
title: One sub-agent
needs: [sub-agents]
system: You plan trips.
prompt: Do I need a coat?
agents:
  weather_desk:
    description: Knows the weather.
    system: You measure.
    tools:
      get_weather:
        parameters: {city: string}
        results: [{text: 4 C}]
model:
  - calls: [{as: oslo, tool: weather_desk, arguments: '{"prompt":"How cold is it?"}'}]
  - text: Yes.
threads:
  oslo:
    - calls: [{as: measured, tool: get_weather, arguments: '{"city":"Oslo"}'}]
    - text: It is cold.
`

// TestSubAgents: a sub-agent is a tool, and what it is asked is a scenario of its own.
func TestSubAgents(t *testing.T) {
	s, err := scenarios.Parse("mine/one.yaml", []byte(delegating), vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	tool := s.Tool("weather_desk")
	if tool == nil || tool.Agent == nil || len(s.Tools) != 0 || len(s.AllTools()) != 1 {
		t.Fatalf("the tools are %+v", s.AllTools())
	}
	for _, arguments := range []string{`{"prompt":"How cold is it?"}`, `{"input":"How cold is it?"}`} {
		if r, ok := tool.Answer(arguments); !ok || r.Text != "It is cold." {
			t.Errorf("for %s it returns %+v", arguments, r)
		}
	}
	of := s.OfCall(wire.AnswerCall{Name: "weather_desk", As: "oslo"})
	if of == nil || of.System != "You measure." || of.Prompts[0] != "How cold is it?" || len(of.Model) != 2 || of.Tool("get_weather") == nil {
		t.Fatalf("the conversation is %+v", of)
	}
	if s.OfCall(wire.AnswerCall{Name: "get_weather", As: "measured"}) != nil {
		t.Error("a tool of the sub-agent begins a conversation")
	}
}

func TestBadSubAgents(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"not claimed", "needs: [sub-agents]\n", "", "x.yaml:6:3: a scenario with sub-agents needs loops that have them: `needs: [sub-agents]`"},
		{"no description", "    description: Knows the weather.\n", "", "x.yaml:8:5: a sub-agent needs a description, from which the model knows what to ask it"},
		{"instructions of the caller", "system: You measure.", "system: You plan trips. You measure.", "x.yaml:9:13: a sub-agent needs instructions that are no part of others, by which its requests are known"},
		{"no turn", "    tools:", "    max-turns: 0\n    tools:", "x.yaml:10:16: the turn limit is a whole number from 1, not 0"},
		{"a tool of two agents", "agents:", "tools:\n  get_weather: {parameters: {city: string}, results: [{text: a}]}\nagents:", "x.yaml:14:9: the name get_weather is that of another tool; each is of one agent"},
		{"an approval", "        parameters: {city", "        needs-approval: true\n        parameters: {city", "x.yaml:12:9: the tools of a sub-agent return texts that are in the scenario, and need no approval"},
		{"asked for nothing", `{"prompt":"How cold is it?"}`, `{"prompt":7}`, "x.yaml:19:5: the call oslo of a sub-agent says what it has to do: `arguments: {prompt: TEXT}`"},
		{"asked what the user asks", "How cold is it?", "Do I need a coat?", "x.yaml:19:5: what the call oslo asks for is part of what another one, or the user, asks for, so that nobody can tell them apart; word it otherwise"},
		{"no conversation", "threads:\n  oslo:", "threads:\n  lima:", "x.yaml:19:5: no call \"lima\" of a sub-agent begins this conversation"},
		{"cut", "    - text: It is cold.", "    - text: It is cold.\n      cut: {after: 3 events}", "x.yaml:20:7: a step of a sub-agent answers or fails; it is not cancelled or broken off, and has no quirks"},
		{"no last word", "    - text: It is cold.\n", "", "x.yaml:19:5: the last step has calls, and the model says nothing to their results; add a step with a text, or max-turns"},
		{"a tool of nobody", "tool: get_weather", "tool: get_whether", `x.yaml:19:36: there is no tool "get_whether" (did you mean "get_weather"?)`},
		{"a result for nobody", "results: [{text: 4 C}]", "results: [{when: {city: Lima}, text: 4 C}]", "x.yaml:19:60: no result of get_weather is for these arguments"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := scenarios.Parse("x.yaml", []byte(strings.Replace(delegating, c.from, c.to, 1)), vocabulary)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is\n%v\nwant\n%s", err, c.want)
			}
		})
	}
}
