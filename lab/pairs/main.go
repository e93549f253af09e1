// Pairs plays versions of public loops before and after the fix of a bug. Run it in the folder lab:
//
//	go run ./pairs                            # all pairs of lab/adapters/pairs/pairs.yaml
//	go run ./pairs run-tools-missing-ids      # some
//	go run ./pairs --cache ~/.cache/loopproof # where the versions are installed
//
// What came out is kept in lab/adapters/pairs/results; go run ./site shows it as a page. The exit
// code is 1 if a pair did not come out as the list says, and 2 if one could not be installed or
// played; the others are played anyway. go run prints these as "exit status", and ends with 1 for
// both.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/loopproof/loopproof/lab/internal/pairs"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	code, err := pairs.Run(ctx, os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "pairs:", err)
	}
	os.Exit(code)
}
