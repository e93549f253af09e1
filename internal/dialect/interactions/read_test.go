package interactions_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/interactions"
	"github.com/loopproof/loopproof/internal/wire"
)

// TestResultsAmongContents: a result answers its call as a step, and in the content of what the user says.
func TestResultsAmongContents(t *testing.T) {
	const result = `{"type":"function_result","call_id":"c1","name":"f","result":"4 C"}`
	for entry, role := range map[string]wire.Role{
		result: wire.Tool,
		`{"type":"user_input","content":[` + result + `]}`:                                   wire.Tool,
		`{"type":"user_input","content":[` + result + `,{"type":"text","text":"And now?"}]}`: wire.User,
	} {
		req, err := interactions.API.Read([]byte(`{"model":"m","input":[` + entry + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		m := req.Messages[0]
		if m.Role != role || len(m.Results) != 1 || m.Results[0].CallID != "c1" || m.Results[0].Content.Text != "4 C" {
			t.Errorf("%s is read as %+v", entry, m)
		}
	}
}
