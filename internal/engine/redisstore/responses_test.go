package redisstore_test

import (
	"net/http"
	"testing"

	"github.com/tidwall/gjson"
)

// Two servers behind a balancer, which asks them in turn, keep responses and conversations
// together.
func TestReplicasKeepResponses(t *testing.T) {
	front, _ := startReplicas(t, server(t), 2, "prompt: Go.\ntools: {look: {parameters: {}, results: [{text: a}]}}\nmodel:\n  - calls: [{as: look, tool: look, arguments: '{}'}]\n  - text: Done.\n")
	const tools = `"tools":[{"type":"function","name":"look","parameters":{"type":"object","properties":{}}}]`
	ask := func(method, path, body string) string {
		t.Helper()
		status, answer := do(t, method, front+path, body)
		if status != http.StatusOK {
			t.Fatalf("%s %s is answered by %d %s", method, path, status, answer)
		}
		return answer
	}
	text := func(answer string) string {
		return gjson.Get(answer, `output.#(type="message").content.0.text`).String()
	}

	first := ask(http.MethodPost, "/v1/responses", `{"model":"m","input":"Go.",`+tools+`}`)
	id, call := gjson.Get(first, "id").String(), gjson.Get(first, `output.#(type="function_call").call_id`).String()
	result := `[{"type":"function_call_output","call_id":"` + call + `","output":"a"}]`
	second := ask(http.MethodPost, "/v1/responses", `{"model":"m","previous_response_id":"`+id+`","input":`+result+`,`+tools+`}`)
	if text(second) != "Done." {
		t.Errorf("the other server goes on with %s", second)
	}
	for range 2 { // each of them has it
		if got := ask(http.MethodGet, "/v1/responses/"+id, ""); gjson.Get(got, "output").Raw != gjson.Get(first, "output").Raw {
			t.Errorf("it is kept as %s", got)
		}
	}

	conversation := gjson.Get(ask(http.MethodPost, "/v1/conversations", `{}`), "id").String()
	ask(http.MethodPost, "/v1/responses", `{"model":"m","conversation":"`+conversation+`","input":"Go.",`+tools+`}`)
	if got := ask(http.MethodPost, "/v1/responses", `{"model":"m","conversation":"`+conversation+`","input":`+result+`,`+tools+`}`); text(got) != "Done." {
		t.Errorf("the conversation goes on with %s", got)
	}
	if got := ask(http.MethodGet, "/v1/conversations/"+conversation+"/items", ""); gjson.Get(got, "data.#").Int() != 4 {
		t.Errorf("the conversation is %s", got)
	}

	later := gjson.Get(ask(http.MethodPost, "/v1/responses", `{"model":"m","background":true,"input":"Go.",`+tools+`}`), "id").String()
	for _, want := range []string{"in_progress", "completed", "completed"} {
		if got := ask(http.MethodGet, "/v1/responses/"+later, ""); gjson.Get(got, "status").String() != want {
			t.Errorf("in the background it is %s, want %s", gjson.Get(got, "status"), want)
		}
	}

	ask(http.MethodDelete, "/v1/responses/"+id, "")
	for range 2 {
		if status, got := do(t, http.MethodGet, front+"/v1/responses/"+id, ""); status != http.StatusNotFound {
			t.Errorf("what was deleted is %d %s", status, got)
		}
	}
}
