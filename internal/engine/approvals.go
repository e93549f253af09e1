package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Decide lets the user decide about calls of tools that need an approval, as the scenario says; a
// call that the model did not make is denied. Nothing is decided where the user cancels meanwhile:
// it is [protocol.Task.Decide].
func (r *Run) Decide(ctx context.Context, calls ...protocol.PendingCall) ([]protocol.Decision, error) {
	r.cancelled.enter()
	defer r.cancelled.leave()
	ctx, stop := r.endingWithRun(ctx)
	defer stop()
	asked := r.noteQuestions(calls)
	x := r.last()
	if x != nil && r.crashes(x, scenarios.DuringApproval) {
		r.hold(ctx, x)
		return nil, context.Canceled
	}
	cancels := x != nil && r.cancels(x, scenarios.DuringApproval)
	if cancels {
		r.hold(ctx, x)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	decisions := make([]protocol.Decision, len(asked))
	for i, a := range asked {
		decisions[i] = r.decide(a, cancels)
	}
	return decisions, nil
}

// noteQuestions records what the user is asked.
func (r *Run) noteQuestions(calls []protocol.PendingCall) []*trace.Approval {
	r.mu.Lock()
	defer r.mu.Unlock()
	var asked []*trace.Approval
	for _, c := range calls {
		a := &trace.Approval{CallID: c.ID, Tool: c.Name, Arguments: argumentsOf(c.Arguments), Asked: r.since()}
		if found := r.findCall(a); found != nil { // of what the loop does not show, nothing is known
			a.Tool, a.Arguments = cmp.Or(a.Tool, found.Name), cmp.Or(a.Arguments, found.Arguments)
		}
		asked = append(asked, a)
		r.approvals = append(r.approvals, a)
	}
	return asked
}

// argumentsOf returns the arguments of a call as JSON, also where the loop shows them as a text
// that holds it.
func argumentsOf(shown json.RawMessage) string {
	var text string
	if json.Unmarshal(shown, &text) == nil {
		return text
	}
	return string(shown)
}

// findCall finds the call that a question is about: by its id, else by the tool and its arguments,
// else by the tool alone; by the arguments alone, or as the first one that needs an approval, where the
// question does not name the tool. Of equal calls it is the first about which the loop has not asked,
// in the newest answer. It returns nil if there is none.
func (r *Run) findCall(a *trace.Approval) *wire.AnswerCall {
	tool := r.scriptedName(a.Tool)
	asksFor := func(c wire.AnswerCall) bool {
		return a.Tool == "" && slices.ContainsFunc(r.config.Scenario.Tools, func(t scenarios.Tool) bool { return t.NeedsApproval && t.Name == c.Scripted() })
	}
	alike := []func(wire.AnswerCall) bool{
		func(c wire.AnswerCall) bool { return a.CallID != "" && c.ID == a.CallID },
		func(c wire.AnswerCall) bool {
			return c.Scripted() == tool && rules.SameArguments(c.Arguments, a.Arguments)
		},
		func(c wire.AnswerCall) bool { return c.Scripted() == tool },
		func(c wire.AnswerCall) bool { return asksFor(c) && rules.SameArguments(c.Arguments, a.Arguments) },
		asksFor,
	}
	for _, is := range alike {
		for _, again := range []bool{false, true} {
			for _, x := range slices.Backward(r.exchanges) {
				if x.Turn == nil || x.Turn.Answer == nil {
					continue
				}
				for n, c := range x.Turn.Answer.Calls {
					if is(c) && r.askedAbout(x.Number, n) == again {
						a.Request, a.N = x.Number, n
						return &x.Turn.Answer.Calls[n]
					}
				}
			}
		}
	}
	return nil
}

// askedAbout reports whether the loop has asked about a call before.
func (r *Run) askedAbout(request, n int) bool {
	return slices.ContainsFunc(r.approvals, func(a *trace.Approval) bool { return a.Request == request && a.N == n })
}

// decide is what the user says to a question. To a loop that goes on although the user has
// cancelled meanwhile, it is no.
func (r *Run) decide(a *trace.Approval, cancelled bool) protocol.Decision {
	r.mu.Lock()
	defer r.mu.Unlock()
	d := protocol.Decision{CallID: a.CallID}
	switch {
	case cancelled:
		d.Reason = "the user has cancelled"
	case a.Request == 0:
		d.Reason = "the model has made no such call"
	default:
		turn := r.exchanges[a.Request-1].Turn
		reason, denied := turn.Denied(a.N)
		if d.Approve = !denied; !r.config.NoReasons {
			d.Reason = reason
		}
		if with := turn.Answer.Calls[a.N].Approved; with != "" {
			d.Arguments = json.RawMessage(with)
		}
	}
	a.Decided, a.Approve, a.Reason, a.With = r.since(), d.Approve, d.Reason, string(d.Arguments)
	return d
}
