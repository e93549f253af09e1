package wire

import (
	"strings"
	"testing"
)

// TestKnownKeys: the keys of the messages of each dialect need no memory when they are read again.
func TestKnownKeys(t *testing.T) {
	var all [][]byte
	for _, key := range strings.Fields(`model messages role content tool_calls id type function name arguments tool_call_id tools parameters
		properties stream input call_id output contents parts text functionCall functionResponse args tool_use_id max_tokens system
		required object description`) {
		all = append(all, Quote(key))
	}
	var k knownKeys
	read := func() {
		for _, key := range all {
			if got := k.text(key); got != string(key[1:len(key)-1]) {
				t.Errorf("%s is read as %q", key, got)
			}
		}
	}
	if allocs := testing.AllocsPerRun(10, read); allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}
