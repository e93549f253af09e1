package runner

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// narrow has only the rules judged whose specs the flags of Ginkgo select.
func (j *job) narrow(chosen map[int]*chosen, partly bool) {
	if !partly {
		return
	}
	j.plan.Filtered = true
	of := map[string]*selectedRules{}
	expected := map[string]bool{}
	for i, c := range j.plan.Cases {
		of[c.ID()] = &selectedRules{listed: j.plan.listed(c), chosen: chosen[i]}
		for id := range chosen[i].listed {
			expected[id] = true
		}
	}
	j.plan.Expected = slices.DeleteFunc(j.plan.Expected, func(id string) bool { return !expected[id] })
	j.builder.selects = func(caseID, rule string) bool { return of[caseID].has(rule) }
}

// selectedRules are the rules by which one case is judged.
type selectedRules struct {
	listed []string // by its scenario
	chosen *chosen
}

func (s *selectedRules) has(rule string) bool {
	if slices.Contains(s.listed, rule) {
		return s.chosen.listed[rule]
	}
	return s.chosen.invariants
}

// verdict is the last spec: it fails when a must was not tested at all, when not all was played, when the known-failing
// list is out of date, or when the loop broke its protocol.
func (s *shell) verdict() {
	if s.broken == nil && len(s.results) == 0 {
		ginkgo.Fail("no case was played")
	}
	s.conclude()
	var problems []string
	if s.failed != nil {
		problems = append(problems, s.failed.Error())
	}
	if s.report == nil {
		ginkgo.Fail(strings.Join(problems, "\n"))
	}
	if s.report.Stopped != "" {
		problems = append(problems, s.report.Stopped)
	}
	for _, rule := range s.report.With(trace.Untested) {
		if rule.Level == trace.Must && slices.Contains(s.job.plan.Expected, rule.ID) {
			problems = append(problems, fmt.Sprintf("%s is untested: it needs %s", rule.ID, rule.Evidence))
		}
	}
	for _, err := range append(s.judged.Stale, s.judged.Mistaken...) {
		problems = append(problems, err.Error())
	}
	if len(problems) > 0 {
		ginkgo.Fail(strings.Join(problems, "\n"))
	}
}

// conclude makes the report, once.
func (s *shell) conclude() {
	if s.report != nil || s.failed != nil || s.expects == nil {
		return
	}
	s.report, s.failed = s.job.finish()
	if s.report != nil {
		s.judged = s.expects.Judge(s.report, *s.job.plan)
	}
}

// giveUp notes why no case is played, and says so in the files of the report.
func (s *shell) giveUp(c Config, j *job, err error) {
	s.broken = err
	if r := unplayed(c, j, err); r != nil && c.Report != "" {
		if failed := r.WriteDir(c.Report); failed != nil {
			s.broken = errors.Join(err, failed)
		}
	}
}

// end writes the report, and prints it if nothing else does.
func (s *shell) end() {
	if len(s.results) == 0 {
		return
	}
	s.conclude()
	if s.report == nil {
		return
	}
	if dir := s.job.config.Report; dir != "" {
		if err := s.report.WriteDir(dir); err != nil {
			s.failed = errors.Join(s.failed, err)
			ginkgo.Fail(err.Error())
		}
	}
	if s.entry {
		var b bytes.Buffer
		s.write(&b, false)
		ginkgo.AddReportEntry("Loopproof", b.String(), ginkgo.ReportEntryVisibilityAlways)
	}
}

// print writes the report after all specs.
func (s *shell) print(out *output, passed bool) {
	switch {
	case s.report != nil:
		s.write(out.w, out.colour)
	case s.broken != nil:
		fmt.Fprintf(out.w, "Loopproof: nothing was judged: %v\n", s.broken)
	case !passed && len(s.results) == 0:
		fmt.Fprintf(out.w, "Loopproof: nothing was judged: the flags -ginkgo.focus, -ginkgo.skip and -ginkgo.label-filter select no spec.\n"+
			"A spec has the title and the id of its case, as in -ginkgo.focus='pairing/single-call@chat/openai/sse',\n"+
			"and labels such as area:pairing, rule:pairing.every-call-answered, level:must, profile:openai, delivery:sse.\n")
	}
}

func (s *shell) write(w io.Writer, colour bool) {
	console := report.Console{Colour: colour}
	list := s.job.config.KnownFailing
	if list != "" {
		console.Expected = s.judged.Covers
		if s.judged.Clean() && s.report.Result == report.NotConformant {
			console.Note = "all failures are on the list " + list
		}
	}
	console.WriteFailures(w, s.report)
	console.WriteSummary(w, s.report)
	if list != "" {
		s.judged.tell(w, list)
	}
	if dir := s.job.config.Report; dir != "" {
		fmt.Fprintf(w, "%11s  %s\n", "report", dir)
	}
	console.WriteResult(w, s.report)
}

// tell says what a list made of the failures.
func (j *Judged) tell(w io.Writer, list string) {
	fmt.Fprintf(w, "%11s  %d failures are on the list %s, %d unexpected\n", "known", len(j.Expected), list, len(j.Unexpected))
	for _, err := range j.Mistaken {
		fmt.Fprintf(w, "%11s  %v\n", "mistaken", err)
	}
	for _, err := range j.Stale {
		fmt.Fprintf(w, "%11s  %v\n", "stale", err)
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
