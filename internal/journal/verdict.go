package journal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// Verdict says whether the requests of a journal fail the test that made them, and what is wrong
// with them in the words of the command. All helpers for test frameworks print it, so that they
// agree without knowing the rules.
type Verdict struct {
	Sum    Sum
	Broken []report.Rule

	// Failure says in a line why the test fails, or "" if it does not.
	Failure string

	// Message tells all that was found, also what fails no test, or "" if there is nothing.
	Message string
}

// Verdict returns the verdict on all requests.
func (j *Journal) Verdict(version string) (Verdict, error) {
	v, found := Verdict{Sum: j.Sum()}, j.Report(version)
	for _, level := range []trace.Level{trace.Must, trace.Should, trace.Info} {
		v.Broken = append(v.Broken, found.Broken(level)...)
	}
	v.Failure = v.failure()
	var told strings.Builder
	if err := (report.Console{}).WriteFailures(&told, found); err != nil {
		return v, err
	}
	told.WriteString(strings.Join(problems(j.Entries()), "\n"))
	v.Message = strings.TrimRight(told.String(), "\n")
	return v, nil
}

func (v *Verdict) failure() string {
	var why, musts []string
	for _, rule := range v.Broken {
		if rule.Level == trace.Must {
			musts = append(musts, rule.ID)
		}
	}
	if len(musts) > 0 {
		why = append(why, "a real provider refuses what was sent: "+strings.Join(musts, ", "))
	}
	for _, bad := range []struct {
		count int
		what  string
	}{
		{v.Sum.Unreadable, "could not be read as a request to a model"},
		{v.Sum.Unkept, "went on from what the provider does not keep"},
		{v.Sum.Unscripted, "got no answer from the scripts"},
	} {
		if bad.count > 0 {
			why = append(why, textlayout.Count(bad.count, "request")+" "+bad.what)
		}
	}
	return strings.Join(why, "; ")
}

// maxProblems is how many requests are told that got no answer.
const maxProblems = 5

// problems tells of requests that got no answer of the model, each with what was tried to answer
// it. The same request, sent again, is told once.
func problems(entries []Entry) []string {
	var all []string
	again := map[string]int{} // the place of a problem in all
	left := 0
	for _, e := range entries {
		if e.Exchange.Problem == "" {
			continue
		}
		e.Run = "" // it is that of the test
		what := e.problem()
		switch place, known := again[what]; {
		case known && !strings.HasSuffix(all[place], repeatedLine):
			all[place] += repeatedLine
		case known:
		case len(all) == maxProblems:
			left++
		default:
			again[what] = len(all)
			all = append(all, e.heading()+"\n"+what)
		}
	}
	if left > 0 {
		all = append(all, fmt.Sprintf("… and %s more without an answer\n", textlayout.Count(left, "request")))
	}
	return all
}

const repeatedLine = "  The same was asked again later.\n"

// problem says what became of a request that got no answer of the model, and why.
func (e Entry) problem() string {
	got := "  got no answer: "
	switch r := e.Exchange.Refusal; {
	case r != nil && r.Given:
		got = "  was refused; besides, "
	case e.Answer.Status != 0:
		got = fmt.Sprintf("  got a %d: ", e.Answer.Status)
	}
	none := e.Exchange.Unanswered
	if none == nil {
		return got + e.Exchange.Problem + "\n"
	}
	lines := slices.Concat([]string{got + "no script answers it: " + none.Asked}, none.Tried)
	return strings.Join(lines, "\n    ") + "\n  A step without `when` answers what is left.\n"
}
