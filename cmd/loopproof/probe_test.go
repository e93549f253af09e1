package main

import (
	"bytes"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// TestProbe asks the mock provider under the profile vllm, as people do.
func TestProbe(t *testing.T) {
	script, err := scenarios.Parse("any.yaml", []byte("loopproof: 1\ntitle: Answers everything\nmodel:\n  - when: {}\n    text: fine\n"), rulebook.Vocabulary(profiles.Known{}))
	if err != nil {
		t.Fatal(err)
	}
	vllm, err := profiles.Known{}.Find("vllm")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(engine.New(engine.Config{Profile: vllm, Scenarios: []*scenarios.Scenario{script}, AllowImpossible: true}))
	defer server.Close()
	folder := t.TempDir()
	url, draft := server.URL, filepath.Join(folder, "out", "mine.yaml")
	for _, c := range []struct {
		name     string
		args     []string
		code     int
		out, err string // patterns
	}{
		{"what it is like", []string{url}, exitConformant, `speaks Chat Completions: \d+ requests\n\nmost alike  vllm: (.*\n)+ +stream  good/a-question: lawful\n`, ""},
		{"as JSON", []string{url, "--class", "ids", "--json"}, exitConformant, `"profiles": \[\n +\{\n +"profile": "vllm"`, ""},
		{"that it is not like another one", []string{url, "--profile", "openai"}, exitNotConformant, `\nanswered otherwise than openai does:\n(.*\n)+  takes    ids/empty, refused with 400 by pairing/ids-present \(reported\)\n`, ""},
		{"a draft", []string{url, "--draft", draft}, exitConformant, `most alike`, ""},
		{"no server", nil, exitFault, "", "name the server, as in: loopproof probe http://localhost:8080"},
		{"no such class", []string{url, "--class", "pairng"}, exitFault, "", "no class of requests is called pairng; there are calls, content"},
		{"no such wire API", []string{url, "--dialect", "mesages"}, exitFault, "", `there are no requests of a wire API "mesages"; there are those of chat, messages`},
		{"another wire API than the profile's", []string{url, "--profile", "openai", "--dialect", "messages"}, exitFault, "", "is of chat, and not of --dialect messages"},
		{"no such variable", []string{url, "--key-env", "NO_SUCH_VARIABLE"}, exitFault, "", "the variable NO_SUCH_VARIABLE is not set"},
		{"nobody there", []string{"http://127.0.0.1:1"}, exitFault, "", "the server cannot be asked: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errors bytes.Buffer
			if code := execute(append([]string{"probe"}, c.args...), streams{out: &out, err: &errors, width: 100}); code != c.code {
				t.Errorf("the exit code is %d, want %d: %s", code, c.code, &errors)
			}
			if !regexp.MustCompile(c.out).Match(out.Bytes()) || !regexp.MustCompile(c.err).Match(errors.Bytes()) {
				t.Errorf("it says:\n%s\nand of errors:\n%s", &out, &errors)
			}
		})
	}
	var out, errors bytes.Buffer
	if code := execute([]string{"validate", draft}, streams{out: &out, err: &errors, width: 100}); code != exitConformant {
		t.Errorf("the draft cannot be read: %s", &errors)
	}
	if !exists(filepath.Join(folder, "out", "records", "mine.json")) {
		t.Error("the answers are not beside the draft")
	}
}
