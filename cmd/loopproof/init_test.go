package main

import (
	"strings"
	"testing"
)

// The steps after init go work with a clone, as long as the module is not published, and without
// one.
func TestGoSteps(t *testing.T) {
	for clone, want := range map[string]string{
		"":             "go get github.com/loopproof/loopproof; go test",
		"/src/clone":   "go mod edit -require github.com/loopproof/loopproof@v0.0.0 -replace github.com/loopproof/loopproof=/src/clone; go mod tidy; go test",
		"/src/a clone": "go mod edit -require github.com/loopproof/loopproof@v0.0.0 -replace 'github.com/loopproof/loopproof=/src/a clone'; go mod tidy; go test",
	} {
		if got := strings.Join(goSteps(clone)[1:], "; "); got != want {
			t.Errorf("from %q: %s, want %s", clone, got, want)
		}
	}
}
