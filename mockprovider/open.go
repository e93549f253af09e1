package mockprovider

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/rules"
	"github.com/loopproof/loopproof/scenarios"
	"github.com/loopproof/loopproof/wire"
)

// conversations answers requests outside of runs. It follows no conversation: where in its script a request stands is
// read from the history that the request carries. Only how often a request failed already is remembered.
type conversations struct {
	config  Config
	scripts []*scenarios.Script
	log     *Journal
	started time.Time

	answers rendered

	mu       sync.Mutex
	attempts map[[sha256.Size]byte]int
}

// maxAttempts bounds how many requests are remembered by how often they failed.
const maxAttempts = 10_000

func newConversations(c Config, j *Journal) *conversations {
	o := &conversations{config: c, log: j, started: c.Clock.Now(), attempts: map[[sha256.Size]byte]int{}}
	o.answers.answers = map[renderedKey]response{}
	for _, s := range c.Scenarios {
		o.scripts = append(o.scripts, scenarios.Compile(s, c.Profile, c.Secret))
	}
	return o
}

func (o *conversations) profile() *profiles.Profile { return o.config.Profile }
func (o *conversations) delivery() wire.Delivery    { return wire.DeliverSSE }
func (o *conversations) lenient() bool              { return o.config.Lenient }
func (o *conversations) secret() string             { return o.config.Secret }
func (o *conversations) rendered() *rendered        { return &o.answers }
func (o *conversations) since() time.Duration       { return o.config.Clock.Now().Sub(o.started) }
func (o *conversations) name() string               { return DefaultRun }
func (o *conversations) journal() *Journal          { return o.log }
func (o *conversations) end(x *rules.Exchange)      { x.End = o.since() }
func (o *conversations) outwaited(*rules.Exchange)  {}

func (o *conversations) during(ctx context.Context) (context.Context, context.CancelFunc) {
	return ctx, func() {}
}

// held returns the answer as it is: nobody can tell a client that we do not know to cancel.
func (o *conversations) held(_ *rules.Exchange, r response) response { return r }

// take finds the script of a request and the place in it.
func (o *conversations) take(x *rules.Exchange) (*scenarios.Script, error) {
	if x.Request == nil {
		return nil, nil
	}
	script, err := o.script(x.Request)
	if err != nil {
		return nil, err
	}
	o.place(script, x)
	return script, nil
}

// script finds the scenario whose first prompt the request carries.
func (o *conversations) script(req *wire.Request) (*scenarios.Script, error) {
	if len(o.scripts) == 1 {
		return o.scripts[0], nil
	}
	prompt := firstPrompt(req)
	var known []string
	for _, s := range o.scripts {
		if s.Scenario.Prompts[0] == prompt {
			return s, nil
		}
		known = append(known, fmt.Sprintf("%q", s.Scenario.Prompts[0]))
	}
	if len(known) == 0 {
		return nil, fmt.Errorf("no scenario is played here: start the server with --scenario, or ask under the path of a run")
	}
	return nil, fmt.Errorf("no scenario begins with the prompt %q; those played here begin with %s", prompt, strings.Join(known, ", "))
}

func firstPrompt(req *wire.Request) string {
	for _, m := range req.Messages {
		if m.Role == wire.User {
			return m.Content.Text
		}
	}
	return ""
}

// place finds the turn that a request asks for: the one behind the turns that its history returns, counting the
// attempts at it that were answered with a failure.
func (o *conversations) place(script *scenarios.Script, x *rules.Exchange) {
	next := rules.Returned(script, x.Request)
	for next < len(script.Turns) && !script.Turns[next].Returns() {
		if o.attempt(x.Request, next) {
			x.Turn = script.Turns[next]
			return
		}
		next++
	}
	if next == len(script.Turns) {
		x.Overrun = true
		return
	}
	x.Turn = script.Turns[next]
}

// attempt reports whether a request meets this failing turn for the first time.
func (o *conversations) attempt(req *wire.Request, turn int) bool {
	h := sha256.New()
	h.Write(req.Body.Get("messages").Raw)
	fmt.Fprint(h, turn)
	key := [sha256.Size]byte(h.Sum(nil))

	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.attempts) >= maxAttempts {
		clear(o.attempts)
	}
	o.attempts[key]++
	return o.attempts[key] == 1
}
