package engine_test

import (
	"net/http"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
)

const lookTool = `"tools":[{"type":"function","name":"look","parameters":{"type":"object","properties":{}}}]`

func askResponses(t *testing.T, base, body string) answer {
	t.Helper()
	return do(t, http.MethodPost, base+"/v1/responses", body)
}

// TestResponsesAreKept: a request continues from a response, and rules see what both say; it is
// served by its id until it is deleted.
func TestResponsesAreKept(t *testing.T) {
	srv := start(t, engine.Config{})
	run := srv.StartRun(engine.RunConfig{Scenario: lookAndTell(t)[0], Profile: profile(t, "openai-responses")})
	base := srv.URL + "/run/" + run.ID
	first := askResponses(t, base, `{"model":"m","instructions":"Be terse.","input":"Go.",`+lookTool+`}`)
	id, call := gjson.Get(first.body, "id").String(), gjson.Get(first.body, `output.#(type="function_call").call_id`).String()
	second := askResponses(t, base, `{"model":"m","instructions":"Be terse.","previous_response_id":"`+id+`","input":[{"type":"function_call_output","call_id":"`+call+`","output":"a"}],`+lookTool+`}`)
	if second.status != http.StatusOK || gjson.Get(second.body, "output.0.content.0.text").String() != "Done." || gjson.Get(second.body, "previous_response_id").String() != id {
		t.Fatalf("answered %d %s", second.status, second.body)
	}
	exchanges, _ := run.Record()
	if x := exchanges[1]; len(x.Request.Messages) != 4 || x.Thread == nil || x.Thread.KeptMessages != 3 || exchanges[0].Thread != nil {
		t.Errorf("the request has %d messages and the thread %+v", len(x.Request.Messages), x.Thread)
	}

	got := do(t, http.MethodGet, base+"/v1/responses/"+id, "")
	if got.status != http.StatusOK || gjson.Get(got.body, "output").Raw != gjson.Get(first.body, "output").Raw || gjson.Get(got.body, "instructions").String() != "Be terse." {
		t.Errorf("by its id it is %d %s", got.status, got.body)
	}
	last := gjson.Get(second.body, "id").String()
	items := do(t, http.MethodGet, base+"/v1/responses/"+last+"/input_items?order=asc&limit=2", "")
	if gjson.Get(items.body, "data.#").Int() != 2 || gjson.Get(items.body, "data.0.content.0.text").String() != "Go." || !gjson.Get(items.body, "has_more").Bool() {
		t.Errorf("its input is %d %s", items.status, items.body)
	}
	rest := do(t, http.MethodGet, base+"/v1/responses/"+last+"/input_items?order=asc&after="+gjson.Get(items.body, "last_id").String(), "")
	if gjson.Get(rest.body, "data.#").Int() != 1 || gjson.Get(rest.body, "data.0.output").String() != "a" || gjson.Get(rest.body, "has_more").Bool() {
		t.Errorf("the rest of it is %d %s", rest.status, rest.body)
	}
	if got := do(t, http.MethodPost, base+"/v1/responses/"+id+"/cancel", ""); got.status != http.StatusBadRequest {
		t.Errorf("cancelling it answers %d %s", got.status, got.body)
	}
	if got := do(t, http.MethodDelete, base+"/v1/responses/"+id, ""); got.status != http.StatusOK || !gjson.Get(got.body, "deleted").Bool() {
		t.Errorf("deleting it answers %d %s", got.status, got.body)
	}
	if got := do(t, http.MethodGet, base+"/v1/responses/"+id, ""); got.status != http.StatusNotFound || gjson.Get(got.body, "error.message").String() != "Response with id '"+id+"' not found." {
		t.Errorf("after that it is %d %s", got.status, got.body)
	}
	gone := askResponses(t, base, `{"model":"m","previous_response_id":"`+id+`","input":"More."}`)
	if gone.status != http.StatusBadRequest || gjson.Get(gone.body, "error.code").String() != "previous_response_not_found" {
		t.Errorf("going on from it answers %d %s", gone.status, gone.body)
	}
}

// TestResponsesThatAreNotStored: a request may say so, and a server keeps one for each
// conversation.
func TestResponsesThatAreNotStored(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "openai-responses"), Scenarios: lookAndTell(t)})
	unkept := askResponses(t, srv.URL, `{"model":"m","store":false,"input":"Go.",`+lookTool+`}`)
	id := gjson.Get(unkept.body, "id").String()
	if got := do(t, http.MethodGet, srv.URL+"/v1/responses/"+id, ""); unkept.status != http.StatusOK || got.status != http.StatusNotFound {
		t.Errorf("%d %s is kept: %d %s", unkept.status, unkept.body, got.status, got.body)
	}
	ids := map[string]bool{}
	for _, instructions := range []string{"a", "b", "b"} {
		ids[gjson.Get(askResponses(t, srv.URL, `{"model":"m","instructions":"`+instructions+`","input":"Go.",`+lookTool+`}`).body, "id").String()] = true
	}
	if len(ids) != 2 {
		t.Errorf("two conversations have %d responses", len(ids))
	}
}

// TestItemsAreReferredTo: rules see the items to which a request refers, where they are stored.
func TestItemsAreReferredTo(t *testing.T) {
	for _, c := range []struct {
		profile, store string
		calls          int
	}{
		{"openai-responses", "", 1},
		{"azure-responses", "", 1}, // whatever else it keeps
		{"openai-responses", `"store":false,`, 0},
	} {
		srv := start(t, engine.Config{})
		run := srv.StartRun(engine.RunConfig{Scenario: lookAndTell(t)[0], Profile: profile(t, c.profile)})
		base := srv.URL + "/run/" + run.ID
		first := askResponses(t, base, `{"model":"m",`+c.store+`"input":"Go.",`+lookTool+`}`)
		called := gjson.Get(first.body, `output.#(type="function_call")`)
		askResponses(t, base, `{"model":"m",`+c.store+`"input":[{"role":"user","content":"Go."},{"type":"item_reference","id":"`+called.Get("id").String()+`"},
			{"type":"function_call_output","call_id":"`+called.Get("call_id").String()+`","output":"a"}],`+lookTool+`}`)
		exchanges, _ := run.Record()
		if got := exchanges[1].Request.Messages[1].Calls; len(got) != c.calls {
			t.Errorf("%s %s: the turn is read with %d calls, want %d", c.profile, c.store, len(got), c.calls)
		}
	}
}

// TestInputTokens: they are counted without an answer.
func TestInputTokens(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "openai-responses"), Scenarios: lookAndTell(t)})
	got := do(t, http.MethodPost, srv.URL+"/v1/responses/input_tokens", `{"model":"m","input":"Go."}`)
	if got.status != http.StatusOK || gjson.Get(got.body, "object").String() != "response.input_tokens" || gjson.Get(got.body, "input_tokens").Int() == 0 {
		t.Errorf("answered %d %s", got.status, got.body)
	}
}
