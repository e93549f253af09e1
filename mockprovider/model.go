package mockprovider

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/digest"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/scenarios"
)

// serveModel answers a request for a turn of the model.
func (p *Provider) serveModel(w http.ResponseWriter, r *http.Request, who finder, d *wire.Dialect) {
	conv, err := find(d, who, r)
	if err != nil {
		p.astray(w, r, http.StatusNotFound, sentence(err))
		return
	}
	x := &trace.Exchange{Start: conv.since()}
	c := &call{provider: p, conv: conv, w: w, r: r, x: x}
	err = c.readRequest(d)
	threaded := err == nil && asksForThread(x.Request)
	if threaded && !conv.profile().Traits.KeepsThreads {
		// Clients that know of threads send the same again with its history and without a thread; so the refused request is no
		// part of the conversation, and nothing is lost that could be judged.
		p.send(w, r, threadUnsupported.response(conv.profile()))
		return
	}
	defer c.end() // of what the conversation takes, which from here on is every request
	if err != nil {
		x.Problem = err.Error()
		c.take()
		c.fail(statusOf(err), sentence(err))
		return
	}
	if threaded {
		if refusal, refused := conv.threads().resume(x, conv.since()); refused {
			c.take()
			c.send(r, refusal.response(conv.profile()))
			return
		}
	}
	refusal, words, refused := rules.Refuse(conv.profile(), x.Request)
	if refused {
		refusal.Given = !conv.lenient() || len(x.Request.Messages) == 0
		noted := refusal // a copy, so that only a refused request has one in memory
		x.Refusal = &noted
	}
	err = c.take()
	switch {
	case c.passesOn(err):
		c.passOn()
	case refused && refusal.Given:
		c.send(r, errorResponse(conv.profile(), refusal.Status, words))
	case err != nil:
		c.fail(statusOfTake(err), sentence(err))
	default:
		resp := c.manner.shape(conv.held(x, p.answer(conv, x, c.manner)))
		if resp.lingers() {
			ctx, leave := conv.during(r.Context())
			defer leave()
			r = r.WithContext(ctx)
		}
		if c.send(r, resp) {
			conv.outwaited(x)
		}
	}
}

// readRequest reads the request in the words of a dialect.
func (c *call) readRequest(d *wire.Dialect) (err error) {
	if c.body, err = c.provider.read(c.r); err != nil {
		return err
	}
	if c.x.Request, err = parse(d, c.body); err != nil {
		return err
	}
	c.x.Request.NoteHeaders(c.r.Header)
	if deployment := mux.Vars(c.r)["deployment"]; c.x.Request.Model == "" {
		c.x.Request.Model = deployment
	}
	c.x.Request.Altered = scenarios.Altered(c.conv.secret())
	return nil
}

// answer renders the turn that answers an exchange.
func (p *Provider) answer(conv conversation, x *trace.Exchange, m manner) response {
	if x.Overrun {
		return p.render(conv, x, overrun, m)
	}
	return p.render(conv, x, x.Turn, m)
}

// statusOfTake is the status of a request to which there is no answer.
func statusOfTake(err error) int {
	if errors.As(err, &badHeader{}) {
		return http.StatusBadRequest
	}
	return http.StatusNotFound
}

// overrun is what is answered past the end of a script.
var overrun = &scenarios.Turn{
	Step:   &scenarios.Step{},
	Number: -1,
	Answer: &wire.Answer{Text: "There is nothing more to say.", Finish: wire.FinishStop, Usage: wire.Usage{Prompt: 10, Completion: 7}},
}

func (p *Provider) render(conv conversation, x *trace.Exchange, t *scenarios.Turn, m manner) response {
	profile := conv.profile()
	if f := t.Step.Recorded(); fits(f, t.Fails(), x.Request, conv.delivery()) {
		return recordedResponse(f).says(t.Answer)
	}
	if t.Fails() {
		return p.failedTurn(profile, t)
	}
	key, known := keyOf(t, x), conv.rendered()
	key.chunk = m.chunk()
	if t.Asked != "" || m.fault != nil { // an answer to this request alone
		known = nil
	}
	if x.Thread != nil && t.Whole() {
		conv.threads().keep(x, profile, t.Shown(key.reasoning), key.reply(conv))
		if t.Step.LosesThread {
			conv.threads().forget()
		}
	}
	return known.get(key, func() response {
		codec, answer, reply := profile.Shape, inChunks(t.Shown(key.reasoning), key.chunk), key.reply(conv)
		if key.stream && !t.Step.Whole {
			return streamResponse(profile, t, codec.Stream(answer, reply), conv.delivery()).says(answer)
		}
		return wholeResponse(profile, t, codec.Write(answer, reply)).says(answer)
	})
}

// inChunks returns an answer whose stream carries so many characters an event.
func inChunks(a *wire.Answer, chunk int) *wire.Answer {
	if chunk == 0 {
		return a
	}
	cut := *a
	cut.Chunk = chunk
	return &cut
}

// reply returns what surrounds an answer.
func (k renderedKey) reply(conv conversation) wire.Reply {
	profile, number := conv.profile(), k.turn.Number
	return wire.Reply{
		ID:      cmp.Or(k.turn.Step.ID, profile.CompletionID.Expand(digest.New(conv.secret(), "completion", strconv.Itoa(number)+k.turn.Asked, k.thread), "", number)),
		Model:   cmp.Or(profile.ModelName, k.model, "loopproof"),
		Created: created,
		Usage:   k.usage,
	}
}

// created is the time that answers carry. It stands still, so that the same request gives the same bytes.
const created = 1767225600 // 2026-01-01

// wrongMethod answers a request with a method that its path does not have. That of a redirected request is lost with
// clients that turn a POST into a GET, so a run takes note of it.
func (p *Provider) wrongMethod(w http.ResponseWriter, r *http.Request) {
	if run, ok := p.runs.Load(runOf(r.URL.Path)); ok {
		run.(*Run).noteLost(r)
	}
	p.astray(w, r, http.StatusMethodNotAllowed, fmt.Sprintf("Not allowed to %s on %s.", r.Method, r.URL.Path))
}

// astray answers a request that reaches no conversation, and writes it into the journal.
func (p *Provider) astray(w http.ResponseWriter, r *http.Request, status int, message string) {
	if p.passOnStray(w, r) {
		return
	}
	profile := p.config.Profile
	if conv, err := p.run(runOf(r.URL.Path)); err == nil {
		profile = conv.profile()
	}
	resp := failure(profile, status, message)
	now := p.open.since()
	x := trace.Exchange{Problem: message, Start: now, End: now}
	note := p.journal.Add(p.entry(r, DefaultRun, nil, Entry{Stray: true, Profile: profile, Exchange: x, Answer: resp.noted(), Over: true}))
	p.write(w, r, resp)
	p.isOver(note)
}

// runOf returns the run that a path names, whatever follows, or "".
func runOf(path string) string {
	rest, ok := strings.CutPrefix(path, "/run/")
	if !ok {
		return ""
	}
	id, _, _ := strings.Cut(rest, "/")
	return id
}

// failure is an error of our own in the envelope of a profile.
func failure(profile *profiles.Profile, status int, message string) response {
	kind := "invalid_request_error"
	return errorResponse(profile, status, profiles.Words{Message: message, Type: &kind})
}
