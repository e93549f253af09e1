package rules

import (
	"cmp"

	"github.com/loopproof/loopproof/internal/wire"
)

// StopAs returns how the provider of the run says that the model stopped for a reason: stop_reason:
// "max_tokens".
func (r *Run) StopAs(f wire.Finish) string {
	said, _ := r.Script.Profile.Shape.StopAs(f)
	return said
}

// StopWord returns the word of the provider for a reason to stop, in quotes.
func (r *Run) StopWord(f wire.Finish) string {
	_, word := r.Script.Profile.Shape.StopAs(f)
	return Quote(cmp.Or(word, string(f)))
}
