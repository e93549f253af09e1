package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLinks: the command does not link what would make each of its starts slower and is not needed:
// Go initialises all packages that are linked, also those of subcommands that are not called.
func TestLinks(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	linked := strings.Fields(string(out))
	for _, forbidden := range []string{
		"github.com/onsi/ginkgo/v2",    // 1 ms, for package suite
		"github.com/redis/go-redis/v9", // 7 MB of code
		"pgregory.net/rapid",           // 2 ms, for tests
	} {
		if slices.Contains(linked, forbidden) {
			t.Errorf("the command links %s; go list -deps -f '{{.ImportPath}} {{.Imports}}' ./cmd/loopproof says where it is imported", forbidden)
		}
	}
}

// TestNothingIsCompiledAtStart: no regular expression and no template of a package is compiled
// before it is needed. A start would compile all of them, and use few.
func TestNothingIsCompiledAtStart(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if .Main}}{{$.Dir}}{{end}}{{end}}", ".").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	atStart := regexp.MustCompile(`(?m)^(var |\t)\w+ += (regexp|template)\.Must`)
	for dir := range strings.Lines(string(out)) {
		files, err := filepath.Glob(filepath.Join(strings.TrimSpace(dir), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if found := atStart.Find(text); found != nil && !strings.HasSuffix(file, "_test.go") {
				t.Errorf("%s: %s: wrap it in sync.OnceValue", file, found)
			}
		}
	}
}
