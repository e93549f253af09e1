// Oracles asks the request-reading code of real servers what it refuses, and stores its answers.
// They are what the profiles are held against: lab/site renders the page agreement of them.
//
//	go run ./oracles                  # all of them
//	go run ./oracles vllm ollama      # some of them
//	go run ./oracles --stored         # none: compare with what is stored
//	go run ./oracles --list
//
// Each oracle is a small server around code from a package registry, in a pinned version. What it
// needs is installed in a cache folder outside of the repository.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/lab/agreement"
	"github.com/loopproof/loopproof/lab/internal/repository"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := newCommand().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "oracles:", err)
		os.Exit(1)
	}
}

// options are the flags of the command.
type options struct {
	cache, python, results string
	source                 string // the folder of this program in the repository
	latest, stored, check  bool
	list, json, rows       bool
	builders               int
	timeout                time.Duration
}

func newCommand() *cobra.Command {
	o := &options{}
	c := &cobra.Command{
		Use:           "oracles [NAME...]",
		Short:         "Ask the code of real servers what it refuses, and compare the profiles with it",
		SilenceUsage:  true,
		SilenceErrors: true,
		Long: "Installs the request-reading code of real servers in pinned versions, asks it about a corpus of requests, stores its\n" +
			"answers, and compares the mock provider under the profiles of those servers with them. Without names all are asked.\n" +
			"It fails when an oracle cannot be run, or when the mock provider refuses what the real code takes.",
		RunE: func(c *cobra.Command, names []string) error { return o.run(c.Context(), names) },
	}
	f := c.Flags()
	f.StringVar(&o.cache, "cache", defaultCache(), "folder for what is installed")
	f.StringVar(&o.python, "python", "python3", "Python of 3.10 or later, with venv")
	f.StringVar(&o.results, "results", "", "`folder` of the stored answers, instead of lab/oracles/results")
	f.BoolVar(&o.latest, "latest", false, "ask the latest versions instead of the pinned ones, and store nothing")
	f.BoolVar(&o.stored, "stored", false, "ask nobody: compare with the stored answers")
	f.BoolVar(&o.check, "check", false, "store nothing, and fail when an answer differs from the stored one")
	f.BoolVar(&o.list, "list", false, "list the oracles and what they need")
	f.BoolVar(&o.json, "json", false, "print the comparison as JSON")
	f.BoolVar(&o.rows, "rows", false, "print every body on which the two disagree")
	f.IntVar(&o.builders, "builders", 1, "compilers that run at the same time")
	f.DurationVar(&o.timeout, "timeout", 2*time.Hour, "time for one oracle, its installation included")
	return c
}

func defaultCache() string {
	if dir, err := os.UserCacheDir(); err == nil {
		return filepath.Join(dir, "loopproof-oracles")
	}
	return filepath.Join(os.TempDir(), "loopproof-oracles")
}

func (o *options) run(ctx context.Context, names []string) error {
	root, err := repository.Root()
	if err != nil {
		return err
	}
	o.source = filepath.Join(root, "lab", "oracles")
	o.results = cmp.Or(o.results, filepath.Join(o.source, "results"))
	chosen, err := choose(names)
	if err != nil {
		return err
	}
	if o.list {
		return list(os.Stdout)
	}
	var failed []error
	var asked []*agreement.Result
	if !o.stored {
		asked, failed = o.askAll(ctx, chosen)
	}
	if o.stored || !o.latest && !o.check {
		if asked, err = storedResults(o.results, chosen); err != nil {
			return errors.Join(append(failed, err)...)
		}
	}
	failed = append(failed, o.compare(asked))
	return errors.Join(failed...)
}

// choose returns the oracles of these names, or all of them.
func choose(names []string) ([]*oracle, error) {
	all := oracles()
	if len(names) == 0 {
		return all, nil
	}
	var chosen []*oracle
	for _, name := range names {
		i := slices.IndexFunc(all, func(o *oracle) bool { return o.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no oracle %q; they are %s", name, strings.Join(namesOf(all), ", "))
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

func namesOf(all []*oracle) (names []string) {
	for _, o := range all {
		names = append(names, o.name)
	}
	return names
}

// askAll asks oracle after oracle. One that fails does not keep the others from being asked.
func (o *options) askAll(ctx context.Context, chosen []*oracle) (asked []*agreement.Result, failed []error) {
	for _, oracle := range chosen {
		ctx, cancel := context.WithTimeout(ctx, o.timeout)
		results, err := o.ask(ctx, oracle)
		cancel()
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", oracle.name, err))
			continue
		}
		asked = append(asked, results...)
	}
	return asked, failed
}

func (o *options) ask(ctx context.Context, oracle *oracle) ([]*agreement.Result, error) {
	w, err := o.workshop(oracle)
	if err != nil {
		return nil, err
	}
	w.say("installing")
	command, err := oracle.install(ctx, w)
	if err != nil {
		return nil, err
	}
	s, err := start(ctx, w, command)
	if err != nil {
		return nil, err
	}
	defer s.stop()
	if oracle.templates {
		return nil, o.askTemplates(ctx, w, s)
	}
	var results []*agreement.Result
	for _, side := range oracle.sides {
		r, err := s.askSide(ctx, w, oracle, side)
		if err != nil {
			return nil, err
		}
		if err := o.keep(r, r.File()); err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	return results, nil
}

// stored is a result that can be written to a file.
type stored interface{ Text() ([]byte, error) }

// keep stores a result, or compares it with the one that is stored.
func (o *options) keep(r stored, name string) error {
	text, err := r.Text()
	if err != nil || o.latest {
		return err
	}
	file := filepath.Join(o.results, name)
	if !o.check {
		return errors.Join(os.MkdirAll(o.results, 0o755), os.WriteFile(file, text, 0o644))
	}
	before, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return differences(name, string(before), string(text))
}

// differences reports the lines in which two stored results differ.
func differences(name, before, after string) error {
	was, is := strings.Split(before, "\n"), strings.Split(after, "\n")
	var changed []string
	for _, line := range is {
		if !slices.Contains(was, line) {
			changed = append(changed, "now "+line)
		}
	}
	for _, line := range was {
		if !slices.Contains(is, line) {
			changed = append(changed, "was "+line)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return fmt.Errorf("%s: the answers differ from the stored ones:\n%s", name, strings.Join(changed, "\n"))
}

func storedResults(folder string, chosen []*oracle) ([]*agreement.Result, error) {
	all, err := agreement.Load(os.DirFS(folder))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	return slices.DeleteFunc(all, func(r *agreement.Result) bool { return !slices.Contains(namesOf(chosen), r.Oracle) }), nil
}

// executable returns the file name of a program on this machine.
func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}
