package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
)

// TestServerTools: a loop that offers no tool of the provider is told of no use of one, unless it
// claims to offer them.
func TestServerTools(t *testing.T) {
	const offers = `"tools":[{"type":"web_search_20250305","name":"web_search"}],`
	for _, c := range []struct {
		name   string
		no     bool // not claimed
		offers string
		told   bool
	}{
		{"claimed", false, "", true},
		{"offered", true, offers, true},
		{"neither", true, "", false},
	} {
		srv := start(t, engine.Config{Profile: profile(t, "anthropic"), ExtraProfiles: []*profiles.Profile{}})
		_, base := begin(t, srv, `
profiles: [anthropic]
model:
  - text: I looked.
    blocks:
      - '{"type":"server_tool_use","id":"srvtoolu_01","name":"web_search","input":{"query":"Oslo"}}'
      - '{"type":"web_search_tool_result","tool_use_id":"srvtoolu_01","content":[]}'
      - '{"type":"fallback","from":{"model":"a"},"to":{"model":"b"}}'
`, engine.RunConfig{NoServerTools: c.no, Profile: profile(t, "anthropic")})
		got := do(t, http.MethodPost, base+"/v1/messages", `{"model":"m","max_tokens":100,`+c.offers+`"messages":[{"role":"user","content":"Go."}]}`)
		if told := strings.Contains(got.body, "srvtoolu_01"); got.status != http.StatusOK || told != c.told || !strings.Contains(got.body, `"fallback"`) {
			t.Errorf("%s: %d %s", c.name, got.status, got.body)
		}
	}
}
