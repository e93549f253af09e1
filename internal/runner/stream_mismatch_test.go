package runner

import (
	"context"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// TestStreamsAgainstTheTask: a loop that claims streaming and never asks for a stream passes no
// rule about streams; it, and one that always does, is told so.
func TestStreamsAgainstTheTask(t *testing.T) {
	for _, test := range []struct {
		name    string
		stream  func(bool) bool
		note    string
		verdict trace.Verdict
	}{
		{"as told", func(told bool) bool { return told }, "", trace.Passed},
		{"never", func(bool) bool { return false }, "the loop asked for no stream in cases whose task has \"stream\":true: ", trace.Untested},
		{"always", func(bool) bool { return true }, "the loop asked for streams in cases whose task has \"stream\":false: ", trace.Passed},
	} {
		t.Run(test.name, func(t *testing.T) {
			loop := loops.Func(func(ctx context.Context, task protocol.Task) (protocol.Outcome, error) {
				task.Stream = test.stream(task.Stream)
				return reference(ctx, task)
			})
			r, err := Play(t.Context(), Config{
				Loop: loop, Workers: 1, Seed: 41, Timeout: ample, Claims: loops.Claims{Features: []protocol.Feature{protocol.Streaming}},
				Select: Select{Cases: []string{"pairing/single-call@chat/openai/json", "stream/text-beside-calls@chat/openai/sse"}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if notes := strings.Join(r.Notes, "\n"); !strings.HasPrefix(notes, test.note) || test.note == "" && notes != "" || len(r.Notes) > 1 {
				t.Errorf("the notes are %q", r.Notes)
			}
			for _, rule := range r.Rules {
				if rule.ID == "stream/text-beside-calls" && rule.Verdict != test.verdict {
					t.Errorf("%s is %s, want %s", rule.ID, rule.Verdict, test.verdict)
				}
			}
		})
	}
}
