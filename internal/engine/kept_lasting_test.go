package engine_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
)

// TestConversationsAreNotLost: a response is kept for a time, a conversation until it is deleted:
// https://platform.openai.com/docs/guides/conversation-state
func TestConversationsAreNotLost(t *testing.T) {
	now := &movingClock{}
	srv := start(t, engine.Config{Clock: now})
	s := scenario(t, "tools: {look: {results: [{text: a}]}}\nmodel:\n  - {calls: [{as: a, tool: look, arguments: '{}'}], loses-thread: true}\n  - text: Done.\n")
	run := srv.StartRun(engine.RunConfig{Scenario: s, Profile: profile(t, "openai-responses-stored")})
	base := srv.URL + "/run/" + run.ID
	id := gjson.Get(do(t, http.MethodPost, base+"/v1/conversations", `{}`).body, "id").String()
	first := askResponses(t, base, `{"model":"m","conversation":"`+id+`","input":"Go.",`+lookTool+`}`)
	now.add(100 * 24 * time.Hour)
	call := gjson.Get(first.body, `output.#(type="function_call").call_id`).String()
	second := askResponses(t, base, `{"model":"m","conversation":"`+id+`","input":[{"type":"function_call_output","call_id":"`+call+`","output":"a"}],`+lookTool+`}`)
	if gjson.Get(second.body, "output.0.content.0.text").String() != "Done." {
		t.Errorf("answered %d %s", second.status, second.body)
	}
	now.add(100 * 24 * time.Hour)
	for path, status := range map[string]int{
		"/v1/conversations/" + id:                                http.StatusOK,
		"/v1/conversations/" + id + "/items":                     http.StatusOK,
		"/v1/responses/" + gjson.Get(first.body, "id").String():  http.StatusNotFound,
		"/v1/responses/" + gjson.Get(second.body, "id").String(): http.StatusNotFound,
	} {
		if got := do(t, http.MethodGet, base+path, ""); got.status != status {
			t.Errorf("GET %s is answered by %d %s", path, got.status, got.body)
		}
	}
}

// TestBackgroundIsFetchedAfterALoss: what is made in the background can be fetched also after the
// conversation is lost, and not be continued.
func TestBackgroundIsFetchedAfterALoss(t *testing.T) {
	now := &movingClock{}
	srv := start(t, engine.Config{Clock: now})
	s := scenario(t, "tools: {look: {results: [{text: a}]}}\nmodel:\n  - {calls: [{as: a, tool: look, arguments: '{}'}], loses-thread: true}\n  - text: Done.\n")
	run := srv.StartRun(engine.RunConfig{Scenario: s, Profile: profile(t, "openai-responses-stored")})
	base := srv.URL + "/run/" + run.ID
	id := gjson.Get(askResponses(t, base, `{"model":"m","background":true,"input":"Go.",`+lookTool+`}`).body, "id").String()
	for _, want := range []string{"in_progress", "completed", "completed"} {
		if got := do(t, http.MethodGet, base+"/v1/responses/"+id, ""); gjson.Get(got.body, "status").String() != want {
			t.Errorf("fetched, it is %d %s, want %s", got.status, got.body, want)
		}
	}
	lost := askResponses(t, base, `{"model":"m","previous_response_id":"`+id+`","input":[{"type":"function_call_output","call_id":"a","output":"a"}],`+lookTool+`}`)
	if lost.status != http.StatusBadRequest || gjson.Get(lost.body, "error.code").String() != "previous_response_not_found" {
		t.Errorf("continued, it is %d %s", lost.status, lost.body)
	}
	now.add(100 * 24 * time.Hour)
	if got := do(t, http.MethodGet, base+"/v1/responses/"+id, ""); got.status != http.StatusNotFound {
		t.Errorf("after a long time it is %d %s", got.status, got.body)
	}
}

// TestIDsOfTheOtherKind: a response is no conversation and a conversation no response, wherever a
// client names one as the other.
func TestIDsOfTheOtherKind(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "openai-responses"), Scenarios: lookAndTell(t)})
	conversation := gjson.Get(do(t, http.MethodPost, srv.URL+"/v1/conversations", `{"items":[{"role":"user","content":"Go."}]}`).body, "id").String()
	response := gjson.Get(askResponses(t, srv.URL, `{"model":"m","input":"Go.",`+lookTool+`}`).body, "id").String()
	noResponse, noConversation := "Response with id '"+conversation+"' not found.", "Conversation with id '"+response+"' not found."
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{http.MethodGet, "/v1/responses/" + conversation, "", 404, noResponse},
		{http.MethodGet, "/v1/responses/" + conversation + "/input_items", "", 404, noResponse},
		{http.MethodPost, "/v1/responses/" + conversation + "/cancel", "", 404, noResponse},
		{http.MethodDelete, "/v1/responses/" + conversation, "", 404, noResponse},
		{http.MethodGet, "/v1/conversations/" + response, "", 404, noConversation},
		{http.MethodGet, "/v1/conversations/" + response + "/items", "", 404, noConversation},
		{http.MethodPost, "/v1/conversations/" + response + "/items", `{"items":[]}`, 404, noConversation},
		{http.MethodDelete, "/v1/conversations/" + response, "", 404, noConversation},
		{http.MethodPost, "/v1/responses", `{"model":"m","conversation":"` + response + `","input":"More."}`, 404, noConversation},
		{http.MethodPost, "/v1/responses", `{"model":"m","previous_response_id":"` + conversation + `","input":"More."}`, 400, "Previous response with id '" + conversation + "' not found."},
		{http.MethodPost, "/v1/responses/compact", `{"model":"m","previous_response_id":"` + conversation + `"}`, 400, "Previous response with id '" + conversation + "' not found."},
		{http.MethodGet, "/v1/conversations/" + conversation + "/items", "", 200, ""},
		{http.MethodGet, "/v1/responses/" + response, "", 200, ""},
	} {
		got := do(t, c.method, srv.URL+c.path, c.body)
		if got.status != c.status || gjson.Get(got.body, "error.message").String() != c.want {
			t.Errorf("%s %s %s is answered by %d %s", c.method, c.path, c.body, got.status, got.body)
		}
	}
}
