package histories

import (
	"cmp"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// Request is a request for a turn of the model, with what it says of a history that the provider
// keeps.
type Request struct {
	Whole        *wire.Request // with the history that it continues; nil: it cannot be continued
	Sent         *wire.Request // without that history
	Before       *journal.Turn // the end of that history; nil: the request continues none
	Thread       *trace.Thread // nil: it says nothing of a history
	Start        time.Duration // since the start of the run
	Kept         bool          // the provider keeps the conversation with the answer
	Conversation string        // the id of the conversation in which the request is, or "" if it has none
	Background   bool          // the answer is made in the background
	Stored       bool          // the provider stores the items of the answer

	connection *Keeper // of its connection, or nil
}

// Continues returns the id of the history that the request continues, or "" if there is none.
func (r *Request) Continues() string {
	if r.Before == nil {
		return ""
	}
	return cmp.Or(r.Conversation, r.Thread.Previous)
}

// Answer is the answer to a [Request].
type Answer struct {
	ID      string // under which it is kept
	Said    *wire.Answer
	Size    int   // in bytes, as it is sent
	Created int64 // the time that it carries
	Broken  bool  // its stream breaks off
}

// Refusal is why a request that continues a history gets no answer of the model.
type Refusal struct {
	Status  int
	Message string
	Body    []byte

	// Unnoted says that the request is no part of the conversation: the client sends it again in
	// another form.
	Unnoted bool
}

// Refuse returns why a history with an id is not continued.
func Refuse(form *wire.KeptHistory, why wire.HistoryProblem, id string) *Refusal {
	refusal := form.Refusals[why]
	refusal.Message = strings.ReplaceAll(refusal.Message, "{id}", id)
	return &Refusal{Status: refusal.Status, Message: refusal.Message, Body: form.ErrorBody(refusal).JSON()}
}

// Resume puts the kept history before a request that continues it, which came at a time since the
// start of the run. connection keeps the histories of its connection, and is nil if that keeps
// none. A request that cannot be continued carries no conversation, and is refused. earlier returns
// one that the body of the whole request may begin like; see [wire.KeptHistory.Resume].
func (h *Keeper) Resume(req *wire.Request, p *profiles.Profile, start time.Duration, connection *Keeper, earlier func(body []byte) *wire.Request) (Request, *Refusal) {
	in := Request{Whole: req, Sent: req, Start: start, connection: connection}
	form := req.Dialect.KeptHistory
	if form == nil {
		return in, nil
	}
	in.Stored, in.Sent = h.refer(req, form)
	in.Whole = in.Sent
	continued := form.Continues(in.Sent)
	switch {
	case continued == nil, continued.ByDefault && !p.Traits.KeepsThreads:
		return in, nil
	case !p.Traits.KeepsThreads:
		// Clients that know of threads send the same again with its history and without a thread;
		// so the refused request is no part of the conversation, and nothing is lost that could be
		// judged.
		refusal := Refuse(form, wire.HistoryUnsupported, continued.Previous)
		refusal.Unnoted = true
		return in, refusal
	}
	in.Kept, in.Background, in.Conversation = !continued.NotStored, continued.Background && !continued.NotStored, continued.Conversation
	if continued.ByDefault {
		return in, nil
	}
	in.Thread = &trace.Thread{Previous: continued.Previous}
	if continued.Begins {
		return in, nil
	}
	before, why := h.before(&in, form)
	whole, err := in.Sent, error(nil)
	if why == "" {
		if whole, err = before.Resume(in.Sent, earlier); err != nil {
			why = wire.HistoryNotFound
		}
	}
	if why == "" {
		in.Thread.KeptMessages = len(whole.Messages) - listed(in.Sent)
		in.Whole, in.Before = whole, before
		return in, nil
	}
	if continued.Ambiguous && !in.Thread.Lost {
		return in, nil // that is why the provider refuses it, whatever it keeps
	}
	in.Thread.Problem, in.Thread.Code = why, form.Refusals[why].Code
	in.Whole = nil
	return in, Refuse(form, why, cmp.Or(continued.Conversation, continued.Previous))
}

// listed returns how many messages of a request are in its list, and not alongside it, as a system
// prompt may.
func listed(req *wire.Request) (count int) {
	for _, m := range req.Messages {
		if m.Node.IsBelow(req.Dialect.Request.Messages) {
			count++
		}
	}
	return count
}
