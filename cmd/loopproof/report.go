package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/internal/files"
	"github.com/loopproof/loopproof/report"
)

func reportCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Merge, draw and compare reports",
		Example: `  loopproof report merge --report whole shard-1 shard-2
  loopproof report draw --svg pictures loopproof-report
  loopproof report compare --out compared.html report-of-1.0 report-of-1.1`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cmd.Help()
			return verdict(exitFault)
		},
	}
	cmd.AddCommand(mergeCommand(s), drawCommand(s), compareCommand(s))
	return cmd
}

func readReport(name string) (*report.Report, error) {
	folder := name
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		name = filepath.Join(name, "report.json")
		if err := files.CheckIn(folder, "report.json"); err != nil {
			return nil, err
		}
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) && name != folder {
		return nil, fmt.Errorf("the folder %s has no report.json, nor a folder with one; run --report writes it", folder)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the report: %w", err)
	}
	defer f.Close()
	r, err := report.Read(f)
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s is not a report: it is empty", name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s is not a report: %w", name, err)
	}
	if r.Schema != report.Schema {
		return nil, fmt.Errorf("%s has the schema %q, expected %q", name, r.Schema, report.Schema)
	}
	return r, nil
}
