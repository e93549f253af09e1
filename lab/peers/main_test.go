package main

import (
	"regexp"
	"testing"

	"github.com/loopproof/loopproof/internal/strictyaml"
)

// TestList reads the list: each request has a method and a path, and there is something to start.
func TestList(t *testing.T) {
	var p peers
	if _, err := strictyaml.Read("peers.yaml", list, &p); err != nil {
		t.Fatal(err)
	}
	if len(p.Servers) < 2 || len(p.Requests) < 60 {
		t.Fatalf("%d servers and %d requests", len(p.Servers), len(p.Requests))
	}
	seen := map[string]bool{}
	for _, r := range p.Requests {
		if !regexp.MustCompile(`^(GET|POST) /`).MatchString(r.Ask) || seen[r.API+r.What] {
			t.Errorf("%+v", r)
		}
		seen[r.API+r.What] = true
	}
}
