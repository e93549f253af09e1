package engine

import (
	"context"
	"net/http"
	"time"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/engine/histories"
	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// serveTurn answers a request for a turn of the model. It is the way of every such request, one
// step a line: find the run, read, judge what the provider refuses, choose the answer, shape it,
// note it, send it, note how it ended. A step hands its result to the next one, and no step changes
// what an earlier one decided.
func (p *Provider) serveTurn(w http.ResponseWriter, r *http.Request, d *wire.Dialect) {
	t, err := p.findTarget(r, d)
	if err != nil {
		p.serveUnrouted(w, r, http.StatusNotFound, sentence(err))
		return
	}
	in := p.read(t, r, d)
	if in.unnoted {
		p.send(w, r, &in.problem.response)
		return
	}
	refusal := judge(t.settings(), in)
	if in.work.Err() != nil {
		refusal, in = nil, in.unread(t.settings())
	}
	p.catchUpStates(t)
	chosen := t.choose(in, refusal)
	defer chosen.plan.done() // deferred, since a severed response may end by a panic
	p.enterState(t, &chosen)
	resp := p.shape(t.settings(), in, &chosen).withRequestID(t.settings(), chosen.turn)
	note := p.note(t.settings(), in, &chosen, resp)
	exchange, heldOpen := chosen.exchange, false
	defer func() { p.noteEnd(t, exchange, note, heldOpen) }() // deferred, since a severed response may end by a panic
	heldOpen = p.deliver(w, t.settings(), in, chosen.by, resp, note)
}

// received is a request for a turn of the model, as it was read.
type received struct {
	http    *http.Request
	work    context.Context // while it is to be read and judged; see [attention]
	body    []byte
	start   time.Duration     // since the start of the run
	request *wire.Request     // with the history that the server keeps, or nil if there is a problem
	history histories.Request // what it says of a history that the server keeps
	problem *problem
	unnoted bool // the request is no part of the conversation: the client sends it again in another form

	key *conversationKey // computed when it is first asked for
}

// problem is why a request gets no answer of the model, and what is sent instead. It is an error of
// ours or of the client, in the envelope of the profile; what the provider refuses is a [refused].
type problem struct {
	text     string
	response response
}

// newProblem returns an error with a status as the answer to a request.
func newProblem(p *profiles.Profile, status int, err error) *problem {
	return &problem{err.Error(), failure(p, status, sentence(err))}
}

// read reads a request in the terms of a dialect, and puts the history before it that the server
// keeps.
func (p *Provider) read(t target, r *http.Request, d *wire.Dialect) *received {
	s := t.settings()
	in := &received{http: r, start: t.since()}
	var err error
	in.body, err = p.readBody(r)
	in.work = attention(s, r, in.body)
	if err == nil && in.work.Err() != nil {
		err = errLeft
	}
	if err == nil {
		in.request, err = p.readRequest(s, d, r, in.body)
	}
	if err != nil {
		in.problem = newProblem(s.profile, statusOf(err), err)
		return in
	}
	if resp, unknown := p.unknownModel(s.profile, d, in.request.Model); unknown {
		in.request, in.problem = nil, &problem{"the model " + in.request.Model + " is none of those that are configured", resp}
		return in
	}
	p.catchUpHistory(in.request)
	if refusal := p.resume(s, in, laneOf(r).keeper()); refusal != nil {
		in.problem, in.unnoted = historyProblem(s.profile, refusal), refusal.Unnoted
	}
	return in
}

// resume puts the history before a request that the server keeps. connection keeps those of its
// connection.
func (p *Provider) resume(s *settings, in *received, connection *histories.Keeper) (refusal *histories.Refusal) {
	var before *wire.Request
	in.history, refusal = s.histories.Resume(in.request, s.profile, in.start, connection, func(body []byte) *wire.Request {
		before = p.latest.before(s.id, in.request.Dialect, body)
		return before
	})
	in.request = in.history.Whole
	if in.history.Continues() != "" && in.request != nil {
		p.latest.add(s.id, in.request, before)
	}
	return refusal
}

// readRequest reads what a body, a URL and headers say.
func (p *Provider) readRequest(s *settings, d *wire.Dialect, r *http.Request, body []byte) (*wire.Request, error) {
	before := p.latest.before(s.id, d, body)
	req, err := parse(d, body, before)
	if err != nil {
		return nil, err
	}
	s.noteHTTP(req, r)
	req.Altered = s.altered
	if s.ofAnotherModel != nil {
		req.OfAnotherModel = s.ofAnotherModel(req.Model)
	}
	p.latest.add(s.id, req, before) // as it is from now on: others may look at it
	return req, nil
}

// refused is what the real provider answers to a request that it does not take.
type refused struct {
	trace.Refusal
	words profiles.Words
}

// judge returns what the real provider answers to a request that it refuses, or nil if it takes the
// request. A refusal is given to the client unless the run is lenient; a request without messages
// has no other answer.
func judge(s *settings, in *received) *refused {
	if in.request == nil {
		return nil
	}
	refusal, words, ok := s.refuser.Refuse(in.work, in.request)
	if !ok {
		return nil
	}
	return &refused{refusal, words}
}

// binds reports whether the client is given a refusal instead of an answer. That of another model's
// reasoning is always given: there are loops that leave it out when they are told so.
func (r *refused) binds(s *settings, in *received) bool {
	return r != nil && (!s.lenient || len(in.request.Messages) == 0 || r.Rule == rules.ReasoningStaysBehind)
}

// response returns the bytes of a refusal.
func (r *refused) response(s *settings, req *wire.Request) *response {
	return new(errorResponse(s.profile, r.Status, r.words).inArray(req))
}

// noted returns the refusal as an exchange has it; given: the client gets it.
func (r *refused) noted(given bool) *trace.Refusal {
	if r == nil {
		return nil
	}
	noted := r.Refusal
	noted.Given = given
	return &noted
}

// answerer says who answers a request.
type answerer int

const (
	byTurn     answerer = iota // a turn of the model
	byRefusal                  // the provider, which refuses the request
	byProblem                  // we do, with an error
	byFallback                 // [Config.Fallback]
)

// choice says what answers a request.
type choice struct {
	by       answerer
	exchange *trace.Exchange
	script   *scenarios.Script // to which the request belongs; nil: to none

	turn    *scenarios.Turn // by a turn
	plan    *responsePlan   // nil if the answer comes at once and whole
	cache   *renderCache    // of the script, or nil if the answer is to this request alone
	hold    *holdPoint      // at which the answer is held; nil: nowhere
	refusal *refused        // by a refusal
	problem *problem        // by a problem
}

// newExchange returns what is known of an exchange before its answer is chosen.
func newExchange(in *received) *trace.Exchange {
	x := &trace.Exchange{Request: in.request, Start: in.start, Thread: in.history.Thread, Socket: laneOf(in.http) != nil}
	if in.problem != nil {
		x.Problem = in.problem.text
	}
	return x
}

// shape makes the bytes of the chosen answer, and says how they travel. Nobody may change the
// response: other exchanges may have it, too.
func (p *Provider) shape(s *settings, in *received, c *choice) *response {
	switch c.by {
	case byFallback:
		return &response{}
	case byProblem:
		return &c.problem.response
	case byRefusal:
		return c.refusal.response(s, in.request)
	}
	planned := c.plan.apply(*p.render(s, in, c)).inArray(in.request)
	planned.hold = c.hold
	return &planned
}

// note notes an exchange before its answer is sent: in the history that the server keeps, and in
// the journal.
func (p *Provider) note(s *settings, in *received, c *choice, resp *response) *journal.Note {
	p.keep(s, in, c.turn, resp)
	entry := p.entry(in.http, s.id, c.script)
	entry.Profile, entry.Exchange, entry.Answer = s.profile, *c.exchange, resp.noted()
	entry.Fault, entry.Forwarded = c.plan.goneWrong(), c.by == byFallback
	entry.SetBody(in.body)
	entry.Continue(in.history.Before)
	if s.told { // in the run of a loop it is judged later, if at all
		entry.Judge(in.work)
	}
	return s.journal.Add(entry)
}

// keep keeps the history with the answer, where the server keeps it.
func (p *Provider) keep(s *settings, in *received, t *scenarios.Turn, resp *response) {
	asked := &in.history
	if asked.Stored && resp.id != "" && t.Whole() {
		s.histories.StoreItems(asked, s.profile, resp.kept())
	}
	if resp.id == "" || t.Fails() && !asked.Background {
		return
	}
	broken := t.Breaks() && !asked.Background
	if form := asked.Sent.Dialect.KeptHistory; broken && (form == nil || !form.KeepsBroken) {
		return
	}
	answer := resp.kept()
	answer.Broken = broken
	if lane := laneOf(in.http); lane != nil {
		lane.keep(asked, s.profile, answer)
		if !asked.Kept {
			s.histories.KeptByConnection(resp.id)
		}
	}
	if asked.Kept {
		kept := s.histories.Keep(asked, s.profile, answer)
		p.tellKept(s, resp.id, kept, asked.Before.History(), asked.Continues())
		if t.Step.LosesThread {
			s.histories.Forget()
		}
	}
	if asked.Conversation != "" { // after the answer, which continues what the conversation was until then
		if kept := s.histories.Extend(asked, s.profile, answer); kept != nil {
			p.tellKept(s, asked.Conversation, kept, kept.Before(), asked.Conversation)
		}
	}
}

// deliver sends the answer, and reports whether the client left a connection open until we closed
// it.
func (p *Provider) deliver(w http.ResponseWriter, s *settings, in *received, by answerer, resp *response, note *journal.Note) (heldOpen bool) {
	if by == byFallback {
		p.forward(w, s, in, note)
		return false
	}
	return p.sendNoted(w, s, in.http, resp, note)
}

// sendNoted sends a response, and notes if the client leaves before its end.
func (p *Provider) sendNoted(w http.ResponseWriter, s *settings, r *http.Request, resp *response, note *journal.Note) (heldOpen bool) {
	out := p.newSending(w, r, resp)
	if out.lingers() {
		stop := out.endWith(s.ctx)
		defer stop()
	}
	defer out.noteLeft(s, note) // deferred, since a severed response may end by a panic
	return out.send()
}

// noteLeft notes what was written of a response whose client left before its end.
func (s *sending) noteLeft(about *settings, note *journal.Note) {
	if !s.left {
		return
	}
	a := s.noted()
	a.Ending, a.Said = journal.Disconnected, nil
	if !s.begun {
		a.Status, a.Header = 0, nil
	}
	writes := a.Writes.Split()
	if !s.gzip { // else the bytes are counted as they were compressed
		writes = firstBytes(writes, s.written)
	} else if s.written == 0 {
		writes = nil
	}
	a.Writes = wire.NewPieces(writes...)
	f := fixtures.Response{Dialect: about.profile.Dialect, Status: a.Status, Headers: a.Header, Writes: writes}
	if said, err := dialect.AnswerOf(&f); err == nil {
		a.Said = said
	}
	note.Answered(a)
}

// firstBytes returns so many bytes of some pieces.
func firstBytes(pieces [][]byte, n int) (first [][]byte) {
	for _, piece := range pieces {
		if n <= 0 {
			break
		}
		piece = piece[:min(n, len(piece))]
		first, n = append(first, piece), n-len(piece)
	}
	return first
}

// noteEnd notes that an exchange is over.
func (p *Provider) noteEnd(t target, x *trace.Exchange, note *journal.Note, heldOpen bool) {
	note.Ended(t.finish(x, heldOpen))
	if t.settings().told {
		p.tellDone(note)
	}
}
