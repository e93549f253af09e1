package recording_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/recording"
)

// embedder answers requests for embeddings, and fails others.
func embedder(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	switch {
	case strings.Contains(string(body), "fail"):
		http.Error(w, "{}", http.StatusServiceUnavailable)
	case strings.Contains(string(body), "base64"):
		io.WriteString(w, `{"object":"list","data":[{"index":1,"embedding":"AACAPwAAAAA="},{"index":0,"embedding":"AAAAAAAAgD8="}]}`)
	case strings.HasSuffix(r.URL.Path, ":embedContent"):
		io.WriteString(w, `{"embedding":{"values":[0.25,0.5]}}`)
	default:
		io.WriteString(w, `{"object":"list","data":[{"index":0,"embedding":[0.1,-2e-3]}]}`)
	}
}

// The vectors of texts are recorded in every form, once, without keys, and played again to any
// request for these texts.
func TestEmbeddingsAreRecorded(t *testing.T) {
	dir := t.TempDir()
	for range 2 { // the second time into the same folder
		url, finish := proxy(t, http.HandlerFunc(embedder), recording.Config{Dir: dir})
		for path, body := range map[string]string{
			"/v1/embeddings":                        `{"model":"m","input":["first","second ` + key + `"],"encoding_format":"base64"}`,
			"/openai/deployments/d/embeddings?a=1":  `{"model":"m","input":"third"}`,
			"/v1beta/models/g:embedContent":         `{"content":{"parts":[{"text":"fourth"}]}}`,
			"/v1/embeddings?again":                  `{"model":"m","input":"third"}`,
			"/v1/embeddings?failed":                 `{"model":"m","input":"fail"}`,
			"/api/paas/v4/embeddings?none":          `{"model":"m","input":[]}`,
			"/compatible-mode/v1/embeddings?an=any": `{"model":"other","input":"third"}`,
		} {
			askWithKey(t, url+path, body)
		}
		if failed := finish(); len(failed) > 0 {
			t.Errorf("%q", failed)
		}
	}
	table, err := os.ReadFile(filepath.Join(dir, "embeddings.jsonl"))
	if err != nil || strings.Count(string(table), "\n") != 5 || strings.Contains(string(table), key) || strings.Contains(string(table), "fail") {
		t.Errorf("the table is %v\n%s", err, table)
	}
	played := served(t, dir)
	for _, c := range []struct{ path, body, want string }{
		{"/v1/embeddings", `{"model":"m","input":["third","first"]}`, `"embedding":[0.1,-0.002]},{"object":"embedding","index":1,"embedding":[0,1]}`},
		{"/v1/embeddings", `{"model":"g","input":"fourth"}`, `"embedding":[0.25,0.5]`},
	} {
		resp, err := http.Post(strings.TrimSuffix(played, "/v1")+c.path, "application/json", strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		got, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if !strings.Contains(string(got), c.want) {
			t.Errorf("%s is answered %s, want %s", c.body, got, c.want)
		}
	}
}

// Answers to moderations and rankings are recorded, once and without keys, as endpoints that are played
// to the same requests; others get those that are built in.
func TestOtherEndpointsAreRecorded(t *testing.T) {
	const answer = `{"id":"modr-1","results":[{"flagged":true,"category_scores":{"violence":1.2e-06,"hate":0.10}}],"note":"\u2028\ud83d\ude00 ` + key + `"}`
	dir := t.TempDir()
	for range 2 { // the second time into the same folder
		url, finish := proxy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, answer) }), recording.Config{Dir: dir, Redact: []string{"user"}})
		for _, body := range []string{`{"input":"I will."}`, `{"input": "I will."}`, `{"input":["a",{"b":"` + key + `"}],"model":"m","user":"me"}`} {
			askWithKey(t, url+"/v1/moderations", body)
		}
		if failed := finish(); len(failed) > 0 {
			t.Errorf("%q", failed)
		}
	}
	file, err := os.ReadFile(filepath.Join(dir, "endpoints.yaml"))
	if err != nil || strings.Count(string(file), `"name": "moderations"`) != 2 || strings.Contains(string(file), key) || strings.Contains(string(file), "user") {
		t.Errorf("the file is %v\n%s", err, file)
	}
	played := strings.TrimSuffix(served(t, dir), "/v1")
	for body, want := range map[string]string{
		`{"input":"I will."}`: `{"id":"modr-1","results":[{"flagged":true,"category_scores":{"violence":1.2e-06,"hate":0.10}}],"note":"` + "\u2028\U0001F600" + ` REDACTED"}`,
		`{"input":"Other."}`:  `"flagged":false`,
	} {
		resp, err := http.Post(played+"/v1/moderations", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		got, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if !strings.Contains(string(got), want) {
			t.Errorf("%s is answered %s, want %s", body, got, want)
		}
	}
}

// An answer that cannot be read is let through, and told.
func TestOddEmbeddingsAreTold(t *testing.T) {
	for answer, want := range map[string]string{
		`[`:                              "the answer is no JSON",
		`{"data":[]}`:                    "the answer has 0 vectors for 1 texts",
		`{"data":[{}]}`:                  "the answer has 0 vectors for 1 texts",
		`{"data":[{"embedding":["a"]}]}`: "expected a vector",
	} {
		dir := t.TempDir()
		url, finish := proxy(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, answer) }), recording.Config{Dir: dir})
		resp, err := http.Post(url+"/v1/embeddings", "application/json", strings.NewReader(`{"model":"m","input":"a"}`))
		if err != nil {
			t.Fatal(err)
		}
		got, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if failed := finish(); string(got) != answer || len(failed) != 1 || !strings.Contains(failed[0], want) {
			t.Errorf("%s is passed on as %s, and told is %s", answer, got, fmt.Sprint(failed))
		}
	}
}

// askWithKey sends a request that has the key, and reads the answer to its end.
func askWithKey(t *testing.T, url, body string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
}
