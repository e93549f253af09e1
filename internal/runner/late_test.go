package runner

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/protocol"
)

// TestRequestsAfterTheOutcome: requests after the outcome get an error that says so, and are noted in the report, but break
// no rule.
func TestRequestsAfterTheOutcome(t *testing.T) {
	var before, answer string
	loop := LoopFunc(func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
		if before != "" && answer == "" {
			resp, err := http.Post(before+"/chat/completions", "application/json", strings.NewReader("{}"))
			if err != nil {
				return protocol.Outcome{}, err
			}
			defer resp.Body.Close()
			text, _ := io.ReadAll(resp.Body)
			answer = resp.Status + " " + string(text)
		}
		if strings.Contains(task.ID, "t-") {
			before = task.BaseURL
		}
		return reference(ctx, task)
	})
	r, err := Play(t.Context(), Config{
		Loop: loop, Workers: 1, Seed: 41, Timeout: ample,
		Select: Select{Cases: []string{"pairing/single-call@chat/openai/json", "outcome/answer@chat/openai/json"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(answer, "404 ") || !strings.Contains(answer, "has ended: its outcome was reported") {
		t.Errorf("answered %s", answer)
	}
	if len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "1 request came after the outcome of the case was reported, first to /run/") {
		t.Errorf("the notes are %q", r.Notes)
	}
}
