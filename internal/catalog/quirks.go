package catalog

import (
	"fmt"
	"slices"
	"sync"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/protocol"
)

// quirkCase is a scenario in which a quirk of a rule is played, before its conversation is read.
type quirkCase struct {
	id    string
	rule  *rules.Rule
	quirk rules.Quirk
}

// quirkCases are those of all rules.
var quirkCases = sync.OnceValue(func() (all []quirkCase) {
	for _, rule := range rulebook.Book() {
		for _, q := range rule.Quirks {
			all = append(all, quirkCase{rule.CaseOf(q), rule, q})
		}
	}
	return all
})

// playedQuirks returns the scenarios in which quirks are played, if their ids are wanted. Each
// conversation is read once.
func playedQuirks(v scenarios.Vocabulary, wanted func(id string) bool) (all []*scenarios.Scenario, err error) {
	read := map[string]*scenarios.Scenario{}
	for _, c := range quirkCases() {
		if !wanted(c.id) {
			continue
		}
		if read[c.quirk.In] == nil {
			if read[c.quirk.In], err = c.conversation(v); err != nil {
				return nil, err
			}
		}
		all = append(all, c.in(read[c.quirk.In]))
	}
	return all, nil
}

func (c quirkCase) conversation(v scenarios.Vocabulary) (*scenarios.Scenario, error) {
	conversation, err := scenarios.Conversation(c.quirk.In, v)
	if err != nil {
		return nil, fmt.Errorf("the quirk %s of the rule %s: %w", c.quirk.Name, c.rule.ID, err)
	}
	return conversation, nil
}

// in returns the scenario: a conversation that says and needs what the rule does. Where a loop only
// has to claim that it counts tokens, the counts can do harm in one that does not.
func (c quirkCase) in(conversation *scenarios.Scenario) *scenarios.Scenario {
	quirk, _ := profiles.QuirkNamed(nil, c.quirk.Name)
	return conversation.With(scenarios.QuirkCase{
		Quirk: c.quirk.Name,
		ID:    c.id,
		Title: "The provider " + quirk.Does,
		Why:   c.rule.Text + " " + c.rule.Why,
		Rules: append([]string{c.rule.ID}, c.quirk.Also...),
		Needs: slices.DeleteFunc(slices.Clone(c.rule.Needs), func(f protocol.Feature) bool { return f == protocol.UsageCounts }),
	})
}
