package engine_test

import (
	"slices"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
)

// resuming has two prompts, of which the first one comes to no answer, however often it is asked.
const resuming = `
needs: [multi-prompt, resume-after-failure]
prompts: [Go., Go on.]
model:
  - status: 503
    times: 5
  - text: It is a cat.
`

// What is in store for further attempts is left out, once the user says the next prompt.
func TestNextPromptEndsAFailure(t *testing.T) {
	const next = `{"role":"user","content":"Go on."}`
	kept, dropped := messages(`{"role":"user","content":"Go."}`, next), messages(next)
	for _, c := range []struct {
		name string
		asks []string
		want []string
	}{
		{"after one attempt", []string{hello, kept}, []string{"overloaded", "It is a cat."}},
		{"after three", []string{hello, hello, hello, kept}, []string{"overloaded", "overloaded", "overloaded", "It is a cat."}},
		{"without the prompt that failed", []string{hello, dropped}, []string{"overloaded", "It is a cat."}},
		{"never", []string{hello, hello}, []string{"overloaded", "overloaded"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := start(t, engine.Config{})
			run, base := begin(t, srv, resuming, engine.RunConfig{})
			if !run.Task(srv.URL).ResumeAfterFailure {
				t.Error("the task does not say that the user goes on")
			}
			var got []string
			for _, body := range c.asks {
				got = append(got, gist(ask(t, base, body).body))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("the answers are %q, want %q", got, c.want)
			}
		})
	}
}
