package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/rules"
	"github.com/loopproof/loopproof/suite"
)

// TestWireRulesNameWhatExists holds docs/wire-rules.md against what there is. Every row says what became of it.
func TestWireRulesNameWhatExists(t *testing.T) {
	page, err := os.ReadFile("../../docs/wire-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	library, err := suite.Library(nil)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string][]string{"rule": rules.IDs(), "profile": profiles.Names(profiles.All())}
	for _, s := range library {
		known["scenario"] = append(known["scenario"], s.ID)
	}
	for _, q := range profiles.AllQuirks() {
		known["quirk"] = append(known["quirk"], q.Name)
	}
	named := regexp.MustCompile("(rule|profile|scenario|quirk) `([^`]*)`")
	rows := 0
	for line := range strings.Lines(string(page)) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| what is asked for") {
			continue
		}
		rows++
		found := named.FindAllStringSubmatch(line, -1)
		for _, m := range found {
			if !slices.Contains(known[m[1]], m[2]) {
				t.Errorf("there is no %s %q: %s", m[1], m[2], line)
			}
		}
		if cells := strings.Split(line, "|"); len(cells) != 4 || strings.TrimSpace(cells[2]) == "" {
			t.Errorf("a row has two cells, and both say something: %s", line)
		}
	}
	// so many rows for Chat Completions, and so many for Messages
	if want := 222 + 112; rows != want {
		t.Errorf("there are %d rows, want %d", rows, want)
	}
}
