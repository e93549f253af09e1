package engine

import (
	"cmp"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// limits counts what was taken in the current window of a rate limit. The zero value is ready for
// use.
type limits struct {
	mu               sync.Mutex
	until            time.Time
	requests, tokens int
	atOnce           int // requests that are being answered
}

// left is what is left of a limit.
type left struct {
	limit            scenarios.RateLimit
	now, until       time.Time
	requests, tokens int
	asked            int // tokens of the request
	refused          bool
}

// enter takes a request in while no more than so many are being answered. leave is to be called
// once it is answered.
func (l *limits) enter(most int) (leave func(), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.atOnce >= most {
		return nil, false
	}
	l.atOnce++
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.atOnce--
	}), true
}

// take takes a request of so many tokens, or refuses it. A window begins with its first request.
func (l *limits) take(now time.Time, limit *scenarios.RateLimit, tokens int) left {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !now.Before(l.until) {
		per := limit.Per
		if per == 0 {
			per = time.Minute
		}
		l.until, l.requests, l.tokens = now.Add(per), 0, 0
	}
	refused := limit.Requests > 0 && l.requests+1 > limit.Requests || limit.Tokens > 0 && l.tokens+tokens > limit.Tokens
	if !refused {
		l.requests++
		l.tokens += tokens
	}
	return left{
		limit: *limit, now: now, until: l.until, refused: refused, asked: tokens,
		requests: max(0, limit.Requests-l.requests), tokens: max(0, limit.Tokens-l.tokens),
	}
}

// reset begins a new window with the next request.
func (l *limits) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.until = time.Time{}
}

// tooMany is what is answered to a request while as many as are taken at once are being answered.
func tooMany(p *profiles.Profile, most int) *scenarios.Turn {
	reached := wire.ReachedLimit{Of: "requests", Wait: time.Second, Limit: most, Used: most, Requested: 1}
	return exceeds(p, reached)
}

// turn is what is answered to a request that is refused.
func (l left) turn(p *profiles.Profile) *scenarios.Turn {
	wait := l.until.Sub(l.now)
	wait = (wait + time.Second - 1).Truncate(time.Second) // in whole seconds, when it is over
	return exceeds(p, l.reached(wait))
}

// exceeds is what is answered to a request that is more than a limit takes.
func exceeds(p *profiles.Profile, reached wire.ReachedLimit) *scenarios.Turn {
	words := p.WordsFor(http.StatusTooManyRequests)
	if name := p.Speaks.Errors.LimitMessage; name != nil {
		message := name(words.Message, reached)
		if message != words.Message && words.Type != nil && *words.Type == "tokens" {
			words.Type = &reached.Of
		}
		words.Message = message
	}
	return &scenarios.Turn{Number: -1, Step: &scenarios.Step{Status: http.StatusTooManyRequests, RetryAfter: &reached.Wait, Error: &words}}
}

// reached returns which of the limits the request has reached.
func (l left) reached(wait time.Duration) wire.ReachedLimit {
	per := cmp.Or(l.limit.Per, time.Minute)
	if l.limit.Requests == 0 || l.requests > 0 {
		return wire.ReachedLimit{Of: "tokens", Per: per, Wait: wait, Limit: l.limit.Tokens, Used: l.limit.Tokens - l.tokens, Requested: l.asked}
	}
	return wire.ReachedLimit{Of: "requests", Per: per, Wait: wait, Limit: l.limit.Requests, Used: l.limit.Requests - l.requests, Requested: 1}
}

// headers tells of a limit as the providers of a dialect do.
func (l left) headers(d *wire.Dialect) map[string]string {
	all := []wire.RateLimit{
		{Of: "requests", Limit: l.limit.Requests, Left: l.requests, Reset: l.until},
		{Of: "tokens", Limit: l.limit.Tokens, Left: l.tokens, Reset: l.until},
	}
	all = slices.DeleteFunc(all, func(limit wire.RateLimit) bool { return limit.Limit == 0 })
	if d.Errors.RateLimitHeaders == nil || len(all) == 0 {
		return nil
	}
	return d.Errors.RateLimitHeaders(all, l.now)
}
