package rules

import (
	"fmt"
	"slices"
	"time"

	"github.com/loopproof/loopproof/internal/record"
	"github.com/loopproof/loopproof/internal/wire"
)

// toldCall is a call of the model that the loop is known to have taken, and what its events tell of it.
type toldCall struct {
	CallRun
	settled bool           // the loop had a result for it
	twin    bool           // the model made an equal call in the run
	events  []record.Event // under one id, in order; none when the call was not told of
}

// findTold gives the events of calls, which go by their id, to the calls: by that id, else by the tool and the
// arguments, in order.
func (r *Run) findTold() []toldCall {
	if r.events.read == nil {
		return nil
	}
	var ids []string
	under := map[string][]record.Event{}
	for _, e := range r.events.read.Events {
		if e.Kind != record.CallEvent {
			continue
		}
		if _, known := under[e.ID]; !known {
			ids = append(ids, e.ID)
		}
		under[e.ID] = append(under[e.ID], e)
	}
	told := r.takenCalls()
	for _, alike := range []func(toldCall, string) bool{
		func(c toldCall, id string) bool { return id == c.Call.ID && under[id][0].Tool == c.Call.Name },
		func(c toldCall, id string) bool { return tells(under[id][0], c.Call) },
	} {
		for i := range told {
			at := slices.IndexFunc(ids, func(id string) bool { return alike(told[i], id) })
			if told[i].events == nil && at >= 0 {
				told[i].events = under[ids[at]]
				ids = slices.Delete(ids, at, at+1)
			}
		}
	}
	return told
}

// takenCalls returns the calls of the turns that the loop is known to have taken.
func (r *Run) takenCalls() []toldCall {
	var told []toldCall
	for _, c := range r.Calls() {
		on := r.echoOf(c.Turn)
		if !c.Turn.Asks() || on == nil && !r.ranCallsOf(c.Turn) {
			continue
		}
		t := toldCall{CallRun: c, settled: len(c.Executions) > 0}
		if on != nil {
			_, answered := on.Result(c.N)
			t.settled = t.settled || answered
		}
		t.twin = slices.ContainsFunc(r.Calls(), func(o CallRun) bool {
			return (o.Turn != c.Turn || o.N != c.N) && o.Call.Name == c.Call.Name && record.Checksum(o.Call.Name, o.Call.Arguments) == record.Checksum(c.Call.Name, c.Call.Arguments)
		})
		told = append(told, t)
	}
	return told
}

// tells reports whether an event is of a call, by its tool and arguments.
func tells(e record.Event, c wire.AnswerCall) bool {
	return e.Args != nil && e.Tool == c.Name && record.Checksum(e.Tool, string(e.Args.Raw)) == record.Checksum(c.Name, c.Arguments)
}

// completion returns the event that tells that the call is done, or nil.
func (c toldCall) completion() *record.Event {
	if i := slices.IndexFunc(c.events, func(e record.Event) bool { return e.Complete }); i >= 0 {
		return &c.events[i]
	}
	return nil
}

// eachTold calls f for every call that the events tell of. Events of a run without tools prove nothing.
func (r *Run) eachTold(f func(c toldCall)) {
	if !r.UsedTools() {
		return
	}
	for _, c := range r.told {
		if len(c.events) > 0 {
			f(c)
		}
	}
}

// eachCompletion calls f for every call of which the events tell that it is done, and not because the user cancelled.
func (r *Run) eachCompletion(f func(c toldCall, e record.Event)) {
	r.eachTold(func(c toldCall) {
		if e := c.completion(); e != nil && !r.interrupted(c.Turn) {
			f(c, *e)
		}
	})
}

// mistold adds a finding about a call in the events.
func (j *Judged) mistold(c toldCall, format, expected string, at *wire.Node) {
	actual := "no such event"
	if at != nil {
		actual = place(at)
	}
	j.Find(Finding{Answer: c.In.Number, Message: fmt.Sprintf(format, c.Call.As), Expected: expected, Actual: actual})
}

// timeIn reads a time of an event, and false when it has none.
func timeIn(n *wire.Node) (time.Time, bool) {
	at, err := time.Parse(time.RFC3339Nano, n.Text())
	return at, err == nil
}

// resultsText returns what the results of an event say: a text, or any JSON.
func resultsText(n *wire.Node) string {
	if n == nil || n.Is(wire.String) {
		return n.Text()
	}
	return string(n.Raw)
}
