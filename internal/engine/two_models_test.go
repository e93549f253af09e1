package engine_test

import (
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
)

const twoModels = `
needs: [model-fallback]
model:
  - text: Hello.
  - status: 503
    model-down: true
  - text: Hello again.
  - text: And again.
`

// TestModelDown: from the step on, each request to the first model fails, and the second one says
// what follows.
func TestModelDown(t *testing.T) {
	srv := start(t, engine.Config{})
	run, base := begin(t, srv, twoModels, engine.RunConfig{})
	task := run.Task("")
	if task.FallbackModel == "" || task.FallbackModel == task.Model {
		t.Fatalf("the second model is %q", task.FallbackModel)
	}
	second := strings.NewReplacer(`"model":"m"`, `"model":"openai/`+task.FallbackModel+`"`)
	next := strings.NewReplacer(`]`, `,{"role":"assistant","content":"Hello."},{"role":"user","content":"Hello?"}]`)
	if !strings.Contains(hello, `"model":"m"`) {
		t.Fatalf("the request names no model: %s", hello)
	}
	for i, c := range []struct{ body, want string }{
		{hello, "Hello."},
		{next.Replace(hello), "overloaded"},
		{next.Replace(hello), "overloaded"},
		{second.Replace(next.Replace(hello)), "Hello again."},
		{next.Replace(next.Replace(hello)), "overloaded"},
		{second.Replace(next.Replace(next.Replace(hello))), "And again."},
	} {
		if got := ask(t, base, c.body).body; !strings.Contains(got, c.want) {
			t.Errorf("request %d is answered by %s, want %s", i+1, got, c.want)
		}
	}
	tell(t, srv, "/runs/"+run.ID+"/reset", "", 200)
	got := ask(t, base, hello).body
	if exchanges, _ := run.Record(); !strings.Contains(got, "Hello.") || len(exchanges) != 1 || exchanges[0].Number != 1 {
		t.Errorf("after a reset the first request is answered by %s", got)
	}
}
