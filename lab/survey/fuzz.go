package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/loopproof/loopproof/lab/internal/adapterrun"
	"github.com/loopproof/loopproof/lab/internal/matrix"
)

// drawn is what loopproof fuzz --json says of a loop.
type drawn struct {
	Seed          uint64         `json:"seed"`
	Conversations int            `json:"conversations"`
	Cases         int            `json:"cases"`
	Known         map[string]int `json:"known"`
	Findings      []struct {
		Rule      string `json:"rule"`
		Message   string `json:"message"`
		Once      bool   `json:"once"`
		Reproduce string `json:"reproduce"`

		Consequences []struct {
			Rule     string `json:"rule"`
			Message  string `json:"message"`
			Scenario string `json:"scenario"`
		} `json:"consequences"`
	} `json:"findings"`
}

// fuzzAll plays random conversations to loops, and returns the exit code.
func (p *player) fuzzAll(ctx context.Context, loops []*matrix.Loop) int {
	findings := 0
	faults, err := p.each(ctx, loops, func(ctx context.Context, l *matrix.Loop) error {
		found, err := p.fuzz(ctx, l)
		findings += found
		return err
	})
	if err != nil {
		return told(err)
	}
	return exitCode(faults, findings)
}

// fuzz sets a loop up and plays random conversations to it. The rules of its known-failing list are
// no findings. It returns how many others the loop breaks; each is a mistake of the loop, or of a
// rule.
func (p *player) fuzz(ctx context.Context, l *matrix.Loop) (findings int, err error) {
	folder := filepath.Join(p.reports, l.Name, "fuzz")
	if err := adapterrun.Empty(folder); err != nil {
		return 0, err
	}
	if err := p.setUp(ctx, l, folder); err != nil || p.setupOnly {
		return 0, err
	}
	command := p.fuzzing(l, folder)
	p.tell("fuzzes", command)
	result, err := adapterrun.Fuzz(ctx, folder, command)
	if err != nil {
		return 0, err
	}
	return p.tellDrawn(result)
}

// fuzzing is the command that plays random conversations to a loop.
func (p *player) fuzzing(l *matrix.Loop, folder string) []string {
	command := []string{p.loopproof, "fuzz", "--json", "--for", "0", "--count", strconv.Itoa(p.conversations), "--out", folder}
	if p.seed > 0 {
		command = append(command, "--seed", strconv.FormatUint(p.seed, 10))
	}
	if l.Known() != "" {
		command = append(command, "--known-failing", l.Known())
	}
	return p.judging(l, command)
}

// tellDrawn says what came of the conversations.
func (p *player) tellDrawn(result []byte) (findings int, err error) {
	var d drawn
	if err := json.Unmarshal(result, &d); err != nil {
		return 0, fmt.Errorf("loopproof fuzz --json printed something else: %w", err)
	}
	fmt.Fprintf(p.out, "      seed %d: %d conversations, %d cases, %d known rules and %d others broken\n", d.Seed, d.Conversations, d.Cases, len(d.Known), len(d.Findings))
	for _, f := range d.Findings {
		once := ""
		if f.Once {
			once = " (once)"
		}
		fmt.Fprintf(p.out, "      %s%s: %s\n        %s\n", f.Rule, once, f.Message, f.Reproduce)
		for _, c := range f.Consequences {
			fmt.Fprintf(p.out, "        also %s: %s %s\n", c.Rule, c.Message, c.Scenario)
		}
	}
	return len(d.Findings), nil
}
