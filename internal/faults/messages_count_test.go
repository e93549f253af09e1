package faults

import (
	"slices"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/rulebook"
)

// TestMessagesAreCovered: the dialect messages has as many rules and faults as it was promised. `go test -v` tells how
// many there are, and how many public reports the faults model.
func TestMessagesAreCovered(t *testing.T) {
	const promised = 60
	about, alone := 0, 0
	for _, r := range rulebook.Book() {
		if r.In(messages.API) {
			about++
			if !r.In(chat.API) {
				alone++
			}
		}
	}
	judged, reports := 0, map[string]bool{}
	for _, f := range All() {
		if slices.Contains(f.Dialects(), messages.Dialect) {
			judged++
			for _, report := range f.Reports {
				reports[report] = true
			}
		}
	}
	t.Logf("%d rules apply to messages, %d of them to nothing else; %d faults are judged in it, which model %d public reports", about, alone, judged, len(reports))
	if about < promised || judged < promised || len(reports) < promised {
		t.Errorf("there are %d rules, %d faults and %d reports; each has to be at least %d", about, judged, len(reports), promised)
	}
}
