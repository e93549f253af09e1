package engine_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
)

// What OpenAI says of parts that have another form than it expects: each names the place and the
// type that is wanted there.
func TestWordsAboutTheFormOfParts(t *testing.T) {
	part := func(part string) string { return messages(`{"role":"user","content":[` + part + `]}`) }
	srv := start(t, engine.Config{Profile: profile(t, "openai"), Scenarios: lookAndTell(t)})
	for name, test := range map[string]struct{ body, message, param, code string }{
		"a part without a type": {
			part(`{"role":"user","content":"Go."}`),
			"Missing required parameter: 'messages[0].content[0].type'.", "messages[0].content[0].type", "missing_required_parameter",
		},
		"a part that is a text": {
			part(`"Go."`),
			"Invalid type for 'messages[0].content[0]': expected an object, but got a string instead.", "messages[0].content[0]", "invalid_type",
		},
		"an image that is its URL": {
			part(`{"type":"text","text":"Go."},{"type":"image_url","image_url":"https://example.com/a.png"}`),
			"Invalid type for 'messages[0].content[1].image_url': expected an object, but got a string instead.", "messages[0].content[1].image_url", "invalid_type",
		},
		"a content that is a number": {
			messages(`{"role":"user","content":7}`),
			"Invalid type for 'messages[0].content': expected one of a string or array of objects, but got an integer instead.", "messages[0].content", "invalid_type",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := ask(t, srv.URL, test.body)
			var said struct {
				Error struct{ Message, Param, Code string }
			}
			if err := json.Unmarshal([]byte(got.body), &said); err != nil || got.status != http.StatusBadRequest {
				t.Fatalf("%s is answered %d %s", test.body, got.status, got.body)
			}
			if said.Error.Message != test.message || said.Error.Param != test.param || said.Error.Code != test.code {
				t.Errorf("%s is answered %+v, want %q of %s, %s", test.body, said.Error, test.message, test.param, test.code)
			}
		})
	}
}

// Mistral has no log probabilities, and says so in other words than those for keys that it does not
// know.
func TestMistralHasNoLogprobs(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "mistral"), Scenarios: lookAndTell(t)})
	got := ask(t, srv.URL, `{"model":"m","logprobs":true,"top_logprobs":2,"messages":[`+user+`]}`)
	want := `{"object":"error","message":"Logprobs are not enabled for this model","type":"invalid_request_invalid_args","param":null,"code":"3051","raw_status_code":400}`
	if got.status != http.StatusBadRequest || got.body != want {
		t.Errorf("answered %d %s\nwant 400 %s", got.status, got.body, want)
	}
	if got := ask(t, srv.URL, `{"model":"m","colour":1,"messages":[`+user+`]}`); got.status != http.StatusUnprocessableEntity {
		t.Errorf("an unknown key is answered %d %s", got.status, got.body)
	}
}
