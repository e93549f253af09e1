package rules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/wire"
)

// ToldCall is a call of the model that the loop is known to have taken, and what its events tell of it.
type ToldCall struct {
	CallRun
	Settled bool               // the loop had a result for it
	Twin    bool               // the model made an equal call in the run
	Events  []transcript.Event // with one id, in order; none if there was no event for the call
}

// findToldCalls gives the events of calls, which go by their id, to the calls: by that id, else by the tool and the
// arguments, in order.
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
	told := r.takenCalls()
	for _, alike := range []func(ToldCall, string) bool{
		func(c ToldCall, id string) bool { return id == c.Call.ID && under[id][0].Tool == c.Call.Name },
		func(c ToldCall, id string) bool { return TellsOf(under[id][0], c.Call) },
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
func (r *Run) takenCalls() []ToldCall {
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
		t.Twin = slices.ContainsFunc(r.Calls(), func(o CallRun) bool {
			return (o.Turn != c.Turn || o.N != c.N) && o.Call.Name == c.Call.Name && transcript.Checksum(o.Call.Name, o.Call.Arguments) == transcript.Checksum(c.Call.Name, c.Call.Arguments)
		})
		told = append(told, t)
	}
	return told
}

// TellsOf reports whether an event is of a call, by its tool and arguments.
func TellsOf(e transcript.Event, c wire.AnswerCall) bool {
	return e.Args != nil && e.Tool == c.Name && transcript.Checksum(e.Tool, string(e.Args.Raw)) == transcript.Checksum(c.Name, c.Arguments)
}

// Completion returns the event that tells that the call is done, or nil.
func (c ToldCall) Completion() *transcript.Event {
	if i := slices.IndexFunc(c.Events, func(e transcript.Event) bool { return e.Complete }); i >= 0 {
		return &c.Events[i]
	}
	return nil
}
