package claims

import (
	"testing"

	"github.com/loopproof/loopproof/protocol"
)

// TestEveryFeatureIsDescribed holds the descriptions beside the features that the protocol has.
func TestEveryFeatureIsDescribed(t *testing.T) {
	for _, f := range protocol.Features() {
		if Describe(f).Does == "" {
			t.Errorf("the feature %s has no description", f)
		}
	}
	if len(descriptions) != len(protocol.Features()) {
		t.Errorf("%d features are described, of %d", len(descriptions), len(protocol.Features()))
	}
	for _, f := range For(TaskReader) {
		if Describe(f).By == AdapterOnly {
			t.Errorf("%s takes an adapter", f)
		}
	}
}
