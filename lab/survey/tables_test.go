package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

var aResult = result{
	Version: "1.2.3", Commit: "abc1234", Date: "2026-11-21", Cases: 7, Features: []protocol.Feature{"streaming", "usage"},
	Failed: []failed{{"failure/cut-stream-reported", "must", 2, 5, false}, {"stream/idle-events", "should", 1, 3, false}},
}

func TestResultOfAReport(t *testing.T) {
	r := &report.Report{
		Claims: report.Claims{Features: []protocol.Feature{protocol.UsageCounts, protocol.Executions}},
		Rules: []report.Rule{
			{ID: "a/should", Level: trace.Should, Verdict: trace.Failed, Cases: 4, Failed: 1},
			{ID: "a/passed", Level: trace.Must, Verdict: trace.Passed, Cases: 4},
			{ID: "a/must", Level: trace.Must, Verdict: trace.Failed, Cases: 9, Failed: 3},
			{ID: "a/info", Level: trace.Info, Verdict: trace.Failed, Cases: 9, Failed: 9},
			{ID: "a/untested", Level: trace.Should, Verdict: trace.Untested},
			{ID: "a/told", Level: trace.Info, Verdict: trace.Untested},
			{ID: "a/unclaimed", Level: trace.Must, Verdict: trace.Unclaimed},
		},
	}
	got := resultOf(r, "abc1234", nil)
	if diff := cmp.Diff([]failed{{"a/must", trace.Must, 3, 9, false}, {"a/should", trace.Should, 1, 4, false}}, got.Failed); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a/untested"}, got.Untested); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]protocol.Feature{protocol.UsageCounts}, got.Features); diff != "" {
		t.Error(diff)
	}
	if got.broken(trace.Must) != 1 || got.broken(trace.Should) != 1 {
		t.Errorf("%d musts, %d shoulds", got.broken(trace.Must), got.broken(trace.Should))
	}
}

func TestIndexTable(t *testing.T) {
	loops := []loop{{Name: "b", Title: "Loop B"}, {Name: "a", Title: "Loop A"}}
	got := indexTable("loop", loops, map[string]result{"a": aResult, "b": {Version: "2", Date: "2026-11-20", Commit: "def"}})
	want := `| loop | version | cases | musts failed | shoulds failed | played | at the commit |
|---|---|---|---|---|---|---|
| [Loop B](findings/b.md) | 2 | 0 | 0 | 0 | 2026-11-20 | def |
| [Loop A](findings/a.md) | 1.2.3 | 7 | 1 | 1 | 2026-11-21 | abc1234 |
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPageKeepsVerdicts(t *testing.T) {
	const head = "Version 1.2.3. It claims streaming and usage. 7 cases, 1 must and 1 should broken, played on 2026-11-21 at the commit abc1234.\n"
	const table = "\n| rule | level | cases | verdict |\n|---|---|---|---|\n"
	const idle = "| [stream/idle-events](../rules.md#streamidle-events) | should | 1 of 3 |"
	const cut = "| [failure/cut-stream-reported](../rules.md#failurecut-stream-reported) | must | 2 of 5 |"
	for name, c := range map[string]struct {
		old, want string
		unseen    []string
	}{
		"kept": {
			cut + " [a bug](#x) |\n" + idle + " theirs |\n", head + table + cut + " [a bug](#x) |\n" + idle + " theirs |\n", nil,
		},
		"other numbers, another level": {
			strings.Replace(cut, "must | 2 of 5", "should | 4 of 4", 1) + " [a bug](#x) |\n" + idle + " theirs |\n",
			head + table + cut + " [a bug](#x) |\n" + idle + " theirs |\n", nil,
		},
		"of several rules in a row": {
			"| [stream/idle-events](../rules.md#x), [failure/cut-stream-reported](../rules.md#y) | should | 1 of 3, 1 of 1 | [odd](o.md) |\n",
			head + table + cut + " [odd](o.md) |\n" + idle + " [odd](o.md) |\n", nil,
		},
		"new": {
			cut + " [a bug](#x) |\n", head + table + cut + " [a bug](#x) |\n" + idle + "  |\n",
			[]string{"l: stream/idle-events (should) has no verdict in docs/findings/l.md"},
		},
		"still without": {
			cut + " [a bug](#x) |\n" + idle + "  |\n", head + table + cut + " [a bug](#x) |\n" + idle + "  |\n",
			[]string{"l: stream/idle-events (should) has no verdict in docs/findings/l.md"},
		},
		"broken no more": {
			"| [retry/told-not-to](../rules.md#x) | must | 1 of 3 | theirs |\n" + cut + " a |\n" + idle + " b |\n",
			head + table + cut + " a |\n" + idle + " b |\n", nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, unseen := pagePart(loop{Name: "l"}, aResult, c.old)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.unseen, unseen); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPageOfALoopThatBreaksNothing(t *testing.T) {
	got, unseen := pagePart(loop{Name: "l"}, result{Version: "1", Date: "d", Commit: "c", Cases: 1, Features: []protocol.Feature{"usage"},
		Untested: []string{"a/b", "c/d"}}, "")
	want := "Version 1. It claims usage. 1 case, 0 musts and 0 shoulds broken, played on d at the commit c.\n" +
		"\nUntested for lack of evidence: [a/b](../rules.md#ab), [c/d](../rules.md#cd).\n"
	if diff := cmp.Diff(want, got); diff != "" || len(unseen) > 0 {
		t.Error(diff, unseen)
	}
}

func TestMarks(t *testing.T) {
	text := "before\n" + markBegin("x") + "old\n" + markEnd("x") + "behind\n" + markBegin("y") + "kept\n" + markEnd("y")
	got, err := replaced("f.md", text, "x", "new\n")
	if err != nil || got != strings.Replace(text, "old", "new", 1) {
		t.Error(err, got)
	}
	for name, text := range map[string]string{
		"neither": "text\n", "no end": markBegin("x") + "old\n", "no beginning": "old\n" + markEnd("x"), "the wrong way round": markEnd("x") + markBegin("x"),
	} {
		if _, err := replaced("f.md", text, "x", "new\n"); err == nil || !strings.Contains(err.Error(), "f.md: expected a part between") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
