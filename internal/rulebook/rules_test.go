package rulebook_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/conformance"
	"github.com/loopproof/loopproof/internal/rulebook"
)

// TestBookIsInAreas: the rules of an area are together.
func TestBookIsInAreas(t *testing.T) {
	closed, last := map[string]bool{}, ""
	for _, r := range rulebook.Book() {
		if r.Area() != last && closed[r.Area()] {
			t.Errorf("%s is separate from the others of its area", r.ID)
		}
		last = r.Area()
		closed[last] = true
	}
}

// TestAreasHaveLevels: each area counts for a level of conformance.
func TestAreasHaveLevels(t *testing.T) {
	for _, r := range rulebook.Book() {
		if !conformance.Knows(r.Area()) {
			t.Errorf("the area of %s has no level in internal/conformance", r.ID)
		}
	}
}
