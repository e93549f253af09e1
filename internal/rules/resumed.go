package rules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Resumption is a place at which a conversation continues although a prompt got no answer: the user
// took the prompt back, or the attempts at it failed, or the model did not say all, or the loop
// gave up at a call that cannot be run or whose tool failed. What came of the prompt may go back or
// be forgotten, and the prompt with it; what was before it may not.
type Resumption struct {
	Failed *trace.Exchange // the last one of the prompt without an answer
	Next   *trace.Exchange // the first whose request says a later prompt
	Prompt int             // the index of the prompt without an answer
}

// Resumptions returns where the conversation continues after prompts without an answer.
func (r *Run) Resumptions() []Resumption { return r.resumptions }

// ResumedBy returns the resumption that begins with an exchange, or nil.
func (r *Run) ResumedBy(x *trace.Exchange) *Resumption {
	for i := range r.resumptions {
		if x != nil && r.resumptions[i].Next == x {
			return &r.resumptions[i]
		}
	}
	return nil
}

// NextAttempt returns the first exchange after x whose request is one of this conversation and of
// the same prompt, or nil.
func (r *Run) NextAttempt(x *trace.Exchange) *trace.Exchange {
	next := r.Next(x)
	if r.ResumedBy(next) != nil {
		return nil
	}
	return next
}

// Resumed returns the first request for a later prompt than the one that was cancelled, or nil.
func (r *Run) Resumed() *trace.Exchange {
	for _, at := range r.resumptions {
		if r.Cancel != nil && at.Failed.Number == r.Cancel.Request {
			return at.Next
		}
	}
	return nil
}

// Unanswered reports whether the user had gone on to a later prompt by the time of a request,
// although this prompt had no answer.
func (r *Run) Unanswered(prompt int, by *trace.Exchange) bool {
	return slices.ContainsFunc(r.resumptions, func(at Resumption) bool {
		return at.Prompt == prompt && at.Next.Number <= by.Number
	})
}

// LeftUnanswered reports whether the user went on to another prompt although this one had no
// answer, or cancelled it.
func (r *Run) LeftUnanswered(prompt int) bool {
	return r.Cancel != nil && r.PromptOf(r.Exchange(r.Cancel.Request)) == prompt ||
		slices.ContainsFunc(r.resumptions, func(at Resumption) bool { return at.Prompt == prompt })
}

// PromptOf returns the index of the last prompt that a request says, or -1.
func (r *Run) PromptOf(x *trace.Exchange) int {
	last := -1
	for n, prompt := range r.Task.Prompts {
		if x.Request != nil && x.Request.UserSays(prompt) {
			last = n
		}
	}
	return last
}

func (r *Run) findResumptions() []Resumption {
	var found []Resumption
	taken := r.Conversation()
	add := func(failed, next *trace.Exchange) {
		found = append(found, Resumption{Failed: failed, Next: next, Prompt: r.PromptOf(failed)})
	}
	cancelled := r.cancelledPrompt()
	for i, next := range taken {
		switch {
		case cancelled != nil && next.Number > cancelled.Number && scenarios.SaysNewPrompt(r.Task.Prompts, cancelled.Request, next.Request):
			add(cancelled, next)
			cancelled = nil
		case i > 0 && r.mayLeave(taken[i-1]) && scenarios.SaysNewPrompt(r.Task.Prompts, taken[i-1].Request, next.Request):
			add(taken[i-1], next)
		}
	}
	return found
}

// cancelledPrompt returns the exchange in which the user took back a prompt and no more, or nil.
func (r *Run) cancelledPrompt() *trace.Exchange {
	if r.Cancel == nil || r.Cancel.Turn.Step.Cancel.Scope != protocol.ScopePrompt {
		return nil
	}
	return r.Exchange(r.Cancel.Request)
}

// mayLeave reports whether a prompt may end at an exchange without an answer: it gave the loop
// nothing to go on with, or a call at which many loops give up. Whether they do is only known where
// the user goes on all the same.
func (r *Run) mayLeave(x *trace.Exchange) bool {
	switch {
	case x.Turn == nil:
		return false
	case x.Turn.LeavesUnanswered():
		return true
	default:
		return r.Task.ResumeAfterFailure && (x.Turn.Asks() && r.BudgetSpentAt(x) || slices.ContainsFunc(x.Turn.Answer.Calls, r.MayGiveUpAt))
	}
}

// HasBadCall reports whether a turn has a call that cannot be run.
func (r *Run) HasBadCall(t *scenarios.Turn) bool {
	return slices.ContainsFunc(t.Answer.Calls, func(c wire.AnswerCall) bool {
		return r.Script.Scenario.Trouble(c) != scenarios.NoTrouble
	})
}
