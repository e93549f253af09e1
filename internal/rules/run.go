package rules

import (
	"bytes"
	"slices"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/wire"
)

// usesThreads reports whether the loop left anything of the conversation to the provider: it named
// the answer before, or a conversation, from which the provider took messages.
func (r *Run) usesThreads() bool {
	for _, x := range r.Exchanges {
		if x.Kept() > 0 || x.Thread != nil && x.Thread.Previous != "" {
			return true
		}
	}
	return false
}

// Dialect returns the dialect of the run.
func (r *Run) Dialect() *wire.Dialect { return r.Script.Profile.Speaks }

// Run is a recorded run, examined for the rules: which exchanges count, what the loop returned of
// each turn, which execution carried out which call.
type Run struct {
	trace.Run

	// Baseline is the same scenario played in the plainer delivery: the one as JSON to a stream,
	// the ordinary stream to an odd one, and the one without quirks to one with quirks that came
	// out wrong. It is nil where the loop was not played so.
	Baseline *Run

	conversation, served []*trace.Exchange
	returned             returnedTurns
	runs                 []CallRun
	extra                []*trace.Execution
	resumptions          []Resumption

	// Delegations are the conversations with sub-agents.
	Delegations []*Delegation

	Transcript, Events HandedRecord
	KeptTurns          []KeptTurn
	ToldCalls          []ToldCall
}

// Examine prepares a finished run for judging. The records of the loop are validated by a checker
// such as transcriptschema.Check.
func Examine(recorded trace.Run, schemas transcript.Checker) *Run {
	r := &Run{Run: recorded}
	return r.Examine(schemas)
}

// Examine works out what the rules ask for, once everything in the run is known, and returns the
// run.
func (r *Run) Examine(schemas transcript.Checker) *Run {
	r.settleCrash()
	r.addDelegated()
	r.conversation = slices.Clip(r.findConversation())
	r.served = slices.Clip(r.findServed())
	r.resumptions = r.findResumptions()
	r.returned = newReturnedTurns(r.findReturnedTurns())
	r.runs, r.extra = r.assignAroundCrash()
	r.readRecords(schemas)
	r.KeptTurns, r.ToldCalls = r.findKeptTurns(), r.findToldCalls()
	r.examineDelegated(schemas)
	return r
}

// Conversation returns the exchanges whose request was a request of this conversation: a JSON
// object that carries a prompt of the task, or the result of a call. Garbage is no evidence of
// anything. A request for a summary is none, and where a loop makes its history shorter, each other
// one is. Where the same was asked again and answered so, only the last exchange counts: the loop
// made nothing of the others. What was lost when the process of the loop was killed does not count
// either.
func (r *Run) Conversation() []*trace.Exchange {
	if r.conversation != nil {
		return r.conversation
	}
	return r.findConversation()
}

func (r *Run) findConversation() []*trace.Exchange {
	var taken []*trace.Exchange
	for _, x := range r.Exchanges {
		if n := len(taken); n > 0 && x.Repeats > 0 && taken[n-1].Number == x.Repeats {
			taken = taken[:n-1]
		}
		if x.Request != nil && !x.Summary && !x.Lost && (r.carriesPrompt(x.Request) || r.answersCall(x) || r.shortened() || r.OfAgent) {
			taken = append(taken, x)
		}
	}
	return taken
}

// shortened reports whether the history may be made shorter in the task, so that a request need not
// carry what tells that it is one of the conversation.
func (r *Run) shortened() bool { return r.Task.ContextLimit > 0 || r.Task.CompactThreshold > 0 }

// answersCall reports whether a request has a result for a call that the model made before, or an
// answer to a question of the provider, by an id that cannot be guessed, or returns a call without
// an id by its signature, or as it was made. So does one of a loop that has lost the prompts, or
// keeps a window.
func (r *Run) answersCall(x *trace.Exchange) bool {
	return slices.ContainsFunc(r.Exchanges, func(before *trace.Exchange) bool {
		return before.Number < x.Number && before.Turn != nil && before.Turn.Answer != nil &&
			(slices.ContainsFunc(before.Turn.Answer.Calls, func(c wire.AnswerCall) bool {
				return x.Request.HasResultFor(c.ID) || c.ID == "" && (returnsSigned(x.Request, c.Signature) || returnsCall(x.Request, c))
			}) || slices.ContainsFunc(before.Turn.Answer.Approvals(), func(asked wire.ProviderItem) bool {
				return bytes.Contains(x.Request.Body.Raw, []byte(asked.ID))
			}))
	})
}

// returnsCall reports whether a request has a call as it was made, under whatever id.
func returnsCall(req *wire.Request, c wire.AnswerCall) bool {
	return slices.ContainsFunc(req.Messages, func(m wire.Message) bool {
		return slices.ContainsFunc(m.Calls, func(y wire.Call) bool { return EqualCall(c, y) })
	})
}

// returnsSigned reports whether a request returns a call of a signature.
func returnsSigned(req *wire.Request, signature string) bool {
	return signature != "" && slices.ContainsFunc(req.Messages, func(m wire.Message) bool {
		return slices.ContainsFunc(m.Calls, func(c wire.Call) bool { return c.Signature.Text() == signature })
	})
}

// carriesPrompt reports whether a request carries what the user says in some prompt. A loop that
// forgets, or keeps a window, may not send the first of them any more.
func (r *Run) carriesPrompt(req *wire.Request) bool {
	return slices.ContainsFunc(r.Task.Prompts, func(prompt string) bool { return req.UserSays(prompt) || Cleaned(req, prompt, wire.User) })
}

// CarriesLastPrompt reports whether a request asks what the user asks last.
func (r *Run) CarriesLastPrompt(req *wire.Request) bool {
	return len(r.Task.Prompts) > 0 && req.UserSays(r.Task.Prompts[len(r.Task.Prompts)-1])
}

// Served returns the exchanges that were answered from the script, in order.
func (r *Run) Served() []*trace.Exchange {
	if r.served != nil {
		return r.served
	}
	return r.findServed()
}

func (r *Run) findServed() []*trace.Exchange {
	var served []*trace.Exchange
	for _, x := range r.Conversation() {
		if x.Turn != nil {
			served = append(served, x)
		}
	}
	return served
}

// Last returns the last exchange that was answered from the script, or nil.
func (r *Run) Last() *trace.Exchange {
	served := r.Served()
	if len(served) == 0 {
		return nil
	}
	return served[len(served)-1]
}

// UsedTools reports whether the loop has shown that it is one: some request carries a tool result.
func (r *Run) UsedTools() bool {
	for _, x := range r.Conversation() {
		if CarriesResult(x.Request) {
			return true
		}
	}
	return false
}

// CarriesResult reports whether a request has a tool result.
func CarriesResult(req *wire.Request) bool { return req.HasResult() }

// Next returns the first exchange after x whose request is one of this conversation, or nil.
func (r *Run) Next(x *trace.Exchange) *trace.Exchange {
	for _, later := range r.Conversation() {
		if later.Number > x.Number {
			return later
		}
	}
	return nil
}
