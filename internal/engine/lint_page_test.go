package engine_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/wire"
)

// TestLintPage: a request that is pasted into the page is judged, and nothing in it is treated as
// HTML.
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

// What is pasted into the page takes no more memory than a request that is served, whatever it is
// made of.
func TestMemoryOfTheLintPage(t *testing.T) {
	p := engine.New(engine.Config{})
	const size, most = 7 << 20, 500 // MB, of which the most is garbage soon
	for name, text := range map[string]string{
		"a list of numbers":    "[" + strings.Repeat("1,", size/2) + "1]",
		"as long as it may be": "[" + strings.Repeat("1,", wire.MostValues-10) + "1]",
		"members":              `{"a":[` + strings.Repeat(`{"":1},`, size/7) + `1]}`,
		"messages":             `{"model":"m","messages":[` + strings.Repeat(`{},`, wire.MostValues/3) + `{}]}`,
		"many documents":       strings.Repeat("{\"a\":1}\n", wire.MostValues/10),
		"many requests":        strings.Repeat(`{"model":"m","messages":[{"role":"user","content":"hi"}]}`+"\n", size/58),
		"open brackets":        strings.Repeat("[", wire.MostValues-10),
		"one string":           `{"a":"` + strings.Repeat("a", size) + `"}`,
		"JSON in a string":     `{"a":"[` + strings.Repeat("1,", wire.MostValues-10) + `1]"}`,
		"escapes in a string":  `{"a":"` + strings.Repeat(`\n{`, wire.MostValues-10) + `"}`,
	} {
		form := url.Values{"text": {text}}.Encode()
		if len(form) > 8<<20 { // the comma of a list and the bracket take three bytes
			form = "text=" + strings.NewReplacer("%2C", ",", "%7B", "{", "%7D", "}", "%22", `"`, "%3A", ":", "%5B", "[", "%5D", "]").Replace(form[len("text="):])
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		req := httptest.NewRequest(http.MethodPost, "/loopproof/lint", strings.NewReader(form))
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		answer := httptest.NewRecorder()
		p.ServeHTTP(answer, req)
		runtime.ReadMemStats(&after)
		took := (after.TotalAlloc - before.TotalAlloc) >> 20
		if answer.Code != http.StatusOK || took > most {
			t.Errorf("%s: a form of %d MB is answered %d and takes %d MB", name, len(form)>>20, answer.Code, took)
		}
	}
}
