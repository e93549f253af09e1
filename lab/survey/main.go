// Survey plays the public loops and agents that lab/results describes, and renews their results,
// their lists of known failures and lab/results/README.md. Run it in the folder lab:
//
//	go run ./survey                          # all, one after the other
//	go run ./survey --only pi,eino
//	go run ./survey --archive ../archive     # where the whole reports go
//	go run ./survey --checkout art=../my-art # where a library lies that has to be fetched by hand
//	go run ./survey --setup-only             # before a machine is quiet, and then --no-setup
//	go run ./survey --fuzz 200               # random conversations instead; see loopproof fuzz
//	go run ./survey --newest --summary ../newest.md # those of which there is a newer version, in that version
//	go run ./survey --write                  # play nothing, write lab/results/README.md again
//
// Text that people wrote stays: the reasons of the lists and the descriptions of the loops. The
// exit code is 1 if there is a failure without a reason or a verdict, or with --fuzz a broken rule
// that the known-failing list does not name, and 2 if a loop could not be set up or played; the
// others are played anyway. go run prints these as "exit status", and ends with 1 for both.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"github.com/loopproof/loopproof/lab/internal/repository"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:]))
}

// The exit codes.
const (
	exitFine = iota
	exitUnseen
	exitFault
)

func run(ctx context.Context, args []string) int {
	o, err := readOptions(args)
	if err != nil {
		return told(err)
	}
	if err := repository.Enter(); err != nil {
		return told(err)
	}
	loops, err := readLoops()
	if err != nil {
		return told(err)
	}
	chosen, err := o.choose(loops)
	if err != nil {
		return told(err)
	}
	faults := 0
	p := player{options: o, out: os.Stdout}
	if !o.write {
		if err := p.prepare(ctx); err != nil {
			return told(err)
		}
		if o.conversations > 0 {
			return p.fuzzAll(ctx, chosen)
		}
		if o.newest {
			faults, err = p.playNewest(ctx, chosen, today())
		} else {
			faults, err = p.playAll(ctx, chosen)
		}
		if err != nil {
			return told(err)
		}
		if o.setupOnly {
			return exitCode(faults, 0)
		}
	}
	unseen, err := renew()
	if err != nil {
		return told(err)
	}
	if o.about != "" {
		if err := os.WriteFile(o.about, []byte(p.summary.text(unseen)), 0o666); err != nil {
			return told(err)
		}
	}
	for _, one := range unseen {
		fmt.Println("to be looked at:", one)
	}
	return exitCode(faults, len(unseen))
}

func exitCode(faults, unseen int) int {
	switch {
	case faults > 0:
		return exitFault
	case unseen > 0:
		return exitUnseen
	default:
		return exitFine
	}
}

func told(err error) int {
	if errors.Is(err, errHelp) {
		return exitFine
	}
	fmt.Fprintln(os.Stderr, "survey:", err)
	return exitFault
}
