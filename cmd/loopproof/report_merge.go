package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/report"
)

func mergeCommand(s streams) *cobra.Command {
	m := &merging{streams: s, flags: &runFlags{}}
	cmd := &cobra.Command{
		Use:   "merge [flags] REPORT...",
		Short: "Merge the reports of shards",
		Long: `Merge the reports of all shards of a run into one, and judge the loop by it as if one machine had
played all cases. REPORT is a folder written by run --report, the report.json in it, or a folder
that contains such folders. The reports of all shards are needed; version, loop and seed must be the
same in all of them.

With --wait, shards that are still being played are waited for. The folders must have no reports of
an earlier run.`,
		Example: `  loopproof run --shard 1/2 --report shards/1 -- node my-adapter.js
  loopproof run --shard 2/2 --report shards/2 -- node my-adapter.js
  loopproof report merge --report whole shards
  loopproof report merge --wait 1h --report whole shards/1 shards/2`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name the reports of all shards, as in: loopproof report merge shard-1 shard-2")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return m.run(cmd.Context(), args) },
	}
	set := cmd.Flags()
	set.SortFlags = false
	set.StringVar(&m.flags.knownFailing, "known-failing", "", "a `file` that lists expected failures")
	set.StringVar(&m.flags.report, "report", "", "write report.json, junit.xml and more into this `folder`")
	set.DurationVar(&m.wait, "wait", 0, "wait this `duration` for the reports of all shards")
	return cmd
}

// merging is one run of report merge.
type merging struct {
	streams
	flags *runFlags
	wait  time.Duration
}

func (m *merging) run(ctx context.Context, names []string) error {
	known, err := m.flags.expectations()
	if err != nil {
		return err
	}
	if m.wait < 0 {
		return fmt.Errorf("--wait must not be negative, as %v is", m.wait)
	}
	if dir := m.flags.report; dir != "" {
		if err := m.prepare(dir); err != nil {
			return err
		}
	}
	parts, err := m.parts(ctx, names)
	if err != nil {
		return err
	}
	whole, err := report.Merge(parts...)
	if err != nil {
		return fmt.Errorf("the reports cannot be merged: %w", err)
	}
	r := &loopRun{streams: m.streams, flags: m.flags, known: known, plan: runner.PlanOf(whole, parts[0].Shard.Filtered)}
	return r.finish(whole)
}

// prepare makes the folder for the merged report. One that is there while the shards are waited for
// shows that theirs may be of that earlier run, too, and they would be merged at once.
func (m *merging) prepare(dir string) error {
	if err := report.PrepareDir(dir); err != nil {
		return err
	}
	if m.wait > 0 && hasReport(dir) {
		return fmt.Errorf("%s has the report of an earlier run, so those of its shards may be left, too: remove them all before --wait", dir)
	}
	return nil
}

// pollEvery is how often the reports of shards are looked for.
const pollEvery = 250 * time.Millisecond

// parts returns the reports of the shards, of all of them if they appear in time.
func (m *merging) parts(ctx context.Context, names []string) ([]*report.Report, error) {
	if m.wait == 0 {
		return reportsNamed(names)
	}
	ctx, stop := context.WithTimeoutCause(ctx, m.wait, fmt.Errorf("after %v", m.wait))
	defer stop()
	var parts []*report.Report
	for {
		var files []string
		for _, name := range names {
			files = append(files, reportsIn(name)...)
		}
		if len(files) > len(parts) { // a report may be large, so it is not read at each look
			var err error
			if parts, err = readReports(files); err != nil || len(parts) > 0 && len(parts) >= parts[0].Shard.Of {
				return parts, err
			}
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w, %s", context.Cause(ctx), missing(parts))
		case <-time.After(pollEvery):
		}
	}
}

// missing says which shards have no report.
func missing(parts []*report.Report) string {
	if len(parts) == 0 {
		return "there is no report of any shard"
	}
	there := map[int]bool{}
	for _, part := range parts {
		there[part.Shard.Index] = true
	}
	of := parts[0].Shard.Of
	var lacking []string
	for i := 1; i <= of; i++ {
		if !there[i] {
			lacking = append(lacking, fmt.Sprintf("%d/%d", i, of))
		}
	}
	return "there is no report of " + count(len(lacking), "shard") + ": " + list(lacking)
}

// reportsNamed reads the reports of a command line, each of which has to be there. One that is
// named twice is read once.
func reportsNamed(names []string) ([]*report.Report, error) {
	var files []string
	named := map[string]bool{}
	for _, name := range names {
		if named[filepath.Clean(name)] {
			continue
		}
		named[filepath.Clean(name)] = true
		found := reportsIn(name)
		if len(found) == 0 {
			found = []string{name} // readReport says what is wrong with it
		}
		files = append(files, found...)
	}
	return readReports(files)
}

func readReports(files []string) ([]*report.Report, error) {
	var all []*report.Report
	var errs []error
	for _, file := range files {
		r, err := readReport(file)
		if err == nil && r.Shard == nil {
			err = fmt.Errorf("%s is not the report of a shard: it was written without --shard", file)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, r)
	}
	return all, errors.Join(errs...)
}

// reportsIn returns the reports that are at a name: a file, a folder with a report, or the folders
// with reports in it.
func reportsIn(name string) []string {
	if info, err := os.Stat(name); err == nil && !info.IsDir() || hasReport(name) {
		return []string{name}
	}
	entries, _ := os.ReadDir(name) // none while it is not there
	var found []string
	for _, entry := range entries {
		if folder := filepath.Join(name, entry.Name()); hasReport(folder) {
			found = append(found, folder)
		}
	}
	return found
}

func hasReport(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "report.json"))
	return err == nil
}
