package faults

import (
	"testing"

	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/suite"
)

// A loop that reads what has piled up meets cut letters over TCP as well, thanks to the pauses.
func TestCutLettersAreMetOverTCP(t *testing.T) {
	for _, f := range All() {
		if f.Name != "stream/decodes-each-read" {
			continue
		}
		for _, dialect := range f.Dialects() {
			r, err := suite.Play(t.Context(), suite.Config{
				Loop:            suite.LoopFunc(f.Run),
				Features:        []protocol.Feature{protocol.Streaming},
				ClaimedDialects: []string{dialect},
				Scenarios:       []string{"stream/cut-anywhere"},
			})
			if err != nil {
				t.Fatal(err)
			}
			if broken := failed(r); len(broken) != 1 || broken[0] != "stream/any-cut" {
				t.Errorf("in %s %q are broken, expected stream/any-cut", dialect, broken)
			}
		}
		return
	}
	t.Error("the fault is gone")
}
