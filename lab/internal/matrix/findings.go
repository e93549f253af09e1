package matrix

import (
	_ "embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"text/template"
	"unicode"

	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// ResultsFolder is the folder of results in the repository, and OddAnswersFile the page in it about
// odd answers.
const (
	ResultsFolder  = "lab/results"
	OddAnswersFile = ResultsFolder + "/odd-answers.md"

	pairsFile = "lab/adapters/pairs/pairs.yaml"
)

// SitePage returns where the documentation site has what a file of the repository says, as the name
// of a page in Markdown: docs/ci.md is ci.md, and lab/results/pi/loop.yaml is findings/pi.md. It
// returns "" for a file that has no page.
func SitePage(file string) string {
	if page, ok := strings.CutPrefix(file, "docs/"); ok && path.Ext(file) == ".md" {
		return page
	}
	name, ok := strings.CutPrefix(file, ResultsFolder+"/")
	switch {
	case file == pairsFile:
		return "pairs.md"
	case !ok:
		return ""
	case path.Base(name) == LoopFileName:
		return "findings/" + path.Dir(name) + ".md"
	case name == "README.md":
		return "findings.md"
	case path.Ext(name) == ".md" && !strings.Contains(name, "/"):
		return "findings/" + name
	default:
		return ""
	}
}

// HeadingID returns the id that GitHub gives to a heading.
func HeadingID(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsNumber(r):
			return unicode.ToLower(r)
		default:
			return -1
		}
	}, strings.TrimSpace(heading))
}

// Page returns what was found in the newest version of the loop as a page in Markdown, whose links
// are from the folder of the loop.
func (l *Loop) Page() string {
	v := l.Versions[0]
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", l.Title)
	if about := strings.TrimSpace(l.About); about != "" {
		b.WriteString(about + "\n\n")
	}
	fmt.Fprintf(&b, "Version %s. It claims %s. %s, played on %s by Loopproof %s%s. [All that is kept of the run](%s)\n", v.Loop.Version,
		listed(claimed(v)), v.Result.Summary(), v.date(), v.Report.Version, v.commit(), path.Base(v.File))
	if v.Result.SelfReported {
		b.WriteString("\n" + selfReported + "\n")
	}
	v.writeVerdicts(&b)
	l.writeStatement(&b)
	if untested := v.untested(); len(untested) > 0 {
		b.WriteString("\nUntested for lack of evidence: " + strings.Join(untested, ", ") + ".\n")
	}
	for _, f := range l.Findings {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", f.Title, strings.TrimSpace(f.Text))
	}
	return b.String()
}

// selfReported is said of a result that nobody of this project has played.
const selfReported = "**Self-reported**: the authors of the loop, or another person, played it; it was not played again here yet."

// writeVerdicts writes a row for each broken rule, the musts first.
func (v *Version) writeVerdicts(b *strings.Builder) {
	head := "\n| rule | level | cases | verdict |\n|---|---|---|---|\n"
	for _, level := range []report.Level{report.Must, report.Should} {
		for _, f := range v.Result.Failed {
			if f.Level == level {
				fmt.Fprintf(b, "%s| %s | %s | %d of %d | %s |\n", head, ruleLink(f.Rule), f.Level, f.Failed, f.Cases, v.cell(v.verdict(f.Rule)))
				head = ""
			}
		}
	}
}

// cell is a verdict in Markdown.
func (v *Version) cell(verdict Verdict) string {
	words := verdict.Verdict
	if verdict.Odd {
		words = strings.TrimSuffix("[odd answers](../odd-answers.md): "+words, ": ")
	}
	var links []string
	for _, id := range verdict.Findings {
		if f := v.loop.finding(id); f != nil {
			links = append(links, fmt.Sprintf("[%s](#%s)", f.Title, f.ID))
		} else {
			links = append(links, fmt.Sprintf("[examined there](%s)", id))
		}
	}
	for _, address := range verdict.Upstream {
		links = append(links, "<"+address+">")
	}
	if verdict.Statement != "" {
		links = append(links, "its authors: "+verdict.Statement)
	}
	switch {
	case words == "":
		return NotExamined
	case len(links) == 0:
		return words
	default:
		return words + " → " + strings.Join(links, ", ")
	}
}

func (v *Version) untested() []string {
	var all []string
	each(v.Result.Untested, func(area string, level report.Level, name string) {
		if level != report.Info {
			all = append(all, ruleLink(area+"/"+name))
		}
	})
	return all
}

func ruleLink(id string) string {
	return fmt.Sprintf("[%s](../../../docs/rules.md#%s)", id, HeadingID(id))
}

func claimed(v *Version) []string {
	var all []string
	for _, f := range v.Result.Claims.Features {
		if f != protocol.Executions {
			all = append(all, string(f))
		}
	}
	return all
}

// Broken counts the rules of a level that are broken, and not only as consequences of others.
func (res *Result) Broken(level report.Level) int {
	n := 0
	for _, f := range res.Failed {
		if f.Level == level && f.Failed > f.Follows {
			n++
		}
	}
	return n
}

// date is the day on which the version was played.
func (v *Version) date() string { return v.Started.UTC().Format("2006-01-02") }

// commit names the commit by which it was judged, if that is known.
func (v *Version) commit() string {
	if c := v.Result.JudgedBy.Commit; c != "" {
		return " at the commit " + c
	}
	return ""
}

// Summary says in a few words how the version did.
func (res *Result) Summary() string {
	return fmt.Sprintf("%s, %s and %s broken", textlayout.Count(res.Cases, "case"),
		textlayout.Count(res.Broken(report.Must), "must"), textlayout.Count(res.Broken(report.Should), "should"))
}

//go:embed readme.tmpl
var readmeText string

var readme = template.Must(template.New("readme").Parse(readmeText))

// ReadmeFile is the page in the folder of results that lists all loops.
const ReadmeFile = ResultsFolder + "/README.md"

// Readme returns that page: what is in the folder, with a line for the newest version of each loop.
func Readme(loops []*Loop) (string, error) {
	agents := slices.DeleteFunc(slices.Clone(loops), func(l *Loop) bool { return !l.IsAgent() })
	others := slices.DeleteFunc(slices.Clone(loops), func(l *Loop) bool { return l.IsAgent() })
	var b strings.Builder
	err := readme.Execute(&b, map[string]string{"Loops": table("loop", others), "Agents": table("agent", agents)})
	return b.String(), err
}

// table has a line for the newest version of each loop. kind names what they are.
func table(kind string, loops []*Loop) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | version | cases | musts failed | shoulds failed | played | at the commit |\n|---|---|---|---|---|---|---|\n", kind)
	for _, l := range loops {
		v := l.Versions[0]
		fmt.Fprintf(&b, "| [%s](%s/%s) | %s | %d | %d | %d | %s | %s |\n", l.Title, l.Name, LoopFileName, v.Loop.Version,
			v.Result.Cases, v.Result.Broken(report.Must), v.Result.Broken(report.Should), v.date(), v.Result.JudgedBy.Commit)
	}
	return b.String()
}

func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
