package engine_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// moving is a clock that a test moves.
type moving struct {
	clock
	after time.Duration
}

func (c *moving) Now() time.Time { return c.clock.Now().Add(c.after) }

func TestRateLimit(t *testing.T) {
	clock := &moving{}
	srv := start(t, engine.Config{Clock: clock, Scenarios: []*scenarios.Scenario{script(t, "test", twenty)}, Behaviour: behaviour(t, "rate-limit: {requests: 2, per: 10s}")})
	run := testRun(t, srv, engine.TestRunConfig{})
	for _, c := range []struct {
		after     time.Duration
		status    int
		remaining string
		reset     string
		retry     string
	}{
		{0, 200, "1", "10s", ""},
		{1500 * time.Millisecond, 200, "0", "8.5s", ""},
		{1500 * time.Millisecond, 429, "0", "8.5s", "9"}, // whole seconds, when it is over
		{10 * time.Second, 200, "1", "10s", ""},
	} {
		clock.after = c.after
		got := ask(t, srv.URL, hello)
		h := got.header
		if got.status != c.status || h.Get("x-ratelimit-limit-requests") != "2" || h.Get("x-ratelimit-remaining-requests") != c.remaining || h.Get("x-ratelimit-reset-requests") != c.reset || h.Get("retry-after") != c.retry {
			t.Errorf("after %v the answer is %d %v", c.after, got.status, h)
		}
		if want := "on requests per 10s: Limit 2, Used 2, Requested 1. Please try again in 9s."; c.status == 429 && !strings.Contains(got.body, want) {
			t.Errorf("it is refused with %s, want it to say %s", got.body, want)
		}
	}
	if got := ask(t, srv.URL+"/run/"+run.ID, hello); got.status != 200 || got.header.Get("x-ratelimit-remaining-requests") != "1" {
		t.Errorf("another run is answered %d %v", got.status, got.header)
	}
	if e := srv.Journal().Entries()[2]; e.Fault != "rate-limit" {
		t.Errorf("the journal says %q of the request that was too much", e.Fault)
	}
}

func TestTokenLimitInTheWordsOfAnthropic(t *testing.T) {
	clock := &moving{}
	srv := start(t, engine.Config{Clock: clock, Profile: profile(t, "anthropic"), Scenarios: []*scenarios.Scenario{script(t, "test", twenty)}, Behaviour: behaviour(t, "rate-limit: {tokens: 40}")})
	body := strings.Replace(hello, "{", `{"max_tokens":99,`, 1) // 9 tokens, and 13 of the answer
	first, second := do(t, http.MethodPost, srv.URL+"/v1/messages", body), do(t, http.MethodPost, srv.URL+"/v1/messages", body)
	for name, want := range map[string]string{
		"anthropic-ratelimit-tokens-limit": "40", "anthropic-ratelimit-tokens-remaining": "18", "anthropic-ratelimit-tokens-reset": "2026-01-01T00:01:00Z", "anthropic-ratelimit-requests-limit": "",
	} {
		if got := first.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if second.status != 429 || second.header.Get("retry-after") != "60" || !strings.Contains(second.body, "rate_limit_error") {
		t.Errorf("what is too much is answered %d %v %s", second.status, second.header, second.body)
	}
}
