package engine

import (
	"bytes"
	"context"
	"hash/maphash"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// knownRequests remembers requests that were sent more than once, as in a load test or in tests that run again and again:
// each is read and judged once. What depends on more than the request, such as its attempts, is not remembered.
type knownRequests struct {
	seed maphash.Seed
	once [1024]atomic.Uint64 // digests of requests that were sent once, at a place of their own

	mu    sync.RWMutex
	known map[uint64]*knownRequest
	size  int // of their bodies, in bytes
}

// Longer requests are not remembered, nor more bytes of all: what is read of a request takes ten times its bytes.
const (
	maxKnownBody  = 8 << 10
	maxKnownBytes = 256 << 10
)

// knownRequest is a request that was read before, and what was found out about it.
type knownRequest struct {
	target  string // path and query of its URL, without a key
	body    []byte
	request *wire.Request

	refusal  atomic.Pointer[knownRefusal]
	position atomic.Pointer[knownPosition]
	turn     atomic.Pointer[knownTurn]
	possible atomic.Pointer[knownPossible]
	response atomic.Pointer[knownResponse]
	findings atomic.Pointer[knownFindings]
}

// knownRefusal is the refusal of a request by the provider of a profile; nil: it takes the request.
type knownRefusal struct {
	profile *profiles.Profile
	refused *refused
}

// knownPosition is the position of a request in a script.
type knownPosition struct {
	script   *scenarios.Script
	position *rules.Position
}

// knownTurn is the turn by which a step of a script answers a request.
type knownTurn struct {
	script *scenarios.Script
	step   int
	turn   *scenarios.Turn
}

// knownPossible is the turn that a run sends where its script says a turn that is possible for the request.
type knownPossible struct {
	run        *dialectRun
	script     *scenarios.Script
	said, sent *scenarios.Turn
}

// knownResponse are the bytes of a turn.
type knownResponse struct {
	cache    *renderCache
	turn     *scenarios.Turn
	pieces   pieces
	response *response
}

// knownFindings are the findings in a request that was answered in some way.
type knownFindings struct {
	answered answered
	findings []trace.Finding
}

// answered says how a request was answered, as far as findings depend on it.
type answered struct {
	profile *profiles.Profile
	script  *scenarios.Script
	turn    *scenarios.Turn
	overrun bool
	problem string
}

func newKnownRequests() *knownRequests {
	return &knownRequests{seed: maphash.MakeSeed(), known: map[uint64]*knownRequest{}}
}

// find returns the request if it is known, and else nil and the digest under which it can be remembered; 0: it cannot.
func (k *knownRequests) find(r *http.Request, target string, body []byte) (*knownRequest, uint64) {
	if len(body) > maxKnownBody {
		return nil, 0
	}
	var h maphash.Hash
	h.SetSeed(k.seed)
	h.WriteString(target)
	h.WriteByte(0)
	h.Write(body)
	digest := max(1, h.Sum64())
	k.mu.RLock()
	known := k.known[digest]
	k.mu.RUnlock()
	switch {
	case known == nil:
		return nil, digest
	case known.is(r, target, body):
		return known, 0
	default:
		return nil, 0
	}
}

// is reports whether a request is this one, with the same headers that rules look at.
func (q *knownRequest) is(r *http.Request, target string, body []byte) bool {
	return q.target == target && bytes.Equal(q.body, body) && q.request.HasHeadersOf(r)
}

// add remembers a request if it was sent before, and returns nil if not. Where they become too many, all others are
// forgotten.
func (k *knownRequests) add(digest uint64, target string, body []byte, req *wire.Request) *knownRequest {
	if digest == 0 || k.once[digest%uint64(len(k.once))].Swap(digest) != digest {
		return nil
	}
	known := &knownRequest{target: target, body: body, request: req}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.size+len(body) > maxKnownBytes {
		clear(k.known)
		k.size = 0
	}
	if k.known[digest] == nil {
		k.size += len(body)
	}
	k.known[digest] = known
	return known
}

// judge returns what the provider of a run answers if it refuses the request, as [judge] does.
func (q *knownRequest) judge(s *settings) *refused {
	if known := q.refusal.Load(); known != nil && known.profile == s.profile {
		return known.refused
	}
	fresh := refuse(context.Background(), s, q.request, new(rulebook.Examined))
	q.refusal.Store(&knownRefusal{s.profile, fresh})
	return fresh
}

// locate returns the position of the request in a script.
func (q *knownRequest) locate(script *scenarios.Script) *rules.Position {
	if known := q.position.Load(); known != nil && known.script == script {
		return known.position
	}
	fresh := rules.Locate(script, q.request)
	q.position.Store(&knownPosition{script, fresh})
	return fresh
}

// answer returns the turn by which a fixed step of a script answers the request.
func (q *knownRequest) answer(script *scenarios.Script, step int, ask scenarios.Ask) (*scenarios.Turn, error) {
	if known := q.turn.Load(); known != nil && known.script == script && known.step == step {
		return known.turn, nil
	}
	fresh, err := script.Answer(step, ask)
	if err == nil {
		q.turn.Store(&knownTurn{script, step, fresh})
	}
	return fresh, err
}

// answers reports whether a turn is the one that [knownRequest.answer] returned last.
func (q *knownRequest) answers(turn *scenarios.Turn) bool {
	known := q.turn.Load()
	return known != nil && known.turn == turn
}

// possibleTurn returns the turn to send where the script says a turn, as [dialectRun.possible] does.
func (q *knownRequest) possibleTurn(said *scenarios.Turn, step scriptStep, o *dialectRun) (*scenarios.Turn, error) {
	if known := q.possible.Load(); known != nil && known.said == said && known.script == step.script && known.run == o {
		return known.sent, nil
	}
	fresh, err := o.possible(said, step, q.request)
	if err == nil {
		q.possible.Store(&knownPossible{o, step.script, said, fresh})
	}
	return fresh, err
}

// render returns the bytes of a turn that is in a cache, as [renderTurn] makes them.
func (q *knownRequest) render(c *choice, fresh func() *response) *response {
	if known := q.response.Load(); known != nil && known.cache == c.cache && known.turn == c.turn && known.pieces == c.plan.pieces() {
		return known.response
	}
	made := fresh()
	q.response.Store(&knownResponse{c.cache, c.turn, c.plan.pieces(), made})
	return made
}

// judgeEntry sets the findings of an entry of the request.
func (q *knownRequest) judgeEntry(e *Entry) {
	now := answered{e.Profile, e.Script, e.Exchange.Turn, e.Exchange.Overrun, e.Exchange.Problem}
	if known := q.findings.Load(); known != nil && known.answered == now {
		e.SetFindings(known.findings)
		return
	}
	fresh := e.Check()
	q.findings.Store(&knownFindings{now, fresh})
	e.SetFindings(fresh)
}
