package runner

import (
	"cmp"
	"slices"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// secondOf returns the provider of the second model in a scenario that has it in another wire API,
// given that of the first one; nil: the loop asks in no other that can say the scenario. It is the
// standard one of the next API that the loop speaks, so that all cases together go from each API to
// another one, and come to each. One with models of another maker comes first: those of the same one
// read what they have sealed themselves.
func (p *Plan) secondOf(s *scenarios.Scenario, first *profiles.Profile) *profiles.Profile {
	var same *profiles.Profile
	all := dialect.All()
	at := slices.Index(all, first.Speaks)
	for _, d := range slices.Concat(all[at+1:], all[:max(at, 0)]) {
		if spoken := p.Hello.SecondDialects; !slices.Contains(spoken, d.Name) && (len(spoken) > 0 || !slices.Contains(dialect.Usual(), d)) {
			continue
		}
		second, err := p.known.Find(d.Standard)
		if err != nil || !s.PlayedUnder(second) {
			continue
		}
		if !first.OfTheSameMaker(second) {
			return second
		}
		same = cmp.Or(same, second)
	}
	return same
}

// second returns the provider of the second model in a case, or nil where that is the first one.
func (p *Plan) second(c trace.Case) *profiles.Profile {
	s := p.scenarios[c.Scenario]
	if !s.Facts().SecondAPI {
		return nil
	}
	return p.secondOf(s, p.profiles[c.Profile])
}

// speaks returns the wire APIs that are spoken in a case.
func (p *Plan) speaks(c trace.Case) []*wire.Dialect {
	spoken := []*wire.Dialect{p.profiles[c.Profile].Speaks}
	if second := p.second(c); second != nil {
		spoken = append(spoken, second.Speaks)
	}
	return spoken
}
