package adapter_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/loopproof/loopproof/packages/go/adapter"
	"github.com/loopproof/loopproof/protocol"
)

var errAsked = errors.New("the provider failed")

// The second of three prompts has no answer.
func TestEachPrompt(t *testing.T) {
	for name, c := range map[string]struct {
		resume, fails, takenBack bool
		asked                    []string
		err                      error
	}{
		"answered without more":        {asked: []string{"a", "b"}},
		"failed":                       {fails: true, asked: []string{"a", "b"}, err: errAsked},
		"failed, and goes on":          {fails: true, resume: true, asked: []string{"a", "b", "c"}},
		"without more, and goes on":    {resume: true, asked: []string{"a", "b", "c"}},
		"cancelled by the user":        {takenBack: true, asked: []string{"a", "b", "c"}},
		"cancelled, and ends in error": {takenBack: true, fails: true, asked: []string{"a", "b", "c"}},
	} {
		t.Run(name, func(t *testing.T) {
			var takeBack context.CancelFunc
			task := protocol.Task{
				Prompts:            []string{"a", "b", "c"},
				ResumeAfterFailure: c.resume,
				PromptContext: func(ctx context.Context) context.Context {
					ctx, takeBack = context.WithCancel(ctx)
					t.Cleanup(takeBack)
					return ctx
				},
			}
			var asked []string
			err := adapter.EachPrompt(t.Context(), task, func(ctx context.Context, prompt string) (more bool, err error) {
				asked = append(asked, prompt)
				if prompt != "b" {
					return true, nil
				}
				if c.takenBack {
					takeBack()
				}
				if c.fails {
					return false, errAsked
				}
				return false, nil
			})
			if !slices.Equal(asked, c.asked) || !errors.Is(err, c.err) {
				t.Errorf("asked %v with %v, want %v with %v", asked, err, c.asked, c.err)
			}
		})
	}
}

func TestEachPromptEndsWithItsTask(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	task := protocol.Task{Prompts: []string{"a", "b"}, ResumeAfterFailure: true}
	err := adapter.EachPrompt(ctx, task, func(context.Context, string) (more bool, err error) {
		asked++
		cancel()
		return true, nil
	})
	if asked != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("asked %d times with %v", asked, err)
	}
}
