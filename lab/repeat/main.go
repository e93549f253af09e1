// Repeat judges a loop again and again with the same seed, alongside busy processes, and demands
// the same report each time but for times, names of runs, ports, and the order in which parallel
// calls began. Folders of reports that differ are kept.
//
//	go run ./repeat                                        # the reference loop, 100 times alongside 8 busy processes
//	go run ./repeat --times 5 --busy 2 -- run --quick
//	go run ./repeat --times 10 -- run -- python3 ../packages/starters/plain-loop/adapter.py
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/lab/internal/repository"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := newCommand().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "repeat:", err)
		os.Exit(1)
	}
}

// options are the flags of the command.
type options struct {
	times, busy, disk int
	seed              uint64
	keep, binary      string
}

func newCommand() *cobra.Command {
	o := &options{}
	c := &cobra.Command{
		Use:          "repeat [flags] [-- run ARGS...]",
		Short:        "Judge a loop again and again alongside busy processes, and compare the reports",
		SilenceUsage: true, SilenceErrors: true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"run"}
			}
			return o.run(c.Context(), c.OutOrStdout(), args)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.IntVar(&o.times, "times", 100, "judge it so many `times`")
	f.IntVar(&o.busy, "busy", 8, "keep so many `processes` busy alongside it")
	f.IntVar(&o.disk, "disk", 1, "keep so many `processes` writing to the disk")
	f.Uint64Var(&o.seed, "seed", 7, "the `seed` of all runs")
	f.StringVar(&o.keep, "keep", "repeated", "keep reports that differ in this `folder`")
	f.StringVar(&o.binary, "loopproof", "", "run this `binary` instead of building the one of the repository")
	c.AddCommand(busyCommand(), diskCommand())
	return c
}

// progressEvery is how often a long command says how far it is.
const progressEvery = time.Minute

func (o *options) run(ctx context.Context, out io.Writer, args []string) error {
	if args[0] != "run" {
		return fmt.Errorf("after -- is run and its arguments, not %q", args[0])
	}
	dir, err := os.MkdirTemp("", "repeat-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := o.build(ctx, dir); err != nil {
		return err
	}
	ctx, end := context.WithCancel(ctx)
	defer end() // the busy processes, too
	if err := o.load(ctx, dir); err != nil {
		return err
	}
	first, err := o.judge(ctx, filepath.Join(dir, "1"), args)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "1: %d cases, %s\n", len(first.cases), first.result)
	different, said := 0, time.Now()
	for n := 2; n <= o.times; n++ {
		if time.Since(said) >= progressEvery {
			fmt.Fprintf(out, "%d of %d: %d differ\n", n-1, o.times, different)
			said = time.Now()
		}
		report := filepath.Join(dir, fmt.Sprint(n))
		next, err := o.judge(ctx, report, args)
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted after %d of %d repeats, of which %d differ from the first", n-1, o.times, different)
		}
		if err != nil {
			return err
		}
		found := first.differences(next)
		if len(found) == 0 {
			os.RemoveAll(report)
			continue
		}
		different++
		fmt.Fprintf(out, "%d: %d differences\n", n, len(found))
		for _, d := range found[:min(len(found), 10)] {
			fmt.Fprintln(out, "   ", d)
		}
		if err := o.keepReports(filepath.Join(dir, "1"), report); err != nil {
			return err
		}
	}
	if different > 0 {
		return fmt.Errorf("%d of %d reports differ from the first; they are in %s", different, o.times, o.keep)
	}
	fmt.Fprintf(out, "%d reports are the same but for times\n", o.times)
	return nil
}

func (o *options) build(ctx context.Context, dir string) error {
	if o.binary != "" {
		return nil
	}
	o.binary = filepath.Join(dir, "loopproof")
	root, err := repository.Root()
	if err != nil {
		return err
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", o.binary, "./cmd/loopproof")
	build.Dir, build.Stderr = root, os.Stderr
	return build.Run()
}

// judge runs loopproof once and reads its report. That the loop is not conformant is not an error.
func (o *options) judge(ctx context.Context, folder string, args []string) (*judged, error) {
	all := append([]string{"run", "--seed", fmt.Sprint(o.seed), "--report", folder}, args[1:]...)
	output, err := exec.CommandContext(ctx, o.binary, all...).CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, output)
	}
	return readReport(filepath.Join(folder, "report.json"))
}

// keepReports copies the first report and one that differs from it.
func (o *options) keepReports(folders ...string) error {
	for _, folder := range folders {
		to := filepath.Join(o.keep, filepath.Base(folder))
		if _, err := os.Stat(to); err == nil {
			continue
		}
		if err := os.CopyFS(to, os.DirFS(folder)); err != nil {
			return err
		}
	}
	return nil
}
