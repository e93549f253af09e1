package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestLinks: the command does not link what would make each of its starts slower and is not needed: Go initialises all
// packages that are linked, also those of subcommands that are not called.
func TestLinks(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	linked := strings.Fields(string(out))
	for _, forbidden := range []string{
		"github.com/onsi/ginkgo/v2",                // 1 ms, for package suite
		"github.com/redis/go-redis/v9",             // 7 MB of code
		"github.com/santhosh-tekuri/jsonschema/v6", // 3 ms, for tests
		"pgregory.net/rapid",                       // 2 ms, for tests
	} {
		if slices.Contains(linked, forbidden) {
			t.Errorf("the command links %s; go list -deps -f '{{.ImportPath}} {{.Imports}}' ./cmd/loopproof says where it is imported", forbidden)
		}
	}
}
