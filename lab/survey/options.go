package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/lab/internal/matrix"
)

// options are what the command line says.
type options struct {
	only      []string
	checkouts map[string]string // by the name of the loop
	workers   int
	reports   string
	archive   string
	noSetup   bool
	setupOnly bool
	write     bool
	newest    bool
	about     string // the file for a summary of newer versions, or ""

	conversations int    // that are drawn at random for each loop; 0: its scenarios are played instead
	seed          uint64 // of these conversations
}

var errHelp = pflag.ErrHelp

func readOptions(args []string) (options, error) {
	var o options
	set := pflag.NewFlagSet("survey", pflag.ContinueOnError)
	set.SortFlags = false
	set.StringSliceVar(&o.only, "only", nil, "play only these `loops`, by the names of their folders in "+matrix.ResultsFolder)
	set.StringToStringVar(&o.checkouts, "checkout", nil, "where a library lies that has to be fetched by hand, as `loop=folder`")
	set.IntVar(&o.workers, "workers", 0, "how many cases are played at a time; 0 is as many as loopproof run plays")
	set.StringVar(&o.reports, "reports", "loopproof-report/findings", "the `folder` for the reports and what the loops print")
	set.StringVar(&o.archive, "archive", "loopproof-report/archive", "the `folder` for the whole reports, LOOP/VERSION.json")
	set.BoolVar(&o.noSetup, "no-setup", false, "play what was set up before")
	set.BoolVar(&o.setupOnly, "setup-only", false, "set the loops up, and play nothing")
	set.BoolVar(&o.write, "write", false, "play nothing, and write "+matrix.ReadmeFile+" again")
	set.BoolVar(&o.newest, "newest", false, "look for newer versions, write them into the adapters, and play only loops that have one")
	set.StringVar(&o.about, "summary", "", "with --newest: a `file` for what came of them, in Markdown")
	set.IntVar(&o.conversations, "fuzz", 0, "play so many `conversations` drawn at random instead of the scenarios, and write no document")
	set.Uint64Var(&o.seed, "seed", 0, "with --fuzz: draw the same conversations as the run with this seed; 0: a new seed for each loop")
	set.Usage = func() {
		fmt.Printf("survey plays the loops of %s, and renews their results.\n\n%s", matrix.ResultsFolder, set.FlagUsages())
	}
	if err := set.Parse(args); err != nil {
		return o, err
	}
	if set.NArg() > 0 {
		return o, fmt.Errorf("unexpected %q: loops are named with --only", set.Arg(0))
	}
	if o.setupOnly && (o.noSetup || o.write) {
		return o, errors.New("--setup-only goes with neither --no-setup nor --write")
	}
	if o.conversations < 0 || o.seed > 0 && o.conversations == 0 || o.write && o.conversations > 0 {
		return o, errors.New("--fuzz is how many conversations are drawn, at least 1; --seed needs it, and --write does not go with it")
	}
	if o.newest && (o.write || o.noSetup || o.setupOnly || o.conversations > 0) || o.about != "" && !o.newest {
		return o, errors.New("--newest sets up and plays scenarios, so it goes with neither --write, --no-setup, --setup-only nor --fuzz; --summary needs it")
	}
	if o.workers < 0 {
		return o, fmt.Errorf("--workers is at least 1, not %d; leave it out for as many as loopproof run plays", o.workers)
	}
	return o, nil
}

// choose returns the loops that are to be played, each with the folder of its library.
func (o options) choose(loops []*matrix.Loop) ([]*matrix.Loop, error) {
	known := map[string]bool{}
	var chosen []*matrix.Loop
	for _, l := range loops {
		known[l.Name] = true
		if where, ok := o.checkouts[l.Name]; ok {
			if l.Checkout == "" {
				return nil, fmt.Errorf("--checkout %s=%s: that library comes from a registry", l.Name, where)
			}
			there := *l.LoopFile
			there.Checkout = where
			l = &matrix.Loop{Name: l.Name, Folder: l.Folder, LoopFile: &there}
		}
		if len(o.only) == 0 || slices.Contains(o.only, l.Name) {
			chosen = append(chosen, l)
		}
	}
	var errs []error
	for _, name := range o.named() {
		if !known[name] {
			errs = append(errs, fmt.Errorf("there is no loop %q in %s%s", name, matrix.ResultsFolder, suggest.Hint(name, names(loops))))
		}
	}
	return chosen, errors.Join(errs...)
}

// named returns all names of loops on the command line.
func (o options) named() []string {
	named := slices.Clone(o.only)
	for name := range o.checkouts {
		named = append(named, name)
	}
	slices.Sort(named)
	for i, name := range named {
		named[i] = strings.TrimSpace(name)
	}
	return slices.Compact(named)
}

func names(loops []*matrix.Loop) []string {
	var all []string
	for _, l := range loops {
		all = append(all, l.Name)
	}
	return all
}
