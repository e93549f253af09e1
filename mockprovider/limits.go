package mockprovider

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/loopproof/loopproof/scenarios"
	"github.com/loopproof/loopproof/wire/messages"
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
		limit: *limit, now: now, until: l.until, refused: refused,
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
func (l left) turn() *scenarios.Turn {
	wait := l.until.Sub(l.now)
	wait = (wait + time.Second - 1).Truncate(time.Second) // in whole seconds, when it is over
	return &scenarios.Turn{Number: -1, Step: &scenarios.Step{Status: http.StatusTooManyRequests, RetryAfter: &wait}}
}

// headers tells of a limit as the providers do: https://developers.openai.com/api/docs/guides/rate-limits and
// https://platform.claude.com/docs/en/api/rate-limits.
func (l left) headers(dialect string) map[string]string {
	headers := map[string]string{}
	name := func(what, of string) string { return "x-ratelimit-" + what + "-" + of }
	reset := l.until.Sub(l.now).Round(time.Millisecond).String()
	if dialect == messages.Dialect {
		name = func(what, of string) string { return "anthropic-ratelimit-" + of + "-" + what }
		reset = l.until.UTC().Format(time.RFC3339)
	}
	for _, count := range []struct {
		of          string
		limit, left int
	}{{"requests", l.limit.Requests, l.requests}, {"tokens", l.limit.Tokens, l.tokens}} {
		if count.limit == 0 {
			continue
		}
		headers[name("limit", count.of)] = strconv.Itoa(count.limit)
		headers[name("remaining", count.of)] = strconv.Itoa(count.left)
		headers[name("reset", count.of)] = reset
	}
	return headers
}
