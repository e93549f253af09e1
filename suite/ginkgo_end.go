package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"

	"github.com/loopproof/loopproof/report"
	"github.com/loopproof/loopproof/rules"
)

// end is the last spec: it writes the reports, and fails when a must was not tested at all, when the known-failing list
// is out of date, or when the loop broke its protocol. When only some of the specs ran, it judges what did.
func (s *shell) end() {
	if s.broken != nil {
		ginkgo.Fail(s.broken.Error())
	}
	if len(s.results) == 0 {
		ginkgo.Fail("no case was played")
	}
	r, err := s.game.finish()
	if r != nil && s.game.config.Report != "" {
		if failed := r.WriteDir(s.game.config.Report); failed != nil {
			ginkgo.Fail(failed.Error())
		}
	}
	if err != nil {
		ginkgo.Fail(err.Error())
	}
	if len(s.results) < len(s.game.plan.Cases) {
		return
	}
	var problems []string
	for _, rule := range r.With(rules.Untested) {
		if rule.Level == rules.Must && slices.Contains(s.game.plan.Expected, rule.ID) {
			problems = append(problems, fmt.Sprintf("%s is untested: there was no evidence in any case: %s", rule.ID, rules.Lookup(rule.ID).Evidence))
		}
	}
	judged := s.expects.Judge(r, *s.game.plan)
	for _, stale := range append(judged.Stale, judged.Mistaken...) {
		problems = append(problems, stale.Error())
	}
	if len(problems) > 0 {
		ginkgo.Fail(strings.Join(problems, "\n"))
	}
}

// reason returns why a failure is expected, and false when it is not.
func (e *Expectations) reason(c *report.Case, rule string) (string, bool) {
	for _, entry := range e.Entries {
		if entry.Rule == rule && matches([]string{entry.Case}, c.ID) && entry.fits(c) {
			return entry.Reason, true
		}
	}
	return "", false
}

// fits reports whether all findings of the entry's rule in a case have its message.
func (e *Expectation) fits(c *report.Case) bool {
	return !slices.ContainsFunc(c.Findings, func(f report.Finding) bool {
		return f.Rule == e.Rule && !strings.HasPrefix(f.Message, e.Message)
	})
}
