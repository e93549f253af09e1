package runner

import (
	"cmp"
	"errors"
	"strings"

	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// unstarted is why a loop could not be asked who it is.
type unstarted struct{ error }

func (u unstarted) Unwrap() error { return u.error }

// unplayed returns the report of a loop of which no case was played: it says why, and nothing else.
// It is nil for an error that is not the loop's, such as a selection that matches nothing.
func unplayed(c Config, j *job, err error) *report.Report {
	var preflight *loops.PreflightError
	switch {
	case j != nil && errors.As(err, &preflight):
	case j == nil && errors.As(err, new(unstarted)):
		c, _ = c.withDefaults()
		j = &job{builder: newBuilder(c, &Plan{Hello: protocol.Hello{Name: cmp.Or(c.Name, "the loop"), Dialects: []string{}}})}
	default:
		return nil
	}
	r := j.builder.report(0, "")
	r.Result, r.Rules, r.Cases = report.NotConformant, []report.Rule{}, []report.Case{}
	problem, note, _ := strings.Cut(err.Error(), "\n")
	r.Stopped = problem
	for line := range strings.Lines(note) {
		r.Notes = append(r.Notes, strings.TrimSpace(line))
	}
	return r
}
