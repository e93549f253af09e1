package matrix

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/page"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// loopPage is the page of one version of a loop.
type loopPage struct {
	frame
	File     *LoopFile
	Report   *report.Report
	Newest   string // URL of the page of the newest version, if this is another one
	Findings string // URL of the page that tells what was found
	APIs     string
	Date     string
	Other    bool // it was judged by other rules than those of this Loopproof
	Self     bool // its authors, or another person, reported the result
	Levels   []levelLine
	Trend    string // compared with the version before
	Stale    *Stale // a newer version could not be played; nil: none is known
	Looked   string // the day on which somebody looked for newer versions, or ""
	Cases    int
	Counts   []countRow
	Failures []failure
	Noted    []failure
	Untested []ruleLine
	Areas    []areaLines
	Versions []versionRow
	Language string
}

// countRow is the number of rules in a state.
type countRow struct {
	stateInfo
	Must, Should int
}

// failure is a broken rule with its example.
type failure struct {
	ruleLine
	Finding   page.Finding
	Answered  string
	Case      string
	Reproduce string
	Trace     string
	Picture   string // URL of the case as a sequence diagram, where the exchange is there
	Others    []otherCase
	More      int // cases that are not listed
}

// otherCase is another case in which the rule is broken.
type otherCase struct{ ID, Message string }

// ruleLine is a rule in a list.
type ruleLine struct {
	ID, URL  string
	Text     string
	Findings []foundIn
	judgement
}

// foundIn is where a failure is explained.
type foundIn struct{ Title, URL string }

// areaLines are the rules of an area.
type areaLines struct {
	Name, URL string
	Rules     []ruleLine
	Counts    []stateCount
}

// stateCount is how many rules have a state.
type stateCount struct {
	State State
	Count int
}

// versionRow is a version in the history of a loop.
type versionRow struct {
	Version, URL, Date string
	This               bool
	Judge              string // the version of Loopproof, and what it judged by
	Counts             tally
	Repaired, Worse    []string // compared with the version before
}

// Unexamined returns the number of musts and shoulds that fail and that nobody has examined.
func (r versionRow) Unexamined() int {
	return r.Counts.Must(Unexamined) + r.Counts.Should(Unexamined)
}

// AdapterURL is where the adapter is, or the description of the agent.
func (p loopPage) AdapterURL() string {
	if p.File.Ours() {
		return onGitHub + p.File.Source()
	}
	return p.File.Adapter
}

const onGitHub = "https://github.com/loopproof/loopproof/tree/main/"

func (b *builder) loop(v *Version, newest bool) {
	file := v.file()
	title := v.loop.Title + " " + v.Loop.Version
	p := loopPage{
		frame: newFrame(file, "loops", title), File: v.loop.LoopFile, Report: v.Report, APIs: apis(v.Claims.Dialects),
		Date: v.Started.UTC().Format("2 January 2006"), Other: !SameRulebook(v.Report), Cases: len(v.Cases) + v.CasesLeftOut, Language: v.Loop.Language,
	}
	p.Findings = docsURL(p.Root, v.loop.repoFile())
	if !newest {
		p.Newest = p.Root + v.loop.Versions[0].file()
	}
	t := v.tally()
	for _, s := range states {
		if row := (countRow{s, t.Must(s.State), t.Should(s.State)}); row.Must+row.Should > 0 {
			p.Counts = append(p.Counts, row)
		}
	}
	p.Failures, p.Noted = v.failures(p.Root)
	b.pictures(v, p.Failures, p.Root)
	b.pictures(v, p.Noted, p.Root)
	for _, r := range v.Rules {
		if r.Verdict == report.Untested {
			p.Untested = append(p.Untested, v.line(r, p.Root))
		}
	}
	p.Areas, p.Versions = v.areas(p.Root), v.history(p.Root)
	p.Self, p.Levels, p.Trend = v.Result.SelfReported, levelLines(v.Report), v.trend()
	if newest {
		p.Stale, p.Looked = v.loop.Newer, v.loop.Looked
	}
	b.add(file, "site-loop.tmpl", p)
}

// line returns a rule of the report. A rule that is no longer in the rulebook has no page.
func (v *Version) line(r report.Rule, root string) ruleLine {
	line := ruleLine{ID: r.ID, Text: r.Text, judgement: v.judged(r)}
	if known := rulebook.Lookup(r.ID); known != nil {
		line.URL, line.Text = root+ruleFile(r.ID), known.Text
	}
	for _, id := range line.Verdict.Findings {
		line.Findings = append(line.Findings, v.loop.foundIn(id, root))
	}
	if line.Verdict.Odd {
		line.Findings = append(line.Findings, foundIn{"Odd answers", docsURL(root, OddAnswersFile)})
	}
	return line
}

// foundIn returns where a finding is told that a verdict names.
func (l *Loop) foundIn(id, root string) foundIn {
	if f := l.finding(id); f != nil {
		return foundIn{strings.ReplaceAll(f.Title, "`", ""), docsURL(root, l.repoFile()) + "#" + f.ID}
	}
	file, anchor, _ := strings.Cut(id, "#")
	url := docsURL(root, path.Join(path.Dir(l.repoFile()), file))
	if anchor != "" {
		url += "#" + anchor
	}
	return foundIn{"of another loop", url}
}

// repoFile is the description of the loop in the repository.
func (l *Loop) repoFile() string { return path.Join(ResultsFolder, l.Name, LoopFileName) }

// docsURL is where the documentation site, which is in the folder docs beside this one, tells what a file of the
// repository says.
func docsURL(root, file string) string {
	return root + "docs/" + strings.TrimSuffix(SitePage(file), ".md") + ".html"
}

// failures returns the broken rules, the musts first, and those that are only for information.
func (v *Version) failures(root string) (broken, noted []failure) {
	for _, level := range []report.Level{report.Must, report.Should, report.Info} {
		for _, r := range v.Rules {
			if r.Verdict != report.Failed || r.Level != level {
				continue
			}
			f := v.failure(r, root)
			if level == report.Info {
				noted = append(noted, f)
			} else {
				broken = append(broken, f)
			}
		}
	}
	return broken, noted
}

func (v *Version) failure(r report.Rule, root string) failure {
	line := v.line(r, root)
	f := failure{ruleLine: line}
	c, found := v.Example(r.ID)
	if c == nil {
		return f
	}
	f.Finding = shown(r, c, found)
	f.Answered, f.Case, f.Reproduce, f.Trace = found.Answered, c.ID, c.Reproduce, c.Trace.String()
	listed := 1
	for i := range v.Cases {
		other := &v.Cases[i]
		at := slices.IndexFunc(other.Findings, func(f report.Finding) bool { return f.Rule == r.ID })
		if other == c || at < 0 {
			continue
		}
		listed++
		one := otherCase{ID: other.ID}
		if said := other.Findings[at].Message; said != found.Message {
			one.Message = said
		}
		f.Others = append(f.Others, one)
	}
	f.More = max(0, r.Failed-listed)
	return f
}

// shown is a finding as pages show it.
func shown(r report.Rule, c *report.Case, f *report.Finding) page.Finding {
	p := page.Finding{Rule: r.ID, Level: string(r.Level), Message: f.Message, Expected: f.Expected, Actual: f.Actual, Pointer: f.Pointer, Exhibit: f.Exhibit}
	if f.Request > 0 {
		p.Pointer = strings.TrimSpace(fmt.Sprintf("request %d %s", f.Request, f.Pointer))
	}
	if a := f.ProviderAnswer; a != nil {
		p.Provider = fmt.Sprintf("%s answers %d: %s", c.Profile, a.Status, a.Message)
	}
	for _, s := range r.Sources {
		p.Sources = append(p.Sources, page.Source{URL: s.URL, Says: s.Says})
	}
	return p
}

// areas returns all rules of the report by area.
func (v *Version) areas(root string) []areaLines {
	var all []areaLines
	for _, r := range v.Rules {
		at := slices.IndexFunc(all, func(a areaLines) bool { return a.Name == r.Area() })
		if at < 0 {
			at = len(all)
			all = append(all, areaLines{Name: r.Area()})
			if slices.Contains(areas(), r.Area()) {
				all[at].URL = root + areaFile(r.Area())
			}
		}
		all[at].Rules = append(all[at].Rules, v.line(r, root))
	}
	for i := range all {
		for _, s := range states {
			n := 0
			for _, r := range all[i].Rules {
				if r.State == s.State {
					n++
				}
			}
			if n > 0 {
				all[i].Counts = append(all[i].Counts, stateCount{s.State, n})
			}
		}
	}
	return all
}

// history returns all versions of the loop, the newest first.
func (v *Version) history(root string) []versionRow {
	var all []versionRow
	for i, one := range v.loop.Versions {
		row := versionRow{
			Version: one.Loop.Version, URL: root + one.file(), Date: one.Started.UTC().Format("2006-01-02"), This: one == v,
			Judge: strings.TrimSpace(one.Report.Version + " " + one.Rulebook), Counts: one.tally(),
		}
		if i+1 < len(v.loop.Versions) {
			row.Repaired, row.Worse = one.since(v.loop.Versions[i+1])
		}
		all = append(all, row)
	}
	return all
}

// since returns the musts and shoulds that an earlier version broke and this one keeps, and the other way round.
func (v *Version) since(earlier *Version) (repaired, worse []string) {
	return compare(earlier.Rules, v.Rules)
}

func compare(earlier, now []report.Rule) (repaired, worse []string) {
	before := map[string]report.Verdict{}
	for _, r := range earlier {
		before[r.ID] = r.Verdict
	}
	for _, r := range now {
		switch {
		case r.Level == report.Info:
		case r.Verdict == report.Passed && before[r.ID] == report.Failed:
			repaired = append(repaired, r.ID)
		case r.Verdict == report.Failed && before[r.ID] == report.Passed:
			worse = append(worse, r.ID)
		}
	}
	return repaired, worse
}

// trend counts what the version keeps and breaks that the version before it did not.
func (v *Version) trend() string {
	at := slices.Index(v.loop.Versions, v) + 1
	if at == len(v.loop.Versions) {
		return ""
	}
	before := v.loop.Versions[at]
	repaired, worse := v.since(before)
	if len(repaired)+len(worse) == 0 {
		return "as " + before.Loop.Version
	}
	return fmt.Sprintf("%d kept now, %d failing now", len(repaired), len(worse))
}

// Claimed names the features that the loop claims.
func (p loopPage) Claimed() string { return features(p.Report.Claims.Features) }

// NotClaimed names the features that it does not claim.
func (p loopPage) NotClaimed() string { return features(p.Report.Claims.Unclaimed) }

// Designs names what sets it apart from most loops.
func (p loopPage) Designs() string {
	var all []string
	for _, d := range p.Report.Claims.Designs {
		all = append(all, string(d))
	}
	return strings.Join(all, ", ")
}

func features(list []protocol.Feature) string {
	var all []string
	for _, f := range list {
		all = append(all, string(f))
	}
	return strings.Join(all, ", ")
}

// Summary says in a sentence how the loop does.
func (p loopPage) Summary() string {
	var parts []string
	for _, row := range p.Counts {
		if row.Must > 0 && row.State != Unclaimed {
			parts = append(parts, fmt.Sprintf("%s %s", textlayout.Count(row.Must, "must"), row.State))
		}
	}
	return strings.Join(parts, ", ")
}
