package transcript_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/transcript/transcriptschema"
)

// Whatever a loop keeps as its transcript or its events, it is read in each format or it is said
// why not. What is read of it is somewhere in it.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		`[{"role":"user","content":"Hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"4 C"}]`,
		`[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"thinking","thinking":"x"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"4"}],"is_error":true}]}]`,
		`[{"type":"turn_start","id":"t"},{"type":"tool_call","id":"a","name":"f","arguments":"{}"},null,7,[]]`, `[{"role":{},"content":[null,{"type":7}],"tool_calls":{}}]`, `[[]]`, `{}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range transcript.Formats() {
			r, err := format.Read(data, transcriptschema.Check)
			if err != nil {
				continue
			}
			for i, m := range r.Conversation.Messages {
				if m.Node != nil && r.Doc.DoubledKey() == nil && r.Doc.At(m.Node.Pointer()) == nil {
					t.Errorf("%s: message %d is not at %s", format.Name, i, m.Node.Pointer())
				}
				for _, result := range m.Results {
					r.MarkOf(result)
				}
			}
		}
	})
}
