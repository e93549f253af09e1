package recording_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/engine/scripts"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/recording"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// session records the messages of a recorder.
type session struct {
	noted, failed []string
	merged        map[string]string
}

// through records requests into a folder. The upstream answers each with its number and the system
// prompt.
func through(t *testing.T, dir string, c recording.Config, upstream http.Handler, requests ...string) session {
	t.Helper()
	s := session{merged: map[string]string{}}
	up := httptest.NewServer(upstream)
	defer up.Close()
	c.Upstream, c.Dir = up.URL, dir
	c.Noted = func(note string) { s.noted = append(s.noted, note) }
	c.Failed = func(err error) { s.failed = append(s.failed, err.Error()) }
	c.Merged = func(name, same string) { s.merged[name] = same }
	r, err := recording.New(c)
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(r)
	defer front.Close()
	for _, body := range requests {
		post(t, front.URL, body)
	}
	front.Close()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return s
}

// saying answers every request with the next of some texts.
func saying(texts ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		text, _ := json.Marshal(texts[0])
		texts = texts[1:]
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":%s},"finish_reason":"stop"}]}`, text)
	})
}

func post(t *testing.T, url, body string) (int, string) {
	t.Helper()
	resp, err := http.Post(url+"/v1/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Choices []struct{ Message struct{ Content string } }
		Error   struct{ Message string }
	}
	if json.Unmarshal(data, &answer); len(answer.Choices) > 0 {
		return resp.StatusCode, answer.Choices[0].Message.Content
	}
	return resp.StatusCode, answer.Error.Message
}

// served starts a mock provider that plays what is in a folder.
func served(t *testing.T, dir string) string {
	t.Helper()
	all, err := scenarios.Load(os.DirFS(dir), scenarios.Vocabulary{Profiles: profiles.Names(profiles.All())})
	if err != nil {
		t.Fatal(err)
	}
	if err := scripts.Check(all); err != nil {
		t.Fatal(err)
	}
	srv := engine.NewServer(engine.Config{Scenarios: all})
	t.Cleanup(srv.Close)
	return srv.URL
}

func asks(model, system, rest string) string {
	return fmt.Sprintf(`{"model":%q,"messages":[{"role":"system","content":%q},{"role":"user","content":"Hello?"}]%s}`, model, system, rest)
}

const (
	clock = `,"tools":[{"type":"function","function":{"name":"clock","parameters":{"type":"object","properties":{}}}}]`
	both  = `,"tools":[{"type":"function","function":{"name":"clock","parameters":{"type":"object","properties":{}}}},{"type":"function","function":{"name":"rest","parameters":{"type":"object","properties":{}}}}]`
)

// Recordings of the same prompt live side by side: the system prompt, the tools or the model
// distinguish them, whether they were recorded at once or one after the other.
func TestRecordingsOfTheSamePromptAreToldApart(t *testing.T) {
	requests := []string{
		asks("m", "You are a poet.\nToday is Monday the 3rd.", ""),
		asks("m", "You are a clerk.\nToday is Monday the 3rd.", ""),
		asks("m", "You are a clerk.\nToday is Monday the 3rd.", clock),
		asks("m", "You are a clerk.\nToday is Monday the 3rd.", both),
		asks("m", "", ""),
	}
	answers := []string{"poet", "clerk", "clerk with a clock", "clerk with both", "nobody"}
	for name, record := range map[string]func(dir string) []session{
		"at once": func(dir string) []session {
			return []session{through(t, dir, recording.Config{}, saying(answers...), requests...)}
		},
		"one after the other": func(dir string) (all []session) {
			for i, request := range requests {
				all = append(all, through(t, dir, recording.Config{}, saying(answers[i]), request))
			}
			return all
		},
		"the other way round": func(dir string) (all []session) {
			for i, request := range slices.Backward(requests) {
				all = append(all, through(t, dir, recording.Config{}, saying(answers[i]), request))
			}
			return all
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, s := range record(dir) {
				if len(s.noted)+len(s.failed)+len(s.merged) > 0 {
					t.Errorf("this was told: %+v", s)
				}
			}
			url := served(t, dir)
			for i, request := range requests {
				if status, got := post(t, url, request); status != 200 || got != answers[i] {
					t.Errorf("request %d is answered %d %q, want %q", i+1, status, got, answers[i])
				}
			}
		})
	}
}

// The model tells recordings apart that were made at once; the condition is one that people can
// read.
func TestARecordingSaysWhatTellsItApart(t *testing.T) {
	dir := t.TempDir()
	through(t, dir, recording.Config{}, saying("a", "b", "c"), asks("small", "You are a poet.", ""), asks("large", "You are a poet.", ""), asks("small", "You are a clerk of 1900.", clock))
	files := recorded{dir: dir}.files(t)
	if strings.Contains(files["hello.yaml"], "when:") {
		t.Errorf("the first recording has conditions:\n%s", files["hello.yaml"])
	}
	for file, want := range map[string]string{
		"hello-2.yaml": "when:\n  first-user: Hello?\n  model: large\n",
		"hello-3.yaml": "when:\n  first-user: Hello?\n  system: {contains: \"You are a clerk of 1900.\"}\n",
	} {
		if !strings.Contains(files[file], want) {
			t.Errorf("%s is\n%s\nand lacks\n%s", file, files[file], want)
		}
	}
	if status, got := post(t, served(t, dir), asks("large", "You are a poet.", "")); status != 200 || got != "b" {
		t.Errorf("the large model answers %d %q", status, got)
	}
}

// Recording the same conversation again leaves one recording, whatever ids the provider gave. If
// the answers differ, both stay, and a message says at once which one is served.
func TestTheSameFolderRecordedTwice(t *testing.T) {
	dir := t.TempDir()
	request := asks("m", "", "")
	first := through(t, dir, recording.Config{}, saying("Hi.", "Hi."), request, request)
	again := through(t, dir, recording.Config{}, saying("Hi."), request)
	if first.merged["hello-2"] != "hello" || again.merged["hello-2"] != "hello" {
		t.Errorf("these were merged: %v and %v, want hello-2 into hello each time", first.merged, again.merged)
	}
	if files := (recorded{dir: dir}).files(t); len(files) != 3 {
		t.Errorf("these files are left: %v", files)
	}
	other := through(t, dir, recording.Config{}, saying("Good day."), request)
	if len(other.merged) != 0 || len(other.noted) != 1 || !strings.Contains(other.noted[0], "hello-2 begins with the same request as hello.") || !strings.Contains(other.noted[0], "give it a `when`") {
		t.Errorf("another answer is told as %+v", other)
	}
	if status, got := post(t, served(t, dir), request); status != 200 || got != "Hi." {
		t.Errorf("two recordings of the same request answer %d %q, want the first", status, got)
	}
}

// Two conversations with the same first turn part where the user continues differently.
func TestRecordingsPartWhereTheUserDoes(t *testing.T) {
	dir := t.TempDir()
	next := func(text string) string {
		return `{"model":"m","messages":[{"role":"user","content":"Hello?"},{"role":"assistant","content":"Hi."},{"role":"user","content":"` + text + `"}]}`
	}
	hello := `{"model":"m","messages":[{"role":"user","content":"Hello?"}]}`
	through(t, dir, recording.Config{}, saying("Hi.", "4 C"), hello, next("Oslo?"))
	through(t, dir, recording.Config{}, saying("Hi.", "19 C"), hello, next("Lima?"))
	url := served(t, dir)
	for request, want := range map[string]string{hello: "Hi.", next("Oslo?"): "4 C", next("Lima?"): "19 C"} {
		if status, got := post(t, url, request); status != 200 || got != want {
			t.Errorf("%s is answered %d %q, want %q", request, status, got, want)
		}
	}
}

// A recording answers what was asked of it, be it the only one that is served, and nothing else.
func TestARecordingAnswersItsOwnPrompt(t *testing.T) {
	dir := t.TempDir()
	ask := func(text string) string {
		return fmt.Sprintf(`{"model":"m","messages":[{"role":"user","content":%q}]}`, text)
	}
	for _, prompt := range []string{"My key is sk-proj-0123456789abcdefghijABCDEFGHIJ01, and yours?", "  Hello?\n"} {
		through(t, dir, recording.Config{}, saying("Hi."), ask(prompt))
		url := served(t, dir)
		if status, got := post(t, url, ask(prompt)); status != 200 || got != "Hi." {
			t.Errorf("the prompt that was recorded is answered %d %q", status, got)
		}
	}
	single := t.TempDir()
	through(t, single, recording.Config{}, saying("Hi."), ask("Hello?"))
	status, got := post(t, served(t, single), ask("Sing."))
	if want := `No scenario begins with the prompt "Sing."; those played here begin with "Hello?"`; status != http.StatusNotFound || !strings.HasPrefix(got, want) {
		t.Errorf("another prompt is answered %d %q, want %q", status, got, want)
	}
}

// Requests that are not recorded are reported, once for each path.
func TestPathsThatAreNotRecordedAreTold(t *testing.T) {
	var noted []string
	url, finish := proxy(t, http.NotFoundHandler(), recording.Config{Dir: t.TempDir(), Noted: func(note string) { noted = append(noted, note) }})
	for _, path := range []string{"/v1/responses", "/v1/images/generations", "/v1/responses"} {
		resp, err := http.Post(url+path, "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	finish()
	if len(noted) != 1 || !strings.HasPrefix(noted[0], "POST /v1/images/generations is let through and not recorded: ") {
		t.Errorf("this was told: %q", noted)
	}
}

// A request that is forwarded although its body cannot be read says why it is not recorded.
func TestBodiesThatAreNotReadAreTold(t *testing.T) {
	for _, c := range []struct{ encoding, body, want string }{
		{"gzip", "\x1f\x8b", "its body is compressed (Content-Encoding: gzip), which is not read here"},
		{"identity", "[]", "its body is no JSON object: it is an array, not an object"},
	} {
		url, finish := proxy(t, http.NotFoundHandler(), recording.Config{Dir: t.TempDir()})
		req, err := http.NewRequest(http.MethodPost, url+"/v1/chat/completions", strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Encoding", c.encoding)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if told := finish(); len(told) != 1 || told[0] != "a request is let through, but not recorded: "+c.want {
			t.Errorf("%s: this was told: %q, want %q", c.encoding, told, c.want)
		}
	}
}

// A redirect is recorded with the place that it leads to.
func TestARedirectKeepsItsLocation(t *testing.T) {
	dir := t.TempDir()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	ask := func(url string) *http.Response {
		resp, err := client.Post(url+"/v1/chat/completions", "application/json", strings.NewReader(asks("m", "", "")))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp
	}
	url, finish := proxy(t, http.RedirectHandler("/v2/chat/completions", http.StatusTemporaryRedirect), recording.Config{Dir: dir})
	ask(url)
	finish()
	if resp := ask(served(t, dir)); resp.StatusCode != http.StatusTemporaryRedirect || resp.Header.Get("Location") != "/v2/chat/completions" {
		t.Errorf("the recorded redirect is answered %d to %q", resp.StatusCode, resp.Header.Get("Location"))
	}
}

// A folder that cannot be written to is an error at once, not at the first conversation.
func TestAFolderThatCannotBeWrittenTo(t *testing.T) {
	file := t.TempDir() + "/file"
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := recording.New(recording.Config{Upstream: "http://example.com", Dir: file + "/recordings"})
	if err == nil || !strings.Contains(err.Error(), "nothing can be recorded into the folder "+file+"/recordings: ") {
		t.Errorf("the folder is taken: %v", err)
	}
}

// quoted writes a text as JSON.
func quoted(text string) string {
	data, _ := json.Marshal(text)
	return string(data)
}
