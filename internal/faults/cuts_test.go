package faults

import (
	"testing"

	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/protocol"
)

// A loop that reads what has piled up meets cut letters over TCP as well, thanks to the pauses.
func TestCutLettersAreMetOverTCP(t *testing.T) {
	for _, f := range All() {
		if f.Name != "stream/decodes-each-read" {
			continue
		}
		for _, dialect := range f.Dialects() {
			r, err := runner.Play(t.Context(), runner.Config{
				Loop:   loops.Func(f.Run),
				Claims: loops.Claims{Features: []protocol.Feature{protocol.Streaming}, Dialects: []string{dialect}},
				Select: runner.Select{Scenarios: []string{"stream/cut-anywhere"}},
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
