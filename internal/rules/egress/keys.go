package egress

import (
	"fmt"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// FindUnwantedKey reports the value under a key of an object that should not be there.
func FindUnwantedKey(j *rules.CheckResult, value *wire.Node, message, expected string, vars map[string]string) {
	all := map[string]string{"key": value.Key()}
	for k, v := range vars {
		all[k] = v
	}
	j.Find(trace.Finding{
		Pointer:  value.Pointer(),
		Message:  message,
		Expected: expected,
		Actual:   fmt.Sprintf("%q: %s", value.Key(), rules.Show(value)),
		Vars:     all,
	})
}

// OneOf returns the provider's own list of keys, or else that of the reference.
func OneOf(own, reference []string) []string {
	if len(own) > 0 {
		return own
	}
	return reference
}
