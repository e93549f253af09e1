package runner

import (
	"slices"
	"testing"

	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// TestEachOnce: of a loop that is played each scenario once, that is the whole, and its claims tell
// which cases these are.
func TestEachOnce(t *testing.T) {
	hello := protocol.Hello{Dialects: []string{"chat"}, Features: []protocol.Feature{protocol.Streaming}}
	whole, err := newPlan(Config{EachOnce: true}, hello)
	if err != nil {
		t.Fatal(err)
	}
	quick, err := newPlan(Config{Select: Select{Quick: true}}, hello)
	if err != nil {
		t.Fatal(err)
	}
	if whole.Filtered || !quick.Filtered || !slices.Equal(whole.IDs(), quick.IDs()) {
		t.Errorf("each once: %d cases, filtered %v; quick: %d cases, filtered %v", len(whole.Cases), whole.Filtered, len(quick.Cases), quick.Filtered)
	}
	part, err := newPlan(Config{EachOnce: true, Select: Select{Scenarios: []string{"pairing/*"}}}, hello)
	if err != nil || !part.Filtered {
		t.Errorf("a part of it is filtered: %v, %v", part.Filtered, err)
	}
	planned, err := Planned(report.Claims{Dialects: hello.Dialects, Features: []protocol.Feature{protocol.Streaming, protocol.Executions}, EachOnce: true}, true)
	if err != nil || !slices.Equal(planned.IDs(), whole.IDs()) {
		t.Errorf("by its report %d cases are planned, %v", len(planned.Cases), err)
	}
}
