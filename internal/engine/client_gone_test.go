package engine_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// leaving is the context of a request whose client leaves when it was asked a number of times,
// which is done before each rule.
type leaving struct {
	context.Context
	after, asked atomic.Int64
}

func (c *leaving) Err() error {
	if c.asked.Add(1) > c.after.Load() {
		return context.Canceled
	}
	return c.Context.Err()
}

// A request whose client is gone is not read, judged or answered any more, and is noted.
func TestAClientThatLeaves(t *testing.T) {
	long := `{"model":"m","messages":[{"role":"user","content":"Go."}` + strings.Repeat(`,{"role":"tool","tool_call_id":"c","content":"x"}`, 20_000) + `]}`
	ask := func(body string, after int64) (asked int64, status int, entry journal.Entry) {
		srv := start(t, engine.Config{Lenient: true, Scenarios: []*scenarios.Scenario{script(t, "test", twenty)}})
		ctx := &leaving{Context: t.Context()}
		ctx.after.Store(after)
		req := httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(body)).WithContext(ctx)
		answer := httptest.NewRecorder()
		srv.ServeHTTP(answer, req)
		if srv.Journal().Count() != 1 {
			t.Fatalf("%d requests are noted, want 1", srv.Journal().Count())
		}
		return ctx.asked.Load(), answer.Code, srv.Journal().Entries()[0]
	}
	whole, status, entry := ask(long, 1<<40)
	if whole < 100 || status != http.StatusOK || len(entry.Findings) == 0 {
		t.Fatalf("a client that stays is answered %d after %d questions, with %d findings", status, whole, len(entry.Findings))
	}
	const rest = 10 // until its answer is not sent
	for _, after := range []int64{0, 1, 10, whole / 2, whole - 20} {
		asked, _, entry := ask(long, after)
		if asked > after+rest {
			t.Errorf("a client leaves after %d questions of %d, and %d more are asked", after, whole, asked-after)
		}
		if entry.Exchange.Problem == "" && len(entry.Findings) == 0 {
			t.Errorf("a client leaves after %d questions, and its request is noted as one with nothing wrong", after)
		}
	}
	// Whether a short request is judged depends on no race.
	if _, _, entry := ask(strings.Replace(hello, "user", "tool", 1), 0); len(entry.Findings) == 0 || entry.Exchange.Problem != "" {
		t.Errorf("a short request is not judged: %+v", entry)
	}
}

// Nor is it read to count its tokens.
func TestAClientThatLeavesWhatIsCounted(t *testing.T) {
	long := `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"` + strings.Repeat("Go. ", 100_000) + `"}]}`
	for after, want := range map[int64]int{0: http.StatusBadRequest, 1 << 40: http.StatusOK} {
		srv := start(t, engine.Config{Profile: profile(t, "anthropic"), Scenarios: []*scenarios.Scenario{script(t, "test", twenty)}})
		ctx := &leaving{Context: t.Context()}
		ctx.after.Store(after)
		req := httptest.NewRequest(http.MethodPost, "/v1/messages/count_tokens", strings.NewReader(long)).WithContext(ctx)
		answer := httptest.NewRecorder()
		srv.ServeHTTP(answer, req)
		if left := strings.Contains(answer.Body.String(), "client left"); answer.Code != want || left != (after == 0) {
			t.Errorf("a client that leaves after %d questions is answered %d %s", after, answer.Code, answer.Body)
		}
	}
}
