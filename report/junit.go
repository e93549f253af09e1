package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/onsi/ginkgo/v2/reporters"

	"github.com/loopproof/loopproof/rules"
)

// WriteJUnit writes the report as JUnit XML: a suite for each area of the rulebook, and in it a test for each rule in
// each case, named after both. A broken should is a skipped test unless the report is strict; a must for which there
// was no evidence is a failed one.
func (r *Report) WriteJUnit(w io.Writer) error {
	j := junit{report: r, suites: map[string]*reporters.JUnitTestSuite{}}
	for i := range r.Cases {
		j.addCase(&r.Cases[i])
	}
	for _, rule := range r.Rules {
		j.addRule(rule)
	}
	if r.Stopped != "" {
		test := reporters.JUnitTestCase{Name: "all cases are played", Classname: "loopproof", Status: "stopped"}
		test.Error = &reporters.JUnitError{Message: r.Stopped, Type: "stopped"}
		j.add("loopproof", test)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", " ")
	return e.Encode(j.document())
}

// junit is the document in the making.
type junit struct {
	report *Report
	suites map[string]*reporters.JUnitTestSuite
}

func (j *junit) addCase(c *Case) {
	areas := map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(c.Verdicts)) {
		test := reporters.JUnitTestCase{
			Name:      id + " " + c.ID,
			Classname: id,
			Status:    string(c.Verdicts[id]),
			Time:      seconds(c.DurationMS), // of the one playing that all rules of the case share
		}
		switch f := c.first(id); {
		case f != nil && j.report.fatal(c.level(f)):
			test.Failure = &reporters.JUnitFailure{Message: f.Message, Type: "failed", Description: Describe(c, id)}
		case f != nil:
			test.Skipped = &reporters.JUnitSkipped{Message: fmt.Sprintf("broken, but only a %s: %s", c.level(f), f.Message)}
		case c.Verdicts[id] != rules.Passed:
			test.Skipped = &reporters.JUnitSkipped{Message: string(c.Verdicts[id])}
		}
		j.add(area(id), test)
		areas[area(id)] = true
	}
	for name := range areas {
		j.suites[name].Time += seconds(c.DurationMS)
	}
}

// addRule adds a test for a rule that was judged in no case.
func (j *junit) addRule(rule Rule) {
	test := reporters.JUnitTestCase{Name: rule.ID, Classname: rule.ID, Status: string(rule.Verdict)}
	why := fmt.Sprintf("%s: needs %s", rule.Verdict, evidence(rule.ID))
	switch {
	case rule.Verdict == rules.Unclaimed:
		test.Skipped = &reporters.JUnitSkipped{Message: "unclaimed"}
	case rule.Verdict != rules.Untested:
		return
	case j.report.fatal(rule.Level):
		test.Failure = &reporters.JUnitFailure{Message: why, Type: "untested"}
	default:
		test.Skipped = &reporters.JUnitSkipped{Message: why}
	}
	j.add(area(rule.ID), test)
}

func (j *junit) add(name string, test reporters.JUnitTestCase) {
	s := j.suites[name]
	if s == nil {
		s = &reporters.JUnitTestSuite{Name: name, Package: "loopproof", Timestamp: j.report.Started.Format("2006-01-02T15:04:05")}
		j.suites[name] = s
	}
	s.Tests++
	switch {
	case test.Failure != nil:
		s.Failures++
	case test.Error != nil:
		s.Errors++
	case test.Skipped != nil:
		s.Skipped++
	}
	s.TestCases = append(s.TestCases, test)
}

func (j *junit) document() reporters.JUnitTestSuites {
	d := reporters.JUnitTestSuites{Time: seconds(j.report.DurationMS)}
	for _, name := range slices.Sorted(maps.Keys(j.suites)) {
		s := j.suites[name]
		d.Tests += s.Tests
		d.Disabled += s.Skipped
		d.Errors += s.Errors
		d.Failures += s.Failures
		d.TestSuites = append(d.TestSuites, *s)
	}
	return d
}

func seconds(ms int64) float64 { return float64(ms) / 1000 }
