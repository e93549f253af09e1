package scenarios

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/wire"
)

// Behaviour is how a provider behaves besides what its model says: how fast it is, what goes wrong
// and how often, and how much it takes. What is not said is as it is in the behaviour below: that
// of a request goes before that of a step, then of a scenario, a run, the server. Only a server
// plays it; to a loop under test nothing happens by chance.
type Behaviour struct {
	// FirstToken is the time before the first byte, and TokensPerSecond the speed of the rest; 0 is
	// no limit.
	FirstToken      *time.Duration `yaml:"first-token"`
	TokensPerSecond *int           `yaml:"tokens-per-second"`

	// Jitter makes each of these waits longer or shorter by at most this share of it.
	Jitter *Share `yaml:"jitter"`

	// Deviation draws each of these waits from a normal distribution around it instead, with this
	// share of it as the standard deviation. No wait is shorter than none.
	Deviation *Share `yaml:"deviation"`

	// Chunk is the number of characters in an event of a stream; 0 leaves it to Loopproof.
	Chunk *int `yaml:"chunk"`

	// Delivery is how the bytes of a stream are divided into writes: sse, sse-merged, sse-bytes,
	// sse-split or sse-comments.
	Delivery *wire.Delivery `yaml:"delivery"`

	// BytesPerSecond is the speed of the body in bytes; 0 is no limit.
	BytesPerSecond *int `yaml:"bytes-per-second"`

	// Faults are what goes wrong. At most one happens to a request.
	Faults []Fault `yaml:"faults"`

	// RateLimit limits requests and tokens. Every response has the headers in which the provider
	// tells of it.
	RateLimit *RateLimit `yaml:"rate-limit"`

	// ContextLimit is how many tokens a request may have; 0 is no limit. A longer one is refused as
	// the provider refuses it.
	ContextLimit *int `yaml:"context-limit"`

	// IDs says whether equal requests get answers with the same ids, which is the default, or with
	// unique ones.
	IDs *IDs `yaml:"ids"`

	// Seed is the seed for everything random: the same seed gives the same for the same requests.
	Seed *int `yaml:"seed"`
}

// IDs says which ids the answers and their calls have.
type IDs string

// The kinds of ids: the same for the same request, or never the same.
const (
	SameIDs   IDs = "same"
	UniqueIDs IDs = "unique"
)

// Fault is something that goes wrong. Its keys are those of a step.
type Fault struct {
	// Rate is the share of the requests to which it happens; without it, to all.
	Rate *Share `yaml:"rate"`

	// Times is how often it may happen to the same request, which is sent again; without it, any
	// number of times.
	Times int `yaml:"times"`

	Status     int             `yaml:"status"`
	RetryAfter *time.Duration  `yaml:"retry-after"`
	Error      *profiles.Words `yaml:"error"`

	Cut         *Break     `yaml:"cut"`
	Reset       *Break     `yaml:"reset"`
	Stall       *Stall     `yaml:"stall"`
	InBandError *BandError `yaml:"in-band-error"`

	// Malformed breaks the JSON of the answer, or of one event of it, in the middle.
	Malformed *Break `yaml:"malformed"`
}

// RateLimit is how many requests and tokens are taken in a window of time, which begins with its
// first request.
type RateLimit struct {
	Requests int           `yaml:"requests"`
	Tokens   int           `yaml:"tokens"`
	AtOnce   int           `yaml:"at-once"` // requests that are being answered at the same time
	Per      time.Duration `yaml:"per"`     // without it, a minute
}

// Share is a part of a whole, from 0 to 1. A file writes 10% or 0.1.
type Share float64

var errShare = errors.New("expected a share such as 10% or 0.1")

// ReadYAML reads a share.
func (s *Share) ReadYAML(n *strictyaml.Node) error {
	number, percent := strings.CutSuffix(n.Value, "%")
	f, err := strconv.ParseFloat(number, 64)
	if n.Kind != yaml.ScalarNode || err != nil {
		return errShare
	}
	if percent {
		f /= 100
	}
	if !(f >= 0 && f <= 1) {
		return errShare
	}
	*s = Share(f)
	return nil
}

// Over returns the behaviour with what it does not say taken from the one below. Either may be nil.
func (b *Behaviour) Over(below *Behaviour) *Behaviour {
	if b == nil || below == nil {
		if b == nil {
			return below
		}
		return b
	}
	sum := *below
	pick(&sum.FirstToken, b.FirstToken)
	pick(&sum.TokensPerSecond, b.TokensPerSecond)
	if b.Jitter != nil || b.Deviation != nil { // one replaces the other
		sum.Jitter, sum.Deviation = b.Jitter, b.Deviation
	}
	pick(&sum.Chunk, b.Chunk)
	pick(&sum.Delivery, b.Delivery)
	pick(&sum.BytesPerSecond, b.BytesPerSecond)
	pick(&sum.RateLimit, b.RateLimit)
	pick(&sum.ContextLimit, b.ContextLimit)
	pick(&sum.Seed, b.Seed)
	pick(&sum.IDs, b.IDs)
	if b.Faults != nil {
		sum.Faults = b.Faults
	}
	return &sum
}

func pick[T any](to **T, from *T) {
	if from != nil {
		*to = from
	}
}

// ParseBehaviour reads a behaviour from a text: a mapping in YAML or JSON, the braces of which may
// be left away.
func ParseBehaviour(name, text string) (*Behaviour, error) {
	text = strings.TrimSpace(text)
	bare := !strings.HasPrefix(text, "{") && !strings.Contains(text, "\n")
	if bare {
		text = "{" + text + "}"
	}
	var b Behaviour
	doc, err := strictyaml.Read(name, []byte(text), &b)
	if doc != nil {
		c := &checker{s: &Scenario{doc: doc}}
		c.behaviour("", &b)
		err = doc.With(err, c.errs...)
	}
	if err != nil {
		if bare {
			shift(err)
		}
		return nil, err
	}
	return &b, nil
}

// shift moves the places of errors to where they are in a text without braces.
func shift(err error) {
	for _, e := range strictyaml.Errors(err) {
		if one := (*strictyaml.Error)(nil); errors.As(e, &one) && one.Line == 1 {
			one.Column = max(1, one.Column-1)
		}
	}
}

const (
	maxWait  = time.Hour
	maxQuota = 31 * 24 * time.Hour
	maxChunk = 1 << 20
	maxPace  = 1 << 30 // tokens or bytes a second
)

// behaviours checks the behaviours of a scenario and its steps.
func (c *checker) behaviours() {
	c.behaviour("/behaviour", c.s.Behaviour)
	for i, step := range c.s.Model {
		here := at("model", i) + "/behaviour"
		c.behaviour(here, step.Behaviour)
		c.expect(step.Behaviour == nil || step.Behaviour.RateLimit == nil, here+"/rate-limit", "what is taken is not a matter of one step: say the rate-limit of the scenario")
	}
}

func (c *checker) behaviour(here string, b *Behaviour) {
	if b == nil {
		return
	}
	c.blanks(here)
	c.expect(b.FirstToken == nil || *b.FirstToken <= maxWait, here+"/first-token", "the longest wait is %v", maxWait)
	for _, amount := range []struct {
		key  string
		n    *int
		most int
	}{{"tokens-per-second", b.TokensPerSecond, maxPace}, {"chunk", b.Chunk, maxChunk}, {"bytes-per-second", b.BytesPerSecond, maxPace}, {"context-limit", b.ContextLimit, maxPace}} {
		c.expect(amount.n == nil || *amount.n >= 0 && *amount.n <= amount.most, here+"/"+amount.key, "%s is a whole number from 0 to %d", amount.key, amount.most)
	}
	c.expect(b.Jitter == nil || b.Deviation == nil, here+"/deviation", "a wait has a jitter, by at most so much, or a deviation, which a normal distribution has; not both")
	if b.Delivery != nil {
		c.word(here+"/delivery", "delivery of a stream", string(*b.Delivery), wire.StreamDeliveries())
	}
	if b.IDs != nil {
		c.word(here+"/ids", "kind of ids", string(*b.IDs), []string{string(SameIDs), string(UniqueIDs)})
	}
	if l := b.RateLimit; l != nil {
		c.expect(l.Requests > 0 || l.Tokens > 0 || l.AtOnce > 0, here+"/rate-limit", "a rate-limit says how many requests or tokens are taken, or how many requests at once: `requests: 60, per: 1m` or `at-once: 4`")
		given := func(key string) bool { return c.s.doc.Has(here + "/rate-limit/" + key) }
		c.expect(l.Requests > 0 || !given("requests"), here+"/rate-limit/requests", "requests is a whole number from 1, not %d", l.Requests)
		c.expect(l.Tokens > 0 || !given("tokens"), here+"/rate-limit/tokens", "tokens is a whole number from 1, not %d", l.Tokens)
		c.expect(l.AtOnce > 0 || !given("at-once"), here+"/rate-limit/at-once", "at-once is a whole number from 1, not %d", l.AtOnce)
		c.expect(l.Per == 0 || l.Requests > 0 || l.Tokens > 0, here+"/rate-limit/per", "per is the time in which so many requests or tokens are taken; at-once has none")
		c.expect(l.Per > 0 || !given("per"), here+"/rate-limit/per", "expected a time above zero, such as 1m")
		c.longest(here+"/rate-limit/per", l.Per)
	}
	sum := Share(0)
	for i := range b.Faults {
		f := &b.Faults[i]
		c.fault(here+at("faults", i), f)
		c.expect(sum < 1, here+at("faults", i), "this fault never happens: one before it happens to every request")
		if f.Rate == nil && f.Times == 0 {
			sum = 1
		} else if f.Rate != nil {
			sum += *f.Rate
		}
	}
	c.expect(sum <= 1+1e-9, here+"/faults", "the rates of the faults are more than the whole")
}

// longest checks a time over which a provider counts what it takes, or for which it asks a client
// to wait.
func (c *checker) longest(here string, d time.Duration) {
	c.expect(d <= maxQuota, here, "the longest time is a month, %v, not %v", maxQuota, d)
}

func (c *checker) retryAfter(here string, d *time.Duration) {
	if d != nil {
		c.longest(here+"/retry-after", *d)
	}
}

// fault checks a fault as a step that answers and goes wrong.
func (c *checker) fault(here string, f *Fault) {
	kinds := 0
	for _, is := range []bool{f.Status != 0, f.Cut != nil, f.Reset != nil, f.Stall != nil, f.InBandError != nil, f.Malformed != nil} {
		if is {
			kinds++
		}
	}
	c.expect(kinds == 1, here, "a fault is one of status, cut, reset, stall, in-band-error and malformed")
	c.expect(f.Status == 0 || f.Status >= 400 && f.Status <= 599, here+"/status", "a request fails with a status from 400 to 599, not %d", f.Status)
	c.expect(f.Status != 0 || f.RetryAfter == nil && f.Error == nil, here, "retry-after and error go with a status")
	c.retryAfter(here, f.RetryAfter)
	c.expect(f.Error == nil || f.Error.Message != "", here+"/error", "an error needs a message")
	c.counted(here, "times", f.Times)
	c.breaks(here, Step{Cut: f.Cut, Reset: f.Reset, InBandError: f.InBandError, Transport: Transport{Stall: f.Stall}})
	if m := f.Malformed; m != nil {
		c.expect(m.Before == "" && m.After.Unit != "", here+"/malformed", "say after how much: `malformed: {after: 2 events}`")
	}
	if f.Stall != nil {
		c.expect(f.Stall.For > 0 && f.Stall.For <= maxWait, here+"/stall", "a stall needs a time of at most %v: `for: 2s`", maxWait)
	}
}

// String describes the fault in words.
func (f *Fault) String() string {
	place := func(b *Break) string {
		if b.Before != "" {
			return "before " + b.Before
		}
		return fmt.Sprintf("after %d %s", b.After.N, b.After.Unit)
	}
	switch {
	case f.Status != 0:
		return fmt.Sprintf("status %d", f.Status)
	case f.Cut != nil:
		return "cut " + place(f.Cut)
	case f.Reset != nil:
		return "reset " + place(f.Reset)
	case f.Stall != nil:
		return "stall " + place(&f.Stall.Break)
	case f.InBandError != nil:
		return "in-band-error " + place(&f.InBandError.Break)
	default:
		return "malformed " + place(f.Malformed)
	}
}

// Faulty returns the turn as it comes when something goes wrong with it.
func (t *Turn) Faulty(f *Fault) *Turn {
	faulty, step := *t, Step{}
	if f.Status == 0 {
		step = *t.Step
		step.recorded = nil
	}
	step.Status, step.RetryAfter, step.Error = f.Status, f.RetryAfter, f.Error
	step.Cut, step.Reset, step.Stall, step.InBandError = f.Cut, f.Reset, f.Stall, f.InBandError
	step.Gzip = false // what breaks off is not compressed
	faulty.Malformed = f.Malformed
	if f.Status != 0 || step.lost() {
		faulty.Answer = nil
	}
	faulty.Step = &step
	return &faulty
}
