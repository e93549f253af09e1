package runner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/conformance"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// selectLevels keeps the cases in which something counts for one of some levels of conformance. No
// levels are all of them.
func (p *Plan) selectLevels(levels []string) error {
	if len(levels) == 0 {
		return nil
	}
	all := conformance.Levels()
	for _, level := range levels {
		if !slices.Contains(all, level) {
			return fmt.Errorf("there is no level %s%s; there are %s", level, suggest.Hint(level, all), strings.Join(all, ", "))
		}
	}
	p.levels = slices.DeleteFunc(all, func(level string) bool { return !slices.Contains(levels, level) })
	p.Cases = slices.DeleteFunc(p.Cases, func(c trace.Case) bool { return p.above(levelOf("", c)) })
	if len(p.Cases) == 0 {
		return fmt.Errorf("nothing is selected: this loop claims nothing that counts for %s", strings.Join(p.levels, " or "))
	}
	return nil
}

// above reports whether a level is higher than all that are selected.
func (p *Plan) above(level string) bool {
	if p.levels == nil {
		return false
	}
	highest := p.levels[len(p.levels)-1]
	return conformance.Higher(level, highest) != highest
}

// levelOf returns the level for which the verdict on a rule counts in a case.
func levelOf(rule string, c trace.Case) string {
	return conformance.Of(rule, c.Scenario, c.Delivery != wire.DeliverJSON)
}

// judges reports whether a rule is selected in a case.
func (p *Plan) judges(rule *rules.Rule, c trace.Case) bool {
	return (p.rules == nil || p.rules[rule.ID]) && (p.levels == nil || slices.Contains(p.levels, levelOf(rule.ID, c)))
}
