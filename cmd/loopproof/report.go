package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/report"
)

func reportCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Merge, check and store reports",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cmd.Help()
			return verdict(exitFault)
		},
	}
	cmd.AddCommand(mergeCommand(s), verifyCommand(s), storeCommand(s))
	return cmd
}

func mergeCommand(s streams) *cobra.Command {
	f := &runFlags{}
	cmd := &cobra.Command{
		Use:   "merge [flags] REPORT...",
		Short: "Merge the reports of shards",
		Long: `Merge the reports of all shards of a run into one, and judge the loop by it as if one machine had played all cases.
REPORT is a folder written by run --report, or the report.json in it. The reports of all shards are needed; version,
loop and seed must be the same in all of them.`,
		Example: `  loopproof run --shard 1/2 --report shard-1 -- node my-adapter.js
  loopproof run --shard 2/2 --report shard-2 -- node my-adapter.js
  loopproof report merge --report whole shard-1 shard-2`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name the reports of all shards, as in: loopproof report merge shard-1 shard-2")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			known, err := f.expectations()
			if err != nil {
				return err
			}
			parts, err := readReports(args)
			if err != nil {
				return err
			}
			whole, err := report.Merge(parts...)
			if err != nil {
				return fmt.Errorf("the reports cannot be merged: %w", err)
			}
			r := &loopRun{streams: s, flags: f, known: known, plan: runner.PlanOf(whole, parts[0].Shard.Filtered)}
			return r.finish(whole)
		},
	}
	set := cmd.Flags()
	set.SortFlags = false
	set.StringVar(&f.knownFailing, "known-failing", "", "a `file` that lists expected failures")
	set.StringVar(&f.report, "report", "", "write report.json, junit.xml and more into this `folder`")
	return cmd
}

// readReports reads the reports of a command line.
func readReports(names []string) ([]*report.Report, error) {
	var all []*report.Report
	var errs []error
	for _, name := range names {
		r, err := readReport(name)
		if err == nil && r.Shard == nil {
			err = fmt.Errorf("%s is not the report of a shard: it was written without --shard", name)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, r)
	}
	return all, errors.Join(errs...)
}

func readReport(name string) (*report.Report, error) {
	folder := name
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		name = filepath.Join(name, "report.json")
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) && name != folder {
		return nil, fmt.Errorf("the folder %s has no report.json; run --report writes it", folder)
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
