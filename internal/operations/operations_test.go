package operations_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/operations"
	"github.com/loopproof/loopproof/internal/scenarios"
)

const (
	hello   = `{"model":"m","messages":[{"role":"user","content":"Hello?"}]}`
	refused = `{"model":"m","messages":[{"role":"user","content":"Hello?"},{"role":"tool","tool_call_id":"x","content":"y"}]}`
	key     = "sk-this-is-a-key-0123456789"
)

// start starts a provider that greets, after middlewares.
func start(t *testing.T, c engine.Config, through ...func(http.Handler) http.Handler) *engine.Server {
	t.Helper()
	greeting, err := scenarios.Parse("greeting.yaml", []byte("loopproof: 1\ntitle: t\nprompt: Hello?\nmodel: [{text: Good day.}]\n"), scenarios.Vocabulary{})
	if err != nil {
		t.Fatal(err)
	}
	c.Scenarios = []*scenarios.Scenario{greeting}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := engine.Serve(l, engine.New(c), through...)
	t.Cleanup(srv.Close)
	return srv
}

func ask(t *testing.T, method, url, body string, headers ...string) (int, string) {
	t.Helper()
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(data)
}

// talk asks what is answered, refused, unreadable and unknown.
func talk(t *testing.T, url string) {
	t.Helper()
	for _, c := range []struct{ path, body string }{
		{"/v1/chat/completions", hello}, {"/v1/chat/completions?key=" + key, hello}, {"/v1/chat/completions", refused}, {"/v1/chat/completions", "{"}, {"/v1/nothing", ""},
	} {
		ask(t, http.MethodPost, url+c.path, c.body)
	}
}

func TestMetrics(t *testing.T) {
	m := operations.NewMetrics("1.2.3")
	srv := start(t, engine.Config{OnExchangeDone: m.ExchangeDone}, m.Serve)
	talk(t, srv.URL)
	m.Reloaded(nil)
	m.Reloaded(io.EOF)
	srv.Shutdown(t.Context()) // all has been counted
	w := &page{header: http.Header{}}
	m.Serve(nil).ServeHTTP(w, &http.Request{URL: parse(t, operations.MetricsPath), Header: http.Header{}})
	for _, want := range []string{
		`loopproof_requests_total{dialect="chat",outcome="answered",profile="openai",status="200"} 2`,
		`loopproof_requests_total{dialect="chat",outcome="answered",profile="openai",status="400"} 1`,
		`loopproof_requests_total{dialect="chat",outcome="unreadable",profile="openai",status="400"} 1`,
		`loopproof_requests_total{dialect="chat",outcome="unrouted",profile="openai",status="404"} 1`,
		`loopproof_request_duration_seconds_count{dialect="chat",outcome="answered"} 3`,
		`loopproof_findings_total{level="must",rule="pairing/`,
		`loopproof_refused_total{profile="openai",rule="pairing/`,
		`loopproof_reloads_total{result="failed"} 1`,
		`loopproof_build_info{version="1.2.3"} 1`,
		`loopproof_requests_in_flight 0`,
		`go_goroutines`,
	} {
		if !strings.Contains(w.body.String(), want) {
			t.Errorf("the metrics lack %s:\n%s", want, w.body.String())
		}
	}
}

func TestTokenGuardsTheControlPathsAlone(t *testing.T) {
	srv := start(t, engine.Config{}, operations.Token("s3cret"))
	for _, c := range []struct {
		method, path, name, value string
		want                      int
	}{
		{"GET", "/loopproof/requests", "Authorization", "Bearer s3cret", 200},
		{"GET", "/loopproof/requests", "Authorization", "Basic eDpzM2NyZXQ=", 200}, // x:s3cret
		{"GET", "/loopproof/requests", "Authorization", "Bearer s3cre", 401},
		{"GET", "/loopproof/requests", "Authorization", "s3cret", 401},
		{"GET", "/loopproof/requests", "X-Nothing", "1", 401},
		{"GET", "/loopproof", "X-Nothing", "1", 401},
		{"POST", "/loopproof/runs/default/reset", "X-Nothing", "1", 401},
		{"GET", "/loopproof/healthz", "X-Nothing", "1", 200},
		{"GET", "/loopproof/metrics", "X-Nothing", "1", 404}, // through the token, to a server without metrics
		{"POST", "/v1/chat/completions", "X-Nothing", "1", 200},
	} {
		if got, body := ask(t, c.method, srv.URL+c.path, hello, c.name, c.value); got != c.want {
			t.Errorf("%s %s with %s: %s gives %d %s, want %d", c.method, c.path, c.name, c.value, got, body, c.want)
		}
	}
	open := start(t, engine.Config{}, operations.Token(""))
	if got, _ := ask(t, "GET", open.URL+"/loopproof/requests", ""); got != 200 {
		t.Errorf("without a token the journal gives %d", got)
	}
}

func TestLogNamesWhatHappenedAndNoKey(t *testing.T) {
	var out bytes.Buffer
	srv := start(t, engine.Config{OnExchangeDone: operations.Log{Logger: slog.New(slog.NewJSONHandler(&out, nil))}.ExchangeDone})
	talk(t, srv.URL)
	srv.Shutdown(t.Context())
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 5 || strings.Contains(out.String(), key) || strings.Contains(out.String(), "Hello?") {
		t.Fatalf("the log is %s", out.String())
	}
	for i, want := range []string{
		`"level":"INFO","msg":"request","method":"POST","target":"/v1/chat/completions","status":200,.*"outcome":"answered","scenario":"greeting","turn":0\}`,
		`"target":"/v1/chat/completions\?key=\(redacted\)"`,
		`"level":"WARN".*"status":400.*"broken":\["pairing/`,
		`"outcome":"unreadable"`,
		`"status":404.*"outcome":"unrouted"`,
	} {
		if !regexp.MustCompile(want).MatchString(lines[i]) {
			t.Errorf("line %d is %s, want %s", i+1, lines[i], want)
		}
	}
}

func TestSpillKeepsEveryRequest(t *testing.T) {
	file := filepath.Join(t.TempDir(), "journal.jsonl")
	spill, err := operations.NewSpill(file, func(text string) { t.Error(text) })
	if err != nil {
		t.Fatal(err)
	}
	srv := start(t, engine.Config{OnExchangeDone: spill.ExchangeDone, Limits: engine.Limits{JournalEntries: 2}})
	talk(t, srv.URL)
	srv.Shutdown(t.Context())
	if err := spill.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	if len(lines) != 5 || len(srv.Journal().Entries()) != 2 || bytes.Contains(data, []byte(key)) {
		t.Fatalf("the file has %d lines, and memory %d entries:\n%s", len(lines), len(srv.Journal().Entries()), data)
	}
	var first struct {
		Scenario, Answer string
		Request          json.RawMessage
		Status           int
		Turn             *int
	}
	if err := json.Unmarshal(lines[0], &first); err != nil || first.Scenario != "greeting" || first.Turn == nil || *first.Turn != 0 || first.Status != 200 || string(first.Request) != hello || !strings.Contains(first.Answer, "Good day.") {
		t.Errorf("the first line is %s (%v)", lines[0], err)
	}
	if !bytes.Contains(lines[3], []byte(`"unreadable_request":"{"`)) {
		t.Errorf("the fourth line is %s", lines[3])
	}
	failed := 0
	closed, _ := operations.NewSpill(file, func(string) { failed++ })
	closed.Close()
	closed.ExchangeDone(srv.Journal().Entries()[0])
	closed.ExchangeDone(srv.Journal().Entries()[0])
	if failed != 1 {
		t.Errorf("a file that cannot be written is told %d times, want once", failed)
	}
}

// A file and a folder that come while the files are read are told of afterwards.
func TestWatchTellsOfWhatComesMeanwhile(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	read := func() []string {
		all, _ := filepath.Glob(filepath.Join(dir, "*.yaml"))
		below, _ := filepath.Glob(filepath.Join(dir, "*", "*.yaml"))
		return append(all, below...)
	}
	steps := []func() error{
		func() error { return os.WriteFile(filepath.Join(dir, "b.yaml"), []byte("2"), 0o600) },
		func() error {
			return errors.Join(os.WriteFile(filepath.Join(other, "c.yaml"), []byte("3"), 0o600), os.Rename(other, filepath.Join(dir, "below")))
		},
	}
	told := make(chan error, 64)
	w, err := operations.Watch([]string{dir}, read, func() {
		var err error
		if len(steps) > 0 {
			err, steps = steps[0](), steps[1:]
		}
		told <- err
	})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := os.WriteFile(filepath.Join(dir, "a.yaml"), []byte("1"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"a file", "a file that came meanwhile", "a folder that came meanwhile"} {
		select {
		case err := <-told:
			if err != nil {
				t.Fatal(err)
			}
		case <-time.After(time.Minute):
			t.Fatal("nobody was told of " + what)
		}
	}
}

// Changes of a file, of its path and of new folders are reported, and changes of other files are
// not; the watcher ends when it is closed.
func TestWatchTellsOfChanges(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.yaml")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	more := func(text string) { // by one write: a file that is written again may be read while it is empty, too
		t.Helper()
		f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			_, err = io.WriteString(f, text)
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write(file, "1")
	told := make(chan bool, 64)
	read := func() (all []string) {
		filepath.WalkDir(dir, func(name string, _ os.DirEntry, _ error) error {
			if filepath.Ext(name) == ".yaml" {
				all = append(all, name)
			}
			return nil
		})
		return all
	}
	var log bytes.Buffer
	w, err := operations.Watch([]string{dir, file}, read, func() {
		log.WriteString("read again\n") // as a server does whose log lies alongside its scripts
		write(filepath.Join(dir, "server.log"), log.String())
		told <- true
	})
	if err != nil {
		t.Fatal(err)
	}
	next := func(what string) {
		t.Helper()
		select {
		case <-told:
		case <-time.After(time.Minute):
			t.Fatal("nobody was told of " + what)
		}
	}
	more("2")
	next("a change")
	write(file+".new", "123")
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
	next("another file in the place")
	below := filepath.Join(dir, "below")
	if err := os.Mkdir(below, 0o700); err != nil {
		t.Fatal(err)
	}
	write(filepath.Join(dir, "b.new"), "4")
	if err := os.Rename(filepath.Join(dir, "b.new"), filepath.Join(below, "b.yaml")); err != nil {
		t.Fatal(err)
	}
	next("a file in a new folder")
	before := log.String()
	write(filepath.Join(dir, "journal.jsonl"), "{}")
	more("45")
	next("a change after that of a journal")
	if got := strings.TrimPrefix(log.String(), before); got != "read again\n" {
		t.Errorf("a log and a journal alongside the files had them read: %q", got)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if _, err := operations.Watch([]string{filepath.Join(dir, "nothing")}, read, nil); err == nil {
		t.Error("what is not there is watched")
	}
}

// A folder that is named by a link to it is watched, and so are those in it.
func TestWatchFollowsALinkToAFolder(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.MkdirAll(filepath.Join(real, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(link, "sub", "a.yaml")
	told := make(chan bool, 1)
	w, err := operations.Watch([]string{link}, func() []string { return []string{file} }, func() { told <- true })
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := os.WriteFile(file, []byte("1"), 0o600); err != nil {
		t.Fatal(err)
	}
	select {
	case <-told:
	case <-time.After(time.Minute):
		t.Fatal("nobody was told of a new file")
	}
}

// What is before the provider, as the metrics are, is as closed to pages of other sites as the
// provider itself.
func TestMetricsRefuseStrangers(t *testing.T) {
	m := operations.NewMetrics("test")
	srv := start(t, engine.Config{}, operations.Token(""), m.Serve)
	for host, want := range map[string]int{"": 200, "mock": 200, "evil.example.net": 403} {
		req, err := http.NewRequest(http.MethodGet, srv.URL+operations.MetricsPath, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = host
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("under the host %q the metrics are answered %d, want %d", host, resp.StatusCode, want)
		}
	}
}

// The file of the journal has no key, wherever the client repeats it, and stays JSON.
func TestSpillHasNoKeys(t *testing.T) {
	file := filepath.Join(t.TempDir(), "journal.jsonl")
	spill, err := operations.NewSpill(file, func(text string) { t.Error(text) })
	if err != nil {
		t.Fatal(err)
	}
	srv := start(t, engine.Config{OnExchangeDone: spill.ExchangeDone})
	const own = "plain-and-simple-42"
	for _, body := range []string{strings.Replace(hello, "Hello?", own, 1), strings.Replace(hello, "Hello?", "-----BEGIN PRIVATE KEY-----\\n"+strings.Repeat("Ab0+", 30), 1), own} {
		req, err := http.NewRequest(http.MethodPost, srv.URL+"/v1/chat/completions?x="+own, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("cf-aig-authorization", "Bearer "+own)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	srv.Shutdown(t.Context())
	if err := spill.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	if len(lines) != 3 || bytes.Contains(data, []byte(own)) || bytes.Contains(data, []byte("Ab0+")) {
		t.Errorf("%d lines:\n%s", len(lines), data)
	}
	for _, line := range lines {
		if !json.Valid(line) {
			t.Errorf("this is no JSON: %s", line)
		}
	}
}
