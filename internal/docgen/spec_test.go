package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/trace"
)

// clause is a numbered clause of the requirements for agent loops.
type clause struct {
	number, text string
	rules        map[trace.Level][]string
}

var (
	clauseHead  = regexp.MustCompile(`(?m)^### (\d+)\.(\d+) .+$`)
	clauseRules = regexp.MustCompile(`(?m)^- (MUST|SHOULD): (.+)$`)
)

// clauses returns the clauses of the chapters. Their numbers count without gaps.
func clauses(t *testing.T) (all []clause) {
	files, err := filepath.Glob("docs/spec/[1-9]-*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no chapters (%v)", err)
	}
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		heads := clauseHead.FindAllSubmatchIndex(text, -1)
		for n, at := range heads {
			end := len(text)
			if n+1 < len(heads) {
				end = heads[n+1][0]
			}
			c := clause{number: string(text[at[2]:at[5]]), text: string(text[at[1]:end]), rules: map[trace.Level][]string{}}
			if want := fmt.Sprintf("%d.%d", i+1, n+1); c.number != want {
				t.Errorf("%s: the clause %s should be %s", file, c.number, want)
			}
			for _, list := range clauseRules.FindAllStringSubmatch(c.text, -1) {
				c.rules[trace.Level(strings.ToLower(list[1]))] = strings.Split(list[2], ", ")
			}
			c.text = clauseRules.ReplaceAllString(c.text, "")
			all = append(all, c)
		}
	}
	return all
}

// TestRequirementsAndRules: each rule about every wire API is in one clause, at its level, and each
// clause uses the words of its rules' levels.
func TestRequirementsAndRules(t *testing.T) {
	t.Chdir("../..")
	in := map[string]string{} // clauses by rule
	for _, c := range clauses(t) {
		for _, level := range []trace.Level{trace.Must, trace.Should} {
			word := strings.ToUpper(string(level))
			if says := strings.Contains(c.text, word); says != (len(c.rules[level]) > 0) {
				t.Errorf("%s says %s: %v, and has %d such rules", c.number, word, says, len(c.rules[level]))
			}
			for _, id := range c.rules[level] {
				switch rule := rulebook.Lookup(id); {
				case rule == nil:
					t.Errorf("%s names the rule %s, which does not exist", c.number, id)
				case rule.Level != level:
					t.Errorf("%s lists %s as a %s, and it is a %s", c.number, id, level, rule.Level)
				case in[id] != "":
					t.Errorf("%s is in %s and in %s", id, in[id], c.number)
				}
				in[id] = c.number
			}
		}
	}
	for _, r := range rulebook.Book() {
		neutral := r.Dialect == nil && r.Where == nil
		if neutral && in[r.ID] == "" && slices.Contains([]trace.Level{trace.Must, trace.Should}, r.Level) {
			t.Errorf("no clause of docs/spec has the %s %s: %s", r.Level, r.ID, r.Text)
		}
	}
}
