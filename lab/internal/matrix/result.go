package matrix

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// Result is what the repository keeps of the report of one version of a loop: the verdict on each
// rule, and of a broken one the simplest case. It has no words of the loop. The whole reports are
// in an archive.
type Result struct {
	Format   int    `yaml:"loopproof"` // version of the file format: 1
	Name     string `yaml:"name"`      // as the loop says it
	Version  string `yaml:"version"`
	Language string `yaml:"language"`
	Played   string `yaml:"played"`    // when the first case was, as RFC 3339 has it
	JudgedBy Judge  `yaml:"judged-by"` // the Loopproof that played it
	Seed     string `yaml:"seed"`      // with which every case can be played again

	// SelfReported: the loop's authors, or another person, played it, and nobody of this project did.
	SelfReported bool `yaml:"self-reported"`

	Strict bool          `yaml:"strict"` // a broken should counted like a broken must
	Result report.Result `yaml:"result"`
	Cases  int           `yaml:"cases"` // that were played
	Claims Claims        `yaml:"claims"`

	Levels []levelResults `yaml:"levels"` // of conformance; results that were played before there were levels have none

	Failed    []Failed        `yaml:"failed"`
	Untested  []level[string] `yaml:"untested"`
	Unclaimed []level[string] `yaml:"unclaimed"`
	Passed    []level[count]  `yaml:"passed"`
	Odd       []madeOf        `yaml:"odd"` // what the loop made of odd answers
}

// Judge is the Loopproof that judged a loop.
type Judge struct {
	Version  string `yaml:"version"`
	Rulebook string `yaml:"rulebook"` // fingerprint of its rules, scenarios and profiles
	Number   string `yaml:"number"`   // of the rulebook, such as 2026.12
	Commit   string `yaml:"commit"`   // of the repository; "" where nobody said it
}

// levelResults are the results of a level of conformance in each wire API.
type (
	levelResults struct {
		Level string          `yaml:"~key"`
		In    []dialectResult `yaml:"~value"`
	}
	dialectResult struct {
		Dialect  string        `yaml:"~key"`
		Result   report.Result `yaml:"result"`
		Broken   []string      `yaml:"broken"`   // musts
		Untested []string      `yaml:"untested"` // musts
	}
)

// Claims are those of a report.
type Claims struct {
	Dialects   []string           `yaml:"dialects"`
	Features   []protocol.Feature `yaml:"features"`
	Unclaimed  []protocol.Feature `yaml:"unclaimed"`
	Designs    []protocol.Design  `yaml:"designs"`
	Profiles   []string           `yaml:"profiles"`
	Deliveries []string           `yaml:"deliveries"`
	EachOnce   bool               `yaml:"each-once"`
}

// Failed is a broken rule.
type Failed struct {
	Rule    string       `yaml:"~key"`
	Level   report.Level `yaml:"level"`
	Failed  int          `yaml:"failed"`  // in so many cases
	Cases   int          `yaml:"cases"`   // of so many in which it was judged
	Follows int          `yaml:"follows"` // of the failed ones, where another rule is the cause
	Example string       `yaml:"example"` // the simplest case
	Request int          `yaml:"request"` // in it, by number
	Pointer string       `yaml:"pointer"` // in the request
	Message string       `yaml:"message"`
}

// level and area hold the rules that are not broken: by level and area, a file can be read.
type (
	level[E any] struct {
		Level report.Level `yaml:"~key"`
		Areas []area[E]    `yaml:"~value"`
	}
	area[E any] struct {
		Area  string `yaml:"~key"`
		Rules []E    `yaml:"~value"`
	}
	count struct {
		Name  string `yaml:"~key"`
		Cases int    `yaml:"~value"`
	}
)

// NewResult returns what is kept of a report of a verified run, which was judged at a commit.
func NewResult(r *report.Report, commit string) (*Result, error) {
	odd, err := readOddities()
	if err != nil {
		return nil, err
	}
	res := &Result{
		Format: 1, Name: r.Loop.Name, Version: r.Loop.Version, Language: r.Loop.Language,
		Played: r.Started.UTC().Format(time.RFC3339Nano), JudgedBy: Judge{r.Version, r.Rulebook, r.RulebookNumber, commit},
		Seed: strconv.FormatUint(r.Seed, 10), Strict: r.Strict, Result: r.Result, Cases: len(r.Cases) + r.CasesLeftOut,
		Claims: Claims(r.Claims),
		Odd:    odd.made(r),
		Levels: levelsOf(r),

		SelfReported: commit == "",
	}
	for _, rule := range r.Rules {
		switch rule.Verdict {
		case report.Failed:
			res.Failed = append(res.Failed, failedOf(r, rule))
		case report.Passed:
			res.Passed = add(res.Passed, rule, count{nameOf(rule), rule.Cases})
		case report.Untested:
			res.Untested = add(res.Untested, rule, nameOf(rule))
		default:
			res.Unclaimed = add(res.Unclaimed, rule, nameOf(rule))
		}
	}
	return res, nil
}

func failedOf(r *report.Report, rule report.Rule) Failed {
	f := Failed{Rule: rule.ID, Level: rule.Level, Failed: rule.Failed, Cases: rule.Cases, Follows: rule.Follows}
	if c, found := r.Example(rule.ID); found != nil {
		f.Example, f.Request, f.Pointer = c.ID, found.Request, found.Pointer
		f.Message = shortened(withoutForeign(found.Message, knownIn(c)))
	}
	return f
}

// shortened is a message of which the words of a provider that it quotes may be cut off.
func shortened(message string) string {
	if len(message) <= maxMessage/2 {
		return message
	}
	return strings.ToValidUTF8(message[:maxMessage/2], "") + "…"
}

// add adds what is said of a rule to those of its level and area.
func add[E any](all []level[E], rule report.Rule, e E) []level[E] {
	at := slices.IndexFunc(all, func(l level[E]) bool { return l.Level == rule.Level })
	if at < 0 {
		at, all = len(all), append(all, level[E]{Level: rule.Level})
	}
	areas := all[at].Areas
	in := slices.IndexFunc(areas, func(a area[E]) bool { return a.Area == rule.Area() })
	if in < 0 {
		in, areas = len(areas), append(areas, area[E]{Area: rule.Area()})
	}
	areas[in].Rules = append(areas[in].Rules, e)
	all[at].Areas = areas
	return all
}

// each calls f with the area and level of each rule, and what is said of it.
func each[E any](all []level[E], f func(area string, level report.Level, e E)) {
	for _, l := range all {
		for _, a := range l.Areas {
			for _, e := range a.Rules {
				f(a.Area, l.Level, e)
			}
		}
	}
}

func nameOf(rule report.Rule) string { return strings.TrimPrefix(rule.ID, rule.Area()+"/") }

// resultHead begins the file of a result.
const resultHead = "# Written by cd lab && go run ./survey, or go run ./matrix store. Do not edit.\n"

// Write writes a result into the folder of its loop, instead of an earlier one of the same version.
func (res *Result) Write(folder string) (file string, err error) {
	text, err := strictyaml.Write(res)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return "", err
	}
	file = filepath.Join(folder, slug(res.Version)+".yaml")
	return file, os.WriteFile(file, append([]byte(resultHead), text...), 0o666)
}

// readResult reads a result.
func readResult(file string) (*Result, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	res := &Result{}
	doc, err := strictyaml.Read(file, data, res)
	if err != nil {
		return nil, err
	}
	if res.Format != 1 {
		return nil, doc.Errorf("/loopproof", "the version of the file format is 1, not %d", res.Format)
	}
	if _, err := strconv.ParseUint(res.Seed, 10, 64); err != nil {
		return nil, doc.Errorf("/seed", "expected a whole number, not %q", res.Seed)
	}
	if _, err := time.Parse(time.RFC3339, res.Played); err != nil {
		return nil, doc.Errorf("/played", "expected a time as in 2026-11-20T09:30:00Z, not %q", res.Played)
	}
	return res, knownVersion(file, res.JudgedBy.Version)
}

// report returns the result as a report of which all cases but the examples are left out. command
// played it.
func (res *Result) report(command string) *report.Report {
	seed, _ := strconv.ParseUint(res.Seed, 10, 64)
	started, _ := time.Parse(time.RFC3339, res.Played)
	r := &report.Report{
		Schema: report.Schema, Version: res.JudgedBy.Version, Rulebook: res.JudgedBy.Rulebook, RulebookNumber: res.JudgedBy.Number, Seed: seed, Started: started,
		Strict: res.Strict, Result: res.Result, Loop: report.Loop{Name: res.Name, Version: res.Version, Language: res.Language},
		Claims: report.Claims(res.Claims), Rules: res.rules(),
	}
	for _, l := range res.Levels {
		for _, in := range l.In {
			r.Levels = append(r.Levels, report.LevelResult{Level: l.Level, Dialect: in.Dialect, Result: in.Result, Broken: in.Broken, Untested: in.Untested})
		}
	}
	examples := map[string]*report.Case{}
	for _, f := range res.Failed {
		c := examples[f.Example]
		if c == nil {
			c = emptyCase(f.Example)
			c.Reproduce = strings.Replace(command, "loopproof run", fmt.Sprintf("loopproof run --case %s --seed %s", c.ID, res.Seed), 1)
			examples[f.Example] = c
		}
		c.Verdicts[f.Rule] = report.Failed
		c.Findings = append(c.Findings, report.Finding{
			Rule: f.Rule, Level: f.Level, Request: f.Request, Pointer: f.Pointer, Message: f.Message,
		})
	}
	for _, id := range slices.Sorted(maps.Keys(examples)) {
		r.Cases = append(r.Cases, *examples[id])
	}
	r.CasesLeftOut = res.Cases - len(r.Cases)
	return r
}

// emptyCase returns a case by its id: SCENARIO@DIALECT/PROFILE/DELIVERY.
func emptyCase(id string) *report.Case {
	c := &report.Case{ID: id, Verdicts: map[string]report.Verdict{}}
	scenario, how, _ := strings.Cut(id, "@")
	parts := append(strings.SplitN(how, "/", 3), "", "", "")
	c.Scenario, c.Dialect, c.Profile, c.Delivery = scenario, parts[0], parts[1], parts[2]
	return c
}

// rules returns all rules of the result in the order of the rulebook; those that it has no more are
// the last.
func (res *Result) rules() []report.Rule {
	var all []report.Rule
	for _, f := range res.Failed {
		all = append(all, report.Rule{ID: f.Rule, Level: f.Level, Verdict: report.Failed, Cases: f.Cases, Failed: f.Failed, Follows: f.Follows})
	}
	each(res.Passed, func(area string, level report.Level, c count) {
		all = append(all, report.Rule{ID: area + "/" + c.Name, Level: level, Verdict: report.Passed, Cases: c.Cases})
	})
	for verdict, levels := range map[report.Verdict][]level[string]{report.Untested: res.Untested, report.Unclaimed: res.Unclaimed} {
		each(levels, func(area string, level report.Level, name string) {
			all = append(all, report.Rule{ID: area + "/" + name, Level: level, Verdict: verdict})
		})
	}
	order := map[string]int{}
	for i, id := range rulebook.IDs() {
		order[id] = i - len(rulebook.IDs())
	}
	slices.SortFunc(all, func(a, b report.Rule) int {
		return cmp.Or(cmp.Compare(order[a.ID], order[b.ID]), strings.Compare(a.ID, b.ID))
	})
	for i := range all {
		all[i].Description = described(all[i].ID)
	}
	return all
}

// described returns what the rulebook says of a rule, and nothing of one that it has no more.
func described(id string) report.Description {
	rule := rulebook.Lookup(id)
	if rule == nil {
		return report.Description{Sources: []report.Source{}}
	}
	d := report.Description{Text: rule.Text, Sources: []report.Source{}}
	for _, s := range rule.Sources {
		d.Sources = append(d.Sources, report.Source{URL: s.URL, Says: s.Says})
	}
	return d
}

// differs says where a result is not equal to another one, and "" where it is.
func (res *Result) differs(other *Result) string {
	one, two := lines(res), lines(other)
	for i, line := range one {
		switch {
		case i >= len(two):
			return line + " is missing"
		case line != two[i]:
			return fmt.Sprintf("expected %q, found %q", line, two[i])
		}
	}
	return ""
}

func lines(res *Result) []string {
	text, err := strictyaml.Write(res)
	if err != nil {
		return []string{err.Error()}
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}
