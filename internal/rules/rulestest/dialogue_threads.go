package rulestest

import (
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// thread returns the stage on which a sub-agent is asked by a call, or with "" that of the caller.
func (s *stage) thread(call string) *stage {
	s.send()
	if s.caller != nil {
		s.caller.clock, s = s.clock, s.caller
	}
	if call == "" {
		return s
	}
	made, turn, ok := s.words.call(call)
	scenario := s.run.Script.Scenario.OfCall(made)
	if !ok || scenario == nil {
		s.t.Fatalf("%s: no call %q asks a sub-agent", s.line, call)
	}
	script := scenarios.Compile(scenario, s.run.Script.Profile, "a secret")
	one := &trace.Delegation{Agent: made.Name, N: slices.IndexFunc(turn.Answer.Calls, func(c wire.AnswerCall) bool { return c.As == call })}
	one.Request = s.run.Exchanges[slices.IndexFunc(s.run.Exchanges, func(x *trace.Exchange) bool { return x.Turn == turn })].Number
	of := &stage{t: s.t, words: &placeholders{t: s.t, script: script, caller: s.words}, clock: s.clock, caller: s, run: &rules.Run{Run: trace.Run{
		Case: s.run.Case, Script: script, Task: taskOf(script, s.run.Case.Delivery), OfAgent: true,
	}}}
	one.Run = &of.run.Run
	s.run.Run.Delegations = append(s.run.Run.Delegations, one)
	return of
}

// number returns the number of the next request.
func (s *stage) number() int {
	if s.caller != nil {
		return s.caller.number()
	}
	n := len(s.run.Exchanges) + 1
	for _, d := range s.run.Run.Delegations {
		n += len(d.Run.Exchanges)
	}
	return n
}

// exchangesOf returns the exchanges of a run and of the conversations with its sub-agents.
func exchangesOf(run *rules.Run) []*trace.Exchange {
	all := slices.Clone(run.Exchanges)
	for _, d := range run.Delegations {
		all = append(all, d.Run.Exchanges...)
	}
	return all
}

// exchangeOf returns the exchange of a number, of whichever conversation.
func exchangeOf(run *rules.Run, number int) *trace.Exchange {
	all := exchangesOf(run)
	return all[slices.IndexFunc(all, func(x *trace.Exchange) bool { return x.Number == number })]
}
