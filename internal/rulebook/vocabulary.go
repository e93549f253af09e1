package rulebook

import (
	"sync"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/transcript"
)

// Vocabulary returns the words that a scenario may use. It reads those profiles that a scenario
// makes necessary.
func Vocabulary(known profiles.Known) scenarios.Vocabulary {
	v := NamesOnly(known)
	v.Known = sync.OnceValue(known.All)
	v.Quirks = sync.OnceValue(func() map[string][]string { return profiles.Quirks(v.Known()) })
	v.Seeing = sync.OnceValue(func() []string { return profiles.Seeing(v.Known()) })
	return v
}

// NamesOnly is [Vocabulary] for scenarios that were checked with all profiles before: those of
// Loopproof, by its tests.
func NamesOnly(known profiles.Known) scenarios.Vocabulary {
	return scenarios.Vocabulary{Rules: IDs(), Profiles: known.Names(), Transcripts: transcript.Names(false), Dialects: known.Spoken()}
}
