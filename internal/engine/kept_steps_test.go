package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
)

// TestStepsAreKept: a request continues from an interaction, which is served with its input until it is
// deleted; one in the background is fetched, cancelled, and streamed again.
func TestStepsAreKept(t *testing.T) {
	srv := start(t, engine.Config{})
	run := srv.StartRun(engine.RunConfig{Scenario: lookAndTell(t)[0], Profile: profile(t, "gemini-interactions")})
	base := srv.URL + "/run/" + run.ID + "/v1beta/interactions"
	post := func(body string) answer { return do(t, http.MethodPost, base, body) }
	first := post(`{"model":"m","system_instruction":"Be terse.","input":"Go.",` + lookTool + `}`)
	id, call := gjson.Get(first.body, "id").String(), gjson.Get(first.body, `steps.#(type="function_call").id`).String()
	second := post(`{"model":"m","system_instruction":"Be terse.","previous_interaction_id":"` + id + `","input":[{"type":"function_result","call_id":"` + call + `","name":"look","result":"a"}],` + lookTool + `}`)
	if second.status != http.StatusOK || gjson.Get(second.body, "steps.0.content.0.text").String() != "Done." {
		t.Fatalf("answered %d %s", second.status, second.body)
	}
	exchanges, _ := run.Record()
	if x := exchanges[1]; len(x.Request.Messages) != 4 || x.Thread == nil || x.Thread.KeptMessages != 3 {
		t.Errorf("the request has %d messages and the thread %+v", len(x.Request.Messages), x.Thread)
	}
	got := do(t, http.MethodGet, base+"/"+gjson.Get(second.body, "id").String(), "")
	if kinds := gjson.Get(got.body, "steps.#.type").String(); got.status != http.StatusOK || kinds != `["function_result","model_output"]` {
		t.Errorf("by its id it is %d %s", got.status, got.body)
	}
	if got := do(t, http.MethodPost, base+"/"+id+"/cancel", ""); got.status != http.StatusBadRequest {
		t.Errorf("cancelling it answers %d %s", got.status, got.body)
	}
	if got := do(t, http.MethodDelete, base+"/"+id, ""); got.status != http.StatusOK || got.body != "{}" {
		t.Errorf("deleting it answers %d %s", got.status, got.body)
	}
	if gone := post(`{"model":"m","previous_interaction_id":"` + id + `","input":"More."}`); gone.status != http.StatusNotFound || gjson.Get(gone.body, "error.code").String() != "not_found" {
		t.Errorf("going on from it answers %d %s", gone.status, gone.body)
	}
}

// TestStepsOfABrokenStream: an interaction whose stream broke off can be continued, with what it was asked.
func TestStepsOfABrokenStream(t *testing.T) {
	srv := start(t, engine.Config{})
	run := srv.StartRun(engine.RunConfig{Profile: profile(t, "gemini-interactions"), Scenario: scenario(t, `
prompts: [Go., More.]
model:
  - {text: Half of an answer., cut: {before: finish}}
  - {text: Done.}`)})
	base := srv.URL + "/run/" + run.ID + "/v1beta/interactions"
	broken := do(t, http.MethodPost, base, `{"model":"m","stream":true,"input":"Go."}`)
	_, rest, _ := strings.Cut(broken.body, "data: ")
	id := gjson.Get(rest, "interaction.id").String()
	next := do(t, http.MethodPost, base, `{"model":"m","previous_interaction_id":"`+id+`","input":"More."}`)
	if next.status != http.StatusOK || gjson.Get(next.body, "steps.0.content.0.text").String() != "Done." {
		t.Fatalf("going on from %s answers %d %s", id, next.status, next.body)
	}
	exchanges, _ := run.Record()
	if x := exchanges[1]; x.Thread == nil || x.Thread.KeptMessages != 1 {
		t.Errorf("the thread is %+v", x.Thread)
	}
	got := do(t, http.MethodGet, base+"/"+id, "")
	if gjson.Get(got.body, "status").String() != "in_progress" || gjson.Get(got.body, "steps.#").Int() != 1 {
		t.Errorf("by its id it is %d %s", got.status, got.body)
	}
}

func TestStepsInTheBackground(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "gemini-interactions"), Scenarios: lookAndTell(t)})
	base := srv.URL + "/v1beta/projects/p/locations/global/interactions"
	base = strings.Replace(base, "v1beta/", "v1beta1/", 1)
	body := `{"model":"m","background":true,"input":"Go.",` + lookTool + `}`
	begun := do(t, http.MethodPost, base, body)
	id := gjson.Get(begun.body, "id").String()
	for i, want := range []string{"in_progress", "requires_action", "requires_action"} {
		if got := do(t, http.MethodGet, base+"/"+id, ""); gjson.Get(got.body, "status").String() != want || gjson.Get(got.body, "steps").Exists() != (i > 0) {
			t.Errorf("fetched %d times it is %s", i+1, got.body)
		}
	}
	do(t, http.MethodPost, base, body)
	for range 2 {
		if got := do(t, http.MethodPost, base+"/"+id+"/cancel", ""); gjson.Get(got.body, "status").String() != "cancelled" {
			t.Errorf("cancelling it answers %d %s", got.status, got.body)
		}
	}
	do(t, http.MethodPost, base, strings.Replace(body, `"background"`, `"stream":true,"background"`, 1))
	rest := do(t, http.MethodGet, base+"/"+id+"?stream=true&last_event_id=event_1", "")
	if !strings.HasPrefix(rest.body, "event: step.delta\n") || !strings.Contains(rest.body, `"event_id":"event_2"`) || strings.Contains(rest.body, `"event_id":"event_1"`) {
		t.Errorf("streamed again it is %s", rest.body)
	}
	do(t, http.MethodPost, base, body)
	if got := do(t, http.MethodGet, base+"/"+id+"?stream=true", ""); got.status != http.StatusBadRequest {
		t.Errorf("streaming one that was not streamed answers %d %s", got.status, got.body)
	}
}

// TestThoughtsSaidAgain: a thought that is kept and sent again is one.
func TestThoughtsSaidAgain(t *testing.T) {
	srv := start(t, engine.Config{})
	run := srv.StartRun(engine.RunConfig{Profile: profile(t, "gemini-interactions"), Scenario: scenario(t, `
tools: {look: {results: [{text: a}]}}
model:
  - reasoning: Let me look.
    calls: [{as: a, tool: look, arguments: "{}"}]
  - text: Done.
`)})
	base := srv.URL + "/run/" + run.ID + "/v1beta/interactions"
	first := do(t, http.MethodPost, base, `{"model":"m","input":"Go.",`+lookTool+`}`)
	thought, call := gjson.Get(first.body, `steps.#(type="thought")`).Raw, gjson.Get(first.body, `steps.#(type="function_call").id`).String()
	do(t, http.MethodPost, base, `{"model":"m","previous_interaction_id":"`+gjson.Get(first.body, "id").String()+`","input":[`+thought+`,{"type":"function_result","call_id":"`+call+`","name":"look","result":"a"}],`+lookTool+`}`)
	exchanges, _ := run.Record()
	if m := exchanges[1].Request.Messages; thought == "" || len(m) != 3 || len(m[1].Reasoning.Details) != 1 {
		t.Errorf("the request has %+v", m)
	}
}
