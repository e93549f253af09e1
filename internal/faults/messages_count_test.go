package faults

import (
	"slices"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/dialect/converse"
	"github.com/loopproof/loopproof/internal/dialect/converse/converserules"
	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/dialect/gemini/geminirules"
	"github.com/loopproof/loopproof/internal/dialect/interactions"
	"github.com/loopproof/loopproof/internal/dialect/interactions/interactionsrules"
	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/dialect/ollama"
	"github.com/loopproof/loopproof/internal/dialect/ollama/ollamarules"
	"github.com/loopproof/loopproof/internal/dialect/responses"
	"github.com/loopproof/loopproof/internal/dialect/responses/responsesrules"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
)

// TestMessagesAreCovered: the dialect messages has as many rules and faults as it was promised. `go
// test -v` tells how many there are, and how many public reports the faults model.
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

// TestGeminiIsCovered: the dialect gemini has as many rules of its own and faults as it was
// promised, and each of those rules is broken alone by a fault in it.
func TestGeminiIsCovered(t *testing.T) { covered(t, gemini.Dialect, geminirules.Rules(), 45, 110) }

// TestResponsesAreCovered is the same for the dialect responses.
func TestResponsesAreCovered(t *testing.T) {
	covered(t, responses.Dialect, responsesrules.Rules(), 60, 120)
}

// TestConverseIsCovered is the same for Bedrock Converse, whose rules are in part those of Messages.
func TestConverseIsCovered(t *testing.T) {
	covered(t, converse.Dialect, converserules.Rules(), 25, 110)
}

// TestInteractionsAreCovered is the same for Gemini's Interactions.
func TestInteractionsAreCovered(t *testing.T) {
	covered(t, interactions.Dialect, interactionsrules.Rules(), 9, 350)
}

// TestOllamaIsCovered is the same for Ollama's own API, whose server refuses little.
func TestOllamaIsCovered(t *testing.T) {
	covered(t, ollama.Dialect, ollamarules.Rules(), 5, 110)
}

func covered(t *testing.T, dialect string, own []rules.Rule, ownPromised, faultsPromised int) {
	t.Helper()
	judged, alone := 0, map[string]bool{}
	for _, f := range All() {
		if !slices.Contains(f.Dialects(), dialect) {
			continue
		}
		judged++
		if breaks := f.BreaksIn(dialect); len(breaks) == 1 {
			alone[breaks[0]] = true
		}
	}
	t.Logf("%d rules are about %s alone; %d faults are judged in it", len(own), dialect, judged)
	if len(own) < ownPromised || judged < faultsPromised {
		t.Errorf("there are %d rules of its own and %d faults, want at least %d and %d", len(own), judged, ownPromised, faultsPromised)
	}
	for _, r := range own {
		if !alone[r.ID] {
			t.Errorf("no fault breaks %s alone in the dialect %s", r.ID, dialect)
		}
	}
}
