package suite

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// failure is a rule broken in a case, or left untested there.
type failure struct {
	Failure
	messages []string // of all its findings
	fatal    bool
	follows  bool // only from the breach of another rule
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

// failures returns all that keeps a loop from being conformant, and what is broken besides: each broken rule in each
// case, and each rule that was left untested, in the cases that should have given its evidence.
func failures(r *report.Report) []*failure {
	levels := untested(r)
	seen := map[string]bool{}
	var all []*failure
	for i := range r.Cases {
		c := &r.Cases[i]
		for _, id := range rules.IDs() {
			switch level, missing := levels[id]; {
			case c.Verdicts[id] == trace.Failed:
				all = append(all, broken(r, c, id))
			case c.Verdicts[id] == trace.Untested && missing:
				seen[id] = true
				all = append(all, without(r, level, id, c.ID))
			}
		}
	}
	for _, rule := range r.Rules {
		if level, missing := levels[rule.ID]; missing && !seen[rule.ID] {
			all = append(all, without(r, level, rule.ID, ""))
		}
	}
	return all
}

// untested returns the levels of the rules that were tested nowhere. What a shard leaves untested another one may test.
func untested(r *report.Report) map[string]trace.Level {
	levels := map[string]trace.Level{}
	if r.Shard != nil {
		return levels
	}
	for _, rule := range r.With(trace.Untested) {
		levels[rule.ID] = rule.Level
	}
	return levels
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

func without(r *report.Report, level trace.Level, rule, caseID string) *failure {
	message := "untested: needs " + rules.Lookup(rule).Evidence
	return &failure{Failure: Failure{Rule: rule, Case: caseID, Message: message}, messages: []string{message}, fatal: fatal(r, level), untested: true}
}

func fatal(r *report.Report, l trace.Level) bool {
	return l == trace.Must || l == trace.Should && r.Strict
}
