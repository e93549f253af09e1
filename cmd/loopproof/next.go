package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/loopproof/loopproof/packages/starters"
)

// beginnings are files by which the language of a project is known, and the starter for it. The
// first that is there decides.
var beginnings = []struct{ file, starter string }{
	{"tsconfig.json", "typescript"},
	{"package.json", "node"},
	{"pyproject.toml", "python"},
	{"requirements.txt", "python"},
	{"go.mod", "go"},
	{"Cargo.toml", "rust"},
	{"pom.xml", "java"},
	{"build.gradle", "java"},
	{"build.gradle.kts", "java"},
}

// tellNext says how to go on from the verdict on the built-in loop to one's own.
func (r *loopRun) tellNext(command []string) {
	if len(command) > 0 || r.flags.agent != "" {
		return
	}
	starter, which := "LANGUAGE", ": "+strings.Join(starters.Languages(), ", ")
	for _, b := range beginnings {
		if _, err := os.Stat(b.file); err == nil {
			starter, which = b.starter, ", which works at once"
			break
		}
	}
	fmt.Fprintf(r.out, "\nnext: loopproof init %-12s writes an adapter for your loop%s\n", starter, which)
	fmt.Fprintln(r.out, "      loopproof run -- COMMAND    judges it; loopproof serve needs no adapter, and judges what comes")
}
