package engine

import (
	"context"
	"crypto/sha256"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/loopproof/loopproof/internal/digest"
	"github.com/loopproof/loopproof/internal/engine/histories"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// anyRun is what requests belong to: a [Run], which follows one loop through a scenario, or a
// [TestRun], which finds by the history of each request where it is.
type anyRun interface {
	// in returns the run as requests in a dialect see it. One that does not speak the dialect
	// returns its own.
	in(d *wire.Dialect) target
}

// target is a run in one dialect.
type target interface {
	settings() *settings
	// since returns how long ago the run began.
	since() time.Duration
	// choose says what answers a request. refusal is what the real provider answers where it
	// refuses, or nil if it does not.
	choose(in *received, refusal *refused) choice
	// planBeside says how a request besides turns is answered, for which scripts may say a behaviour,
	// and which has a key and so many tokens;
	// nil: at once.
	planBeside(h http.Header, said *scenarios.Behaviour, key conversationKey, tokens int) (*responsePlan, error)
	// finish notes that an exchange is over, and returns it as it is then. heldOpen: the client did
	// not leave a connection that was left open.
	finish(x *trace.Exchange, heldOpen bool) trace.Exchange
	// script returns the script of a scenario that the run plays, or nil.
	script(scenario string) *scenarios.Script
}

// settings are what holds for all requests of a run in one dialect.
type settings struct {
	id        string
	profile   *profiles.Profile
	refuser   *rulebook.Refuser // of the profile
	delivery  wire.Delivery
	lenient   bool
	secret    string
	journal   *Journal
	histories *histories.Keeper
	ctx       context.Context                   // ends with the run
	altered   func(text, signature string) bool // of signatures that come back; see [wire.Request]

	// ofAnotherModel returns the [wire.Request.OfAnotherModel] of requests for a model; nil: the run
	// does not know which model said what.
	ofAnotherModel func(model string) func(data string) bool
	loop           bool        // its client is one loop, which was given a key
	keyed          atomic.Bool // that loop has sent a key
	told           bool        // exchanges are sent to the other servers and to OnExchangeDone
}

// chance returns that by which something is drawn for a request of this number. Every server with
// the same secret draws the same. So does every run of a scenario for a loop, whose secret is its
// own; those of an application share one, and are told apart by their ids.
func (s *settings) chance(what string, number int) *digest.Source {
	if s.loop {
		return digest.New(s.secret, what, strconv.Itoa(number))
	}
	return digest.New(s.secret, what, s.id, strconv.Itoa(number))
}

// noteHTTP keeps of an HTTP request what rules may look at.
func (s *settings) noteHTTP(req *wire.Request, sent *http.Request) {
	req.NoteHTTP(sent)
	if s.loop && req.NoteKey(sent, s.keyed.Load()) {
		s.keyed.Store(true)
	}
}

// conversationKey identifies the conversation that a request carries.
type conversationKey = [sha256.Size]byte

// conversation returns the key of the conversation that the request carries.
func (in *received) conversation() conversationKey {
	if in.key == nil {
		key := in.request.ConversationKey()
		in.key = &key
	}
	return *in.key
}
