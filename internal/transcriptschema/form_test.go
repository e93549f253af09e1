package transcriptschema

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/wire"
)

// records are valid ones, in which all that the schemas name occurs.
var records = map[string]string{
	transcript.OpenAgentLoops: `[
		{"role":"system","content":"s","timestamp":1},
		{"role":"user","content":["a"],"timestamp":1.5},
		{"role":"assistant","content":"","finishReason":"tool_calls","isError":false,"reasoning":"r",
			"reasoning_details":[{"type":"reasoning.text","id":null,"format":"f","index":0,"text":"t","summary":"s","data":"d","signature":"x"}],
			"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]},
		{"role":"tool","content":"4 C","tool_call_id":"1","toolName":"f","isError":true}]`,
	transcript.Anthropic: `[
		{"role":"user","content":"q"},
		{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"x"},{"type":"redacted_thinking","data":"d"},{"type":"text","text":"t"},
			{"type":"tool_use","id":"1","name":"f","input":{},"cache_control":{"type":"ephemeral","ttl":"1h"}},{"type":"more"}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[{"type":"text","text":"t"},{"type":"image","source":{}}],"is_error":true,"cache_control":null},
			{"type":"tool_result","tool_use_id":"1","content":"t"}]}]`,
	transcript.ART: `[
		{"role":"system","content":"s"},{"role":"user","content":"u","name":"n"},
		{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]},
		{"role":"tool_request","content":{}},{"role":"tool_result","content":"r","tool_call_id":"1"},{"role":"tool","content":"é","tool_call_id":"é"}]`,
	transcript.OpenAI: `[
		{"role":"developer","content":[{"type":"text","text":"t"}]},{"role":"user","content":"u"},
		{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"2","type":"custom"}]},
		{"role":"tool","tool_call_id":"1","content":"r"},{"role":"assistant","refusal":"no"},{"role":"assistant","content":"c","tool_calls":null}]`,
	transcript.ADK: `[
		{"event":"toolCall","data":{"id":"1","tool":"f","args":{},"checksum":"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
			"createdAt":"2026-11-21T12:00:00Z","updatedAt":"2026-11-21T12:00:00+01:00","completedAt":"2026-11-21T12:00:00.5Z","isComplete":true,"isError":true}},
		{"event":"toolExecutionStart","data":{"toolName":"f","turnId":"t","callId":"c","args":1,"startedAt":"2026-11-21T12:00:00Z"}},
		{"event":"toolExecutionEnd","data":{"toolName":"f","turnId":"t","callId":"c","startedAt":"2026-11-21T12:00:00Z","endedAt":"2026-11-21T12:00:00Z","durationMs":1,"isError":false}},
		{"event":"message","data":null}]`,
}

// TestFits: a form says of a record, and of every change to one value or key in it, what the library says by the schema.
func TestFits(t *testing.T) {
	for _, f := range transcript.Formats() {
		t.Run(f.Name, func(t *testing.T) {
			root := new(jsonschema.Schema)
			if err := json.Unmarshal(f.Schema(), root); err != nil {
				t.Fatal(err)
			}
			schema, err := root.Resolve(nil)
			if err != nil {
				t.Fatal(err)
			}
			text := []byte(records[f.Name])
			if !agrees(t, forms()[f.Name], schema, text) {
				t.Error("the record is not valid")
			}
			broken := 0
			for changed := range changes(wire.Parsed(text)) {
				if !agrees(t, forms()[f.Name], schema, changed) {
					broken++
				}
			}
			if broken < 50 {
				t.Errorf("only %d changes break the schema", broken)
			}
		})
	}
}

// agrees reports whether a record is valid, and fails if a form says otherwise than the library.
func agrees(t *testing.T, f *form, schema *jsonschema.Resolved, text []byte) bool {
	t.Helper()
	doc := wire.Parsed(text)
	value, err := valueOf(doc)
	if err != nil {
		t.Fatal(err)
	}
	valid := schema.Validate(value) == nil
	if got := f.fits(doc); got != valid {
		t.Errorf("fits: %v, valid: %v: %s", got, valid, text)
	}
	return valid
}

// changes yields the document with each value exchanged for others, and without each key.
func changes(doc *wire.Node) func(func([]byte) bool) {
	others := []string{"null", "true", "1", "1.5", `""`, `"text"`, `"assistant"`, "[]", "{}", `[{"type":"text"}]`}
	return func(yield func([]byte) bool) {
		doc.Walk(func(n *wire.Node) {
			end := n.Offset() + len(n.Raw)
			for _, other := range others {
				yield(slices.Concat(doc.Raw[:n.Offset()], []byte(other), doc.Raw[end:]))
			}
			if n.Key() != "" {
				key := bytes.LastIndex(doc.Raw[:n.Offset()], wire.Quote(n.Key()))
				yield(slices.Concat(doc.Raw[:key], []byte(`"other"`), doc.Raw[key+len(wire.Quote(n.Key())):]))
			}
		})
	}
}
