package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
)

// TestWireRulesNameWhatExists checks that what lab/wire-rules.md names exists.
func TestWireRulesNameWhatExists(t *testing.T) {
	page, err := os.ReadFile("../wire-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	library, err := catalog.Scenarios(nil, profiles.Known{})
	if err != nil {
		t.Fatal(err)
	}
	known := map[string][]string{"rule": rulebook.IDs(), "profile": profiles.Names(profiles.All())}
	for _, s := range library {
		known["scenario"] = append(known["scenario"], s.ID)
	}
	for _, q := range profiles.AllQuirks(profiles.All()) {
		known["quirk"] = append(known["quirk"], q.Name)
	}
	named := regexp.MustCompile("(rule|profile|scenario|quirk) `([^`]*)`")
	rows := 0
	for line := range strings.Lines(string(page)) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| requirement |") {
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
	// so many rows for Chat Completions, so many for Messages, and those about compaction
	if want := 222 + 112 + 9; rows != want {
		t.Errorf("there are %d rows, want %d", rows, want)
	}
}

// TestWireRulesRefusals compares the providers that refuse a row with the profiles: each named
// after "refused by", up to the end of that part, refuses a violation of a rule of the row.
func TestWireRulesRefusals(t *testing.T) {
	page, err := os.ReadFile("../wire-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	rule, profile := regexp.MustCompile("rule `([^`]*)`"), regexp.MustCompile("profile `([^`]*)`")
	for line := range strings.Lines(string(page)) {
		_, said, ok := strings.Cut(line, "refused by ")
		if !ok {
			continue
		}
		said, _, _ = strings.Cut(said, ";")
		said, _, _ = strings.Cut(said, ", taken by ")
		for _, m := range profile.FindAllStringSubmatch(said, -1) {
			p, err := profiles.Get(m[1])
			refuses := err == nil && slices.ContainsFunc(rule.FindAllStringSubmatch(line, -1), func(r []string) bool {
				_, refuses := p.Refusal(r[1])
				return refuses
			})
			if !refuses {
				t.Errorf("the profile %s refuses no violation of a rule of this row: %s", m[1], line)
			}
		}
	}
}
