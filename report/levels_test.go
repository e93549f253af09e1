package report_test

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/report"
)

// leveled is the report of a loop that speaks two wire APIs, and breaks a must in the streams of
// one.
func leveled() *report.Report {
	const kept, broken = "pairing/every-call-answered", "stream/read-whole"
	one := func(dialect, delivery string, verdict report.Verdict, findings ...report.Finding) report.Case {
		return report.Case{
			ID: "pairing/single-call@" + dialect, Scenario: "pairing/single-call", Dialect: dialect, Delivery: delivery,
			Verdicts: map[string]report.Verdict{kept: report.Passed, broken: verdict}, Findings: findings,
		}
	}
	return &report.Report{
		Schema: report.Schema, Loop: report.Loop{Name: "mine"}, Result: report.NotConformant, Claims: report.Claims{Dialects: []string{"chat", "gemini"}},
		Rules: []report.Rule{
			{ID: kept, Level: report.Must, Verdict: report.Passed, Cases: 4},
			{ID: broken, Level: report.Must, Verdict: report.Failed, Cases: 2, Failed: 1},
		},
		Cases: []report.Case{
			one("chat", "json", report.Unclaimed), one("gemini", "json", report.Unclaimed), one("gemini", "sse", report.Passed),
			one("chat", "sse", report.Failed, report.Finding{Rule: broken, Level: report.Must, Message: "half of it is lost"}),
		},
	}
}

func TestLevels(t *testing.T) {
	everywhere := []report.LevelResult{
		{Level: "core", Dialect: "chat", Result: report.Conformant},
		{Level: "core", Dialect: "gemini", Result: report.Conformant},
		{Level: "streaming", Dialect: "chat", Result: report.NotConformant, Broken: []string{"stream/read-whole"}},
		{Level: "streaming", Dialect: "gemini", Result: report.Conformant},
	}
	with := func(at int, change func(*report.LevelResult)) []report.LevelResult {
		all := append([]report.LevelResult{}, everywhere...)
		change(&all[at])
		return all
	}
	fine := func(l *report.LevelResult) { l.Result, l.Broken = report.Conformant, nil }
	for _, c := range []struct {
		name string
		make func(*report.Report)
		want []report.LevelResult
	}{
		{"a must is broken in a stream", func(*report.Report) {}, everywhere},
		{"as a should", func(r *report.Report) { r.Cases[3].Findings[0].Level = report.Should }, with(2, fine)},
		{"as a consequence", func(r *report.Report) { r.Cases[3].Findings[0].Because = "pairing/every-call-answered" }, with(2, fine)},
		{"a must is never tested", func(r *report.Report) {
			r.Rules[1].Verdict, r.Cases[3].Findings = report.Untested, nil
			r.Cases[2].Verdicts["stream/read-whole"], r.Cases[3].Verdicts["stream/read-whole"] = report.Unclaimed, report.Untested
		}, with(2, func(l *report.LevelResult) { l.Untested, l.Broken = l.Broken, nil })},
		{"something is left out", func(r *report.Report) { r.Filtered = true }, nil},
		{"it is a part of a run", func(r *report.Report) { r.Shard = &report.Shard{Index: 1, Of: 2} }, func() (all []report.LevelResult) {
			for _, l := range everywhere {
				if l.Result == report.Conformant {
					l.Result = report.Partial
				}
				all = append(all, l)
			}
			return all
		}()},
		{"nothing but levels is left out", func(r *report.Report) { r.Filtered, r.OnlyLevels = true, []string{"core", "streaming"} }, everywhere},
		{"requests of an application", func(r *report.Report) { r.Requests = true }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := leveled()
			c.make(r)
			r.Complete()
			if diff := cmp.Diff(c.want, r.Levels); diff != "" {
				t.Errorf("the levels differ (-want +got):\n%s", diff)
			}
		})
	}
}

// TestLevelsAreShown: the console, the summary and the badge say which levels are reached.
func TestLevelsAreShown(t *testing.T) {
	r := leveled()
	r.Complete()
	for _, c := range []struct {
		what  string
		write func(io.Writer) error
		want  string
	}{
		{"console", func(w io.Writer) error { return report.Console{}.WriteSummary(w, r) }, "     levels  core conformant\n               streaming     conformant in gemini; not conformant in chat (1 must broken)\n"},
		{"last line", func(w io.Writer) error { return report.Console{}.WriteResult(w, r) }, "NOT CONFORMANT  mine: 1 must is broken; core conformant\n"},
		{"Markdown", r.WriteMarkdown, "| core | conformant in chat, gemini |\n| streaming | conformant in gemini; not conformant in chat (1 must broken) |\n"},
		{"page", r.WriteHTML, `<td class="not-conformant"><span class="cell">✗ 1 must broken</span></td>`},
		{"JUnit", r.WriteJUnit, `<property name="level core in chat" value="conformant"></property>`},
		{"badge", r.WriteBadge, `"message":"core conformant","color":"yellowgreen"`},
	} {
		if got := written(t, c.write); !strings.Contains(got, c.want) {
			t.Errorf("%s: want %q in\n%s", c.what, c.want, got)
		}
	}
	r.Cases[3].Findings, r.Cases[3].Verdicts, r.Rules[1].Verdict, r.Rules[1].Failed = nil, r.Cases[0].Verdicts, report.Passed, 0
	r.Result, r.Filtered, r.OnlyLevels = report.Partial, true, []string{"core"}
	r.Complete()
	if got := written(t, func(w io.Writer) error { return report.Console{}.WriteResult(w, r) }); got != "\nCORE CONFORMANT  mine: all 2 rules kept in 4 cases\n" {
		t.Errorf("of a level alone: %q", got)
	}
	var badge struct{ Message string }
	if err := json.Unmarshal([]byte(written(t, r.WriteBadge)), &badge); err != nil || !strings.Contains(badge.Message, "conformant") {
		t.Errorf("the badge says %q (%v)", badge.Message, err)
	}
}
