package specs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/onsi/ginkgo/v2"

	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/report"
)

// verdict is the last spec: it fails when a must was not tested at all, when not all was played,
// when the known-failing list is out of date, or when the loop broke its protocol.
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
		if rule.Level == trace.Must && s.run.Expects(rule.ID) {
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
	s.report, s.judged, s.failed = s.run.Finish(s.expects)
}

// giveUp notes why no case is played, and says so in the files of the report.
func (s *shell) giveUp(c runner.Config, err error) {
	s.broken = err
	if r := runner.Unplayed(c, s.run, err); r != nil && c.Report != "" {
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
	if dir := s.run.Config().Report; dir != "" {
		if err := s.report.WriteDir(dir); err != nil {
			s.failed = errors.Join(s.failed, err)
			ginkgo.Fail(err.Error())
		}
	}
	if s.entry {
		var b bytes.Buffer
		s.write(&b, false, false)
		ginkgo.AddReportEntry("Loopproof", b.String(), ginkgo.ReportEntryVisibilityAlways)
	}
}

// print writes the report after all specs.
func (s *shell) print(out *output, passed bool) {
	switch {
	case s.report != nil:
		s.write(out.w, out.colour, out.own || out.verbose != nil)
	case s.broken != nil:
		fmt.Fprintf(out.w, "Loopproof: nothing was judged: %v\n", s.broken)
	case !passed && len(s.results) == 0:
		fmt.Fprintf(out.w, "Loopproof: nothing was judged: the flags -ginkgo.focus, -ginkgo.skip and -ginkgo.label-filter select no spec.\n"+
			"A spec has the title and the id of its case, as in -ginkgo.focus='pairing/single-call@chat/openai/sse',\n"+
			"and labels such as area:pairing, rule:pairing.every-call-answered, level:must, profile:openai, delivery:sse.\n")
	}
}

func (s *shell) write(w io.Writer, colour, verbose bool) {
	console := report.Console{Colour: colour, Short: !verbose, More: "go test -v describes each of them, and so does report.html in Config.Report"}
	list := s.run.Config().KnownFailing
	if list != "" {
		console.Expected = s.judged.Covers
		if s.judged.Clean() && s.report.Result == report.NotConformant {
			console.Note = "all failures are on the list " + list
		}
	}
	console.WriteFailures(w, s.report)
	console.WriteSummary(w, s.report)
	if list != "" {
		s.judged.Tell(w, list)
	}
	if dir := s.run.Config().Report; dir != "" {
		fmt.Fprintf(w, "%11s  %s\n", "report", dir)
	}
	console.WriteResult(w, s.report)
}
