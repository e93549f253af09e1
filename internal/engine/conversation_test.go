package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// A system prompt that is separate from the messages belongs to the conversation: attempts are
// counted, and histories kept, for each one by itself.
func TestSystemPromptsTellConversationsApart(t *testing.T) {
	of := func(system string) string { return strings.Replace(asked(user), "{", `{"system":"`+system+`",`, 1) }
	t.Run("attempts", func(t *testing.T) {
		once := scenario(t, "prompt: Look.\nmodel:\n  - status: 503\n  - text: Here.\n")
		srv := start(t, engine.Config{Profile: profile(t, "anthropic"), Scenarios: []*scenarios.Scenario{once}})
		for _, system := range []string{"Be terse.", "Be polite."} {
			for _, want := range []int{http.StatusServiceUnavailable, http.StatusOK} {
				if got := askMessages(t, srv.URL, of(system)); got.status != want {
					t.Errorf("%s: answered %d, want %d: %s", system, got.status, want, got.body)
				}
			}
		}
	})
	t.Run("kept histories", func(t *testing.T) {
		srv := start(t, engine.Config{Profile: profile(t, "anthropic-threads"), Scenarios: lookAndTell(t)})
		ids := map[string]string{}
		for _, body := range []string{of("Be terse."), of("Be polite.")} {
			got := askMessages(t, srv.URL, inThread(`{"type":"create"}`, body), withBeta...)
			id := gjson.Get(got.body, "id").String()
			if other := ids[id]; id == "" || other != "" {
				t.Errorf("the id %q is given for %s and for %s", id, other, body)
			}
			ids[id] = body
		}
	})
}
