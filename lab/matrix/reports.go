package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/internal/files"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/lab/internal/matrix"
	"github.com/loopproof/loopproof/report"
)

func verifyCommand(archive *string) *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE|FOLDER...",
		Short: "Check results that are published, or a report that is to be stored",
		Long: `Check that a report or result can be published: that it is of a complete run of all that the loop
claims, that its counts agree with each other, and that its cases can be played again. FILE is a
report.json. FOLDER is one that run --report wrote, the folder of a loop, with loop.yaml and a result
for each version, or a folder of such folders. There, each broken must also needs a verdict, and no
message may quote a text of the loop. With --archive, each result is also made again from its whole
report, if that is there, and has to be the same.`,
		Example: `  go run ./matrix verify loopproof-report
  go run ./matrix verify results/acme-loop
  go run ./matrix verify results`,
		Args: namedReports("go run ./matrix verify results/acme-loop"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var errs []error
			for _, arg := range args {
				errs = append(errs, verifyReports(cmd.OutOrStdout(), arg, *archive))
			}
			return errors.Join(errs...)
		},
	}
}

func namedReports(example string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("name a report or a folder, as in: %s", example)
		}
		return nil
	}
}

// verifyReports checks what an argument names, and tells what was checked.
func verifyReports(w io.Writer, name, archive string) error {
	file, err := reportFile(name)
	if err != nil {
		return err
	}
	switch {
	case file != "":
		r, err := verifiedReport(file)
		if err != nil {
			return err
		}
		tellReport(w, file, r)
		if n := len(matrix.BrokenMusts(r)); n > 0 {
			fmt.Fprintf(w, "  %s broken; loop.yaml in the folder of the loop says whose fault that is\n", textlayout.Count(n, "must"))
		}
		return nil
	case exists(filepath.Join(name, matrix.LoopFileName)):
		l, err := matrix.LoadLoop(name, archive)
		if err != nil {
			return err
		}
		return tellLoop(w, l)
	}
	loops, err := matrix.Load(name, archive)
	if err != nil {
		return err
	}
	var errs []error
	for _, l := range loops {
		errs = append(errs, tellLoop(w, l))
	}
	return errors.Join(errs...)
}

// reportFile returns the file of a single report, or "" for a folder of results.
func reportFile(name string) (string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return "", fmt.Errorf("expected a report or a folder of results: %w", err)
	}
	if !info.IsDir() {
		return name, nil
	}
	if file := filepath.Join(name, "report.json"); exists(file) && !exists(filepath.Join(name, matrix.LoopFileName)) {
		return file, files.CheckIn(name, "report.json")
	}
	return "", nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func verifiedReport(file string) (*report.Report, error) {
	r, err := matrix.ReadReport(file)
	if err != nil {
		return nil, err
	}
	return r, matrix.Verify(file, r)
}

// tellLoop tells what was checked of the results of a loop, and returns those that an archive
// contradicts.
func tellLoop(w io.Writer, l *matrix.Loop) error {
	var errs []error
	for _, v := range l.Versions {
		if errs = append(errs, v.Stale); v.Stale != nil {
			continue
		}
		tellReport(w, v.File, v.Report)
		if v.Result.SelfReported {
			fmt.Fprintln(w, "  it is self-reported: nobody of this project has played it")
		}
		if v.Archived {
			fmt.Fprintln(w, "  it is what its report in the archive says")
		}
		musts, shoulds := v.Unexamined()
		if len(musts)+len(shoulds) > 0 {
			fmt.Fprintf(w, "  not yet examined: %s, %s\n", textlayout.Count(len(musts), "broken must"), textlayout.Count(len(shoulds), "broken should"))
			for _, rule := range musts {
				fmt.Fprintf(w, "    %s\n", rule)
			}
		}
	}
	return errors.Join(errs...)
}

func tellReport(w io.Writer, file string, r *report.Report) {
	fmt.Fprintf(w, "%s is valid: %s, %s, seed %d\n", file, r.Loop, textlayout.Count(len(r.Cases)+r.CasesLeftOut, "case"), r.Seed)
	if !matrix.SameRulebook(r) {
		fmt.Fprintln(w, "  it was judged by other rules, scenarios or profiles than those of this version, so it is not known whether cases are missing")
	}
}
