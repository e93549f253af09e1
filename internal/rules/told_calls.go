package rules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/wire"
)

// ToldCall is a call that the loop is known to have received, with the events that are about it.
type ToldCall struct {
	CallRun
	Settled  bool               // the loop had a result for it
	HasEqual bool               // the model made an equal call in the run
	Events   []transcript.Event // with one id, in order; none if there was no event for the call
}

// findToldCalls gives the events of calls, which go by their id, to the calls: by that id, else by
// the tool and the arguments, in order.
func (r *Run) findToldCalls() []ToldCall {
	if r.Events.Read == nil {
		return nil
	}
	var ids []string
	under := map[string][]transcript.Event{}
	for _, e := range r.Events.Read.Events {
		if e.Kind != transcript.CallEvent {
			continue
		}
		if _, known := under[e.ID]; !known {
			ids = append(ids, e.ID)
		}
		under[e.ID] = append(under[e.ID], e)
	}
	sums := checksums{}
	told := r.takenCalls(sums)
	for _, alike := range []func(ToldCall, string) bool{
		func(c ToldCall, id string) bool { return id == c.Call.ID && under[id][0].Tool == c.Call.Name },
		func(c ToldCall, id string) bool { return sums.tellsOf(under[id][0], c.Call) },
	} {
		for i := range told {
			at := slices.IndexFunc(ids, func(id string) bool { return alike(told[i], id) })
			if told[i].Events == nil && at >= 0 {
				told[i].Events = under[ids[at]]
				ids = slices.Delete(ids, at, at+1)
			}
		}
	}
	return told
}

// takenCalls returns the calls of the turns that the loop is known to have taken.
func (r *Run) takenCalls(sums checksums) []ToldCall {
	var told []ToldCall
	for _, c := range r.Calls() {
		on := r.ReturnOf(c.Turn)
		if !c.Turn.Asks() || on == nil && !r.ranCallsOf(c.Turn) {
			continue
		}
		t := ToldCall{CallRun: c, Settled: len(c.Executions) > 0}
		if on != nil {
			_, answered := on.Result(c.N)
			t.Settled = t.Settled || answered
		}
		t.HasEqual = slices.ContainsFunc(r.Calls(), func(o CallRun) bool {
			return (o.Turn != c.Turn || o.N != c.N) && o.Call.Name == c.Call.Name && sums.of(o.Call.Name, o.Call.Arguments) == sums.of(c.Call.Name, c.Call.Arguments)
		})
		told = append(told, t)
	}
	return told
}

// TellsOf reports whether an event is about a call, by its tool and arguments.
func TellsOf(e transcript.Event, c wire.AnswerCall) bool { return checksums{}.tellsOf(e, c) }

// checksums are those of calls, each computed once: every call is compared with every other one.
type checksums map[summedCall]string

type summedCall struct{ tool, arguments string }

func (known checksums) of(tool, arguments string) string {
	c := summedCall{tool, arguments}
	sum, is := known[c]
	if !is {
		sum = transcript.Checksum(tool, arguments)
		known[c] = sum
	}
	return sum
}

func (known checksums) tellsOf(e transcript.Event, c wire.AnswerCall) bool {
	if e.Args == nil || e.Tool != c.Name {
		return false
	}
	arguments := string(e.Args.Raw)
	return arguments == c.Arguments || known.of(e.Tool, arguments) == known.of(c.Name, c.Arguments)
}

// Completion returns the event that says that the call is done, or nil.
func (c ToldCall) Completion() *transcript.Event {
	if i := slices.IndexFunc(c.Events, func(e transcript.Event) bool { return e.Complete }); i >= 0 {
		return &c.Events[i]
	}
	return nil
}
