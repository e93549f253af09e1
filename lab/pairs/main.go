// Pairs shows that Loopproof tells a public fix from the bug before it: it installs a version of a package that has the bug
// and one that does not, plays a few cases with both, and expects that the first one breaks the rule and the second one
// keeps it. Run it in the folder lab:
//
//	go run ./pairs                            # all pairs of lab/adapters/pairs/pairs.yaml
//	go run ./pairs run-tools-missing-ids      # some
//	go run ./pairs --cache ~/.cache/loopproof # where the versions are installed
//	go run ./pairs --write                    # play nothing, write docs/pairs.md again
//
// The exit code is 1 if a pair did not come out as the list says, and 2 if one could not be installed or played; the others
// are played anyway. go run prints these as "exit status", and ends with 1 for both.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"github.com/spf13/pflag"

	"github.com/loopproof/loopproof/lab/internal/repository"
)

// The exit codes.
const (
	exitFine = iota
	exitUnexpected
	exitFault
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	code, err := run(ctx, os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "pairs:", err)
	}
	os.Exit(code)
}

func run(ctx context.Context, args []string) (int, error) {
	set := pflag.NewFlagSet("pairs", pflag.ContinueOnError)
	cache := set.String("cache", "loopproof-report/pairs", "the `folder` for the installed versions, the reports, and what the adapters print")
	write := set.Bool("write", false, "play nothing, and write "+document+" again")
	set.Usage = func() {
		fmt.Printf("pairs [NAME...] plays pairs of %s, and writes %s.\n\n%s", listFile, document, set.FlagUsages())
	}
	if err := set.Parse(args); errors.Is(err, pflag.ErrHelp) {
		return exitFine, nil
	} else if err != nil {
		return exitFault, err
	}
	if err := repository.Enter(); err != nil {
		return exitFault, err
	}
	pairs, err := readPairs(listFile)
	if err != nil {
		return exitFault, err
	}
	chosen, err := choose(pairs, set.Args())
	if err != nil {
		return exitFault, err
	}
	unexpected, faults := 0, 0
	if !*write {
		p := player{cache: *cache, out: os.Stdout}
		if err := p.prepare(ctx); err != nil {
			return exitFault, err
		}
		unexpected, faults = p.playAll(ctx, chosen)
		fmt.Printf("%d of %d pairs came out as expected\n", len(chosen)-unexpected-faults, len(chosen))
	}
	switch err := renew(pairs); {
	case err != nil:
		return exitFault, err
	case faults > 0:
		return exitFault, nil
	case unexpected > 0:
		return exitUnexpected, nil
	default:
		return exitFine, nil
	}
}
