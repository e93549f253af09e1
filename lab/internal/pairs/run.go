// Package pairs shows that Loopproof tells a public fix from the bug before it: it installs a
// version of a package that has the bug and one that does not, plays a few cases with both, and
// expects that the first one breaks the rule and the second one keeps it.
//
//	code, err := pairs.Run(ctx, []string{"run-tools-missing-ids"})
package pairs

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"github.com/loopproof/loopproof/lab/internal/repository"
)

// The exit codes.
const (
	exitFine = iota
	exitUnexpected
	exitFault
)

// Run does what the arguments of the command say: it plays the pairs that they name, or all. It
// returns the exit code, and an error that is to be told.
func Run(ctx context.Context, args []string) (int, error) {
	set := pflag.NewFlagSet("pairs", pflag.ContinueOnError)
	cache := set.String("cache", "loopproof-report/pairs", "the `folder` for the installed versions, the reports, and what the adapters print")
	set.Usage = func() {
		fmt.Printf("pairs [NAME...] plays pairs of %s, and keeps what came out in %s.\n\n%s", ListFile, resultsFolder, set.FlagUsages())
	}
	if err := set.Parse(args); errors.Is(err, pflag.ErrHelp) {
		return exitFine, nil
	} else if err != nil {
		return exitFault, err
	}
	if err := repository.Enter(); err != nil {
		return exitFault, err
	}
	pairs, err := readPairs(ListFile)
	if err != nil {
		return exitFault, err
	}
	chosen, err := choose(pairs, set.Args())
	if err != nil {
		return exitFault, err
	}
	p := player{cache: *cache, out: os.Stdout}
	if err := p.prepare(ctx); err != nil {
		return exitFault, err
	}
	unexpected, faults := p.playAll(ctx, chosen)
	fmt.Printf("%d of %d pairs came out as expected\n", len(chosen)-unexpected-faults, len(chosen))
	switch {
	case faults > 0:
		return exitFault, nil
	case unexpected > 0:
		return exitUnexpected, nil
	default:
		return exitFine, nil
	}
}
