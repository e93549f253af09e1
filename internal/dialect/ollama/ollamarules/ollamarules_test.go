package ollamarules_test

import (
	_ "embed"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/ollama"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

//go:embed testdata/request.json
var wholeRequest []byte

// TestForm: each node of the form has a request that breaks its rule there, and no other rule.
func TestForm(t *testing.T) {
	CheckForm(t, ollama.Form(), "ollama-native", wholeRequest, map[string][]string{
		"request.messages[].tool_calls type":             {"pairing/no-orphan-result", "pairing/ids-present", "egress/no-blank-assistant-message"},
		"request.messages[].tool_calls[]":                {"pairing/every-call-answered", "pairing/one-result-per-call", "pairing/result-names-a-call", "egress/call-has-name"},
		"request.tools[].function.parameters.required":   {"egress/schema-valid"},
		"request.tools[].function.parameters.properties": {"egress/schema-valid"},
	})
}

// TestFormTakes: what correct clients send, and what the server takes, has the form.
func TestFormTakes(t *testing.T) {
	CheckTaken(t, ollama.API, wholeRequest, "messages", `
		{"role":"user","content":"So?","images":[]}
		{"role":"user","content":null}
		{"role":"assistant","tool_calls":[{"function":{"name":"get_weather","arguments":{}}}]}
		{"role":"assistant","tool_calls":[{"id":"","type":"function","function":{"name":"get_weather"}}]}
		{"role":"tool","content":"4 C"}
		{"role":"tool","content":"4 C","name":"get_weather"}
		{"role":"Tool","content":"4 C","tool_name":"get_weather","images":["iVBORw0KGgo="]}`, `
		{"keep_alive":-1}
		{"keep_alive":"0"}
		{"keep_alive":"-1m"}
		{"keep_alive":"1h30m"}
		{"think":true}
		{"think":false}
		{"think":null}
		{"format":""}
		{"format":{"type":"object"}}
		{"options":{"num_ctx":4096.5,"temperature":0,"stop":[],"some_option_of_tomorrow":"x"}}
		{"tools":[{"type":"function","function":{"name":"a"}}]}
		{"tools":[{"function":{"name":"a","parameters":{"type":"object","properties":{"x":{}},"additionalProperties":false,"$schema":"x"},"strict":true}}]}`)
}
