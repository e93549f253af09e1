package scenarios

import (
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// Lack is what a profile cannot show of a step of a script.
type Lack struct {
	Step int    // from 0
	Key  string // of the part without which the step is played; "": it is not played at all
	Why  string // "an answer does not show what the model thinks"
}

// part is a part of a step that an answer is still one without.
type part struct {
	key    string
	needs  wire.Abilities
	remove func(*Step)
}

var parts = []part{
	{"reasoning", wire.ShownReasoning | wire.ReadableReasoning | wire.ReasoningBlocks | wire.SealedReasoning, func(s *Step) { s.Reasoning, s.ReasoningDetails = nil, nil }},
	{"phase", wire.PhasesOfTexts, func(s *Step) { s.Phase, s.Commentary = "", "" }},
	{"blocks", wire.OwnBlocks, func(s *Step) { s.Blocks, s.Mixed = nil, false }},
	{"container", wire.Containers, func(s *Step) { s.Container = false }},
	{"compaction", wire.Compactions, func(s *Step) { s.Compaction = "" }},
	{"program", wire.Programs, func(s *Step) { s.Program, s.ProgramOutput = "", nil }},
	{"provider-items", wire.OwnItems, func(s *Step) { s.ProviderItems = nil }},
	{"stream", wire.InterleavedCalls, func(s *Step) { s.Stream.Interleaved = false }},
	{"retry-after-as", wire.DetailedWaits, func(s *Step) { s.RetryAfterAs = "" }},
}

// ScriptFor reports whether a script may answer requests under a profile: it names the profile, or
// none, has no tools that are not there, and nothing of it was recorded in another dialect.
func (s *Scenario) ScriptFor(p *profiles.Profile) bool {
	f := s.Facts()
	return s.isFor(p) && f.saidIn(p.Dialect) && f.Needs&(wire.ImageResults|wire.CustomTools)&^p.Abilities == 0
}

// ShownUnder returns a script without what a profile cannot show of it, and what that is. A step
// that is no answer without it stays, and is not to be played. The script itself is left as it is.
func (s *Scenario) ShownUnder(p *profiles.Profile) (*Scenario, []Lack) {
	var lacks []Lack
	shown := *s
	shown.Model = slices.Clone(s.Model)
	for i := range shown.Model {
		lacks = append(lacks, shown.Model[i].reduce(i, p)...)
	}
	if len(lacks) == 0 {
		return s, nil
	}
	shown.facts = factsOf(&shown)
	return &shown, lacks
}

// reduce removes from a step what a profile cannot show.
func (s *Step) reduce(number int, p *profiles.Profile) (lacks []Lack) {
	if s.recorded != nil {
		return nil
	}
	said := s.answers()
	for _, part := range parts {
		if lacking := s.needs(false) & part.needs &^ p.Abilities; lacking != 0 {
			part.remove(s)
			lacks = append(lacks, Lack{number, part.key, lacking.Missing()})
		}
	}
	for _, item := range s.ProviderItems {
		if p.Traits.ProviderItems[item.Type] == "" {
			s.ProviderItems = nil
			lacks = append(lacks, Lack{number, "provider-items", "there are no items of the type " + item.Type})
			break
		}
	}
	for _, name := range s.Quirks {
		if _, shown := p.Quirk(name); !shown {
			s.Quirks = nil
			lacks = append(lacks, Lack{number, "quirks", "it does not show " + name})
			break
		}
	}
	switch lacking := s.needs(false) &^ p.Abilities; {
	case lacking != 0:
		return []Lack{{Step: number, Why: lacking.Missing()}}
	case said && !s.answers():
		return []Lack{{Step: number, Why: lacks[0].Why}}
	}
	return lacks
}
