package engine

import (
	"net/http"
	"slices"
	"time"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

const jsonType = "application/json"

// response is an answer ready to be sent.
type response struct {
	status         int
	contentType    string
	headers        map[string]string
	head           http.Header   // they and the type, once they are made
	body           []byte        // sent at once, with its length
	writes         *wire.Pieces  // or: sent one by one, each flushed
	handler        http.Handler  // or: which writes all of it
	listens        bool          // which is a stream that is open until something happens
	redirectToSelf bool          // a redirect to the URL that was asked
	gzip           bool          // compressed for a client that takes it so
	noResponse     bool          // nothing is sent at all
	stall          time.Duration // of silence before the ending
	pause          time.Duration // between writes

	wait           time.Duration   // before anything comes
	spread         time.Duration   // after each write but the last
	pauses         []time.Duration // after each of the first writes
	keepsPace      bool            // what one pause took longer is taken off the next ones
	bytesPerSecond int             // 0: at once

	leftOpen bool // the connection stays open after the last byte until the client leaves
	ending   ending

	said  *wire.Answer // what the bytes say; nil: an error
	id    string       // of the answer in its bytes, or "" if it has none that we chose
	last  func()       // called before the last byte is written; nil: nothing is
	early int          // how many of the writes come before a hold in the middle
	hold  *holdPoint   // at which it is held; nil: nowhere
}

// ending says what happens to the connection after the last byte.
type ending int

const (
	clean   ending = iota // the response ends as HTTP wants it
	severed               // the connection is closed in the middle of the response
	reset                 // the connection is reset, and what a slow client has not read yet may be lost
)

// says notes what the bytes of a response say.
func (r response) says(a *wire.Answer) response {
	r.said = a
	return r
}

// lingers reports whether time passes before all of the response is sent.
func (r *response) lingers() bool {
	return r.wait > 0 || r.keepsPace || r.pauses != nil || r.pause > 0 || r.bytesPerSecond > 0 || r.stall > 0 || r.holdsAt(beforeAnswer) || r.holdsAt(withinAnswer)
}

func errorResponse(p *profiles.Profile, status int, w profiles.Words) response {
	resp := response{status: status, contentType: jsonType, headers: p.Errors.Headers, body: p.Error(status, w)}.with(p.Headers)
	if name := p.Speaks.Errors.TypeHeader; name != "" && w.Type != nil {
		return resp.with(map[string]string{name: *w.Type})
	}
	return resp
}

// inArray puts an error into an array if that is what the answer would have been.
func (r response) inArray(req *wire.Request) response {
	if req.Array && r.status >= http.StatusBadRequest && len(r.body) > 0 {
		r.body = slices.Concat([]byte("["), r.body, []byte("]"))
	}
	return r
}

// wholeResponse is an answer that is not streamed. When it breaks, half of it arrives.
func wholeResponse(p *profiles.Profile, t *scenarios.Turn, body []byte) response {
	resp := response{status: http.StatusOK, contentType: jsonType, headers: p.Headers, body: body}
	switch {
	case t.Step.InBandError != nil:
		resp.body = p.Error(http.StatusInternalServerError, inBandWords(p, t))
	case t.Step.Reset != nil:
		resp.ending = reset
	case t.Breaks() && t.Step.Cancel == nil: // held until the client disconnects, or sent then
		resp.ending = severed
	}
	if t.Malformed != nil {
		resp.body = resp.body[:len(resp.body)/2]
	}
	for _, q := range t.Quirks {
		if q.Whole != nil {
			resp.body = q.Whole(resp.body)
		}
	}
	return resp.applyTransport(t.Step)
}

func inBandWords(p *profiles.Profile, t *scenarios.Turn) profiles.Words {
	if t.Step.InBandError.Error != nil {
		return *t.Step.InBandError.Error
	}
	return p.WordsFor(http.StatusInternalServerError)
}

// streamResponse is a streamed answer. When it breaks, what comes before the break arrives whole.
func streamResponse(p *profiles.Profile, t *scenarios.Turn, events []wire.Event, d wire.Delivery, by *wire.Framer) response {
	resp := response{status: http.StatusOK, headers: p.Headers}
	codec := p.Shape
	if !d.Streams() { // a stream is wanted nevertheless
		d = wire.DeliverSSE
	}
	d = d.In(by)
	var framing wire.Framing
	switch s := t.Step; {
	case s.InBandError != nil:
		events = s.InBandError.Keep(events)
		events = append(events, codec.Failure(p.InBandError(http.StatusInternalServerError, inBandWords(p, t)), events)...)
	case s.Reset != nil:
		events, resp.ending = s.Reset.Keep(events), reset
	case s.Stall != nil:
		events, resp.ending = s.Stall.Keep(events), severed
	case s.Damaged != "":
		framing.Damaged = wire.Damage{Of: s.Damaged, At: len(s.Cut.Keep(events))}
		events = append(events, codec.End()...)
	case s.Cut != nil:
		events, framing.Torn = t.CutOff(events)
	default:
		events = append(malformed(events, t.Malformed), codec.End()...)
	}
	for _, q := range t.Quirks {
		if q.Events != nil && len(events) > 0 {
			events = q.Events(events)
		}
		if q.Framing != nil {
			q.Framing(&framing)
		}
	}
	resp.contentType = by.ContentType(framing)
	writes := d.FramedWrites(events, framing)
	if place := t.HeldWithin(); place != nil {
		early := place.Keep(events)
		writes = d.FramedWrites(early, framing)
		resp.early = len(writes)
		writes = append(writes, d.FramedWrites(events[len(early):], framing)...)
	}
	resp.writes, resp.pause, resp.pauses = wire.NewPieces(writes...), framing.Pause, cutPauses(d, writes)
	if framing.LeftOpen {
		resp.leftOpen, resp.stall = true, openFor
	}
	return resp.applyTransport(t.Step)
}

// malformed breaks the event after so many in the middle of its JSON; where there are fewer, the
// last one.
func malformed(events []wire.Event, behind *scenarios.Break) []wire.Event {
	if behind == nil {
		return events
	}
	at := min(len(behind.Keep(events)), len(events)-1)
	for at > 0 && events[at].Data == nil { // a comment
		at--
	}
	broken := events[at]
	broken.Data = broken.Data[:len(broken.Data)/2]
	return slices.Concat(events[:at], []wire.Event{broken}, events[at+1:])
}

// size returns how many bytes the body has.
func (r *response) size() int { return len(r.body) + r.writes.Size() }
