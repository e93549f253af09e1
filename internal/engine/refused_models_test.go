package engine_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/rules"
)

// TestReasoningOfAnotherModelIsRefused: encrypted reasoning that goes to another model than the one
// that wrote it is refused in the words of the profile. Only a run knows who wrote it.
func TestReasoningOfAnotherModelIsRefused(t *testing.T) {
	p := profile(t, "openrouter")
	refusal, _ := p.Refusal(rules.ReasoningStaysBehind)
	srv := start(t, engine.Config{Profile: p})
	_, base := begin(t, srv, `
needs: [reasoning]
profiles: [openrouter]
model:
  - text: Hello.
    reasoning-details: [{type: encrypted, format: openai-responses-v1, id: rs_1}]
  - text: Hello again.
`, engine.RunConfig{Profile: p})
	first := ask(t, base, hello)
	var answer struct {
		Choices []struct {
			Message json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(first.body), &answer); err != nil || first.status != http.StatusOK {
		t.Fatalf("answered %d %s", first.status, first.body)
	}
	next := func(model string) string {
		return fmt.Sprintf(`{"model":%q,"messages":[{"role":"user","content":"Go."},%s,{"role":"user","content":"Go on."}]}`, model, answer.Choices[0].Message)
	}
	if got := ask(t, base, next("another")); got.status != refusal.Status || !strings.Contains(got.body, refusal.Message) {
		t.Errorf("another model is asked, and answers %d %s", got.status, got.body)
	}
	if got := ask(t, base, next("m")); got.status != http.StatusOK {
		t.Errorf("the same model is asked, and answers %d %s", got.status, got.body)
	}
}
