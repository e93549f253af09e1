package engine

import (
	"bytes"
	"slices"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// choose notes a request and says which turn of the script answers it.
func (r *Run) choose(in *received, refusal *refused) choice {
	if c, is := r.sideAnswer(in); is {
		return c
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if in.request != nil {
		if thread := r.threadOf(in.request); thread != nil {
			return thread.chooseLocked(in, refusal)
		}
	}
	return r.chooseLocked(in, refusal)
}

func (r *Run) chooseLocked(in *received, refusal *refused) choice {
	x, refuses := newExchange(in), refusal.binds(&r.about, in)
	x.Number, x.End, x.Refusal = r.number(), x.Start, refusal.noted(refuses)
	c := choice{exchange: x, script: r.spoken(in.request)}
	switch {
	case in.request == nil:
		c.by, c.problem = byProblem, in.problem
	case refuses:
		c.by, c.refusal = byRefusal, refusal
	default:
		r.chooseTurn(x)
		c.script, c.turn, c.hold = r.spoken(in.request), x.Turn, r.holdPoint(x)
	}
	switch {
	case x.Overrun && refusal != nil: // what is refused there hides nothing that the script still has
		x.Refusal = refusal.noted(true)
		c.by, c.refusal = byRefusal, refusal
	case x.Overrun:
		c.turn = overrun
	}
	r.exchanges = append(r.exchanges, x)
	r.delegate(x)
	r.cancelled.enter()
	return c
}

// chooseTurn chooses the turn of the script that answers an exchange.
func (r *Run) chooseTurn(x *trace.Exchange) {
	if x.Turn, x.Summary = r.compiled.Aside(x.Request, r.config.SummaryMark); x.Turn != nil {
		return
	}
	r.resumeAfterCrash(x)
	before := r.repeated(x)
	if before == nil {
		before = r.cancelledBefore(x)
	}
	if before != nil {
		x.Turn, x.Repeats = before.Turn, before.Number
		return
	}
	if x.Turn = r.modelDown(x.Request); x.Turn != nil {
		return
	}
	r.passOverFailures(x.Request)
	r.passOverPauses(x.Request)
	r.passOverQueued(x.Request)
	r.passOverUnoffered(x.Request)
	r.passOverAskedAgain(x.Request)
	answerBy := r.answerBy(x.Request)
	if r.next == len(r.compiled.Turns) {
		if x.Turn = r.compiled.InForm(x.Request); x.Turn != nil {
			x.Summary = true
			return
		}
	}
	if r.next == len(r.compiled.Turns) || r.asksForLastWord(x.Request) {
		x.Overrun = true
		return
	}
	said := r.spoken(x.Request)
	x.Turn = said.Turns[r.next].CalledAs(r.offers(x.Request)).InNamespaces(x.Request).AskedAs(r.config.Scenario, x.Request.Tools).AnsweredBy(answerBy, said).CountedIn(x.Request, said).RunBy(x.Request)
	if r.noServerTools(x.Request) {
		x.Turn = x.Turn.WithoutServerTools()
	}
	if r.pausesAtCompaction(x) {
		return
	}
	r.next++
	if r.listener != nil && r.compiled.HangsUp(x.Turn) {
		r.listener.shut() // before the answer, so that the loop cannot be faster
	}
}

// pausesAtCompaction lets the provider stop behind what stands for the history where the loop asks for
// that, and reports whether it did: the next request gets the rest of the turn.
func (r *Run) pausesAtCompaction(x *trace.Exchange) bool {
	if x.Turn.Answer == nil || x.Turn.Answer.Compaction == nil {
		return false
	}
	paused, rest := x.Turn.AtCompaction()
	switch {
	case r.pausedAt == x.Turn.Step:
		x.Turn = rest
		return false
	case x.Request.Dialect.PausesAtCompaction(x.Request):
		r.pausedAt, x.Turn = x.Turn.Step, paused
		return true
	default:
		return false
	}
}

// passOverFailures leaves out what the script contains for further attempts, once the user says the
// next prompt.
func (r *Run) passOverFailures(req *wire.Request) {
	s := r.config.Scenario
	if len(r.exchanges) == 0 || !s.Facts().Resumes {
		return
	}
	before := r.exchanges[len(r.exchanges)-1]
	if before.Turn == nil || !before.Turn.LeavesUnanswered() || !scenarios.SaysNewPrompt(s.Prompts, before.Request, req) {
		return
	}
	for r.next < len(r.compiled.Turns) && r.compiled.Turns[r.next].Step == before.Turn.Step {
		r.next++
	}
}

// passOverPauses leaves out turns in which tools of the provider pause, where the loop offers none.
func (r *Run) passOverPauses(req *wire.Request) {
	for r.noServerTools(req) && r.next < len(r.compiled.Turns)-1 && r.compiled.Turns[r.next].Paused() {
		r.next++
	}
}

// noServerTools reports whether the provider has no tools of its own to use in the answer to a
// request.
func (r *Run) noServerTools(req *wire.Request) bool {
	return r.config.NoServerTools && !req.ServerTools
}

// passOverAskedAgain leaves out the answer of a loop that goes on where the model has answered beside
// calls, once the user says the next prompt.
func (r *Run) passOverAskedAgain(req *wire.Request) {
	if n := len(r.exchanges); n > 0 && r.next < len(r.compiled.Turns)-1 && r.compiled.Turns[r.next].Step.IfAskedAgain &&
		scenarios.SaysNewPrompt(r.config.Scenario.Prompts, r.exchanges[n-1].Request, req) {
		r.next++
	}
}

// answerBy returns the tool by which the model answers the loop, or nil. Answers that do not fit the
// schema of the task are left out where the loop takes the answer by a tool, since what such loops
// send back of a call that is not run is their own choice, and where the request has the provider
// ensure the schema, since no such answer comes then.
func (r *Run) answerBy(req *wire.Request) *protocol.AnswerTool {
	if r.config.AnswerBy != nil {
		return r.config.AnswerBy
	}
	tool := r.config.Scenario.AnswerToolIn(req)
	ensured := req.Dialect.DemandsOf(req).Schema != nil
	for (tool != nil || ensured) && r.next < len(r.compiled.Turns)-1 && r.config.Scenario.Misfits(r.compiled.Turns[r.next]) {
		r.next++
	}
	return tool
}

// offers returns the names under which the loop offers the tools, by those of the scenario: in this
// request or, where it has none, in one before.
func (r *Run) offers(req *wire.Request) map[string]string {
	if tools := req.Offered(); len(tools) > 0 {
		r.offered = r.config.Scenario.OfferedAs(tools, r.config.ToolsNamed)
	}
	return r.offered
}

// asksForLastWord reports whether a loop at its turn limit, or with one turn left, or whose budget
// is spent, asks so that the model can call no tool, where the script has nothing but calls for it.
func (r *Run) asksForLastWord(req *wire.Request) bool {
	s := r.config.Scenario
	if s.MaxTurns == 0 && s.TokenBudget == 0 || req.MayCall() || !r.compiled.Turns[r.next].Asks() {
		return false
	}
	given := 0
	for _, x := range r.exchanges {
		if x.Turn != nil && x.Turn.Whole() && x.Repeats == 0 {
			given++
		}
	}
	return s.MaxTurns > 0 && given >= s.MaxTurns-1 || s.TokenBudget > 0 && trace.Spent(s.Prompts, r.exchanges, req) >= s.TokenBudget
}

// maxRepeats is how often the same answer is given to the same request. A loop that asks for it
// again goes round in circles, and gets the next turn.
const maxRepeats = 2

// repeated returns the exchange before a request where the request is the same again, so that it
// gets the same answer: a loop that could not read an answer asks again. One that ran a tool for it
// has read it. Where the answer was none, broke off or said nothing, the script has something for
// the next attempt. Nil: the request is not such a one.
func (r *Run) repeated(x *trace.Exchange) *trace.Exchange {
	if len(r.exchanges) == 0 {
		return nil
	}
	before := r.exchanges[len(r.exchanges)-1]
	if t := before.Turn; t == nil || before.Lost || !t.Asks() && !r.answers(t) || !r.asksTheSame(before.Request, x.Request) {
		return nil
	}
	repeats := 0
	for of := before; of.Repeats > 0; of = r.numbered(of.Repeats) {
		repeats++
	}
	if repeats >= maxRepeats || slices.ContainsFunc(r.executions, func(e *trace.Execution) bool { return e.Start >= before.Start }) {
		return nil
	}
	return before
}

// cancelledBefore returns the exchange before a request if the user cancelled its prompt in the
// wait after it, and the request is a further attempt at that prompt: the wait may have ended in
// the moment of the cancel. It gets the same failure, since what follows in the script answers the
// next prompt. Nil: the request is no such attempt.
func (r *Run) cancelledBefore(x *trace.Exchange) *trace.Exchange {
	if len(r.exchanges) == 0 {
		return nil
	}
	before := r.exchanges[len(r.exchanges)-1]
	if !r.cancels(before, scenarios.DuringWait) || before.Turn.Step.Cancel.Scope != protocol.ScopePrompt || r.Cancel() == nil {
		return nil
	}
	if scenarios.SaysNewPrompt(r.config.Scenario.Prompts, before.Request, x.Request) {
		return nil
	}
	return before
}

// answers reports whether a turn answers the user, and the script continues after it only where the
// user does.
func (r *Run) answers(t *scenarios.Turn) bool {
	return t.Final() && (r.next == len(r.compiled.Turns) || len(r.config.Scenario.Prompts) > 1)
}

// asksTheSame reports whether two requests are the same. Where the loop has a second model, that may
// be asked what the first one has answered, when the answer was lost on its way.
func (r *Run) asksTheSame(a, b *wire.Request) bool {
	return sameBody(a, b) || r.config.Scenario.Facts().FallsBack && a.Model != b.Model && wire.SameExactly(a.MessageList(), b.MessageList())
}

func sameBody(a, b *wire.Request) bool {
	return bytes.Equal(a.Body.Raw, b.Body.Raw) || wire.SameValue(a.Body, b.Body)
}
