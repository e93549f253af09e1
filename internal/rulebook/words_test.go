package rulebook_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// TestRulesSpeakOfEachDialectInItsWords: the text of a rule is shown in each dialect that it is
// about, and has no word that only another one has; and for each it has a source that is not the
// documentation of another one.
func TestRulesSpeakOfEachDialectInItsWords(t *testing.T) {
	all := dialect.All()
	documents := func(url string) bool {
		return slices.ContainsFunc(all, func(d *wire.Dialect) bool { return d.Documents(url) })
	}
	for _, rule := range rulebook.Book() {
		if rule.Area() == "record" { // the form of a record has words and documents of its own
			continue
		}
		words := strings.FieldsFunc(rule.Text+" "+rule.Evidence, func(r rune) bool { return strings.ContainsRune(" ,;:()'", r) })
		for _, d := range all {
			if !rule.In(d) {
				continue
			}
			for _, other := range all {
				for _, term := range other.Terms.All() {
					if slices.Contains(words, term) && !slices.Contains(d.Terms.All(), term) {
						t.Errorf("%s is judged in %s, and speaks of %s", rule.ID, d.Title, term)
					}
				}
			}
			known := slices.ContainsFunc(rule.Sources, func(s rules.Source) bool { return d.Documents(s.URL) || !documents(s.URL) })
			if !known && rule.Level != trace.Info {
				t.Errorf("%s has no source for %s, but the documentation of others", rule.ID, d.Title)
			}
		}
	}
}
