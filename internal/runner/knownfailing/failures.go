package knownfailing

import (
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// failure is a rule broken in a case, or left untested there.
type failure struct {
	Failure
	messages []string // of all its findings
	fatal    bool
	follows  bool // only from the violation of another rule
	untested bool
	expected bool
}

// otherThan returns the first message that does not begin as expected, or "".
func (f *failure) otherThan(prefix string) string {
	for _, m := range f.messages {
		if !begins(m, prefix) {
			return m
		}
	}
	return ""
}

// failures returns all that keeps a loop from being conformant, and what is broken besides: each
// broken rule in each case, and each rule that was left untested, in the cases that should have
// given its evidence.
func failures(r *report.Report) []*failure {
	var untested []report.Rule
	if r.Shard == nil { // what a shard leaves untested another one may test
		untested = r.With(trace.Untested)
	}
	seen := map[string]bool{}
	var all []*failure
	for i := range r.Cases {
		c := &r.Cases[i]
		for _, id := range c.BrokenRules() {
			all = append(all, broken(r, c, id))
		}
		for _, rule := range untested {
			if c.Verdicts[rule.ID] == trace.Untested {
				seen[rule.ID] = true
				all = append(all, without(r, rule, c.ID))
			}
		}
	}
	for _, rule := range untested {
		if !seen[rule.ID] {
			all = append(all, without(r, rule, ""))
		}
	}
	return all
}

func broken(r *report.Report, c *report.Case, rule string) *failure {
	f := &failure{Failure: Failure{Rule: rule, Case: c.ID}}
	for _, found := range c.Findings {
		if found.Rule == rule {
			f.messages = append(f.messages, found.Message)
		}
	}
	if len(f.messages) > 0 {
		f.Message = f.messages[0]
	}
	f.follows = c.Because(rule) != "" // and then its cause counts
	f.fatal = fatal(r, c.LevelOf(rule)) && !f.follows
	return f
}

func without(r *report.Report, rule report.Rule, caseID string) *failure {
	message := "untested: needs " + rule.Evidence
	return &failure{Failure: Failure{Rule: rule.ID, Case: caseID, Message: message}, messages: []string{message}, fatal: fatal(r, rule.Level), untested: true}
}

func fatal(r *report.Report, l trace.Level) bool {
	return l == trace.Must || l == trace.Should && r.Strict
}
