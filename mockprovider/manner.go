package mockprovider

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/scenarios"
)

// BehaviourHeader is the header by which a request asks for a behaviour of the provider: "first-token: 2s".
const BehaviourHeader = "X-Loopproof-Behaviour"

// manner is how a request is answered, besides what is said. The zero value is at once and whole.
type manner struct {
	behaviour scenarios.Behaviour
	dice      *rand.Rand // nil: nothing happens by chance
	headers   map[string]string
	fault     *scenarios.Fault // that happens
	limited   bool             // more than is taken
}

// goneWrong says what goes wrong, or "".
func (m manner) goneWrong() string {
	switch {
	case m.limited:
		return "rate-limit"
	case m.fault != nil:
		return m.fault.String()
	default:
		return ""
	}
}

// badHeader is an error about a header of a request.
type badHeader struct{ error }

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

// behave says how an exchange is answered, and lets its turn go wrong where that is to be.
func (o *conversations) behave(wanted *scenarios.Behaviour, c choice, x *trace.Exchange) manner {
	if x.Turn != nil {
		wanted = wanted.Over(x.Turn.Step.Behaviour)
	}
	b := wanted.Over(c.script.Scenario.Behaviour).Over(o.config.Behaviour)
	if b == nil || x.Refusal != nil && x.Refusal.Given {
		return manner{}
	}
	m := manner{behaviour: *b}
	if limit := b.RateLimit; limit != nil {
		left := o.limits.take(o.config.Clock.Now(), limit, tokensOf(x))
		m.headers = left.headers(o.config.Profile.Speaks)
		if m.limited = left.refused; m.limited {
			x.Turn, x.Overrun = left.turn(o.profile()), false
			return m
		}
	}
	if b.Jitter == nil && len(b.Faults) == 0 {
		return m
	}
	attempt := o.attempts.count(x.Request, "chance", 0)
	m.dice = dice(b.Seed, x.Request, attempt)
	if chance := m.dice.Float64(); x.Turn != nil && x.Turn.Whole() {
		m.fault = fault(b.Faults, chance, attempt)
	}
	if m.fault != nil {
		x.Turn = x.Turn.Faulty(m.fault)
	}
	return m
}

// dice returns what decides by chance about an attempt at a request: the same for the same seed.
func dice(seed *int, req *wire.Request, attempt int) *rand.Rand {
	n := 0
	if seed != nil {
		n = *seed
	}
	h := sha256.New()
	for _, part := range req.History() {
		h.Write(part)
	}
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
func tokensOf(x *trace.Exchange) int {
	if x.Turn == nil || x.Turn.Answer == nil {
		return 1 + len(x.Request.Body.Raw)/bytesPerToken
	}
	return x.Turn.Answer.Usage.Prompt + tokens(x.Turn.Answer)
}

// tokens returns the tokens of an answer, as it counts them itself.
func tokens(a *wire.Answer) int { return max(1, a.Usage.Completion) }

// chunk is how many characters an event carries; 0: as many as are usual.
func (m manner) chunk() int {
	if m.behaviour.Chunk == nil {
		return 0
	}
	return *m.behaviour.Chunk
}

// shape lets a response come in this manner. An error comes at once.
func (m manner) shape(r response) response {
	r = r.with(m.headers)
	b := m.behaviour
	if b.BytesPerSecond != nil {
		r.bytesPerSecond = *b.BytesPerSecond
	}
	if r.said == nil {
		return r
	}
	if b.FirstToken != nil {
		r.wait = m.jittered(*b.FirstToken)
	}
	if b.TokensPerSecond == nil || *b.TokensPerSecond == 0 {
		return r
	}
	rest := time.Duration(tokens(r.said)) * time.Second / time.Duration(*b.TokensPerSecond)
	if len(r.writes) < 2 {
		r.wait += m.jittered(rest)
		return r
	}
	r.pauses = make([]time.Duration, len(r.writes)-1)
	for i := range r.pauses {
		r.pauses[i] = m.jittered(rest / time.Duration(len(r.pauses)))
	}
	return r
}

// jittered makes a wait longer or shorter by chance.
func (m manner) jittered(d time.Duration) time.Duration {
	if m.behaviour.Jitter == nil || m.dice == nil {
		return d
	}
	return time.Duration(float64(d) * (1 + float64(*m.behaviour.Jitter)*(2*m.dice.Float64()-1)))
}
