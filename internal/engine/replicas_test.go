package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// Servers that know nothing of each other give the same bytes to the same request, wherever in a
// conversation it is.
func TestReplicasGiveTheSameAnswers(t *testing.T) {
	script := scenario(t, `
tools: {read: {parameters: {page: integer}, results: [{text: "..."}]}}
model:
  - calls: [{as: one, tool: read, arguments: '{"page":1}'}]
  - {text: Wait., calls: [{as: two, tool: read, arguments: '{"page":2}'}, {as: three, tool: read, arguments: '{"page":3}'}]}
  - text: That was all.
`)
	var replicas []*engine.Server
	for range 3 {
		replicas = append(replicas, start(t, engine.Config{Scenarios: []*scenarios.Scenario{script}}))
	}
	messages := `{"role":"user","content":"Go."}`
	for turn := range 3 {
		var first string
		for _, stream := range []string{"true", "false"} { // the last is the one that continues
			for i, srv := range replicas {
				a := do(t, http.MethodPost, srv.URL+"/v1/chat/completions", `{"model":"m","stream":`+stream+`,"messages":[`+messages+`]}`)
				if i == 0 {
					first = a.body
				}
				if a.status != 200 || a.body != first {
					t.Errorf("turn %d: server %d answers %d %s, and the first %s", turn, i, a.status, a.body, first)
				}
			}
		}
		messages += "," + asHistory(t, first)
	}
	if !strings.Contains(messages, "That was all.") {
		t.Errorf("the conversation did not come to its end: %s", messages)
	}
}

// asHistory returns the message of an answer, with a result for each of its calls.
func asHistory(t *testing.T, answer string) string {
	t.Helper()
	message := gjson.Get(answer, "choices.0.message")
	history := `{"role":"assistant","content":` + message.Get("content").Raw
	if calls := message.Get("tool_calls"); calls.Exists() {
		history += `,"tool_calls":` + calls.Raw
	}
	history += "}"
	for _, id := range message.Get("tool_calls.#.id").Array() {
		history += `,{"role":"tool","tool_call_id":` + id.Raw + `,"content":"..."}`
	}
	return history
}
