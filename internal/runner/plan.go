package runner

import (
	"slices"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/runner/knownfailing"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// Plan is what will be played to a loop.
type Plan struct {
	Hello protocol.Hello
	Cases []trace.Case

	// Expected are the rules for which the cases have to give evidence, given what the loop claims.
	Expected []string

	// Filtered says that something was left out that the loop claims, by a selection or for a quick
	// look.
	Filtered bool

	// Gone are the patterns of [Select.Again] that match no case.
	Gone []string

	known profiles.Known

	claimedProfiles []*profiles.Profile
	scenarios       map[string]*scenarios.Scenario
	profiles        map[string]*profiles.Profile
	primary         map[stage]string // to the profile under which it is played in every delivery
	rules           map[string]bool  // selected; nil: all
	levels          []string         // of conformance, selected; nil: all
	onlyLevels      bool             // nothing but levels was selected
	number          rulebook.Number
	part            *report.Shard // nil: all
}

// Selection returns what a known-failing list has to know of the plan.
func (p *Plan) Selection() knownfailing.Plan {
	return knownfailing.Plan{Cases: p.Cases, Filtered: p.Filtered}
}

// claims tells which features the loop claims in any case.
func (p *Plan) claims(f protocol.Feature) bool { return claims.Has(p.Hello, f, "", "") }

// claimed returns a feature as the loop claims it, with its limits.
func (p *Plan) claimed(f protocol.Feature) []protocol.Feature {
	var limited []protocol.Feature
	for _, claim := range p.Hello.Features {
		switch name, limit := claims.Split(claim); {
		case name == f && limit == "":
			return []protocol.Feature{f}
		case name == f:
			limited = append(limited, claim)
		}
	}
	if limited == nil {
		return []protocol.Feature{f}
	}
	return limited
}

// claimsIn returns what tells which features the loop claims in a case.
func (p *Plan) claimsIn(c trace.Case) rules.Claims {
	return func(f protocol.Feature) bool { return claims.Has(p.Hello, f, c.Dialect, string(c.Delivery)) }
}

// listed returns the rules that the scenario of a case lists and that are judged in its delivery.
func (p *Plan) listed(c trace.Case) []string {
	return slices.DeleteFunc(slices.Clone(p.scenarios[c.Scenario].Rules), func(id string) bool {
		return !rulebook.Lookup(id).AppliesTo(p.scenarios[c.Scenario], c, p.speaks(c)...)
	})
}

// narrowed reports whether a selection leaves something out that the loop claims; to play a part
// alone does not.
func (p *Plan) narrowed() bool {
	if p.part != nil {
		return p.part.Filtered
	}
	return p.Filtered
}

// names reports whether the loop names a profile in its claims.
func (p *Plan) names(profile string) bool {
	return len(p.Hello.Profiles) > 0 && trace.MatchesAny(p.Hello.Profiles, profile)
}

// takes reports whether the loop takes the answers of a dialect in a delivery.
func (p *Plan) takes(dialect string, d wire.Delivery) bool {
	needs := protocol.Streaming
	if d == wire.DeliverSocket {
		needs = protocol.Sockets
	}
	return trace.MatchesDelivery(p.Hello.Deliveries, d) && (!d.Streams() || claims.Has(p.Hello, needs, dialect, string(d)))
}

// newPlan plans all that a loop claims, and selects from it what the config asks for.
func newPlan(c Config, hello protocol.Hello) (*Plan, error) {
	known, err := c.profiles()
	if err != nil {
		return nil, err
	}
	if wanted := c.Select.wants(); slices.ContainsFunc(catalog.Library{}.IDs(), func(id string) bool { return !wanted(id) }) {
		some, err := catalog.WantedScenarios(c.OwnScenarios, known, wanted)
		if err != nil {
			return nil, err
		}
		if p, err := planOf(c, hello, known, some, true); err == nil {
			return p, nil
		}
	}
	library, err := catalog.Scenarios(c.OwnScenarios, known)
	if err != nil {
		return nil, err
	}
	return planOf(c, hello, known, library, false) // which knows what a wrong name may mean
}

// planOf plans what a loop claims of some scenarios, and selects from it what the config asks for.
// partial says that there are more scenarios, of which none is selected.
func planOf(c Config, hello protocol.Hello, known profiles.Known, library []*scenarios.Scenario, partial bool) (*Plan, error) {
	p := emptyPlan(hello, known)
	number, err := rulebook.Numbered(c.Rulebook)
	if err != nil {
		return nil, err
	}
	p.number = number
	p.claimedProfiles = claimedOf(known.All(), hello, c.Select.Profiles)
	p.add(c, library)
	if err := p.selectLevels(c.Select.Levels); err != nil {
		return nil, err
	}
	all := len(p.Cases)
	if c.EachOnce {
		every := p.Cases
		if err := p.keepQuick(); err != nil {
			return nil, err
		}
		all, p.Cases = len(p.Cases), every
	}
	if err := p.selectCases(c); err != nil {
		return nil, err
	}
	if c.Select.Quick || c.EachOnce {
		if err := p.keepQuick(); err != nil {
			return nil, err
		}
	}
	less := partial || p.rules != nil || len(p.Cases) < all
	p.onlyLevels, p.Filtered = p.levels != nil && !less, p.levels != nil || less
	if err := p.split(c.Select.Shard); err != nil {
		return nil, err
	}
	p.expect()
	return p, nil
}

func emptyPlan(hello protocol.Hello, known profiles.Known) *Plan {
	return &Plan{Hello: hello, known: known, number: rulebook.Newest(), claimedProfiles: claimedOf(known.All(), hello, nil), scenarios: map[string]*scenarios.Scenario{}, profiles: map[string]*profiles.Profile{}, primary: map[stage]string{}}
}

// add adds all cases in which some scenarios are played to the loop.
func (p *Plan) add(c Config, library []*scenarios.Scenario) {
	for _, s := range library {
		p.scenarios[s.ID] = s
		if s.System == "" || c.handsOverInstructions() {
			p.addCases(s)
		}
	}
}

// claimedOf returns those of some profiles that a loop claims. A draft of a dialect that is none is
// played where its name is selected, or claimed. A profile behind the door of a cloud, which needs a
// client of that cloud, is played where it is selected, or a loop says which profiles it claims.
func claimedOf(known []*profiles.Profile, hello protocol.Hello, selected []string) []*profiles.Profile {
	return slices.DeleteFunc(slices.Clone(known), func(p *profiles.Profile) bool {
		named := slices.Contains(hello.Profiles, p.Name) || slices.Contains(selected, p.Name)
		return !slices.Contains(hello.Dialects, p.Dialect) || !trace.MatchesAny(hello.Profiles, p.Name) || (p.Draft && !p.Speaks.Draft || p.Through != nil && len(hello.Profiles) == 0) && !named
	})
}

// addCases adds the cases in which a scenario is played to the loop: under every profile that it
// claims and that can say what the scenario says.
func (p *Plan) addCases(s *scenarios.Scenario) {
	if !p.isFor(s) {
		return
	}
	playable := slices.DeleteFunc(slices.Clone(p.claimedProfiles), func(of *profiles.Profile) bool { return !s.PlayedUnder(of) })
	for _, profile := range playable {
		at := stage{s.ID, profile.Dialect}
		if p.primary[at] == "" {
			p.primary[at] = primaryProfile(playable, profile.Dialect)
		}
		if s.Facts().SecondAPI && p.secondOf(s, profile) == nil {
			continue
		}
		isPrimary := profile.Name == p.primary[at]
		if !isPrimary && !differs(profile, s) {
			continue
		}
		p.profiles[profile.Name] = profile
		for _, d := range p.deliveries(s, profile, isPrimary) {
			c := trace.Case{Scenario: s.ID, Dialect: profile.Dialect, Profile: profile.Name, Delivery: d}
			if claims := p.claimsIn(c); !slices.ContainsFunc(s.Needs, func(f protocol.Feature) bool { return !claims(f) }) {
				p.Cases = append(p.Cases, casesOf(c, s.Cuts(profile))...)
			}
		}
	}
}

// isFor reports whether a scenario is played to the loop at all: it is a conversation, the loop
// claims what it needs, and can tell its answer. Which of its own tools return images is not known
// of a loop that does not run them through the task.
func (p *Plan) isFor(s *scenarios.Scenario) bool {
	f := s.Facts()
	claimed := !slices.ContainsFunc(s.Needs, func(f protocol.Feature) bool { return !p.claims(f) })
	return s.Prompted() && claimed && (!f.Images && !f.Steers || p.claims(protocol.Executions)) && (claims.AnswerTool(p.Hello) == nil || f.EndsInAnswer)
}

// casesOf returns a case, or where a stream is cut at each of some places, one for each.
func casesOf(c trace.Case, cuts int) []trace.Case {
	if cuts == 0 {
		return []trace.Case{c}
	}
	var all []trace.Case
	for c.Cut = 1; c.Cut <= cuts; c.Cut++ {
		if c.Delivery != wire.DeliverSocket || c.Cut > 2 && c.Cut%2 == 1 { // a message of a socket comes whole or not at all
			all = append(all, c)
		}
	}
	return all
}

// stage is a scenario in a dialect.
type stage struct{ scenario, dialect string }

// primaryProfile returns the profile of a dialect under which a scenario is played in every
// delivery; under the others the two plain ones will do, since how bytes are cut does not depend on
// the provider. It is that of the dialect's own provider, or the one that is like it and shows
// nothing but the quirks that the scenario is about.
func primaryProfile(playable []*profiles.Profile, dialect string) string {
	var first *profiles.Profile
	for _, p := range playable {
		standard := p.Speaks.Standard
		switch {
		case p.Dialect != dialect:
		case p.Name == standard, p.QuirksOnly && p.Like == standard:
			return p.Name
		case first == nil || first.Like != "" && p.Like == "": // one that is like no other, where there is one
			first = p
		}
	}
	return first.Name
}

// differs reports whether a scenario may come out otherwise under a profile than under its primary
// one. A profile that is like another one plays only that in which providers differ, and what is
// meant for it by name.
func differs(p *profiles.Profile, s *scenarios.Scenario) bool {
	return p.Like == "" || len(s.Profiles) > 0 || rulebook.ProvidersDiffer(s.Area())
}

func (p *Plan) deliveries(s *scenarios.Scenario, profile *profiles.Profile, all bool) []wire.Delivery {
	all = all && len(s.Facts().Quirks) == 0 // those are played in odd deliveries only where they ask for them
	return slices.DeleteFunc(profile.Deliveries(), func(d wire.Delivery) bool {
		return !all && !d.Ordinary() && len(s.Deliveries) == 0 || !p.takes(profile.Dialect, d) || !s.PlayedIn(profile, d)
	})
}

// expect notes the rules that the scenarios in the plan list and that apply to the loop. What a
// selection leaves out is not expected.
func (p *Plan) expect() {
	listed := map[string]bool{}
	for _, c := range p.Cases {
		for _, id := range p.listed(c) {
			if rule := rulebook.Lookup(id); !listed[id] && p.judges(rule, c) && rule.Claimed(p.claimsIn(c)) {
				listed[id] = true
			}
		}
	}
	for _, r := range rulebook.Book() {
		if listed[r.ID] {
			p.Expected = append(p.Expected, r.ID)
		}
	}
}

// selection is what some patterns select. Of many ids, each is compared with many, so that words
// without a * are looked up.
type selection struct {
	all      bool // no pattern is given, or one that matches everything
	words    map[string]bool
	patterns []string
}

func selecting(patterns []string) selection {
	s := selection{all: len(patterns) == 0 || slices.Contains(patterns, "**"), words: map[string]bool{}}
	for _, p := range patterns {
		s.words[p] = true
		if trace.IsPattern(p) {
			s.patterns = append(s.patterns, p)
		}
	}
	return s
}

// takes reports whether a word is selected.
func (s selection) takes(word string) bool {
	return s.all || s.words[word] || slices.ContainsFunc(s.patterns, func(p string) bool { return trace.MatchesPattern(p, word) })
}

// profiles returns all profiles that the config knows.
func (c Config) profiles() (profiles.Known, error) {
	if c.known != nil {
		return *c.known, nil
	}
	return catalog.Profiles(c.OwnProfiles)
}
