package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/conformance"
	"github.com/loopproof/loopproof/internal/textlayout"
)

// WriteJUnit writes the report as JUnit XML: a suite for each area of scenarios, and in it a test
// for each case, which fails when the loop breaks a must in it, or in a strict report a should.
// Other findings are the output of the test. The suite rules has a test for each must without
// evidence, and one for each feature that is not claimed.
func (r *Report) WriteJUnit(w io.Writer) error {
	j := junit{report: r, suites: map[string]*junitSuite{}, examples: r.examples()}
	for i := range r.Cases {
		j.addCase(&r.Cases[i])
	}
	if len(r.Cases) > 0 {
		j.addUntested()
		j.addUnclaimed()
	}
	if r.Stopped != "" {
		test := junitTest{Name: "all cases are played", Classname: "loopproof", Status: "stopped"}
		test.Error = &junitProblem{Message: r.Stopped, Type: "stopped", Text: strings.Join(r.Notes, "\n")}
		j.add("loopproof", test)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", " ")
	return e.Encode(j.document())
}

// junit builds the document.
type junit struct {
	report   *Report
	suites   map[string]*junitSuite
	examples map[string]example // by rule; its case is the one in which it is described at length
}

// examples returns, for each broken rule, the case by which it is described.
func (r *Report) examples() map[string]example {
	all := map[string]example{}
	for _, rule := range r.With(Failed) {
		if e, ok := r.example(rule, nil); ok {
			all[rule.ID] = e
		}
	}
	return all
}

func (j *junit) addCase(c *Case) {
	test := junitTest{Name: c.ID, Classname: c.Scenario, Status: string(Passed), Time: seconds(c.DurationMS)}
	var failed, told []string
	first := ""
	for _, rule := range c.BrokenRules() {
		switch {
		case c.Because(rule) != "":
			told = append(told, "broken as a result of another rule, and not counted: "+c.Brief(rule))
		case !j.report.fatal(c.LevelOf(rule)):
			told = append(told, "broken, but not a failure: "+c.Brief(rule))
		default:
			first = cmp.Or(first, c.Brief(rule))
			failed = append(failed, j.describe(c, rule))
		}
	}
	if len(failed) > 0 {
		test.Status = string(Failed)
		test.Failure = &junitProblem{Message: first, Type: string(Failed), Text: strings.Join(failed, "\n")}
		if more := len(failed) - 1; more > 0 {
			test.Failure.Message += fmt.Sprintf(", and %s more", textlayout.Count(more, "rule"))
		}
	}
	test.Output = strings.Join(told, "\n")
	j.add(conformance.Area(c.Scenario), test)
}

// describe describes a broken rule: in full in one case, and in all others by one line that refers
// to that case.
func (j *junit) describe(c *Case, rule string) string {
	e, described := j.examples[rule]
	if !described { // the list of rules says otherwise than the case
		return c.Brief(rule) + "\n"
	}
	if e.of != c {
		return fmt.Sprintf("%s\n  as in %s\n", c.Brief(rule), e.of.ID)
	}
	alone := example{rule: e.rule, of: c, finding: e.finding, also: strings.Join(c.following(rule), ", ")}
	alone.rule.Level = e.finding.Level
	return Console{}.failure(alone, true, true)
}

func (j *junit) addUntested() {
	for _, rule := range j.report.With(Untested) {
		test := junitTest{Name: rule.ID, Classname: rule.ID, Status: string(rule.Verdict)}
		why := fmt.Sprintf("untested: needs %s", rule.Evidence)
		if j.report.fatal(rule.Level) {
			test.Failure = &junitProblem{Message: why, Type: string(Untested)}
		} else {
			test.Skipped = &junitProblem{Message: why}
		}
		j.add("rules", test)
	}
}

// addUnclaimed adds a skipped test for each feature that the loop does not claim.
func (j *junit) addUnclaimed() {
	for _, f := range j.report.Claims.Unclaimed {
		n := 0
		for _, rule := range j.report.With(Unclaimed) {
			if slices.Contains(rule.Needs, f) {
				n++
			}
		}
		test := junitTest{Name: "the feature " + string(f), Classname: "claims", Status: string(Unclaimed)}
		test.Skipped = &junitProblem{Message: "not claimed"}
		if n > 0 {
			test.Skipped.Message += ": " + notJudgedCount(n)
		}
		j.add("rules", test)
	}
}

func (j *junit) add(name string, test junitTest) {
	s := j.suites[name]
	if s == nil {
		s = &junitSuite{Name: name, Package: "loopproof", Timestamp: j.report.Started.Format("2006-01-02T15:04:05")}
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
	s.Time = math.Round((s.Time+test.Time)*1000) / 1000 // to the millisecond
	s.Cases = append(s.Cases, test)
}

// properties are the results of the levels of conformance. The format has them at suites, so that
// those of the report are at its first one.
func (j *junit) properties() *junitProperties {
	if len(j.report.Levels) == 0 {
		return nil
	}
	p := &junitProperties{}
	for _, l := range j.report.Levels {
		p.All = append(p.All, junitProperty{"level " + l.Level + " in " + l.Dialect, words[l.Result]})
	}
	return p
}

func (j *junit) document() junitSuites {
	d := junitSuites{Time: seconds(j.report.DurationMS)}
	for _, name := range slices.Sorted(maps.Keys(j.suites)) {
		s := j.suites[name]
		d.Tests += s.Tests
		d.Disabled += s.Skipped
		d.Errors += s.Errors
		d.Failures += s.Failures
		d.Suites = append(d.Suites, *s)
	}
	if len(d.Suites) > 0 {
		d.Suites[0].Properties = j.properties()
	}
	return d
}

func seconds(ms int64) float64 { return float64(ms) / 1000 }
