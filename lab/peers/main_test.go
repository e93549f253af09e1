package main

import (
	"regexp"
	"testing"
)

// TestList reads the files: each request has a method and a path, each task a recipe or a reason for
// each server, and there is something to start.
func TestList(t *testing.T) {
	p, err := read()
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Servers) < 2 || len(p.Requests) < 60 || len(p.tasks) != 29 {
		t.Fatalf("%d servers, %d requests and %d tasks", len(p.Servers), len(p.Requests), len(p.tasks))
	}
	seen := map[string]bool{}
	for _, r := range p.Requests {
		if !regexp.MustCompile(`^(GET|POST) /`).MatchString(r.Ask) || seen[r.API+r.What] {
			t.Errorf("%+v", r)
		}
		seen[r.API+r.What] = true
	}
	for _, task := range p.tasks {
		if len(task.Checks) == 0 || len(task.Recipes) != len(p.Servers) {
			t.Errorf("%s: %d checks and %d recipes", task.Task, len(task.Checks), len(task.Recipes))
		}
		for _, s := range p.Servers {
			if task.Recipes[s.Name] == nil {
				t.Errorf("%s: nothing for %s", task.Task, s.Name)
			}
		}
	}
}

// TestEnds tells the ends of streams apart.
func TestEnds(t *testing.T) {
	for body, want := range map[string]string{
		"data: {\"a\":1}\n\ndata: [DONE]\n\n":       "done",
		"data: {\"a\":1}\n\n":                       "cut",
		"data: {\"a\":1}\n\ndata: {\"a\n\n":         "malformed",
		"data: {\"error\":{\"message\":\"x\"}}\n\n": "error",
		"{}": "no stream",
	} {
		if got := (&heard{body: []byte(body)}).ends(); got != want {
			t.Errorf("%q ends as %s, not %s", body, got, want)
		}
	}
}
