package matrix

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/report"
)

// indexPage is the first page: all loops, and what each breaks in each area.
type indexPage struct {
	frame
	States    []stateInfo
	Loops     []loopRow
	Columns   []column
	Areas     []areaRow
	Languages []string
	APIs      []string
	Looked    string // the day on which somebody looked for newer versions, or ""
}

// loopRow is a loop in a list.
type loopRow struct {
	column
	Version  string
	Date     string
	Language string
	APIs     string
	Counts   tally
	Levels   string // that are reached
	Trend    string // compared with the version before, or ""
	Self     bool   // its authors, or another person, reported the result
	Since    string // the day since when a newer version is known, or ""
}

// column is a loop at the head of a column of a table.
type column struct {
	Name   string
	Title  string
	URL    string
	Filter string // words by which the column is filtered: language and APIs
}

// areaRow is an area in a table, with a cell for each loop.
type areaRow struct {
	Name  string
	URL   string
	Rules int
	Cells []areaCell
}

// areaCell says how many rules of an area a loop breaks, of those that count.
type areaCell struct {
	column
	Broken, Unexamined, Kept int
}

// Class returns the class of the cell in the style.
func (c areaCell) Class() string {
	switch {
	case c.Broken > 0:
		return Broken.Class()
	case c.Unexamined > 0:
		return Unexamined.Class()
	case c.Kept > 0:
		return Kept.Class()
	default:
		return NotApplied.Class()
	}
}

// Mark returns the text of the cell.
func (c areaCell) Mark() string {
	var parts []string
	if c.Broken > 0 {
		parts = append(parts, fmt.Sprintf("%d%s", c.Broken, Broken.Mark()))
	}
	if c.Unexamined > 0 {
		parts = append(parts, fmt.Sprintf("%d%s", c.Unexamined, Unexamined.Mark()))
	}
	if len(parts) == 0 && c.Kept > 0 {
		return Kept.Mark()
	}
	return strings.Join(parts, " ")
}

// Words says the same in words.
func (c areaCell) Words() string {
	if c.Broken+c.Unexamined+c.Kept == 0 {
		return "nothing judged"
	}
	return fmt.Sprintf("%d broken, %d %s, %d kept", c.Broken, c.Unexamined, Unexamined, c.Kept)
}

func (b *builder) index() {
	p := indexPage{frame: newFrame("index.html", "loops", "Which agent loops keep which rules"), States: states, Columns: b.columns("")}
	for i, l := range b.loops {
		v := l.Versions[0]
		p.Loops = append(p.Loops, loopRow{
			column: p.Columns[i], Version: v.Loop.Version, Date: v.Started.UTC().Format("2006-01-02"),
			Language: v.Loop.Language, APIs: apis(v.Claims.Dialects), Counts: v.tally(),
			Levels: reached(v.Report), Trend: v.trend(), Self: v.Result.SelfReported, Since: l.staleSince(),
		})
		p.Looked = l.Looked
		p.Languages, p.APIs = append(p.Languages, v.Loop.Language), append(p.APIs, v.Claims.Dialects...)
	}
	slices.Sort(p.Languages)
	slices.Sort(p.APIs)
	p.Languages, p.APIs = slices.Compact(p.Languages), slices.Compact(p.APIs)
	for _, area := range areas() {
		p.Areas = append(p.Areas, b.areaRow(area))
	}
	b.add("index.html", "site-index.tmpl", p)
}

// columns returns all loops as columns of a table, linked from a page.
func (b *builder) columns(root string) []column {
	var all []column
	for _, l := range b.loops {
		v := l.Versions[0]
		all = append(all, column{Name: l.Name, Title: l.Title, URL: root + v.file(), Filter: strings.Join(append([]string{v.Loop.Language}, v.Claims.Dialects...), " ")})
	}
	return all
}

func (b *builder) areaRow(area string) areaRow {
	all := rulesOf(area)
	row := areaRow{Name: area, URL: areaFile(area), Rules: len(all)}
	for i, c := range b.columns("") {
		row.Cells = append(row.Cells, b.areaCell(b.loops[i].Versions[0], all, c))
	}
	return row
}

func (b *builder) areaCell(v *Version, all []*rules.Rule, c column) areaCell {
	cell := areaCell{column: c}
	for _, rule := range all {
		switch j := v.judgement(rule); {
		case j.State == Broken:
			cell.Broken++
		case j.State == Unexamined:
			cell.Unexamined++
		case j.State == Kept:
			cell.Kept++
		}
	}
	return cell
}

// apis names dialects as people call them.
func apis(dialects []string) string {
	var all []string
	for _, name := range dialects {
		title := name
		for _, d := range dialect.All() {
			if d.Name == name {
				title = d.Title
			}
		}
		all = append(all, title)
	}
	return strings.Join(all, ", ")
}

// areaPage is the table of all rules of an area.
type areaPage struct {
	frame
	Name    string
	Areas   []string
	States  []stateInfo
	Columns []column
	Rules   []ruleRow

	Languages, APIs []string
}

// ruleRow is a rule in a table, with a cell for each loop.
type ruleRow struct {
	ID    string
	Short string // without its area
	URL   string
	Level report.Level
	Text  string
	Cells []ruleCell
}

// ruleCell is what is published of a rule and a loop.
type ruleCell struct {
	judgement
	column
	URL string // of the place on the page of the loop that is about the rule, if there is one
}

// Page returns the page of the loop.
func (c ruleCell) Page() string { return c.column.URL }

// Words says in words what the mark says.
func (c ruleCell) Words() string {
	text := c.Title + ": " + string(c.State)
	if c.State == Broken {
		text += ", " + c.Verdict.Words()
	}
	if detail := c.Detail(); detail != "" {
		text += ", " + detail
	}
	return text
}

func (b *builder) area(area string) {
	file := areaFile(area)
	p := areaPage{frame: newFrame(file, "loops", "Rules about "+area), Name: area, Areas: areas(), States: states}
	p.Columns = b.columns(p.Root)
	for _, l := range b.loops {
		p.Languages = append(p.Languages, l.Versions[0].Loop.Language)
		p.APIs = append(p.APIs, l.Versions[0].Claims.Dialects...)
	}
	slices.Sort(p.Languages)
	slices.Sort(p.APIs)
	p.Languages, p.APIs = slices.Compact(p.Languages), slices.Compact(p.APIs)
	for _, rule := range rulesOf(area) {
		p.Rules = append(p.Rules, b.ruleRow(rule, p.Root, p.Columns))
	}
	b.add(file, "site-area.tmpl", p)
}

func (b *builder) ruleRow(rule *rules.Rule, root string, columns []column) ruleRow {
	_, short, _ := strings.Cut(rule.ID, "/")
	row := ruleRow{ID: rule.ID, Short: short, URL: root + ruleFile(rule.ID), Level: rule.Level, Text: rule.Text}
	for i, c := range columns {
		j := b.loops[i].Versions[0].judgement(rule)
		cell := ruleCell{judgement: j, column: c}
		if j.State != NotApplied && j.State != Unjudged {
			cell.URL = c.URL + "#" + rule.ID
		}
		row.Cells = append(row.Cells, cell)
	}
	return row
}

// Counted returns the number of rules in words.
func (r areaRow) Counted() string { return textlayout.Count(r.Rules, "rule") }
