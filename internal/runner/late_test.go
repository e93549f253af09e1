package runner

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/protocol"
)

// TestRequestsAfterTheOutcome: requests after the outcome get an error that says so, and are noted
// in the report, but break no rule.
func TestRequestsAfterTheOutcome(t *testing.T) {
	var before, answer string
	loop := loops.Func(func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
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

// TestRequestsOnTheirWayAtTheTimeLimit: of a loop that gave up when its time was over, requests may
// come that were on their way.
func TestRequestsOnTheirWayAtTheTimeLimit(t *testing.T) {
	before := ""
	loop := loops.Func(func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
		switch {
		case strings.Contains(task.ID, "t-") && before == "":
			before = task.BaseURL
			time.Sleep(time.Duration(task.TimeoutMS) * time.Millisecond * 19 / 20)
			return protocol.Outcome{Status: protocol.Failed, Error: "the time is over"}, nil
		case before != "":
			resp, err := http.Post(before+"/chat/completions", "application/json", strings.NewReader("{}"))
			if err != nil {
				return protocol.Outcome{}, err
			}
			resp.Body.Close()
		}
		return reference(ctx, task)
	})
	r, err := Play(t.Context(), Config{
		Loop: loop, Workers: 1, Seed: 41, Timeout: time.Second,
		Select: Select{Cases: []string{"pairing/single-call@chat/openai/json"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Notes) > 0 || len(r.Replayed) != 1 {
		t.Errorf("the notes are %q, %q were played again", r.Notes, r.Replayed)
	}
}
