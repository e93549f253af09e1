package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// BehaviourHeader is the header by which a request asks for a behaviour of the provider:
// "first-token: 2s".
const BehaviourHeader = "X-Loopproof-Behaviour"

// responsePlan is how an answer comes, besides what it says: how fast, with which headers, and what
// goes wrong. A nil one is at once and whole.
type responsePlan struct {
	behaviour scenarios.Behaviour
	dice      *rand.Rand // nil if nothing happens by chance
	headers   map[string]string
	fault     *scenarios.Fault // that happens
	limited   bool             // more than is taken
	long      bool             // the request is longer than the model takes
	turn      *scenarios.Turn  // what is answered because of the fault or the limit; nil: what the script says
	leave     func()           // makes room for the next request, once this one is answered; nil: there is no limit
}

// done says that the request is answered.
func (m *responsePlan) done() {
	if m != nil && m.leave != nil {
		m.leave()
	}
}

// instead returns what is answered because of the fault or the limit, or nil.
func (m *responsePlan) instead() *scenarios.Turn {
	if m == nil {
		return nil
	}
	return m.turn
}

// goneWrong says what goes wrong, or "".
func (m *responsePlan) goneWrong() string {
	switch {
	case m == nil:
		return ""
	case m.limited:
		return "rate-limit"
	case m.long:
		return "context-limit"
	case m.fault != nil:
		return m.fault.String()
	default:
		return ""
	}
}

// badHeader is an error about a header of a request.
type badHeader struct{ error }

func isBadHeader(err error) bool { return errors.As(err, &badHeader{}) }

// asked returns the behaviour for which a request asks, or nil.
func asked(h http.Header) (*scenarios.Behaviour, error) {
	text := h.Get(BehaviourHeader)
	if text == "" {
		return nil, nil
	}
	b, err := scenarios.ParseBehaviour(BehaviourHeader, text)
	if err != nil {
		return nil, badHeader{err}
	}
	return b, nil
}

// plan says how a request is answered with a turn, or nil if the script has ended.
func (o *dialectRun) plan(turn *scenarios.Turn, step scriptStep, in *received) *responsePlan {
	wanted := step.wanted
	if turn != nil {
		wanted = wanted.Over(turn.Step.Behaviour)
	}
	b := wanted.Over(step.Script.Scenario.Behaviour).Over(o.run.config.Behaviour)
	if b == nil {
		return nil
	}
	plan := &responsePlan{behaviour: *b}
	if o.limit(plan, tokensOf(turn, in.request)); plan.limited {
		return plan
	}
	if limit := b.ContextLimit; limit != nil && *limit > 0 {
		plan.turn = scenarios.TooLong(o.about.profile, scenarios.Tokens(in.request), *limit)
		if plan.long = plan.turn != nil; plan.long {
			return plan
		}
	}
	if plan.hasChance() {
		o.chance(plan, turn, in.conversation())
	}
	return plan
}

// limit refuses a request that is more than is taken.
func (o *dialectRun) limit(plan *responsePlan, tokens int) {
	limit := plan.behaviour.RateLimit
	if limit == nil {
		return
	}
	if limit.AtOnce > 0 {
		leave, ok := o.run.limits.enter(limit.AtOnce)
		if plan.leave = leave; !ok {
			plan.limited, plan.turn = true, tooMany(o.about.profile, limit.AtOnce)
			return
		}
	}
	left := o.run.limits.take(o.run.config.Clock.Now(), limit, tokens)
	plan.headers = left.headers(o.about.profile.Speaks)
	if plan.limited = left.refused; plan.limited {
		plan.turn = left.turn(o.about.profile)
	}
}

// chance lets happen to a turn what happens by chance. The key is that of what is asked.
func (o *dialectRun) chance(plan *responsePlan, turn *scenarios.Turn, key conversationKey) {
	attempt := o.run.attempts.count(key, "chance", 0)
	plan.dice = dice(plan.behaviour.Seed, key, attempt)
	if chance := plan.dice.Float64(); turn != nil && turn.Whole() {
		plan.fault = fault(plan.behaviour.Faults, chance, attempt)
	}
	if plan.fault != nil {
		plan.turn = turn.Faulty(plan.fault)
	}
}

// planBeside says how a request besides turns is answered.
func (o *dialectRun) planBeside(h http.Header, said *scenarios.Behaviour, key conversationKey, tokens int) (*responsePlan, error) {
	wanted, err := asked(h)
	b := wanted.Over(said).Over(o.run.config.Behaviour)
	o.run.use()
	if err != nil || b == nil {
		return nil, err
	}
	plan := &responsePlan{behaviour: *b}
	if o.limit(plan, tokens); !plan.limited && plan.hasChance() {
		o.chance(plan, whole, key)
	}
	return plan, nil
}

// planBeside returns nil: to a loop nothing happens but what its scenario says.
func (r *Run) planBeside(http.Header, *scenarios.Behaviour, conversationKey, int) (*responsePlan, error) {
	return nil, nil
}

// dice returns what decides by chance about an attempt at a conversation: the same for the same
// seed.
func dice(seed *int, conversation conversationKey, attempt int) *rand.Rand {
	n := 0
	if seed != nil {
		n = *seed
	}
	h := sha256.New()
	h.Write(conversation[:])
	h.Write([]byte(strconv.Itoa(attempt) + " " + strconv.Itoa(n)))
	sum := h.Sum(nil)
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum), binary.LittleEndian.Uint64(sum[8:])))
}

// fault returns what goes wrong, or nil. chance is a number from 0 up to 1.
func fault(faults []scenarios.Fault, chance float64, attempt int) *scenarios.Fault {
	from := 0.0
	for i := range faults {
		f := &faults[i]
		rate := 1.0
		if f.Rate != nil {
			rate = float64(*f.Rate)
		}
		hit := chance >= from && chance < from+rate
		if f.Rate != nil {
			from += rate
		}
		if hit && (f.Times == 0 || attempt <= f.Times) {
			return f
		}
	}
	return nil
}

// tokensOf returns the tokens of a request and its answer, as the answer counts them.
func tokensOf(t *scenarios.Turn, req *wire.Request) int {
	if t == nil || t.Answer == nil {
		return scenarios.Tokens(req)
	}
	return t.Answer.Usage.Prompt + tokens(t.Answer)
}

// tokens returns the tokens of an answer, as it counts them itself.
func tokens(a *wire.Answer) int { return max(1, a.Usage.Completion) }

// pieces says how a stream is divided.
type pieces struct {
	chunk    int           // characters in an event; 0: as many as are usual
	delivery wire.Delivery // "": that of the run
}

// pieces returns how a stream is divided by the behaviour.
func (m *responsePlan) pieces() (p pieces) {
	if m == nil {
		return p
	}
	if m.behaviour.Chunk != nil {
		p.chunk = *m.behaviour.Chunk
	}
	if m.behaviour.Delivery != nil {
		p.delivery = *m.behaviour.Delivery
	}
	return p
}

// apply lets a response come as planned. An error comes at once.
func (m *responsePlan) apply(r response) response {
	if m == nil {
		return r
	}
	b := m.behaviour
	if r = m.begin(r, r.said != nil); r.said == nil {
		return r
	}
	if b.TokensPerSecond == nil || *b.TokensPerSecond == 0 {
		return r
	}
	rest := time.Duration(tokens(r.said)) * time.Second / time.Duration(*b.TokensPerSecond)
	if r.writes.Len() < 2 {
		r.wait += m.jittered(rest)
		return r
	}
	each := rest / time.Duration(r.writes.Len()-1)
	r.pauses, r.keepsPace = nil, true
	if !m.jitters() {
		r.spread = each
		return r
	}
	r.pauses = make([]time.Duration, r.writes.Len()-1)
	for i := range r.pauses {
		r.pauses[i] = m.jittered(each)
	}
	return r
}

// applyBeside is apply for what is answered besides turns.
func (m *responsePlan) applyBeside(r response) response {
	if m == nil {
		return r
	}
	return m.begin(r, r.status < http.StatusBadRequest)
}

// begin says when a response begins, and how fast its bytes are.
func (m *responsePlan) begin(r response, waits bool) response {
	r = r.with(m.headers)
	r.last = m.leave
	if m.behaviour.BytesPerSecond != nil {
		r.bytesPerSecond = *m.behaviour.BytesPerSecond
	}
	if waits && m.behaviour.FirstToken != nil {
		r.wait = m.jittered(*m.behaviour.FirstToken)
	}
	return r
}

// hasChance reports whether anything of a response happens by chance.
func (m *responsePlan) hasChance() bool { return m.varies() || len(m.behaviour.Faults) > 0 }

// varies reports whether waits are to be longer or shorter by chance.
func (m *responsePlan) varies() bool {
	return m.behaviour.Jitter != nil || m.behaviour.Deviation != nil
}

// jitters reports whether waits are longer or shorter by chance.
func (m *responsePlan) jitters() bool { return m.varies() && m.dice != nil }

// jittered makes a wait longer or shorter by chance.
func (m *responsePlan) jittered(d time.Duration) time.Duration {
	if !m.jitters() {
		return d
	}
	if spread := m.behaviour.Deviation; spread != nil {
		return time.Duration(max(0, float64(d)*(1+float64(*spread)*m.dice.NormFloat64())))
	}
	return time.Duration(float64(d) * (1 + float64(*m.behaviour.Jitter)*(2*m.dice.Float64()-1)))
}
