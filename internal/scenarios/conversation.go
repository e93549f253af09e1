package scenarios

import (
	"io/fs"
	"slices"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/protocol"
)

// Conversations returns the files of the conversations in which quirks are played. Each is like a
// scenario, with [TheQuirk] in the turns that have the quirk, and without rules.
func Conversations() fs.FS {
	folder, err := fs.Sub(loopproof.Files(), "internal/scenarios/conversations")
	if err != nil {
		panic(err) // the name of the folder is well-formed
	}
	return folder
}

// TheQuirk stands in a conversation for the quirk that is played.
const TheQuirk = "the-quirk"

// Conversation reads the conversation of a name.
func Conversation(name string, v Vocabulary) (*Scenario, error) {
	v.Known, v.Quirks = nil, nil // it is played in no dialect, and TheQuirk is none
	return loadFile(Conversations(), name+ending, v)
}

// QuirkCase is what a scenario says in which a quirk is played, besides its conversation.
type QuirkCase struct {
	Quirk          string
	ID, Title, Why string
	Rules          []string
	Needs          []protocol.Feature
}

// With returns a conversation as the scenario in which a quirk is played.
func (s *Scenario) With(c QuirkCase) *Scenario {
	played := *s
	played.ID, played.Title, played.Why, played.Rules = c.ID, c.Title, c.Why, c.Rules
	played.Needs = slices.Clone(c.Needs)
	played.needWhatItShows()
	played.Model = slices.Clone(s.Model)
	for i := range played.Model {
		if slices.Contains(s.Model[i].Quirks, TheQuirk) {
			played.Model[i].Quirks = []string{c.Quirk}
		}
	}
	played.facts = factsOf(&played)
	return &played
}
