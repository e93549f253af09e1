package main

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/lab/internal/matrix"
)

// A stand-in for the command: it reports what it finds in the folder of the adapter, as the real
// one would.
const standIn = `#!/bin/sh
echo "$@" > args
for word; do
  [ "$before" = --report ] && reports=$word
  before=$word
  last=$word
done
[ "$last" = broken ] && echo "it fell over" && exit 2
[ "$last" = silent ] && exit 0
cp report.json "$reports/report.json"
[ "$last" = new ] && exit 1
exit 0
`

const smallReport = `{"schema":"loopproof.report/1","version":"0.1.0","seed":41,"result":"not-conformant","started":"2026-11-21T20:00:00Z","duration_ms":1,
"loop":{"name":"l","version":"1.2.3","language":"go"},"claims":{"dialects":["chat"],"features":["streaming","executions"],"unclaimed":[]},"passed":[["retry/bounded"]],
"cases":[{"id":"a/b@chat/openai/json","scenario":"a/b","dialect":"chat","profile":"openai","delivery":"json","duration_ms":1,"verdicts":{"retry/told-not-to":"failed"},"passed":0,
"findings":[{"rule":"retry/told-not-to","level":"must","message":"it asks again"}],"reproduce":"loopproof run --case a/b@chat/openai/json --seed 41 -- l"}],
"rules":[{"id":"retry/told-not-to","level":"must","verdict":"failed","cases":1,"failed":1,"text":"","why":"","evidence":"","sources":[]},
{"id":"retry/bounded","level":"must","verdict":"passed","cases":1,"failed":0,"text":"","why":"","evidence":"","sources":[]}]}`

// inFolder changes into a folder where the stand-in is the command.
func inFolder(t *testing.T) *player {
	t.Helper()
	t.Chdir(t.TempDir())
	for file, text := range map[string]string{"loopproof": standIn, "report.json": smallReport} {
		if err := os.WriteFile(file, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return &player{options: options{reports: "reports", archive: "archive"}, loopproof: "./loopproof", commit: "abc1234", out: &strings.Builder{}}
}

// fetched is a loop that needs no set-up.
func fetched(name, checkout string) *matrix.Loop {
	return named(name, matrix.LoopFile{Title: name, Adapter: "lab/adapters/node/" + name, Checkout: checkout})
}

func TestFaultsDoNotStopTheOthers(t *testing.T) {
	p := inFolder(t)
	for _, folder := range []string{"good", "broken", "silent", "new"} {
		if err := os.Mkdir(folder, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	loops := []*matrix.Loop{fetched("a", "nowhere"), fetched("b", "broken"), fetched("c", "silent"), fetched("d", "new"), fetched("e", "good")}
	faults, err := p.playAll(context.Background(), loops)
	if err != nil || faults != 3 {
		t.Errorf("%d faults, %v", faults, err)
	}
	said := p.out.(*strings.Builder).String()
	for _, want := range []string{
		"[1/5] a\n      FAILED: there is no checkout of it at nowhere",
		"[2/5] b\n", "exit status 2; its last words, more in reports/b/run.log:\n        it fell over\n",
		"[3/5] c\n", "it wrote no report",
		"[4/5] d\n", "[5/5] e\n", "      1 case, 1 must and 0 shoulds broken in ",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("it did not say %q, but:\n%s", want, said)
		}
	}
	for _, l := range loops {
		_, err := os.Stat(path.Join(l.Folder, "1.2.3.yaml"))
		if want := l.Name == "d" || l.Name == "e"; want != (err == nil) {
			t.Errorf("%s: its result: %v", l.Name, err)
		}
	}
}

func TestFailedSetUpIsTold(t *testing.T) {
	p := inFolder(t)
	err := p.play(t.Context(), named("l", matrix.LoopFile{Adapter: "lab/adapters/go/nowhere"}))
	if err == nil || !strings.Contains(err.Error(), "go build -C lab/adapters/go/nowhere -o nowhere .") || !strings.Contains(err.Error(), "setup-1.log") {
		t.Error(err)
	}
}

func TestOldReportIsNotTakenForNew(t *testing.T) {
	p := inFolder(t)
	if err := os.MkdirAll(filepath.Join("reports", "l"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("reports/l/report.json", []byte(smallReport), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("silent", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := p.play(t.Context(), fetched("l", "silent")); err == nil {
		t.Error("it took the report of an earlier run")
	}
}

func TestInterruptedRunIsNoResult(t *testing.T) {
	p := inFolder(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.playAll(ctx, []*matrix.Loop{fetched("l", ".")}); err == nil {
		t.Error("nobody was told")
	}
}

func TestResultIsKept(t *testing.T) {
	p := inFolder(t)
	l := fetched("l", ".")
	if err := p.play(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	const description = "loopproof: 1\ntitle: L\ncommand: loopproof run -- l\nverdicts: {retry/told-not-to: {verdict: a bug}}\n"
	if err := os.WriteFile("lab/results/l/loop.yaml", []byte(description), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := matrix.LoadLoop("lab/results/l", "archive")
	if err != nil {
		t.Fatal(err)
	}
	v := got.Versions[0]
	if !v.Archived || v.Loop.Version != "1.2.3" || v.Result.JudgedBy.Commit != "abc1234" || v.Result.Summary() != "1 case, 1 must and 0 shoulds broken" {
		t.Errorf("%v: %+v", v.Archived, v.Result)
	}
}

func TestCommandThatPlays(t *testing.T) {
	p := &player{loopproof: "r/loopproof", options: options{workers: 2}}
	l := named("l", matrix.LoopFile{Adapter: "lab/adapters/python/l", KnownFailing: "known-failing.yaml", Timeout: 60e9})
	want := "r/loopproof run --report r/l --known-failing lab/adapters/python/l/known-failing.yaml --update --workers 2 --timeout 1m0s " +
		"-- lab/adapters/python/l/.venv/bin/python lab/adapters/python/l/adapter.py"
	if diff := cmp.Diff(want, strings.Join(p.run(l, "r/l"), " ")); diff != "" {
		t.Error(diff)
	}
	l.KnownFailing, l.Timeout, p.workers = "", 0, 0
	want = "r/loopproof run --report r/l -- lab/adapters/python/l/.venv/bin/python lab/adapters/python/l/adapter.py"
	if diff := cmp.Diff(want, strings.Join(p.run(l, "r/l"), " ")); diff != "" {
		t.Error(diff)
	}
}

func TestCommandThatPlaysAnAgent(t *testing.T) {
	p := &player{loopproof: "r/loopproof"}
	l := named("l", matrix.LoopFile{Agent: "a", KnownFailing: "l.yaml", Timeout: 60e9})
	got := strings.Join(p.run(l, "r/l"), " ")
	want := " r/loopproof run --report r/l --known-failing agents/known-failing/l.yaml --update --timeout 1m0s --runner agent --agent a"
	if !strings.HasSuffix(got, want) || !strings.Contains(got, "/loopproof-report/agents/bin") {
		t.Errorf("%s", got)
	}
}
