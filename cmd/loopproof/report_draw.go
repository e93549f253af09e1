package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/internal/files"
	"github.com/loopproof/loopproof/report"
)

func drawCommand(s streams) *cobra.Command {
	var folder string
	var cases []string
	cmd := &cobra.Command{
		Use:   "draw --svg FOLDER [flags] REPORT",
		Short: "Draw the broken cases of a report as sequence diagrams",
		Long: `Draw each broken case of a report as a sequence diagram, in a file SVG of its own: who sent what to
whom, which message broke which rule, and what was expected. REPORT is a folder written by run
--report, or the report.json in it. Of a run of many cases only those are drawn whose exchanges the
report keeps, which are two or more of each broken rule.`,
		Example: `  loopproof report draw --svg pictures loopproof-report
  loopproof report draw --svg pictures --case 'pairing/*' loopproof-report`,
		Args: oneReport,
		RunE: func(_ *cobra.Command, args []string) error {
			if folder == "" {
				return errors.New("name the folder for the pictures, as in: --svg pictures")
			}
			r, err := readReport(args[0])
			if err != nil {
				return err
			}
			return drawCases(s, r, folder, cases)
		},
	}
	set := cmd.Flags()
	set.SortFlags = false
	set.StringVar(&folder, "svg", "", "write the pictures into this `folder`")
	set.StringArrayVar(&cases, "case", nil, "draw only the cases that fit this `pattern`, by their id or scenario, broken or not")
	return cmd
}

func oneReport(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return errors.New("name one report: a folder written by run --report, or the report.json in it")
	}
	return nil
}

// drawCases draws the chosen cases whose exchanges are in a report.
func drawCases(s streams, r *report.Report, folder string, patterns []string) error {
	if err := report.PrepareDir(folder); err != nil {
		return err
	}
	drawn, without := 0, 0
	for i := range r.Cases {
		c := &r.Cases[i]
		if !drawsCase(c, patterns) {
			continue
		}
		if c.Trace == nil {
			without++
			continue
		}
		if !filepath.IsLocal(filepath.FromSlash(c.ID)) {
			return fmt.Errorf("the report has a case of the id %q, which cannot be the name of a file", c.ID)
		}
		name := filepath.Join(folder, filepath.FromSlash(c.ID)+".svg")
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return fmt.Errorf("the picture cannot be written: %w", err)
		}
		if err := files.Write(name, c.WriteSVG); err != nil {
			return fmt.Errorf("the picture cannot be written: %w", err)
		}
		drawn++
	}
	switch {
	case drawn == 0 && without == 0:
		return errors.New("the report has no such case; without --case only those are drawn that break a rule")
	case drawn == 0:
		return fmt.Errorf("the report does not have the exchange of any of %s: play them again with run --case", count(without, "case"))
	}
	fmt.Fprintf(s.out, "%s in %s\n", count(drawn, "picture"), folder)
	if without > 0 {
		fmt.Fprintf(s.out, "%s not drawn, since the report does not have their exchanges\n", count(without, "case"))
	}
	return nil
}

// drawsCase reports whether a case is drawn: it fits a pattern, by its id or its scenario, or there
// is none and it is broken.
func drawsCase(c *report.Case, patterns []string) bool {
	if len(patterns) == 0 {
		return c.Broken()
	}
	return slices.ContainsFunc(patterns, func(p string) bool {
		return doublestar.MatchUnvalidated(p, c.ID) || doublestar.MatchUnvalidated(p, c.Scenario)
	})
}

func compareCommand(s streams) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "compare --out FILE BEFORE AFTER",
		Short: "Show two reports side by side, as a page",
		Long: `Write a page that shows two reports side by side, such as those of two versions of a loop: the rules
whose verdicts differ, each with the sequence of one case in both, and the rules that both break.
BEFORE and AFTER are folders written by run --report, or the report.json in them. A case that broke
nothing has its exchange in the report if the run had 50 cases at most: limit it with --case.`,
		Example: `  loopproof run --scenario 'cancel/*' --report before -- node adapter-1.0.js
  loopproof run --scenario 'cancel/*' --report after -- node adapter-1.1.js
  loopproof report compare --out compared.html before after`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return errors.New("name two reports, as in: loopproof report compare --out compared.html before after")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if out == "" {
				return errors.New("name the file for the page, as in: --out compared.html")
			}
			before, errBefore := readReport(args[0])
			after, errAfter := readReport(args[1])
			if err := errors.Join(errBefore, errAfter); err != nil {
				return err
			}
			write := func(w io.Writer) error { return report.WriteComparison(w, before, after) }
			if err := files.Write(out, write); err != nil {
				return fmt.Errorf("the page cannot be written: %w", err)
			}
			fmt.Fprintf(s.out, "the comparison is in %s\n", out)
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write the page into this `file`")
	return cmd
}
