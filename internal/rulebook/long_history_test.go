package rulebook_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/dialect/responses"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
)

// TestLongHistories: what it costs to judge a request grows with its length. Where it grew with the square of it, this took
// four minutes.
func TestLongHistories(t *testing.T) {
	var body strings.Builder
	body.WriteString(`{"model":"m","input":[{"role":"user","content":"Go."}`)
	for i := range 20_000 {
		fmt.Fprintf(&body, `,{"type":"function_call","call_id":"call_%[1]d","name":"look","arguments":"{}"},{"type":"function_call_output","call_id":"call_%[1]d","output":"a"}`, i)
	}
	body.WriteString(`],"tools":[{"type":"function","name":"look"}]}`)
	req, err := responses.Read([]byte(body.String()))
	if err != nil {
		t.Fatal(err)
	}
	p, err := profiles.Find(profiles.All(), "openai-responses")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if refusal, _, is := rulebook.Refuse(p, req); is {
		t.Errorf("it is refused by %s", refusal.Rule)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("20,000 calls are judged in %v", took)
	}
}
