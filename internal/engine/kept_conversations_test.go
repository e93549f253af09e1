package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
)

// TestConversations: requests and their answers are added to the conversation that they name, until
// it is deleted.
func TestConversations(t *testing.T) {
	srv := start(t, engine.Config{})
	run := srv.StartRun(engine.RunConfig{Scenario: lookAndTell(t)[0], Profile: profile(t, "openai-responses")})
	base := srv.URL + "/run/" + run.ID
	made := do(t, http.MethodPost, base+"/v1/conversations", `{"metadata":{"topic":"looks"}}`)
	id := gjson.Get(made.body, "id").String()
	if made.status != http.StatusOK || !strings.HasPrefix(id, "conv_") || gjson.Get(made.body, "metadata.topic").String() != "looks" {
		t.Fatalf("answered %d %s", made.status, made.body)
	}
	first := askResponses(t, base, `{"model":"m","conversation":"`+id+`","input":"Go.",`+lookTool+`}`)
	if first.status != http.StatusOK || gjson.Get(first.body, "conversation.id").String() != id {
		t.Fatalf("answered %d %s", first.status, first.body)
	}
	call := gjson.Get(first.body, `output.#(type="function_call").call_id`).String()
	second := askResponses(t, base, `{"model":"m","conversation":{"id":"`+id+`"},"input":[{"type":"function_call_output","call_id":"`+call+`","output":"a"}],`+lookTool+`}`)
	if gjson.Get(second.body, "output.0.content.0.text").String() != "Done." {
		t.Fatalf("answered %d %s", second.status, second.body)
	}
	exchanges, _ := run.Record()
	if x := exchanges[1]; len(x.Request.Messages) != 3 || x.Thread == nil || x.Thread.KeptMessages != 2 {
		t.Errorf("the request has %d messages and the thread %+v", len(x.Request.Messages), x.Thread)
	}

	items := do(t, http.MethodGet, base+"/v1/conversations/"+id+"/items?order=asc", "")
	var kinds []string
	for _, item := range gjson.Get(items.body, "data").Array() {
		kinds = append(kinds, item.Get("type").String())
	}
	if got := strings.Join(kinds, " "); got != "message function_call function_call_output message" {
		t.Errorf("the conversation has %s: %s", got, items.body)
	}
	item := gjson.Get(items.body, "data.2.id").String()
	if got := do(t, http.MethodGet, base+"/v1/conversations/"+id+"/items/"+item, ""); gjson.Get(got.body, "output").String() != "a" {
		t.Errorf("the item %s is %d %s", item, got.status, got.body)
	}
	for _, step := range []struct {
		method, path, body string
		status             int
		at, want           string
	}{
		{http.MethodPost, "/" + id + "/items", `{"items":[{"role":"user","content":"More."}]}`, 200, "data.0.content.0.text", "More."},
		{http.MethodPost, "/" + id, `{"metadata":{"topic":"tales"}}`, 200, "metadata.topic", "tales"},
		{http.MethodGet, "/" + id + "/items", "", 200, "data.0.content.0.text", "More."},
		{http.MethodDelete, "/" + id + "/items/" + item, "", 200, "id", id},
		{http.MethodGet, "/" + id + "/items/" + item, "", 404, "error.type", "invalid_request_error"},
		{http.MethodGet, "/" + id, "", 200, "metadata.topic", "tales"},
		{http.MethodDelete, "/" + id, "", 200, "deleted", "true"},
		{http.MethodGet, "/" + id, "", 404, "error.message", "Conversation with id '" + id + "' not found."},
		{http.MethodPost, "", `{"items":[` + strings.Repeat(`{"role":"user","content":"x"},`, 20) + `{"role":"user","content":"x"}]}`, 400, "error.code", "array_above_max_length"},
	} {
		got := do(t, step.method, base+"/v1/conversations"+step.path, step.body)
		if got.status != step.status || gjson.Get(got.body, step.at).String() != step.want {
			t.Errorf("%s %s is answered by %d %s", step.method, step.path, got.status, got.body)
		}
	}
	lost := askResponses(t, base, `{"model":"m","conversation":"`+id+`","input":"More."}`)
	if lost.status != http.StatusNotFound || gjson.Get(lost.body, "error.message").String() != "Conversation with id '"+id+"' not found." {
		t.Errorf("a deleted one is answered by %d %s", lost.status, lost.body)
	}
}

// TestBackground: the answer is fetched when it is ready, as a whole or as what is new of its
// events.
func TestBackground(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "openai-responses"), Scenarios: lookAndTell(t)})
	const ask = `{"model":"m","background":true,"input":"Go.",` + lookTool
	made := askResponses(t, srv.URL, ask+`}`)
	url := srv.URL + "/v1/responses/" + gjson.Get(made.body, "id").String()
	if gjson.Get(made.body, "status").String() != "queued" || gjson.Get(made.body, "output.#").Int() != 0 {
		t.Fatalf("answered %d %s", made.status, made.body)
	}
	for _, want := range []string{"in_progress 0 false", "completed 1 true", "completed 1 true"} {
		got := do(t, http.MethodGet, url, "")
		if state := gjson.Get(got.body, "status").String() + " " + gjson.Get(got.body, "output.#").String() + " " + boolText(gjson.Get(got.body, "usage").IsObject()); state != want {
			t.Errorf("it is %s, want %s: %s", state, want, got.body)
		}
	}
	if got := do(t, http.MethodPost, url+"/cancel", ""); gjson.Get(got.body, "status").String() != "completed" {
		t.Errorf("what is complete is cancelled: %s", got.body)
	}
	if got := do(t, http.MethodGet, url+"?stream=true", ""); got.status != http.StatusBadRequest || gjson.Get(got.body, "error.message").String() != "This response cannot be streamed because it was not created with stream=true." {
		t.Errorf("its events are %d %s", got.status, got.body)
	}

	unstored := askResponses(t, srv.URL, strings.Replace(ask, "Go.", "Go once.", 1)+`,"store":false}`)
	if got := do(t, http.MethodGet, srv.URL+"/v1/responses/"+gjson.Get(unstored.body, "id").String(), ""); gjson.Get(unstored.body, "status").String() != "queued" || got.status != http.StatusOK {
		t.Errorf("one that is not stored is %s, and then %d %s", unstored.body, got.status, got.body)
	}

	streamed := askResponses(t, srv.URL, strings.Replace(ask, "Go.", "Go on.", 1)+`,"stream":true}`)
	events := strings.Split(strings.TrimSpace(streamed.body), "\n\n")
	if !strings.HasPrefix(events[1], "event: response.queued") {
		t.Fatalf("the events are %q", events)
	}
	id := gjson.Get(strings.SplitN(events[0], "data: ", 2)[1], "response.id").String()
	rest := do(t, http.MethodGet, srv.URL+"/v1/responses/"+id+"?stream=true&starting_after=1", "")
	if got := strings.TrimSpace(rest.body); got == "" || strings.Count(got, "event: ") != len(events)-3 || !strings.HasPrefix(got, "event: response.output_item.added") {
		t.Errorf("after the second event, of %d:\n%s", len(events), got)
	}

	other := askResponses(t, srv.URL, strings.Replace(ask, "Go.", "Go away.", 1)+`}`)
	url = srv.URL + "/v1/responses/" + gjson.Get(other.body, "id").String()
	for range 2 { // as often as one likes
		if got := do(t, http.MethodPost, url+"/cancel", ""); got.status != http.StatusOK || gjson.Get(got.body, "status").String() != "cancelled" {
			t.Errorf("cancelled, it is %d %s", got.status, got.body)
		}
	}
	if got := do(t, http.MethodGet, url, ""); gjson.Get(got.body, "status").String() != "cancelled" {
		t.Errorf("cancelled, it is %s", got.body)
	}
	plain := askResponses(t, srv.URL, `{"model":"m","input":"Go.",`+lookTool+`}`)
	got := do(t, http.MethodGet, srv.URL+"/v1/responses/"+gjson.Get(plain.body, "id").String()+"?stream=true", "")
	if got.status != http.StatusBadRequest || gjson.Get(got.body, "error.message").String() != "This response cannot be streamed because it was not created with background=true." {
		t.Errorf("the events of another one are %d %s", got.status, got.body)
	}
}

func boolText(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// TestCompact: a shorter conversation has what the user said, and an item that stands for the rest.
func TestCompact(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "openai-responses"), Scenarios: lookAndTell(t)})
	first := askResponses(t, srv.URL, `{"model":"m","input":"Go.",`+lookTool+`}`)
	for _, body := range []string{
		`{"model":"m","input":[{"role":"user","content":"Go."},{"role":"assistant","content":"Where?"}]}`,
		`{"model":"m","previous_response_id":"` + gjson.Get(first.body, "id").String() + `"}`,
		`{"model":"m","input":"Go."}`,
	} {
		got := do(t, http.MethodPost, srv.URL+"/v1/responses/compact", body)
		kinds := gjson.Get(got.body, "output.#.type").String()
		if said := gjson.Get(got.body, "output.0"); said.Get("content.0.type").String() != "input_text" || said.Get("content.0.text").String() != "Go." || said.Get("status").String() != "completed" {
			t.Errorf("%s is answered by the message %s", body, said)
		}
		if got.status != http.StatusOK || gjson.Get(got.body, "object").String() != "response.compaction" || kinds != `["message","compaction"]` || gjson.Get(got.body, "output.1.encrypted_content").String() == "" {
			t.Errorf("%s is answered by %d %s", body, got.status, got.body)
		}
	}
	for body, want := range map[string]string{
		`{"input":"Go."}`: "Missing required parameter: 'model'.",
		`{"model":"m","previous_response_id":"resp_1"}`: "Previous response with id 'resp_1' not found.",
	} {
		if got := do(t, http.MethodPost, srv.URL+"/v1/responses/compact", body); got.status != http.StatusBadRequest || gjson.Get(got.body, "error.message").String() != want {
			t.Errorf("%s is answered by %d %s", body, got.status, got.body)
		}
	}
}

// TestCompactedComesBack: the provider knows what it encrypted, another server with the same secret
// too, and refuses it when it was changed. What another provider encrypted it takes.
func TestCompactedComesBack(t *testing.T) {
	config := engine.Config{Profile: profile(t, "openai-responses"), Scenarios: lookAndTell(t), Secret: "shared"}
	compacted := do(t, http.MethodPost, start(t, config).URL+"/v1/responses/compact", `{"model":"m","input":[{"role":"user","content":"Go."},{"role":"assistant","content":"Where?"}]}`)
	item := gjson.Get(compacted.body, "output.1")
	sealed := item.Get("encrypted_content").String()
	for name, c := range map[string]struct {
		content string
		status  int
	}{
		"as it came":       {sealed, http.StatusOK},
		"changed":          {sealed[:len(sealed)-1] + "!", http.StatusBadRequest},
		"cut":              {sealed[:len(sealed)/2], http.StatusBadRequest},
		"of another maker": {"gAAAAABpx", http.StatusOK},
	} {
		srv := start(t, config)
		got := askResponses(t, srv.URL, `{"model":"m","input":[`+strings.Replace(item.Raw, sealed, c.content, 1)+`,{"role":"user","content":"Go."}],`+lookTool+`}`)
		want := "The encrypted content for item " + item.Get("id").String() + " could not be verified. Reason: Encrypted content could not be decrypted or parsed."
		if got.status != c.status || c.status != http.StatusOK && (gjson.Get(got.body, "error.message").String() != want || gjson.Get(got.body, "error.code").String() != "invalid_encrypted_content") {
			t.Errorf("%s, it is answered by %d %.300s", name, got.status, got.body)
		}
	}
}
