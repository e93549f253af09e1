package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/report"
)

// openFailed puts the cases that failed in a report into the config, and its seed if no other one is
// given.
func (f *runFlags) openFailed(c *runner.Config) error {
	if f.failed == "" {
		return nil
	}
	r, err := readReport(f.failed)
	if err != nil {
		return fmt.Errorf("--failed: %w", err)
	}
	c.Select.Again = failedCases(r)
	if len(c.Select.Again) == 0 {
		return fmt.Errorf("--failed: no case failed in %s, so that there is nothing to play again", f.failed)
	}
	c.Seed = cmp.Or(c.Seed, r.Seed)
	return nil
}

// failedCases returns the ids of the cases of a report in which a must or a should is broken.
func failedCases(r *report.Report) (ids []string) {
	for _, c := range r.Cases {
		if slices.ContainsFunc(c.Findings, func(f report.Finding) bool { return f.Level != report.Info }) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// tellFailed says how to play again what failed, once there is a report of it.
func (r *loopRun) tellFailed(result *report.Report) {
	if dir := r.flags.report; dir != "" && failedCases(result) != nil {
		fmt.Fprintf(r.out, "%11s  --failed %s plays only the cases that failed\n", "again", quoted([]string{dir}))
	}
}
