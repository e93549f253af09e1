package recording_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/recording"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

const key = "sk-loopproof-0123456789abcdef"

// exchange is what passed between a client and a server, with each write of the answer.
type exchange struct {
	path, request string
	status        int
	header        http.Header
	writes        []string
}

func (x exchange) body() string { return strings.Join(x.writes, "") }

// listener notes all that passes through it.
type listener struct {
	next http.Handler

	mu   sync.Mutex
	seen []exchange
	done sync.WaitGroup
}

func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	l.mu.Lock()
	place := len(l.seen) // in the order in which they came
	l.seen = append(l.seen, exchange{})
	l.done.Add(1)
	l.mu.Unlock()
	noted := &notedWriter{ResponseWriter: w, x: exchange{path: r.URL.RequestURI(), request: string(body)}}
	defer func() {
		noted.x.header = w.Header().Clone()
		l.mu.Lock()
		defer l.mu.Unlock()
		l.seen[place] = noted.x
		l.done.Done()
	}()
	l.next.ServeHTTP(noted, r)
}

// all returns what was noted, when nothing passes through any more.
func (l *listener) all() []exchange {
	l.done.Wait()
	return l.seen
}

type notedWriter struct {
	http.ResponseWriter
	x exchange
}

func (w *notedWriter) WriteHeader(status int) {
	w.x.status = status
	w.ResponseWriter.WriteHeader(status)
}

func (w *notedWriter) Write(p []byte) (int, error) {
	w.x.writes = append(w.x.writes, string(p))
	return w.ResponseWriter.Write(p)
}

func (w *notedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func scenario(t testing.TB, text string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("test/upstream.yaml", []byte("loopproof: 1\ntitle: Test\n"+text), scenarios.Vocabulary{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func profile(t testing.TB, name string) *profiles.Profile {
	t.Helper()
	p, err := profiles.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// recorded is a conversation that was recorded between a loop and a mock provider.
type recorded struct {
	dir     string
	seen    []exchange // as the loop saw it
	told    []recording.Exchange
	outcome protocol.Outcome
}

// record lets the reference loop play a scenario through a recorder.
func record(t testing.TB, text, profileName string, stream bool, c recording.Config) recorded {
	t.Helper()
	upstream := engine.NewServer(engine.Config{Limits: engine.Limits{Body: 256 << 20}})
	defer upstream.Close()
	delivery := wire.DeliverJSON
	if stream {
		delivery = wire.DeliverSSE
	}
	run := upstream.StartRun(engine.RunConfig{Scenario: scenario(t, text), Profile: profile(t, profileName), Delivery: delivery, Secret: "upstream"})

	rec := recorded{dir: t.TempDir()}
	c.Upstream, c.Dir, c.Profiles = upstream.URL+"/run/"+run.ID, rec.dir, []*profiles.Profile{profile(t, profileName)}
	c.Seen = func(x recording.Exchange) { rec.told = append(rec.told, x) }
	recorder, err := recording.New(c)
	if err != nil {
		t.Fatal(err)
	}
	front := &listener{next: recorder}
	srv := httptest.NewServer(front)
	defer srv.Close()
	task := run.Task(upstream.URL)
	task.ID, task.APIKey, task.TimeoutMS = "t", key, 60_000
	task.BaseURL = srv.URL + strings.TrimPrefix(task.BaseURL, upstream.URL+"/run/"+run.ID)
	rec.outcome = refloop.Loop{Threads: true}.Run(context.Background(), task)
	srv.Close() // the loop leaves at the end mark of a stream, before its end
	if err := recorder.Close(); err != nil {
		t.Fatal(err)
	}
	rec.seen = front.all()
	return rec
}

// load reads what was recorded.
func (rec recorded) load(t testing.TB) []*scenarios.Scenario {
	t.Helper()
	all, err := scenarios.Load(os.DirFS(rec.dir), scenarios.Vocabulary{Profiles: profiles.Names(profiles.All())})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// replay asks the same again of a mock provider that plays what was recorded.
func (rec recorded) replay(t testing.TB, profileName string) []exchange {
	t.Helper()
	player := &listener{next: engine.New(engine.Config{Secret: "upstream", Profile: profile(t, profileName), Scenarios: rec.load(t), Limits: engine.Limits{Body: 256 << 20}})}
	srv := httptest.NewServer(player)
	defer srv.Close()
	for _, x := range rec.seen {
		req, err := http.NewRequest(http.MethodPost, srv.URL+x.path, strings.NewReader(x.request))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Anthropic-Version", "2023-06-01")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			continue // a connection that breaks off before its head is part of the play
		}
		io.Copy(io.Discard, resp.Body) // and so is one that does later
		resp.Body.Close()
	}
	return player.all()
}

// files returns the contents of all files of a recording, by their names.
func (rec recorded) files(t testing.TB) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(rec.dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(rec.dir, name)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
