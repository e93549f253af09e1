package scenarios_test

import (
	"io/fs"
	"net/http"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// A script handles any request, and Fits and Misses agree.
func FuzzConditions(f *testing.F) {
	const text = `loopproof: 1
title: t
model:
  - when: {user: {matches: '(.)'}, result: {tool: get_weather}, tools: [look], fields: {/a/0: c}, not: {round: 3}}
    text: '{{ group 1 }}{{ result | at "/a" }}{{ field "/messages/0/content" }}'
  - text: '{{ result "" "none" }}{{ field "/messages/1" "none" }}{{ system }}'
`
	s, err := scenarios.Parse("x.yaml", []byte(text), vocabulary)
	if err != nil {
		f.Fatal(err)
	}
	p, err := profiles.Get("openai")
	if err != nil {
		f.Fatal(err)
	}
	script := scenarios.Compile(s, p, "secret")
	for _, body := range talks {
		f.Add([]byte(body))
	}
	f.Add([]byte(`{"messages":[1,{"role":"tool"},{"role":"user","content":[null,{"type":"tool_result","content":{}}]},null],"tools":[{}],"system":7}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, read := range []func([]byte) (*wire.Request, error){chat.Read, messages.Read} {
			req, err := read(body)
			if err != nil {
				return
			}
			a := scenarios.Ask{Request: req, Header: http.Header{}}
			for i := range s.Model {
				when := s.Model[i].When
				if when.Fits(a) != (len(when.Misses(a)) == 0) {
					t.Errorf("step %d fits: %v, and misses %v", i, when.Fits(a), when.Misses(a))
				}
				script.Answer(i, a) // may fail, and does not panic
			}
		}
	})
}

// Whatever is in a file, it is a scenario that can be played or an error that says where it is
// wrong.
func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	for _, file := range []string{"pairing/parallel-results.yaml", "failure/reset.yaml", "retry/rate-limit.yaml", "finish/length.yaml"} {
		if data, err := fs.ReadFile(scenarios.Files(), file); err == nil {
			f.Add(data)
		}
	}
	f.Add([]byte("loopproof: 1\nmodel: [{text: '{{ user }}', when: {user: {matches: '('}}}]\n"))
	words := rulebook.NamesOnly(profiles.Known{})
	var under []*profiles.Profile
	for _, d := range dialect.All() {
		p, err := profiles.Get(d.Standard)
		if err != nil {
			f.Fatal(err)
		}
		under = append(under, p)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := scenarios.Parse("x/y.yaml", data, words)
		if err != nil {
			if !strings.Contains(err.Error(), "x/y.yaml") {
				t.Errorf("the error does not name the file: %v", err)
			}
			return
		}
		for _, p := range under {
			if s.Plays(p) {
				scenarios.Compile(s, p, "secret")
			}
		}
	})
}
