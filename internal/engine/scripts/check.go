package scripts

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
)

// conditional reports whether a scenario says by conditions what it answers.
func conditional(s *scenarios.Scenario) bool { return s.When != nil || !s.Prompted() }

// PlayedUnder reports whether a server plays something of a scenario under a profile: all of a
// conversation, or a step of a script.
func PlayedUnder(s *scenarios.Scenario, p *profiles.Profile) bool {
	if s.Prompted() {
		return s.PlayedUnder(p)
	}
	if !s.ScriptFor(p) {
		return false
	}
	_, lacks := s.ShownUnder(p)
	return len(s.Embeddings) > 0 || len(s.Endpoints) > 0 || len(s.MCPServers) > 0 || len(slices.DeleteFunc(lacks, func(l scenarios.Lack) bool { return l.Key != "" })) < len(s.Model)
}

// Check returns an error if one server cannot play the scenarios, because a request could belong to
// two of them: they begin with the same prompt, or both answer every request. Recordings may begin
// with the same prompt: a request belongs to the one that matches best.
func Check(all []*scenarios.Scenario) error {
	prompts, servers := map[string]*scenarios.Scenario{}, map[string]*scenarios.Scenario{}
	rest := ""
	for _, s := range all {
		for _, m := range s.MCPServers {
			if other := servers[m.Name]; other != nil {
				return fmt.Errorf("the scripts %s and %s both have an MCP server %s: give one another name", other.ID, s.ID, m.Name)
			}
			servers[m.Name] = s
		}
		switch {
		case !conditional(s):
			prompt := s.Prompts[0]
			if other, taken := prompts[prompt]; taken && !(len(other.Facts().Recorded) > 0 && len(s.Facts().Recorded) > 0) {
				return fmt.Errorf("the scenarios %s and %s both begin with the prompt %q, so a request could belong to either: serve one of them, or give them a `when`", other.ID, s.ID, prompt)
			}
			prompts[prompt] = s
		case answersAll(s):
			if rest != "" {
				return fmt.Errorf("the scenarios %s and %s both answer every request that nothing else answers: serve one of them, or give one a `when`", rest, s.ID)
			}
			rest = s.ID
		}
	}
	return nil
}

// answersAll reports whether a scenario answers every request.
func answersAll(s *scenarios.Scenario) bool {
	if s.When.Conditions() > 0 {
		return false
	}
	return s.Prompted() || slices.ContainsFunc(s.Model, func(step scenarios.Step) bool {
		return step.AnswersAll()
	})
}
