package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
)

const overAPIs = `
needs: [model-fallback, second-api]
model:
  - text: Hello.
  - status: 503
    model-down: true
  - text: Hello again.
  - text: And again.
`

// TestSecondAPI: the second model is asked in its own wire API, under the path of the same run, and
// goes on with the script of the first one.
func TestSecondAPI(t *testing.T) {
	second, err := profiles.Get("anthropic")
	if err != nil {
		t.Fatal(err)
	}
	srv := start(t, engine.Config{})
	run, base := begin(t, srv, overAPIs, engine.RunConfig{Second: second})
	task := run.Task(srv.URL)
	if api := task.SecondAPI; api == nil || api.Dialect != "messages" || api.Model != task.FallbackModel || api.Profile != "anthropic" || api.BaseURL != srv.URL+"/run/"+run.ID {
		t.Fatalf("the second API is %+v", task.SecondAPI)
	}
	turn := func(said string) string {
		return strings.NewReplacer("Go.", said, `{"model"`, `{"max_tokens":99,"model"`).Replace(hello)
	}
	for i, c := range []struct{ path, body, want string }{
		{"/v1/chat/completions", hello, "Hello."},
		{"/v1/chat/completions", turn("And now?"), "overloaded"},
		{"/v1/messages", turn("And now?"), `"type":"message"`},
		{"/v1/chat/completions", turn("Really?"), "overloaded"},
		{"/v1/messages", turn("Really?"), "And again."},
		{"/v1/responses", turn("Who?"), "speaks the dialect chat"}, // which is neither of the two
	} {
		if got := do(t, http.MethodPost, base+c.path, c.body).body; !strings.Contains(got, c.want) {
			t.Errorf("request %d is answered by %s, want %s", i+1, got, c.want)
		}
	}
	exchanges, _ := run.Record()
	if n := len(exchanges); n != 5 {
		t.Errorf("%d exchanges are recorded, want 5", n)
	}
}
