package rulebook

import (
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/transcript"
)

// Vocabulary returns the words that a scenario may use, given all profiles that there are.
func Vocabulary(all []*profiles.Profile) scenarios.Vocabulary {
	return scenarios.Vocabulary{Rules: IDs(), Profiles: profiles.Names(all), Quirks: profiles.Quirks(all), Seeing: profiles.Seeing(all), Known: all, Transcripts: transcript.Names(false)}
}
