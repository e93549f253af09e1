package ollama

import (
	"strings"
	"testing"
)

// TestResultsOfCalls: which calls results are for, as newer clients name them, and older ones.
func TestResultsOfCalls(t *testing.T) {
	for name, c := range map[string]struct{ calls, results, want string }{
		"by ids":                   {`{"id":"x","function":{"name":"a"}},{"id":"y","function":{"name":"a"}}`, `{"role":"tool","tool_call_id":"y","tool_name":"a"},{"role":"tool","tool_call_id":"x"}`, "y x"},
		"by names":                 {`{"function":{"name":"a"}},{"function":{"name":"b"}}`, `{"role":"tool","tool_name":"b"},{"role":"tool","tool_name":"a"}`, "b 2 a 1"},
		"by names, of calls named": {`{"id":"x","function":{"name":"a"}},{"id":"y","function":{"name":"b"}}`, `{"role":"tool","tool_name":"b"},{"role":"tool"}`, "y x"},
		"by ids that calls lost":   {`{"function":{"name":"a"}},{"function":{"name":"b"}}`, `{"role":"tool","tool_call_id":"y","tool_name":"b"},{"role":"tool","tool_call_id":"x"}`, "b 2 a 1"},
		"by an id of no call":      {`{"id":"x","function":{"name":"a"}}`, `{"role":"tool","tool_call_id":"z","tool_name":"a"}`, "z"},
	} {
		req, err := API.Read([]byte(`{"model":"m","messages":[{"role":"assistant","tool_calls":[` + c.calls + `]},` + c.results + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, m := range req.Messages {
			for _, r := range m.Results {
				ids = append(ids, r.CallID)
			}
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("%s: the results are for %s, want %s", name, got, c.want)
		}
	}
}
