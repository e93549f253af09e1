package probing_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/probing"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
)

const answersAll = "loopproof: 1\ntitle: Answers everything\nmodel:\n  - when: {}\n    text: fine\n"

// serverOf runs the mock provider under a profile.
func serverOf(t *testing.T, p *profiles.Profile) *httptest.Server {
	t.Helper()
	script, err := scenarios.Parse("any.yaml", []byte(answersAll), rulebook.Vocabulary(profiles.Known{}))
	if err != nil {
		t.Fatal(err)
	}
	provider := engine.New(engine.Config{Profile: p, Scenarios: []*scenarios.Scenario{script}, AllowImpossible: true})
	server := httptest.NewServer(provider)
	t.Cleanup(server.Close)
	return server
}

func profile(t *testing.T, name string) *profiles.Profile {
	t.Helper()
	p, err := profiles.Known{}.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func configOf(p *profiles.Profile, server *httptest.Server) probing.Config {
	return probing.Config{URL: server.URL, Dialect: p.Speaks, Profiles: profiles.All(), Model: "m", Client: server.Client()}
}

// A server that plays a profile is like that profile in every request, and its streams are lawful.
func TestEachProfileIsLikeItself(t *testing.T) {
	for _, name := range []string{"openai", "deepseek", "mistral", "vllm", "anthropic", "openai-responses", "gemini-3"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := profile(t, name)
			config := configOf(p, serverOf(t, p))
			config.Classes = []string{"*"}
			r, err := probing.Probe(t.Context(), config)
			if err != nil {
				t.Fatal(err)
			}
			if best := r.Profiles[0]; len(best.Differences) > 0 {
				t.Errorf("the most alike is %s, with %d differences: %+v", best.Name, len(best.Differences), best.Differences[0])
			}
			for _, c := range r.Profiles {
				if c.Name == name && (len(c.Differences) > 0 || c.Alike != c.Known) {
					t.Errorf("it differs from itself, %d of %d: %+v", c.Alike, c.Known, c.Differences)
				}
			}
			for _, s := range r.Streams {
				if s.Problem != "" {
					t.Errorf("the stream of %s: %s", s.Request, s.Problem)
				}
			}
		})
	}
}

// changed answers some requests otherwise than the server behind it.
func changed(t *testing.T, behind http.Handler, change func(body string, w http.ResponseWriter) bool) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Error(err)
		}
		if !change(string(body), w) {
			req.Body = io.NopCloser(bytes.NewReader(body))
			behind.ServeHTTP(w, req)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// What a server refuses otherwise is in its draft, which is a profile that can be read.
func TestADraftSaysWhatDiffers(t *testing.T) {
	p := profile(t, "openai")
	busy := true
	server := changed(t, serverOf(t, p).Config.Handler, func(body string, w http.ResponseWriter) bool {
		switch {
		case busy: // once
			busy = false
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusTooManyRequests)
			return true
		case strings.Contains(body, `"stream":true`):
			w.Header().Set("Content-Type", "text/plain")
			return true
		case strings.Contains(body, `"role":"developer"`):
			w.WriteHeader(http.StatusUnprocessableEntity)
			w.Write([]byte(`{"detail":"unknown role developer"}`))
			return true
		}
		return false
	})
	config := configOf(p, server)
	config.Profiles = []*profiles.Profile{p}
	var waited time.Duration
	config.Wait = func(_ context.Context, d time.Duration) error { waited += d; return nil }
	r, err := probing.Probe(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	if waited != 7*time.Second {
		t.Errorf("it waited %v, want 7s, as the server said", waited)
	}
	for _, d := range r.Profiles[0].Differences {
		if d.Status != http.StatusUnprocessableEntity || d.Message != "unknown role developer" {
			t.Errorf("a difference: %+v", d)
		}
	}
	if len(r.Profiles[0].Differences) == 0 || !strings.Contains(r.Streams[0].Problem, `its content type is "text/plain"`) {
		t.Errorf("the differences are %+v, and the streams %+v", r.Profiles[0].Differences, r.Streams)
	}
	text, err := r.Draft(t.Context(), "My server", "records/mine.json", "2026-11-29")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "mine.yaml"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	read, err := profiles.Load(os.DirFS(folder))
	if err != nil {
		t.Fatalf("the draft cannot be read: %v\n%s", err, text)
	}
	if !slices.ContainsFunc(read, func(p *profiles.Profile) bool { return p.Title == "My server" && p.Like == "openai" }) {
		t.Errorf("the draft is\n%s", text)
	}
}

// Where no good request is taken, nothing can be said, and the error says what came.
func TestAServerThatTakesNothing(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		json.NewEncoder(w).Encode(map[string]any{"error": map[string]string{"message": "no such key"}})
	}))
	defer server.Close()
	_, err := probing.Probe(t.Context(), configOf(profile(t, "openai"), server))
	if err == nil || !strings.Contains(err.Error(), "the first answer is 401: no such key; is the key right") {
		t.Errorf("the error is %v", err)
	}
}
