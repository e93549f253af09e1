package engine_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
)

// TestBadResponsesRequests: what OpenAI refuses is refused in its words.
func TestBadResponsesRequests(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "openai-responses"), Scenarios: lookAndTell(t)})
	const (
		user   = `{"role":"user","content":"Go."},`
		call   = `{"type":"function_call","call_id":"call_1","name":"look","arguments":"{}"}`
		output = `{"type":"function_call_output","call_id":"call_1","output":"a"}`
		custom = `{"type":"custom_tool_call","call_id":"call_1","name":"look","input":"x"}`
	)
	for _, c := range []struct {
		name, keys    string
		status        int
		message, code string
	}{
		{"an unknown type of an item", `"input":[` + user + `{"type":"frobnicate"}]`, 400, "Invalid value: 'frobnicate'.", "invalid_value"},
		{"a call twice", `"input":[` + user + call + `,` + call + `,` + output + `]`, 400, "Duplicate item found with id call_1.", ""},
		{"an output for a call that never was", `"input":[` + user + output + `]`, 400, "No tool call found for function call output with call_id call_1.", ""},
		{"an output of a custom tool for a call that never was", `"input":[` + user + strings.Replace(output, "function", "custom_tool", 1) + `]`, 400, "No tool call found for custom tool call output with call_id call_1.", ""},
		{"an output of a function for a search for tools", `"input":[` + user + `{"type":"tool_search_call","call_id":"call_1","execution":"client","arguments":{}},` + output + `]`, 200, "", ""},
		{"a call without an output", `"input":[` + user + call + `]`, 400, "No tool output found for function call call_1.", ""},
		{"a call of a custom tool without an output", `"input":[` + user + custom + `]`, 400, "No tool output found for custom tool call call_1.", ""},
		{"a response that is not kept", `"previous_response_id":"resp_1","input":"More."`, 400, "Previous response with id 'resp_1' not found.", "previous_response_not_found"},
		{"a conversation that is not kept", `"conversation":"conv_1","input":"More."`, 404, "Conversation with id 'conv_1' not found.", ""},
		{"two histories", `"conversation":"conv_1","previous_response_id":"resp_1","input":"More."`, 400, "Mutually exclusive parameters: ''. Ensure you are only providing one of: 'pre..._id' or 'conversation'.", "mutually_exclusive_parameters"},
	} {
		got := askResponses(t, srv.URL, `{"model":"m",`+c.keys+`,`+lookTool+`}`)
		if got.status != c.status || !strings.HasPrefix(gjson.Get(got.body, "error.message").String(), c.message) || gjson.Get(got.body, "error.code").String() != c.code {
			t.Errorf("%s is answered by %d %s", c.name, got.status, got.body)
		}
	}
}

// TestResponseOfAnotherRun: a run keeps its responses to itself.
func TestResponseOfAnotherRun(t *testing.T) {
	srv := start(t, engine.Config{})
	var ids, bases []string
	for range 2 {
		run := srv.StartRun(engine.RunConfig{Scenario: lookAndTell(t)[0], Profile: profile(t, "openai-responses")})
		bases = append(bases, srv.URL+"/run/"+run.ID)
		ids = append(ids, gjson.Get(askResponses(t, bases[len(bases)-1], `{"model":"m","input":"Go.",`+lookTool+`}`).body, "id").String())
	}
	if got := askResponses(t, bases[1], `{"model":"m","previous_response_id":"`+ids[0]+`","input":"More."}`); ids[0] == ids[1] || got.status != http.StatusBadRequest || gjson.Get(got.body, "error.code").String() != "previous_response_not_found" {
		t.Errorf("the response %s of another run is continued, where %s is known: %d %s", ids[0], ids[1], got.status, got.body)
	}
	if got := do(t, http.MethodGet, bases[1]+"/v1/responses/"+ids[0], ""); got.status != http.StatusNotFound {
		t.Errorf("the response of another run is %d %s", got.status, got.body)
	}
}

// TestLongConversation: one of ten megabytes is answered, kept, and continued.
func TestLongConversation(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "openai-responses"), Scenarios: lookAndTell(t)})
	var items strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&items, `{"role":"user","content":"%d %s"},{"role":"assistant","content":"Yes."},`, i, strings.Repeat("x", 10_000))
	}
	first := askResponses(t, srv.URL, `{"model":"m","input":[`+items.String()+`{"role":"user","content":"Go."}],`+lookTool+`}`)
	if first.status != http.StatusOK {
		t.Fatalf("answered %d %.300s", first.status, first.body)
	}
	id, call := gjson.Get(first.body, "id").String(), gjson.Get(first.body, `output.#(type="function_call").call_id`).String()
	input := `"input":"More."`
	if call != "" {
		input = `"input":[{"type":"function_call_output","call_id":"` + call + `","output":"a"}]`
	}
	if got := askResponses(t, srv.URL, `{"model":"m","previous_response_id":"`+id+`",`+input+`,`+lookTool+`}`); got.status != http.StatusOK {
		t.Errorf("continued, it is answered by %d %.300s", got.status, got.body)
	}
	if got := do(t, http.MethodGet, srv.URL+"/v1/responses/"+id+"/input_items?limit=100", ""); gjson.Get(got.body, "data.#").Int() != 100 || !gjson.Get(got.body, "has_more").Bool() {
		t.Errorf("its input is %d %.300s", got.status, got.body)
	}
}

// TestContinuedFromNothing: a request that continues what is not kept is told from one that cannot
// be read, and makes serve fail as well.
func TestContinuedFromNothing(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "openai-responses"), Scenarios: lookAndTell(t)})
	askResponses(t, srv.URL, `{"model":"m","previous_response_id":"resp_1","input":"More."}`)
	askResponses(t, srv.URL, `{"model":`)
	sum := srv.Journal().Sum()
	if sum.Unkept != 1 || sum.Unreadable != 1 || sum.Requests != 2 || !sum.Violations() {
		t.Errorf("the sum is %+v", sum)
	}
	if got := srv.Journal().Entries()[0].Outcome(); got != "unkept" {
		t.Errorf("the outcome is %s", got)
	}
}
