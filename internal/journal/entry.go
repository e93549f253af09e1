package journal

import (
	"bytes"
	"net/http"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/secret"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// Entry is one request, what it was answered, and what is wrong with it.
type Entry struct {
	Number    int       // of the request in its journal, from 1
	Run       string    // to which it belongs
	At        time.Time // when it came
	Method    string
	Target    string      // path and query
	Header    http.Header // of the request; keys are redacted
	Unrouted  bool        // the request reached no conversation: its path, method or run is none that is known
	API       string      // what it asks for that is no turn of the model: embeddings, moderations, tokens, conversations, stored-responses, models, mcp; "": a turn
	Scenario  string
	Script    *scenarios.Script `json:"-"` // nil if the request belongs to no scenario
	Profile   *profiles.Profile `json:"-"`
	Exchange  trace.Exchange
	Findings  []trace.Finding
	Answer    Answer
	Fault     string // what went wrong because the behaviour of the provider says so: "status 503"
	Forwarded bool   // no script answered it, and so it went to the fallback
	Done      bool   // the answer has ended, or the client has disconnected

	// Forgotten says that the bodies were dropped to save memory, and the parsed request with them.
	Forgotten bool

	body    *body         // of the request
	compact *wire.Request // what the body of a compact entry does not say of its request; see [Journal.expand]
	before  *Turn         // which the request continues without saying it, or nil if the body says all
	judged  bool
	keys    secret.Keys // of the client, which it may repeat anywhere
}

// Models is the [Entry.API] of requests that list models.
const Models = "models"

// MCP is the [Entry.API] of requests to an MCP server of a script.
const MCP = "mcp"

// SetKeys says which keys the client has sent.
func (e *Entry) SetKeys(keys secret.Keys) { e.keys = keys }

// Clean returns a text of the request or its answer without the keys of the client, and without
// what looks like one.
func (e Entry) Clean(text string) string { return e.keys.Redact(text, Redacted) }

// Answer is what a request was answered.
type Answer struct {
	Status   int // 0: no answer yet, or none at all
	Header   http.Header
	Writes   *wire.Pieces // the body as it was written, before any compression; of a stream one by one
	Streamed bool         // as a stream of events
	Said     *wire.Answer // what the model said, in neutral words, or nil if an error was answered
	Ending   Ending
}

// Ending says what happened to the connection after an answer.
type Ending string

// The endings.
const (
	Whole   Ending = ""        // the answer ended as HTTP wants it
	Severed Ending = "severed" // the connection was closed in the middle
	Reset   Ending = "reset"   // the connection was reset

	Disconnected Ending = "disconnected" // the client left before the answer had ended
)

// Body returns all bytes of the answer's body.
func (a Answer) Body() []byte { return a.Writes.Join() }

// joined returns the bytes of all pieces: of one piece that piece, since most bodies have one and
// are not to be copied.
func joined(pieces [][]byte) []byte {
	if len(pieces) == 1 {
		return pieces[0]
	}
	return bytes.Join(pieces, nil)
}

// Size returns how many bytes the answer's body has.
func (a Answer) Size() int { return a.Writes.Size() }

// Body returns the body of the request as it was sent, and nil when it was forgotten.
func (e Entry) Body() []byte {
	if e.Forgotten {
		return nil
	}
	return e.body.bytes()
}

// SetBody sets the body of the request.
func (e *Entry) SetBody(b []byte) { e.body = newBody(b) }

// Continue says which turn the request continues that the provider keeps, or nil if there is none.
func (e *Entry) Continue(before *Turn) { e.before = before }

// SetFindings says what is wrong with the request, which was found out elsewhere.
func (e *Entry) SetFindings(findings []trace.Finding) {
	e.Findings, e.judged = findings, true
}

// Path returns the path of the request, without its query.
func (e Entry) Path() string {
	path, _, _ := strings.Cut(e.Target, "?")
	return path
}

// Took returns how long the answer took, from the request to its last byte.
func (e Entry) Took() time.Duration { return e.Exchange.End - e.Exchange.Start }

// Failed reports whether the request got no whole answer of the model, so that a client may well
// send it again.
func (e Entry) Failed() bool {
	t := e.Exchange.Turn
	return e.Answer.Said == nil || e.Answer.Ending != Whole || e.Exchange.Dropped || t != nil && t.Breaks()
}

// New returns the messages of a request that the model has not answered yet: those after its last
// own one.
func (e Entry) New() []wire.Message {
	if e.Exchange.Request == nil {
		return nil
	}
	return fresh(e.Exchange.Request)
}

func fresh(req *wire.Request) []wire.Message {
	for i := len(req.Messages) - 1; i >= 0; i-- {
		if req.Messages[i].Role == wire.Assistant {
			return req.Messages[i+1:]
		}
	}
	return req.Messages
}

// call returns the call of a history that a result answers, or nil. An id that occurs twice means
// the later call.
func call(req *wire.Request, id string) *wire.Call {
	for i := len(req.Messages) - 1; i >= 0; i-- {
		for k := range req.Messages[i].Calls {
			if c := &req.Messages[i].Calls[k]; c.ID == id {
				return c
			}
		}
	}
	return nil
}
