package matrix_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/lab/internal/matrix"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// The rules that the loop of the tests breaks.
const (
	brokenMust   = "pairing/every-call-answered"
	brokenShould = "egress/no-private-fields"
)

// complete is the report of a loop that claims little, with all cases that this implies. It breaks
// a must in one case.
func complete(t *testing.T) *report.Report {
	t.Helper()
	r := &report.Report{
		Schema: report.Schema, Version: loopproof.Version, Rulebook: catalog.Fingerprint(), Seed: 41,
		Started: time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC), Result: report.NotConformant,
		Loop: report.Loop{Name: "Acme loop", Version: "1.2.3", Language: "go"},
		Claims: report.Claims{
			Dialects: []string{"chat"}, Features: []protocol.Feature{protocol.Executions}, Unclaimed: []protocol.Feature{protocol.Streaming},
			Profiles: []string{"mistral"}, Deliveries: []string{"json"},
		},
	}
	plan := planOnce(r.Claims)
	for _, c := range plan.Cases {
		r.Cases = append(r.Cases, report.Case{
			ID: c.ID(), Scenario: c.Scenario, Dialect: c.Dialect, Profile: c.Profile, Delivery: string(c.Delivery),
			Verdicts: map[string]trace.Verdict{}, Findings: []report.Finding{},
		})
	}
	for _, id := range plan.Expected {
		rule := rulebook.Lookup(id)
		r.Rules = append(r.Rules, report.Rule{ID: id, Level: rule.Level, Verdict: trace.Passed, Cases: 1, Description: report.Description{Text: rule.Text, Sources: []report.Source{}}})
		r.Cases[0].Verdicts[id] = trace.Passed
	}
	breaks(r, 1, brokenMust)
	return r
}

var planned struct {
	sync.Once
	*runner.Plan
}

// planOnce returns the plan of the loop, which is the same in all tests.
func planOnce(claims report.Claims) *runner.Plan {
	planned.Do(func() {
		var err error
		if planned.Plan, err = runner.Planned(claims, true); err != nil {
			panic(err)
		}
	})
	return planned.Plan
}

// breaks has a case of a report break a rule.
func breaks(r *report.Report, at int, id string) {
	c := &r.Cases[at]
	for i := range r.Rules {
		if rule := &r.Rules[i]; rule.ID == id {
			rule.Verdict, rule.Cases, rule.Failed = trace.Failed, rule.Cases+1, rule.Failed+1
			c.Findings = append(c.Findings, report.Finding{Rule: id, Level: rule.Level, Message: "a call without an answer", Request: 2, Pointer: "/messages/1"})
		}
	}
	c.Verdicts[id] = trace.Failed
	c.Reproduce = fmt.Sprintf("loopproof run --case %s --seed %d -- ./acme", c.ID, r.Seed)
	c.Trace = &report.Trace{Ending: "reported", Requests: []report.TracedRequest{{Number: 1, Method: "POST", Target: "/v1", Headers: map[string]string{}}}, Tools: []report.TracedTool{}}
}

const loopFile = `loopproof: 1
title: Acme
command: loopproof run -- ./acme
findings:
  it-forgets: {title: It forgets, text: It does., upstream: ["https://example.com/issues/1"]}
verdicts:
  pairing/every-call-answered: {verdict: a bug, findings: [it-forgets]}
`

// folder writes the folder of a loop, and beside it an archive with its reports.
func folder(t *testing.T, name, description string, reports ...*report.Report) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	for _, r := range reports {
		if _, err := matrix.Store(r, dir, "abc1234"); err != nil {
			t.Fatal(err)
		}
		if _, err := matrix.Archive(r, archiveOf(dir), name); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, matrix.LoopFileName), description)
	return dir
}

func archiveOf(folder string) string { return filepath.Dir(folder) + "-archive" }

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func jsonOf(t *testing.T, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// contains checks that an error says something.
func contains(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case err == nil && want != "":
		t.Errorf("there is no error, want %q", want)
	case err != nil && want == "":
		t.Error(err)
	case err != nil && !strings.Contains(err.Error(), want):
		t.Errorf("the error is\n%v\nwant %q", err, want)
	}
}

func TestVerify(t *testing.T) {
	at := func(r *report.Report, id string) *report.Rule {
		for i := range r.Rules {
			if r.Rules[i].ID == id {
				return &r.Rules[i]
			}
		}
		t.Fatal("no rule", id)
		return nil
	}
	for want, change := range map[string]func(*report.Report){
		"":            func(*report.Report) {},
		"/requests: ": func(r *report.Report) { r.Requests = true },
		"/shard: it is of shard 2 of 3: merge": func(r *report.Report) {
			r.Shard = &report.Shard{Index: 2, Of: 3}
		},
		"/stopped: not all cases were played: it hung":                          func(r *report.Report) { r.Stopped = "it hung" },
		"/filtered: a selection":                                                func(r *report.Report) { r.Filtered = true },
		"/loop/version: it is empty":                                            func(r *report.Report) { r.Loop.Version = " " },
		"/seed: it is 0":                                                        func(r *report.Report) { r.Seed = 0 },
		"/claims/dialects: the loop claims none":                                func(r *report.Report) { r.Claims.Dialects = nil },
		"/result: it is conformant, and 1 rules":                                func(r *report.Report) { r.Result = report.Conformant },
		"/verdict: pairing/every-call-answered is passed, and failed in 1 of 2": func(r *report.Report) { at(r, brokenMust).Verdict = trace.Passed },
		"/failed: pairing/every-call-answered says 2, and the cases of the report say 1": func(r *report.Report) {
			at(r, brokenMust).Failed = 2
		},
		"which cannot be":                                 func(r *report.Report) { at(r, brokenMust).Failed = 3 },
		"/rules/1/id: the rule ":                          func(r *report.Report) { r.Rules[1].ID = r.Rules[0].ID },
		"there is no rule pairing/nothing":                func(r *report.Report) { r.Rules[2].ID = "pairing/nothing" },
		"is missing, for which the claims imply evidence": func(r *report.Report) { r.Rules = r.Rules[:len(r.Rules)-1] },
		"/cases/3/id: the case ":                          func(r *report.Report) { r.Cases[3].ID = r.Cases[2].ID },
		"/cases/4/id: ":                                   func(r *report.Report) { r.Cases[4].Profile = "openai" },
		"cases were played, and the claims imply":         func(r *report.Report) { r.Cases = r.Cases[:len(r.Cases)-1] },
		"/cases/2/id: own/thing@chat/mistral/json is not among": func(r *report.Report) {
			r.Cases[2].ID, r.Cases[2].Scenario = "own/thing@chat/mistral/json", "own/thing"
		},
		"/cases/1/reproduce: it does not play": func(r *report.Report) { r.Seed = 42 },
		"/cases/1/reproduce: it is missing":    func(r *report.Report) { r.Cases[1].Reproduce = "" },
		"/claims: nothing can be played":       func(r *report.Report) { r.Claims.Profiles = []string{"no-such-one"} },
		"is not among the rules of the report": func(r *report.Report) { r.Cases[1].Findings[0].Rule = "no/rule" },
	} {
		r := complete(t)
		change(r)
		err := matrix.Verify("r.json", r)
		contains(t, err, want)
		if want != "" && !strings.Contains(fmt.Sprint(err), "r.json: /") {
			t.Errorf("%q names no place", want)
		}
	}
	stored := complete(t).Stored()
	contains(t, matrix.Verify("r.json", stored), "")
	stored.CasesLeftOut--
	contains(t, matrix.Verify("r.json", stored), "the claims imply")
}

// Of a report by other rules it is not known what is missing; all else is checked.
func TestVerifyByOtherRules(t *testing.T) {
	r := complete(t)
	r.Rulebook, r.Cases = "0123456789ab", r.Cases[:3]
	contains(t, matrix.Verify("r.json", r), "")
	r.Seed = 0
	contains(t, matrix.Verify("r.json", r), "/seed")
}

func TestReadReport(t *testing.T) {
	good := jsonOf(t, complete(t))
	for want, text := range map[string]string{
		"":                               good,
		"r.json:1:1: not JSON":           "",
		"r.json:2:12: not JSON":          "{\n \"schema\": }",
		`/schema: "other/2", expected`:   strings.Replace(good, report.Schema, "other/2", 1),
		"/schema: nothing, expected":     "{}",
		"written by Loopproof 99.0.0":    strings.Replace(good, `"version": "`+loopproof.Version, `"version": "99.0.0`, 1),
		`/version: "next", expected`:     strings.Replace(good, `"version": "`+loopproof.Version, `"version": "next`, 1),
		"r.json: /seed: got string":      strings.Replace(good, `"seed": 41`, `"seed": "x"`, 1),
		"r.json: : missing property":     strings.Replace(good, `"claims"`, `"claimz"`, 1),
		"names the list 99 of passed":    strings.Replace(good, `"passed":0`, `"passed":99`, 1),
		"/verdict: value must be one of": strings.Replace(good, `"verdict":"passed"`, `"verdict":"<b>fine</b>"`, 1),
	} {
		file := filepath.Join(t.TempDir(), "r.json")
		write(t, file, text)
		_, err := matrix.ReadReport(file)
		contains(t, err, want)
	}
}

func TestFoldersOfLoops(t *testing.T) {
	two, again := complete(t), complete(t)
	two.Loop.Version = "1.10.0"
	again.Loop.Version = "1.2.3 "
	for name, c := range map[string]struct {
		file    string
		reports []*report.Report
		want    string
	}{
		"fine":             {loopFile, []*report.Report{complete(t), two}, ""},
		"twice":            {loopFile, []*report.Report{complete(t), again}, ""}, // the same file
		"no verdict":       {strings.Split(loopFile, "verdicts")[0], []*report.Report{complete(t)}, "1.2.3.yaml breaks the must pairing/every-call-answered in 1.2.3, and there is no verdict"},
		"not broken":       {loopFile + "  pairing/one-result-per-call: {verdict: a bug}\n", []*report.Report{complete(t)}, "loop.yaml:8:32: no version here breaks the rule pairing/one-result-per-call"},
		"unknown rule":     {loopFile + "  pairing/one-result-per-cal: {verdict: a bug}\n", []*report.Report{complete(t)}, `there is no rule "pairing/one-result-per-cal" (did you mean`},
		"no words":         {strings.Replace(loopFile, "a bug", "''", 1), []*report.Report{complete(t)}, "verdict is missing"},
		"a bad link":       {strings.Replace(loopFile, "https://example.com", "javascript:alert(1)//", 1), []*report.Report{complete(t)}, "expected a URL that begins with https://"},
		"unknown key":      {loopFile + "titel: x\n", []*report.Report{complete(t)}, "unknown key"},
		"no such finding":  {strings.Replace(loopFile, "[it-forgets]", "[it-forget]", 1), []*report.Report{complete(t)}, `there is no finding "it-forget" (did you mean "it-forgets"?)`},
		"another id":       {strings.ReplaceAll(loopFile, "it-forgets", "it-forget"), []*report.Report{complete(t)}, "the id of a finding is made of its title: it-forgets"},
		"an empty finding": {strings.Replace(loopFile, "It does.", "''", 1), []*report.Report{complete(t)}, "a finding has a title and a text"},
		"an adapter here":  {strings.Replace(loopFile, "command", "adapter: lab/adapters/go/acme\ncommand", 1), []*report.Report{complete(t)}, "follows from the other keys"},
		"another place":    {strings.Replace(loopFile, "command: loopproof run -- ./acme", "adapter: lab/adapters/perl/acme", 1), []*report.Report{complete(t)}, "the languages are go, java, node, python, rust"},
		"no package":       {strings.Replace(loopFile, "command: loopproof run -- ./acme", "agent: acme", 1), []*report.Report{complete(t)}, "a package of npm with its version"},
		"no command":       {strings.Replace(loopFile, "loopproof run -- ./acme", "./acme", 1), []*report.Report{complete(t)}, "expected the command that plays the loop"},
		"no reports":       {loopFile, nil, "has no result"},
		"another format":   {strings.Replace(loopFile, "loopproof: 1", "loopproof: 2", 1), []*report.Report{complete(t)}, "is 1, not 2"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := matrix.LoadLoop(folder(t, "acme", c.file, c.reports...), "")
			contains(t, err, c.want)
		})
	}
	_, err := matrix.LoadLoop(folder(t, "Acme Loop", loopFile, complete(t)), "")
	contains(t, err, "small letters, digits and hyphens")
	dir := folder(t, "acme", loopFile, complete(t))
	same, err := os.ReadFile(filepath.Join(dir, "1.2.3.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "copy.yaml"), string(same))
	_, err = matrix.LoadLoop(dir, "")
	contains(t, err, "/version: 1.2.3 is also the version of ")
	_, err = matrix.Load(filepath.Join(dir, "nowhere"), "")
	contains(t, err, "the folder of results cannot be read")
	_, err = matrix.Load(t.TempDir(), "")
	contains(t, err, "has no results")
	if err := os.Remove(filepath.Join(dir, matrix.LoopFileName)); err != nil {
		t.Fatal(err)
	}
	_, err = matrix.Load(filepath.Dir(dir), "")
	contains(t, err, "has no loop.yaml")
}

// A verdict that is about other versions leaves a failure unexamined.
func TestVerdictsOfSomeVersions(t *testing.T) {
	later := complete(t)
	later.Loop.Version = "1.3.0"
	file := loopFile + "examined: [\"1.3.0\"]\n"
	l, err := matrix.LoadLoop(folder(t, "acme", file, complete(t), later), "")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{0, 1} {
		if musts, _ := l.Versions[i].Unexamined(); len(musts) != want {
			t.Errorf("%s: %d musts are not examined, want %d", l.Versions[i].Loop.Version, len(musts), want)
		}
	}
}

func TestVersionsAreInOrder(t *testing.T) {
	var all []*report.Report
	for _, version := range []string{"sdk 1.9.0, core 2.0.1", "sdk 1.10.0, core 2.0.1", "sdk 1.10.0, core 2.0.0", "0.9.0-beta"} {
		r := complete(t)
		r.Loop.Version = version
		all = append(all, r)
	}
	l, err := matrix.LoadLoop(folder(t, "acme", loopFile, all...), "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range l.Versions {
		got = append(got, v.Slug)
	}
	if want := "sdk-1.10.0-core-2.0.1 sdk-1.10.0-core-2.0.0 sdk-1.9.0-core-2.0.1 0.9.0-beta"; strings.Join(got, " ") != want {
		t.Errorf("the newest first: %s, want %s", got, want)
	}
}

// What report store begins can be published: everything is marked as not yet examined.
func TestBegin(t *testing.T) {
	r := complete(t)
	dir := filepath.Join(t.TempDir(), "acme")
	if _, err := matrix.Store(r, dir, ""); err != nil {
		t.Fatal(err)
	}
	for _, want := range []bool{true, false} {
		if began, err := matrix.Begin(r, dir); err != nil || began != want {
			t.Fatal(began, err)
		}
	}
	l, err := matrix.LoadLoop(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	musts, shoulds := l.Versions[0].Unexamined()
	if len(musts) != 1 || len(shoulds) != 0 || l.Command != "loopproof run -- ./acme" {
		t.Errorf("%s and %s are not examined, played by %s", musts, shoulds, l.Command)
	}
}
