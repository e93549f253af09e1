// Bench measures the mock provider as a user would: servers are processes, and the load comes from
// a process of its own. The floor is a bare net/http handler that reads the body and writes the
// same bytes. Each request is of another conversation, of which the server knows nothing.
//
//	go run ./bench                          # everything that can be run here
//	go run ./bench --only plain,start       # some of it
//	go run ./bench --write                  # also writes bench/README.md and bench/results.json
//	go run ./bench --check                  # fails if a ratio is worse by a tenth than in bench/results.json
//
// The servers take turns, so that a machine whose speed drifts favours none of them. wrk generates
// the load (apt-get install wrk, brew install wrk).
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/lab/internal/repository"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := newCommand().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// options are the flags of the command.
type options struct {
	only         []string
	binary       string
	rounds       int
	during       time.Duration
	connections  int
	streams      int
	requests     int
	write, check bool
}

func newCommand() *cobra.Command {
	o := &options{}
	c := &cobra.Command{
		Use:   "bench [flags]",
		Short: "Measure the mock provider alongside a bare net/http handler and other mock servers",
		Long: `Starts the floor (a bare net/http handler that writes the same bytes), the mock provider, and the other mock
servers that are installed, each as a process; drives them in turns with wrk; and prints a report. It says what it
could not run. ` + "`bench list`" + ` shows what can be measured.`,
		Example: `  go run ./bench --only plain,plain-messages --rounds 5
  go run ./bench --only start,memory,help
  go run ./bench --only streams --streams 1000
  go run ./bench --loopproof ./before --only plain       measure another binary
  go run ./bench --write                                 write bench/README.md
  go run ./bench page > bench/README.md                  from the stored results
  go run ./bench --check                                 fail if a ratio is worse by a tenth than the stored one, or an open stream takes a quarter more memory`,
		Args: cobra.NoArgs, SilenceUsage: true, SilenceErrors: true,
		RunE: func(c *cobra.Command, _ []string) error { return o.run(c.Context(), c.OutOrStdout()) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringSliceVar(&o.only, "only", nil, "measure only these `names`; bench list shows all")
	f.IntVar(&o.rounds, "rounds", 5, "measure each server so many `times`")
	f.DurationVar(&o.during, "during", 3*time.Second, "send requests for this `time` in each round")
	f.IntVar(&o.connections, "connections", 16, "send requests over so many connections")
	f.IntVar(&o.streams, "streams", 10_000, "hold so many streams open")
	f.IntVar(&o.requests, "requests", 100_000, "measure memory after so many requests")
	f.StringVar(&o.binary, "loopproof", "", "measure this `binary` instead of building the one of the repository")
	f.BoolVar(&o.write, "write", false, "write bench/README.md and bench/results.json")
	f.BoolVar(&o.check, "check", false, "fail if a ratio is worse by a tenth than in bench/results.json, or an open stream takes a quarter more memory")
	c.AddCommand(listCommand(), pageCommand(), floorCommand(), streamsCommand())
	return c
}

func listCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "Show what can be measured", Args: cobra.NoArgs,
		Run: func(c *cobra.Command, _ []string) {
			for _, m := range measurements() {
				fmt.Fprintf(c.OutOrStdout(), "%-20s %s\n", m.name, m.about)
			}
		},
	}
}

func pageCommand() *cobra.Command {
	return &cobra.Command{
		Use: "page", Short: "Print the report of the stored results", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			root, err := repository.Root()
			if err != nil {
				return err
			}
			r, err := readResults(filepath.Join(root, "lab", "bench", "results.json"))
			if err == nil {
				fmt.Fprint(c.OutOrStdout(), r.page())
			}
			return err
		},
	}
}

// measurement is something that the command measures.
type measurement struct {
	name, about string
	run         func(b *bench, ctx context.Context) error
}

// measurements returns all of them, in the order of the report.
func measurements() []measurement {
	all := []measurement{
		{"help", "time of loopproof --help", (*bench).measureHelp},
		{"start", "time from the start of the process to the first answer", (*bench).measureStart},
		{"memory", "memory after many plain requests", (*bench).measureMemory},
	}
	for _, w := range workloads() {
		all = append(all, measurement{w.Name, w.About, func(b *bench, ctx context.Context) error { return b.measureLoad(ctx, w) }})
	}
	return append(all,
		measurement{growing.Name, "a conversation of 300 turns, sent anew at each of them", (*bench).measureGrowing},
		measurement{"chains", "memory of 1,500 kept conversations of 100 turns", (*bench).measureChains},
		measurement{"streams", "many open streams at 20 ms a token", (*bench).measureStreams},
		measurement{"suite", "all cases, and those of --quick, played to the built-in reference loop", (*bench).measureSuite},
		measurement{"loops", "the cases of --quick, played to loops in Python and for Node.js", (*bench).measureLoops})
}

// bench is one run of the command.
type bench struct {
	*options
	dir     string // for files of the servers
	root    string // of the repository
	out     io.Writer
	servers []*server
	results *results
}

func (o *options) run(ctx context.Context, out io.Writer) error {
	chosen, err := o.chosen()
	if err != nil {
		return err
	}
	b := &bench{options: o, out: out}
	if b.root, err = repository.Root(); err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if err := b.prepare(ctx); err != nil {
		return err
	}
	for _, m := range measurements() {
		if !slices.ContainsFunc(chosen, func(c measurement) bool { return c.name == m.name }) {
			b.results.missing("%s: it was not chosen", m.name)
		}
	}
	var failed []error
	for _, m := range chosen {
		fmt.Fprintf(os.Stderr, "bench: %s\n", m.name)
		err := m.run(b, ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil { // the others can be measured all the same
			b.results.missing("%s: %v", m.name, err)
			failed = append(failed, fmt.Errorf("%s: %w", m.name, err))
		}
	}
	return errors.Join(b.end(), errors.Join(failed...))
}

// end prints the report, and compares or stores the results.
func (b *bench) end() error {
	page := b.results.page()
	fmt.Fprint(b.out, page)
	stored := filepath.Join(b.root, "lab", "bench", "results.json")
	var worse error
	if b.check {
		before, err := readResults(stored)
		if err != nil {
			return err
		}
		worse = b.results.worseThan(before)
	}
	if !b.write {
		return worse
	}
	return errors.Join(worse, b.results.writeTo(stored), os.WriteFile(filepath.Join(b.root, "lab", "bench", "README.md"), []byte(page), 0o644))
}

// chosen returns the measurements that the flags choose.
func (o *options) chosen() ([]measurement, error) {
	all := measurements()
	if len(o.only) == 0 {
		return all, nil
	}
	var names []string
	for _, m := range all {
		names = append(names, m.name)
	}
	for _, name := range o.only {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("there is nothing to measure with the name %q; choose from %s", name, strings.Join(names, ", "))
		}
	}
	return slices.DeleteFunc(all, func(m measurement) bool { return !slices.Contains(o.only, m.name) }), nil
}
