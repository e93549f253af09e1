package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopproof/loopproof/lab/internal/matrix"
)

var some = []*matrix.Loop{
	named("pi", matrix.LoopFile{Adapter: "lab/adapters/node/pi"}),
	named("art", matrix.LoopFile{Adapter: "lab/adapters/node/art", Checkout: "../ART"}),
	named("eino", matrix.LoopFile{Adapter: "lab/adapters/go/eino"}),
}

func TestChosenLoops(t *testing.T) {
	for args, want := range map[string][]string{
		"":                      {"pi", "art", "eino"},
		"--only eino,pi":        {"pi", "eino"}, // in the order of the file
		"--only pi --only eino": {"pi", "eino"},
		"--checkout art=/x":     {"pi", "art", "eino"},
	} {
		o, err := readOptions(strings.Fields(args))
		if err != nil {
			t.Fatal(err)
		}
		chosen, err := o.choose(some)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, names(chosen)); diff != "" {
			t.Errorf("%s: %s", args, diff)
		}
	}
}

func TestCheckoutIsHandedOver(t *testing.T) {
	o, err := readOptions([]string{"--only", "art", "--checkout", "art=/x"})
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := o.choose(some)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"node", "lab/adapters/node/art/adapter.mjs", "/x"}, chosen[0].Judged()[1:]); diff != "" {
		t.Error(diff)
	}
}

func TestBadCommandLines(t *testing.T) {
	for args, want := range map[string]string{
		"pi":                   "loops are named with --only",
		"--only pie":           `there is no loop "pie" in lab/results (did you mean "pi"?)`,
		"--checkout atr=../x":  `there is no loop "atr"`,
		"--checkout eino=../x": "that library comes from a registry",
		"--checkout eino":      "must be formatted as key=value",
		"--fuzz -1":            "--fuzz is how many conversations are drawn",
		"--seed 3":             "--seed needs it",
		"--fuzz 3 --write":     "--write does not go with it",
		"--workers -1":         "--workers is at least 1",
		"--jobs 3":             "unknown flag",

		"--setup-only --write":    "--setup-only goes with neither",
		"--setup-only --no-setup": "--setup-only goes with neither",
	} {
		o, err := readOptions(strings.Fields(args))
		if err == nil {
			_, err = o.choose(some)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", args, err, want)
		}
	}
}

func TestHelpIsNoFault(t *testing.T) {
	_, err := readOptions([]string{"--help"})
	if !errors.Is(err, errHelp) || told(err) != exitFine {
		t.Error(err)
	}
}

func TestExitCodes(t *testing.T) {
	for _, c := range []struct{ faults, unseen, want int }{{0, 0, 0}, {0, 2, 1}, {1, 0, 2}, {1, 2, 2}} {
		if got := exitCode(c.faults, c.unseen); got != c.want {
			t.Errorf("%d faults and %d unseen: %d, want %d", c.faults, c.unseen, got, c.want)
		}
	}
}
