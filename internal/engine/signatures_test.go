package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// What the provider signed it knows again without having kept it, also another server with the same
// secret. What was changed under its signature it refuses; what another one signed it takes, and
// the journal tells where the script knows better.
func TestSignaturesAreChecked(t *testing.T) {
	thinks := scenario(t, `
tools: {look: {results: [{text: a}]}}
model:
  - reasoning-details: [{type: text, text: I look.}, {type: encrypted}]
    calls: [{as: a, tool: look, arguments: "{}"}]
  - text: Done.
`)
	config := engine.Config{Profile: profile(t, "anthropic"), Scenarios: []*scenarios.Scenario{thinks}, Secret: "shared"}
	asks := func(srv *engine.Server, messages ...string) answer {
		return askMessages(t, srv.URL, strings.Replace(asked(messages...), "{", `{"thinking":{"type":"adaptive"},`, 1))
	}
	said := gjson.Get(asks(start(t, config), user).body, "content").Raw
	id := gjson.Get(said, "2.id").String()
	for _, c := range []struct {
		name, path, value string
		says              string // the 400; "" takes it
		finds             string // a rule
	}{
		{"as it came", "2.name", "look", "", ""},
		{"another text", "0.thinking", "I looked.", "messages.1.content.0: Invalid `signature` in `thinking` block", "reasoning/details-verbatim"},
		{"other data", "1.data", gjson.Get(said, "1.data").String() + "A", "messages.1.content.1: Invalid `data` in `redacted_thinking` block", "reasoning/encrypted-untouched"},
		{"another signature", "0.signature", "EqQBCgIYAhIM", "", "reasoning/details-verbatim"},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := start(t, config) // another one than that which signed
			changed, err := sjson.Set(said, c.path, c.value)
			if err != nil {
				t.Fatal(err)
			}
			got := asks(srv, user, `{"role":"assistant","content":`+changed+`}`, blocks(`{"type":"tool_result","tool_use_id":"`+id+`","content":"a"}`))
			if refused := got.status == http.StatusBadRequest; refused != (c.says != "") || refused && gjson.Get(got.body, "error.message").String() != c.says {
				t.Errorf("answered %d %s", got.status, got.body)
			}
			var found []string
			for _, f := range srv.Journal().Entries()[0].Findings {
				if strings.HasPrefix(f.Rule, "reasoning/") { // the requests here lack what other rules look for
					found = append(found, f.Rule)
				}
			}
			if strings.Join(found, ", ") != c.finds {
				t.Errorf("the journal finds %v, want %s", found, c.finds)
			}
		})
	}
}
