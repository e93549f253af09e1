package engine_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
)

// TestLintPage: a request that is pasted into the page is judged, and nothing in it is treated as HTML.
func TestLintPage(t *testing.T) {
	srv := engine.NewServer(engine.Config{})
	t.Cleanup(srv.Close)
	const orphan = `[{"role":"user","content":"<script>"},{"role":"assistant","content":"x","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"user","content":"b"}]`
	for _, test := range []struct {
		name, text, profile string
		want, not           string
	}{
		{"an empty form", "", "", "no request to a model was found in it", "finding must"},
		{"a violation", orphan, "", "<strong>openai</strong> answers 400: An assistant message", "accepts it"},
		{"all profiles", orphan, "all", "<strong>mistral</strong> answers 400", "<script>&"},
		{"one profile", orphan, "deepseek", "<strong>deepseek</strong> answers 400", "<strong>openai</strong>"},
		{"an unknown profile", orphan, "deepsek", "did you mean &#34;deepseek&#34;", "answers"},
		{"no violation", `{"model":"m","messages":[{"role":"user","content":"hi"}]}`, "", "openai accepts it, as far as is known", "answers 4"},
	} {
		t.Run(test.name, func(t *testing.T) {
			answer, err := http.PostForm(srv.URL+"/loopproof/lint", url.Values{"text": {test.text}, "profile": {test.profile}})
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			data, err := io.ReadAll(answer.Body)
			page := string(data)
			if err != nil || answer.StatusCode != 200 || !strings.Contains(page, test.want) || strings.Contains(page, test.not) {
				t.Errorf("%v, %d, %s", err, answer.StatusCode, page)
			}
		})
	}
	answer, err := http.Get(srv.URL + "/loopproof/lint")
	if err != nil || answer.StatusCode != 200 {
		t.Fatal(answer, err)
	}
	answer.Body.Close()
}
