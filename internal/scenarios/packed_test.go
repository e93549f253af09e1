package scenarios_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/strictyaml"
)

// TestPackedScenariosSayTheSame: what is read in the packed form, unchecked, is what the files say.
func TestPackedScenariosSayTheSame(t *testing.T) {
	packed := readPacked(t)
	everything := cmp.Options{
		cmp.Exporter(func(reflect.Type) bool { return true }),
		cmpopts.IgnoreTypes((*strictyaml.Document)(nil)),
	}
	if diff := cmp.Diff(embedded(t), packed, everything); diff != "" {
		t.Error(diff)
	}
	for i, s := range embedded(t) {
		for step := range s.Model {
			if s.Line(step) != packed[i].Line(step) {
				t.Errorf("step %d of %s is in line %d, and packed in line %d", step, s.ID, s.Line(step), packed[i].Line(step))
			}
		}
	}
}

// readPacked reads the packed scenarios without a vocabulary: any that is read as YAML has words that this does not know.
func readPacked(t *testing.T) []*scenarios.Scenario {
	t.Helper()
	packed, err := scenarios.Embedded(scenarios.Vocabulary{})
	if err != nil {
		t.Fatalf("the scenarios have changed since they were packed: run go run ./internal/docgen (%v)", err)
	}
	return packed
}

// TestReadingScenariosIsCheap: as YAML, with all that is checked, one takes more than ten times as many allocations, and all of
// them most of the start of a command.
func TestReadingScenariosIsCheap(t *testing.T) {
	all := len(embedded(t))
	n := testing.AllocsPerRun(3, func() {
		readPacked(t)
	}) / float64(all)
	t.Logf("%.0f allocations", n)
	if n > 100 {
		t.Errorf("reading a scenario takes %.0f allocations", n)
	}
}
