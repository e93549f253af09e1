package engine_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// allFour plays a script in all four dialects. It is Vertex AI that gives logprobs, of Google's.
func allFour(t *testing.T, text string) *engine.Server {
	t.Helper()
	return start(t, engine.Config{
		Profile: profile(t, "openai"), ExtraProfiles: []*profiles.Profile{profile(t, "openai-responses"), profile(t, "anthropic"), profile(t, "vertex")},
		Scenarios: []*scenarios.Scenario{script(t, "four", text)},
	})
}

// The probabilities of tokens are there where a request asks for them, streamed and whole: those of
// the script, or of the words.
func TestLogprobs(t *testing.T) {
	srv := allFour(t, "model:\n  - {when: {user: Sure?}, text: 'Yes, sure.', logprobs: [{'Yes': -0.1, 'No': -2.4}, {', sure.': -1}]}\n  - text: It is.\n")
	const sure = `"messages":[{"role":"user","content":"Sure?"}]`
	for _, c := range []struct {
		path, body string
		want       []string
	}{
		{"/v1/chat/completions", `{"model":"m","logprobs":true,"top_logprobs":2,` + sure + `}`, []string{`"logprobs":{"content":[{"token":"Yes","logprob":-0.1,"bytes":[89,101,115],"top_logprobs":[{"token":"Yes","logprob":-0.1,"bytes":[89,101,115]},{"token":"No","logprob":-2.4,"bytes":[78,111]}]},{"token":", sure.","logprob":-1`, `"refusal":null}`}},
		{"/v1/chat/completions", `{"model":"m","logprobs":true,"stream":true,` + sure + `}`, []string{`"content":"Yes,"`, `"logprobs":{"content":[{"token":"Yes","logprob":-0.1,"bytes":[89,101,115],"top_logprobs":[]}],"refusal":null}`, `"logprobs":{"content":[{"token":", sure."`, `"logprobs":{"content":[],"refusal":null}`}},
		{"/v1/chat/completions", `{"model":"m","logprobs":true,"messages":[{"role":"user","content":"Go."}]}`, []string{`{"token":"It","logprob":-0.05,"bytes":[73,116],"top_logprobs":[]},{"token":" is."`}},
		{"/v1/responses", `{"model":"m","include":["message.output_text.logprobs"],"top_logprobs":1,"input":"Sure?"}`, []string{`"logprobs":[{"token":"Yes","logprob":-0.1`}},
		{"/v1/responses", `{"model":"m","stream":true,"include":["message.output_text.logprobs"],"input":"Sure?"}`, []string{`"delta":"Yes,"`, `"logprobs":[{"token":"Yes","logprob":-0.1`}},
		{"/v1beta1/projects/p/locations/l/publishers/google/models/m:generateContent", `{"contents":[{"role":"user","parts":[{"text":"Sure?"}]}],"generationConfig":{"responseLogprobs":true,"logprobs":2}}`, []string{`"avgLogprobs":-0.55`, `"topCandidates":[{"candidates":[{"token":"Yes","logProbability":-0.1},{"token":"No","logProbability":-2.4}]}`, `"chosenCandidates":[{"token":"Yes"`}},
		{"/v1beta1/projects/p/locations/l/publishers/google/models/m:streamGenerateContent?alt=sse", `{"contents":[{"role":"user","parts":[{"text":"Sure?"}]}],"generationConfig":{"responseLogprobs":true}}`, []string{`"chosenCandidates":[{"token":"Yes","logProbability":-0.1}]`}},
	} {
		got := do(t, http.MethodPost, srv.URL+c.path, c.body)
		for _, want := range c.want {
			if !strings.Contains(got.body, want) {
				t.Errorf("%s %s\ngives %d %s\nwithout %s", c.path, c.body, got.status, got.body, want)
			}
		}
		plain := do(t, http.MethodPost, srv.URL+c.path, strings.NewReplacer(`"logprobs":true,`, "", `"top_logprobs":2,`, "", `"include":["message.output_text.logprobs"],`, "", `"responseLogprobs":true`, "").Replace(c.body))
		if strings.Contains(plain.body, "-0.1") {
			t.Errorf("%s tells what was not asked: %s", c.path, plain.body)
		}
	}
}

// The sources of a text are named in every dialect, streamed and whole.
func TestAnnotations(t *testing.T) {
	srv := allFour(t, "model: [{text: 'Ål is 4 C.', annotations: [{url: 'https://a.example/', title: A, of: 4 C}, {url: 'https://b.example/'}]}]\n")
	const go1 = `"messages":[{"role":"user","content":"Go."}]`
	const chat = `"annotations":[{"type":"url_citation","url_citation":{"start_index":6,"end_index":9,"url":"https://a.example/","title":"A"}},{"type":"url_citation","url_citation":{"start_index":0,"end_index":10,`
	const responses = `"annotations":[{"type":"url_citation","start_index":6,"end_index":9,"url":"https://a.example/","title":"A"}`
	const messages = `{"type":"web_search_result_location","url":"https://a.example/","title":"A","encrypted_index":"loopproof","cited_text":"4 C"}`
	const gemini = `"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example/","title":"A"}},{"web":{"uri":"https://b.example/","title":""}}],"groundingSupports":[{"segment":{"startIndex":7,"endIndex":10,"text":"4 C"},"groundingChunkIndices":[0]}`
	for _, c := range []struct{ path, body, want string }{
		{"/v1/chat/completions", `{"model":"m",` + go1 + `}`, chat},
		{"/v1/chat/completions", `{"model":"m","stream":true,` + go1 + `}`, `"delta":{` + chat},
		{"/v1/responses", `{"model":"m","input":"Go."}`, responses},
		{"/v1/responses", `{"model":"m","stream":true,"input":"Go."}`, responses},
		{"/v1/responses", `{"model":"m","stream":true,"input":"Go."}`, `{"type":"response.output_text.annotation.added","annotation":{"type":"url_citation","start_index":6,"end_index":9,"url":"https://a.example/","title":"A"},"annotation_index":0,"content_index":0,"item_id":"msg_`},
		{"/v1/messages", `{"model":"m","max_tokens":99,` + go1 + `}`, `"citations":[` + messages},
		{"/v1/messages", `{"model":"m","max_tokens":99,"stream":true,` + go1 + `}`, `"delta":{"type":"citations_delta","citation":` + messages},
		{"/v1beta/models/m:generateContent", `{"contents":[{"role":"user","parts":[{"text":"Go."}]}]}`, gemini},
		{"/v1beta/models/m:streamGenerateContent?alt=sse", `{"contents":[{"role":"user","parts":[{"text":"Go."}]}]}`, gemini},
	} {
		if got := do(t, http.MethodPost, srv.URL+c.path, c.body); !strings.Contains(got.body, c.want) {
			t.Errorf("%s %s\ngives %d %s\nwithout %s", c.path, c.body, got.status, got.body, c.want)
		}
	}
}
