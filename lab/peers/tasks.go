package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"
)

//go:embed tasks.yaml
var taskList []byte

// task is what the test of an application asks of a mock provider, with the recipe of each server.
type task struct {
	Task    string             `yaml:"task"`
	Checks  map[string][]step  `yaml:"checks"`
	Recipes map[string]*recipe `yaml:",inline"`
}

// recipe is how a server does a task, or why it cannot.
type recipe struct {
	No      string                       `yaml:"no"`
	Script  string                       `yaml:"script"`
	Code    string                       `yaml:"code"` // a program around the server, where it is a library
	Args    []string                     `yaml:"args"`
	Command []string                     `yaml:"command"`
	Files   map[string]string            `yaml:"files"`
	Setup   []action                     `yaml:"setup"`
	Do      map[string][]action          `yaml:"do"`
	Runs    map[string]map[string]string `yaml:"runs"`   // the headers of each test
	Checks  map[string][]step            `yaml:"checks"` // instead of those of the task
}

// action is one thing that a test does beside asking: a request, a file, another command, or to
// wait until an answer is as it should be.
type action struct {
	Ask     string   `yaml:"ask"`
	Body    string   `yaml:"body"`
	File    string   `yaml:"file"`
	Text    string   `yaml:"text"`
	Restart bool     `yaml:"restart"`
	Command []string `yaml:"command"`
	Until   *step    `yaml:"until"`
}

func readTasks() ([]task, error) {
	var list []task
	d := yaml.NewDecoder(bytes.NewReader(taskList))
	d.KnownFields(true)
	err := d.Decode(&list)
	return list, err
}

// done is what a server did of a task.
type done struct {
	passed, all int
	wrong       []string // a check with what is wrong
	no          string
	code        bool
}

// String is a cell of the table.
func (d *done) String() string {
	switch {
	case d == nil:
		return ""
	case d.no != "" || d.passed == 0:
		return "no"
	case d.passed == d.all && d.code:
		return "yes, by code"
	case d.passed == d.all:
		return "yes"
	}
	return fmt.Sprintf("%d of %d", d.passed, d.all)
}

// do plays the recipe of a server, and its checks one after the other. Each check has a server of
// its own, so that none sees what another one asked.
func (t *task) do(ctx context.Context, s *server, dir string, fill filler) (*done, error) {
	r := t.Recipes[s.Name]
	if r == nil {
		return nil, fmt.Errorf("%s: no recipe for %s", t.Task, s.Name)
	}
	checks := t.Checks
	if r.Checks != nil {
		checks = r.Checks
	}
	d := &done{all: len(checks), no: r.No, code: r.Code != ""}
	if r.No != "" {
		return d, nil
	}
	names := make([]string, 0, len(checks))
	for name := range checks {
		names = append(names, name)
	}
	sort.Strings(names)
	var played *play
	for i, name := range names {
		if name != "the files without the key" || played == nil { // it looks at what the check before it wrote
			played = &play{server: s, recipe: r, dir: filepath.Join(dir, fmt.Sprint(i)), fill: fill}
		}
		if err := played.check(ctx, checks[name]); err != nil {
			d.wrong = append(d.wrong, fmt.Sprintf("%s: %v", name, err))
			continue
		}
		d.passed++
	}
	return d, nil
}

// play is a check while it is played.
type play struct {
	server  *server
	recipe  *recipe
	dir     string
	fill    filler
	running *running
	kept    map[string]string
	later   map[string]chan heard
}

func (p *play) check(ctx context.Context, steps []step) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	upstream := httptest.NewServer(http.HandlerFunc(answerAbout))
	defer upstream.Close()
	p.kept, p.later = map[string]string{}, map[string]chan heard{}
	p.fill = p.fill.with("{dir}", p.dir, "{upstream}", upstream.URL)
	if len(steps) > 0 && steps[0].Secret == "" {
		if err := p.start(ctx, nil); err != nil {
			return err
		}
		defer func() { p.running.stop() }()
		if err := p.act(ctx, p.recipe.Setup); err != nil {
			return err
		}
	}
	for i := range steps {
		if err := p.step(ctx, &steps[i]); err != nil {
			return err
		}
	}
	return nil
}

// start starts the server with the files of the recipe, or again with another command.
func (p *play) start(ctx context.Context, command []string) error {
	s, r := p.server, p.recipe
	first := p.running == nil
	if !first {
		p.running.stop()
	}
	files := map[string]string{}
	for name, text := range s.Files {
		files[name] = text
	}
	for name, text := range r.Files {
		files[name] = text
	}
	post, toPath := strings.CutPrefix(s.Script, "POST ")
	if r.Script != "" && !toPath {
		files[s.Script] = r.Script
	}
	if command == nil {
		command = append(append([]string(nil), s.Command...), r.Args...)
		if r.Command != nil {
			command = r.Command
		}
		if r.Code != "" {
			files["server.cjs"] = s.Code[0] + "\n" + r.Code + "\n" + s.Code[1]
			command = []string{"node", "{dir}/server.cjs"}
		}
	}
	if !first {
		files = nil
	}
	var err error
	if p.running, err = start(ctx, p.dir, files, command, p.fill); err != nil {
		return err
	}
	if r.Script != "" && toPath {
		return p.act(ctx, []action{{Ask: "POST " + post, Body: r.Script}})
	}
	return nil
}

func (p *play) act(ctx context.Context, actions []action) error {
	for _, a := range actions {
		switch {
		case a.File != "":
			at := filepath.Join(p.dir, a.File)
			if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(a.Text), 0o644)); err != nil {
				return err
			}
		case a.Restart:
			if err := p.start(ctx, a.Command); err != nil {
				return err
			}
		case a.Until != nil:
			if err := p.until(ctx, a.Until); err != nil {
				return err
			}
		default:
			h := (&request{Ask: a.Ask, Text: a.Body}).sent(ctx, p.running.base, nil)
			if h.status >= 300 {
				return fmt.Errorf("%s: %d %s", a.Ask, h.status, h.body)
			}
		}
	}
	return nil
}

// until asks again until the answer is as the step says, for ten seconds.
func (p *play) until(ctx context.Context, s *step) error {
	var err error
	for range 50 {
		if err = p.step(ctx, s); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
	return err
}

// answerAbout is a provider that answers with the first word of the user, for recordings.
func answerAbout(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Messages []struct {
			Content string `json:"content"`
		} `json:"messages"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || len(body.Messages) == 0 {
		http.Error(w, `{"error":{"message":"bad request"}}`, http.StatusBadRequest)
		return
	}
	about, _, _ := strings.Cut(body.Messages[len(body.Messages)-1].Content, ",")
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"gpt-5","choices":[{"index":0,"message":{"role":"assistant","content":"About %s."},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`, about)
}
