package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// fullDisk takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// What cannot be written is an error, so that a file which a command was to fill is not taken for
// its whole output.
func TestOutputThatIsLostIsAnError(t *testing.T) {
	for _, args := range []string{"list rules", "list rules --json", "explain streaming", "version", "validate ../../scenarios/pairing --json"} {
		var told bytes.Buffer
		if code := execute(strings.Fields(args), streams{out: fullDisk{}, err: &told}); code != exitFault || !strings.Contains(told.String(), "no space left") {
			t.Errorf("loopproof %s ends with %d and tells %q", args, code, told.String())
		}
	}
}
