package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/scenarios"
	"github.com/loopproof/loopproof/wire"
)

// Case is a scenario to be played in one dialect, under one profile, in one delivery.
type Case struct {
	Scenario string
	Dialect  string
	Profile  string
	Delivery wire.Delivery

	// Cut is the place at which the stream is cut, from 1, in a scenario that has a case for each place; else 0.
	Cut int

	// Regular leaves the quirks out for which the scenario asks. No such case is judged; runs are compared with them.
	Regular bool
}

// ID returns the case in one word: "pairing/parallel-results@chat/openai/sse".
func (c Case) ID() string {
	id := c.Scenario + "@" + c.Dialect + "/" + c.Profile + "/" + string(c.Delivery)
	if c.Cut > 0 {
		id += "/cut-" + strconv.Itoa(c.Cut)
	}
	if c.Regular {
		return id + "/regular"
	}
	return id
}

// Run is one playing of a case: every exchange, every tool execution, the outcome. It is finished, by [Run.Finish], when rules see it.
type Run struct {
	Case       Case
	Script     *scenarios.Script
	Task       protocol.Task
	Exchanges  []*Exchange
	Executions []*Execution
	Outcome    *protocol.Outcome // nil: the loop reported none
	Ending     Ending

	// Named says that the loop names the run's profile in its claims, or a pattern of it: it knows whom it talks to.
	Named bool

	// Cancel is what the user cancelled; nil: nothing.
	Cancel *Cancel

	// Plain is the same scenario played in the plainer delivery: the one as JSON to a stream, the ordinary stream to an
	// odd one, and the one without quirks to one with quirks that came out wrong. It is nil where the loop was not played
	// so.
	Plain *Run

	taken, served []*Exchange
	echoes        []Echo
	runs          []CallRun
	extra         []*Execution

	transcript, events handedRecord
	kept               []keptTurn
	told               []toldCall
}

// Exchange is one request of the loop for a turn of the model, and what it was answered.
type Exchange struct {
	Number  int           // from 1
	Request *wire.Request // nil: the body was not a JSON object
	Problem string        // why not
	Method  string        // of the HTTP request, where it was not POST
	Turn    *scenarios.Turn
	Overrun bool     // the script had ended: a plain text was answered
	Refusal *Refusal // what the real provider answers to this request
	Start   time.Duration
	End     time.Duration // both since the start of the run
	Dropped bool          // the loop let go of the answer, when the user cancelled, before it had come whole

	// Repeats is the number of the request before, where this one is the same and got the same answer: a whole one, of
	// which the loop had made no use. 0: it is another, or was answered by the next turn.
	Repeats int

	// Thread is what the request says of a conversation that the provider keeps; nil: nothing.
	Thread *Thread

	// Outwaited says that the answer was complete and its connection left open, and that the loop did not leave it
	// until we did.
	Outwaited bool
}

// Thread is the part of a conversation that a request leaves to the provider, which kept it. The request of its exchange
// is what both of them say together.
type Thread struct {
	Previous string // the id of the answer that is gone on from; "" begins a conversation
	Held     int    // how many messages, from the first, the provider had kept
	Refused  string // why the provider does not go on, in its word for it; then the exchange has no request
	Lost     bool   // it had kept the conversation, and does no longer
}

// The words for why a provider does not go on with a conversation.
const (
	ThreadUnsupported      = "thread_unsupported_request"
	ThreadNotFound         = "thread_not_found"
	ThreadAlreadyContinued = "thread_already_continued"
	ThreadMismatch         = "thread_fingerprint_mismatch"
)

// held returns how many messages of the request, from the first, the loop did not have to send.
func (x *Exchange) held() int {
	if x.Thread == nil {
		return 0
	}
	return x.Thread.Held
}

// Cancel is what the user cancelled.
type Cancel struct {
	Turn    *scenarios.Turn // during which
	Request int             // number of the request that the turn answers
	At      time.Duration   // when the loop was told, since the start of the run
}

// Refusal is a provider's error about a request that breaks a rule.
type Refusal struct {
	Rule    string `json:"rule"`
	Status  int    `json:"status"`
	Message string `json:"message"`
	Given   bool   `json:"-"` // the loop was really answered so
}

// Execution is one run of a tool.
type Execution struct {
	Tool      string
	CallID    string // where the loop exposes it
	Arguments string
	Start     time.Duration
	End       time.Duration
	Result    string
	Image     *wire.Image // the result, in the place of a text
	Failed    bool
	Unknown   bool // no tool of that name exists, or none of its results fits the arguments
	Dropped   bool // the loop did not wait for the result
}

// givenUp reports whether the loop did not wait for the tool: it let go of it, or the run was over before the tool was.
func (e *Execution) givenUp() bool { return e.Dropped || e.End == 0 }

// Said returns what the tool returned: its text, or a word about the image.
func (e *Execution) Said() string {
	if e.Image == nil {
		return e.Result
	}
	return fmt.Sprintf("(%s, %s)", e.Image.MediaType, plural(len(e.Image.Data), "byte"))
}

// Ending says how the playing of a case ended.
type Ending struct {
	How  How
	At   time.Duration // since the start of the run
	Note string        // what is known about it, such as the last lines of a crashed adapter
}

// How is a way for a run to end.
type How string

// The ways to end. Only a Reported run has an outcome.
const (
	Reported How = "reported"
	Crashed  How = "crashed"
	Hung     How = "hung"
)

// Finish prepares a run for the rules, once everything in it is known, and returns it.
func (r *Run) Finish() *Run {
	r.taken = slices.Clip(r.findTaken())
	r.served = slices.Clip(r.findServed())
	r.echoes = r.findEchoes()
	r.runs, r.extra = r.assign()
	r.readRecords()
	r.kept, r.told = r.findKept(), r.findTold()
	return r
}

// refused reports whether the provider answered that the request is wrong, so that it cannot be sent again as it is.
func (x *Exchange) refused() bool {
	return x.Turn != nil && x.Turn.Refuses()
}

// Taken returns the exchanges whose request was a request of this conversation: a JSON object that carries a prompt of
// the task, or the result of a call. Garbage is no evidence of anything. Where the same was asked again and answered so, only the last exchange
// counts: the loop made nothing of the others.
func (r *Run) Taken() []*Exchange {
	if r.taken != nil {
		return r.taken
	}
	return r.findTaken()
}

func (r *Run) findTaken() []*Exchange {
	var taken []*Exchange
	for _, x := range r.Exchanges {
		if n := len(taken); n > 0 && x.Repeats > 0 && taken[n-1].Number == x.Repeats {
			taken = taken[:n-1]
		}
		if x.Request != nil && (r.carriesPrompt(x.Request) || r.answersCall(x)) {
			taken = append(taken, x)
		}
	}
	return taken
}

// answersCall reports whether a request has a result for a call that the model made before, by an id that nobody else can
// know. So does one of a loop that has lost the prompts, or keeps a window.
func (r *Run) answersCall(x *Exchange) bool {
	return slices.ContainsFunc(r.Exchanges, func(before *Exchange) bool {
		return before.Number < x.Number && before.Turn != nil && before.Turn.Answer != nil &&
			slices.ContainsFunc(before.Turn.Answer.Calls, func(c wire.AnswerCall) bool { return answers(x.Request, c.ID) })
	})
}

// answers reports whether a request has a result for a call of an id.
func answers(req *wire.Request, id string) bool {
	return id != "" && slices.ContainsFunc(req.Messages, func(m wire.Message) bool {
		return slices.ContainsFunc(m.Results, func(res wire.Result) bool { return res.CallID == id })
	})
}

// carriesPrompt reports whether a request carries what the user says in some prompt. A loop that forgets, or keeps a
// window, may not send the first of them any more.
func (r *Run) carriesPrompt(req *wire.Request) bool {
	return slices.ContainsFunc(r.Task.Prompts, func(prompt string) bool { return asks(req, prompt) })
}

// carriesLastPrompt reports whether a request asks what the user asks last.
func (r *Run) carriesLastPrompt(req *wire.Request) bool {
	return len(r.Task.Prompts) > 0 && asks(req, r.Task.Prompts[len(r.Task.Prompts)-1])
}

func asks(req *wire.Request, prompt string) bool {
	return slices.ContainsFunc(req.Messages, func(m wire.Message) bool {
		return m.Role == wire.User && strings.Contains(m.Content.Text, prompt)
	})
}

// Served returns the exchanges that were answered from the script, in order.
func (r *Run) Served() []*Exchange {
	if r.served != nil {
		return r.served
	}
	return r.findServed()
}

func (r *Run) findServed() []*Exchange {
	var served []*Exchange
	for _, x := range r.Taken() {
		if x.Turn != nil {
			served = append(served, x)
		}
	}
	return served
}

// Last returns the last exchange that was answered from the script, or nil.
func (r *Run) Last() *Exchange {
	served := r.Served()
	if len(served) == 0 {
		return nil
	}
	return served[len(served)-1]
}

// UsedTools reports whether the loop has shown that it is one: some request carries a tool result.
func (r *Run) UsedTools() bool {
	for _, x := range r.Taken() {
		if carriesResult(x.Request) {
			return true
		}
	}
	return false
}

func carriesResult(req *wire.Request) bool {
	for _, m := range req.Messages {
		if len(m.Results) > 0 {
			return true
		}
	}
	return false
}

// Next returns the first exchange after x whose request is one of this conversation, or nil.
func (r *Run) Next(x *Exchange) *Exchange {
	for _, later := range r.Taken() {
		if later.Number > x.Number {
			return later
		}
	}
	return nil
}
