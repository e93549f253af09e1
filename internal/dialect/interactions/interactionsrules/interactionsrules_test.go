package interactionsrules_test

import (
	_ "embed"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/interactions"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

//go:embed testdata/request.json
var wholeRequest []byte

// TestForm: each node of the form has a request that breaks its rule there, and no other rule.
func TestForm(t *testing.T) {
	CheckForm(t, interactions.Form(), "gemini-interactions", wholeRequest, map[string][]string{
		"request.input[](user_input).content[](image) anyOf": {"images/encoded"},
	})
}

// TestFormTakes: what correct clients send, and what the types of the SDK allow, has the form.
func TestFormTakes(t *testing.T) {
	CheckTaken(t, interactions.API, wholeRequest, "input", `
		{"type":"user_input","content":[{"type":"document","data":"eA==","mime_type":"application/pdf"}]}
		{"type":"user_input","content":[{"type":"function_result","call_id":"fc_1","name":"get_weather","result":"4 C"}]}
		{"type":"thought","signature":"c2ln"}
		{"type":"thought"}
		{"type":"model_output","content":[{"type":"text","text":"x","annotations":[]}]}
		{"type":"model_output"}
		{"type":"google_search_call","id":"a","arguments":{"queries":["x"]},"signature":"c2ln"}
		{"type":"function_result","call_id":"fc_1","name":"get_weather","result":{"temperature":4}}
		{"type":"function_result","call_id":"fc_1","name":"get_weather","result":[{"type":"image","uri":"https://example.com/a.png"}]}`, `
		{"tools":[{"type":"google_search"},{"type":"mcp_server","name":"a","url":"https://example.com"},{"type":"somethingNew"}]}
		{"tools":[{"type":"function","name":"a"}]}
		{"generation_config":{"tool_choice":"any","thinking_summaries":"none"}}
		{"generation_config":{"tool_choice":"validated"}}
		{"response_format":{"type":"text","mime_type":"application/json","schema":{}}}
		{"input":"Hello.","labels":{"a":"b"}}
		{"input":{"type":"text","text":"Hello."}}
		{"agent":"deep-research-preview-04-2026","agent_config":{"type":"deep-research"},"background":true}`)
}
