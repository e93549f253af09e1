package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/wire"
)

// A circumstance is a row and a column of one of the tables below: a way in which a turn of the
// model ends, and what came before it. Where it is played follows from the scenarios; a hole is a
// circumstance that is not played in a dialect, and has a reason in circumstances.yaml.

// circumstanceTable is one of the tables of the page.
type circumstanceTable struct {
	name, about string
	rows        []string
	columns     []string
	head        string                                            // of the column of rows
	mark        func(*scenarios.Script, func(row, column string)) // calls back for each circumstance that a script plays
}

// letterOf returns the letter that stands for a dialect in a cell.
func letterOf(d *wire.Dialect) string { return d.Title[:1] }

// playedCells says of each cell in which dialects it is played.
type playedCells map[string]map[string]bool

func cellOf(row, column string) string { return row + " / " + column }

// playedScripts returns every scenario that is played to loops, made ready under a profile of each
// dialect in which it is.
func playedScripts() ([]*scenarios.Script, error) {
	library, err := catalog.Scenarios(nil, profiles.Known{})
	if err != nil {
		return nil, err
	}
	known := profiles.All()
	var scripts []*scenarios.Script
	for _, s := range library {
		for _, d := range dialect.All() {
			at := slices.IndexFunc(known, func(p *profiles.Profile) bool {
				return s.Prompted() && p.Speaks == d && s.PlayedUnder(p)
			})
			if at >= 0 {
				scripts = append(scripts, scenarios.Compile(s, known[at], "circumstances"))
			}
		}
	}
	return scripts, nil
}

func (t circumstanceTable) played(scripts []*scenarios.Script) playedCells {
	cells := playedCells{}
	for _, script := range scripts {
		t.mark(script, func(row, column string) {
			cell := cellOf(row, column)
			if cells[cell] == nil {
				cells[cell] = map[string]bool{}
			}
			cells[cell][script.Profile.Dialect] = true
		})
	}
	return cells
}

//go:embed circumstances.yaml
var holeReasons []byte

// holes are the reasons for what is not played, by the name of a table. The file is read strictly.
type holes struct {
	Tables []tableHoles `yaml:"tables"`
}

type tableHoles struct {
	Name  string `yaml:"~key"`
	Holes []hole `yaml:"holes"`
}

// hole is the reason for some cells of a row that are not played.
type hole struct {
	Row     string   `yaml:"row"`     // "": all
	Columns []string `yaml:"columns"` // none: all of the row
	In      string   `yaml:"in"`      // a dialect; "": all
	Why     string   `yaml:"why"`
}

func (h hole) is(row, column, dialect string) bool {
	return (h.Row == "" || h.Row == row) && (len(h.Columns) == 0 || slices.Contains(h.Columns, column)) && (h.In == "" || h.In == dialect)
}

func readHoles() (map[string][]hole, error) {
	var h holes
	if _, err := strictyaml.Read("lab/site/circumstances.yaml", holeReasons, &h); err != nil {
		return nil, err
	}
	by := map[string][]hole{}
	for _, t := range h.Tables {
		by[t.Name] = t.Holes
	}
	return by, nil
}

// circumstancesPage writes which circumstances are played, and why the others are not.
func circumstancesPage() ([]byte, error) {
	reasons, err := readHoles()
	if err != nil {
		return nil, err
	}
	scripts, err := playedScripts()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("# Circumstances\n\n")
	b.WriteString("What the scenarios play, and in which circumstances. The tables are made from the scenarios. ")
	fmt.Fprintf(&b, "A capital letter says that the circumstance is played in a wire API: %s. ", legend())
	b.WriteString("A small letter, or –, says that it is not, and its number leads to the reason below the table.\n")
	for _, t := range circumstanceTables {
		if err := t.write(&b, scripts, reasons[t.name]); err != nil {
			return nil, err
		}
	}
	writeRuleCircumstances(&b, scripts)
	if err := writeUnplayed(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// legend says which letter stands for which dialect.
func legend() string {
	var letters []string
	for _, d := range dialect.All() {
		letters = append(letters, letterOf(d)+" is "+d.Title)
	}
	return strings.Join(letters, ", ")
}

func (t circumstanceTable) write(b *bytes.Buffer, scripts []*scenarios.Script, reasons []hole) error {
	cells := t.played(scripts)
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n| %s | %s |\n|---|%s\n", t.name, t.about, t.head, strings.Join(t.columns, " | "), strings.Repeat("---|", len(t.columns)))
	var notes []string
	var errs []error
	used := make([]bool, len(reasons))
	for _, row := range t.rows {
		var line []string
		for _, column := range t.columns {
			var marks []string
			for _, d := range dialect.All() {
				if cells[cellOf(row, column)][d.Name] {
					marks = append(marks, letterOf(d))
					continue
				}
				at := slices.IndexFunc(reasons, func(h hole) bool { return h.is(row, column, d.Name) })
				if at < 0 {
					errs = append(errs, fmt.Errorf("%s: %q is not played in the dialect %s: write a scenario, or a reason into lab/site/circumstances.yaml", t.name, cellOf(row, column), d.Name))
					continue
				}
				used[at] = true
				why := reasons[at].Why
				if !slices.Contains(notes, why) {
					notes = append(notes, why)
				}
				marks = append(marks, fmt.Sprintf("%s<sup>%d</sup>", strings.ToLower(letterOf(d)), slices.Index(notes, why)+1))
			}
			line = append(line, joined(marks))
		}
		fmt.Fprintf(b, "| %s | %s |\n", row, strings.Join(line, " | "))
	}
	if at := slices.Index(used, false); at >= 0 {
		errs = append(errs, fmt.Errorf("%s: the reason %q for %q in lab/site/circumstances.yaml is for nothing: all of that is played, or there is no such place", t.name, reasons[at].Why, reasons[at].Row))
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	b.WriteString("\n")
	for i, why := range notes {
		fmt.Fprintf(b, "%d. %s\n", i+1, why)
	}
	return nil
}

// joined writes the marks of a cell; two holes of the same reason are one.
func joined(marks []string) string {
	numbers := map[string]bool{}
	holes := 0
	for _, m := range marks {
		if _, number, is := strings.Cut(m, "<sup>"); is {
			numbers[number] = true
			holes++
		}
	}
	if holes == len(marks) && len(numbers) == 1 {
		for number := range numbers {
			return "–<sup>" + number
		}
	}
	return strings.Join(marks, " ")
}
