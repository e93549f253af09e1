package openai_test

import (
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/dialect/openai"
	"github.com/loopproof/loopproof/internal/wire"
)

func TestLimitMessage(t *testing.T) {
	const said = "Rate limit reached for m in organization o on tokens per min (TPM): Limit 30000, Used 28000, Requested 4000. Please try again in 4ms. Visit us."
	requests := wire.ReachedLimit{Of: "requests", Per: time.Minute, Limit: 3, Used: 3, Requested: 1, Wait: 20 * time.Second}
	tokens := wire.ReachedLimit{Of: "tokens", Per: 10 * time.Second, Limit: 500, Used: 400, Requested: 200, Wait: 9 * time.Second}
	for _, c := range []struct {
		message string
		limit   wire.ReachedLimit
		want    string
	}{
		{said, requests, "Rate limit reached for m in organization o on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s. Visit us."},
		{said, tokens, "Rate limit reached for m in organization o on tokens per 10s: Limit 500, Used 400, Requested 200. Please try again in 9s. Visit us."},
		{said, wire.ReachedLimit{Of: "requests", Limit: 2, Used: 2, Requested: 1, Wait: time.Second}, "Rate limit reached for m in organization o on concurrent requests: Limit 2, Used 2, Requested 1. Please try again in 1s. Visit us."},
		{"Too many requests.", requests, "Too many requests."},
	} {
		if got := openai.LimitMessage(c.message, c.limit); got != c.want {
			t.Errorf("LimitMessage(%q) = %q, want %q", c.message, got, c.want)
		}
	}
}

// TestWaitMessage: the words say the wait that the header says.
func TestWaitMessage(t *testing.T) {
	for _, c := range []struct {
		said, want string
		wait       time.Duration
	}{
		{"Requested 4000. Please try again in 4ms.", "Requested 4000. Please try again in 8s.", 8 * time.Second},
		{"Requested 4000. Please try again in 1.5s. Visit us.", "Requested 4000. Please try again in 20ms. Visit us.", 20 * time.Millisecond},
		{"Overloaded. Please try again later.", "Overloaded. Please try again later.", time.Second},
	} {
		if got := openai.Errors.WaitMessage(c.said, c.wait); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
