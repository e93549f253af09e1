package catalog

import (
	"testing"

	"github.com/loopproof/loopproof/internal/profiles"
)

// TestNoRemarks: the profiles of Loopproof are not odd.
func TestNoRemarks(t *testing.T) {
	for _, p := range profiles.All() {
		for _, remark := range Remarks(p) {
			t.Errorf("%s: %v", p.Name, remark)
		}
	}
}
