package runner

import (
	"slices"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// consequences remembers which violations of plain deliveries only follow from others. In odd
// deliveries the rules about whole runs are not judged, so that the cause of the same violation at
// the same place is not found again there.
type consequences map[violationPlace]string

// violationPlace is a place where a rule is broken, in whichever delivery.
type violationPlace struct {
	scenario, dialect, profile, rule, pointer string
	request                                   int
}

// explain notes what only follows from what. It is asked about the plain deliveries of a scenario
// first, since those are played first.
func (known consequences) explain(c trace.Case, judgements []rules.Judgement) {
	if !slices.ContainsFunc(judgements, func(j rules.Judgement) bool { return len(j.Findings) > 0 }) {
		return
	}
	rulebook.Explain(judgements)
	judged := map[string]bool{}
	for _, j := range judgements {
		judged[j.Rule.ID] = true
	}
	plain := c.Delivery.Ordinary()
	for _, j := range judgements {
		for i := range j.Findings {
			f := &j.Findings[i]
			at := violationPlace{c.Scenario, c.Dialect, c.Profile, j.Rule.ID, f.Pointer, f.Request}
			switch {
			case f.Request == 0:
			case plain && f.Because != "":
				known[at] = f.Because
			case !plain && f.Because == "" && !judged[known[at]]:
				f.Because = known[at]
			}
		}
	}
}
