package engine

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// limits counts what was taken in the current window of a rate limit. The zero value is ready for use.
type limits struct {
	mu               sync.Mutex
	until            time.Time
	requests, tokens int
}

// left is what is left of a limit.
type left struct {
	limit            scenarios.RateLimit
	now, until       time.Time
	requests, tokens int
	asked            int // tokens of the request
	refused          bool
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

// turn is what is answered to a request that is refused.
func (l left) turn(p *profiles.Profile) *scenarios.Turn {
	wait := l.until.Sub(l.now)
	wait = (wait + time.Second - 1).Truncate(time.Second) // in whole seconds, when it is over
	words := p.WordsFor(http.StatusTooManyRequests)
	of, limit, used, asked := "requests", l.limit.Requests, l.limit.Requests-l.requests, 1
	if l.limit.Requests == 0 || l.requests > 0 {
		of, limit, used, asked = "tokens", l.limit.Tokens, l.limit.Tokens-l.tokens, l.asked
	}
	if place := limitNamed.FindStringIndex(words.Message); place != nil {
		what := fmt.Sprintf("on %s per %v: Limit %d, Used %d, Requested %d. Please try again in %v.", of, cmp.Or(l.limit.Per, time.Minute), limit, used, asked, wait)
		words.Message = words.Message[:place[0]] + what + words.Message[place[1]:]
		if words.Type != nil && *words.Type == "tokens" {
			words.Type = &of
		}
	}
	return &scenarios.Turn{Number: -1, Step: &scenarios.Step{Status: http.StatusTooManyRequests, RetryAfter: &wait, Error: &words}}
}

// limitNamed is where the words of a provider name its limit, in those of OpenAI: another one than is configured here.
var limitNamed = regexp.MustCompile(`on (tokens|requests) per [^:]*: Limit \d+, Used \d+, Requested \d+\. Please try again in [^ ]*\.`)

// headers tells of a limit as the providers of a dialect do.
func (l left) headers(d *wire.Dialect) map[string]string {
	all := []wire.RateLimit{
		{Of: "requests", Limit: l.limit.Requests, Left: l.requests, Reset: l.until},
		{Of: "tokens", Limit: l.limit.Tokens, Left: l.tokens, Reset: l.until},
	}
	all = slices.DeleteFunc(all, func(limit wire.RateLimit) bool { return limit.Limit == 0 })
	if d.RateLimitHeaders == nil || len(all) == 0 {
		return nil
	}
	return d.RateLimitHeaders(all, l.now)
}
