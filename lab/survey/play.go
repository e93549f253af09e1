package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"time"

	"al.essio.dev/pkg/shellescape"

	"github.com/loopproof/loopproof/lab/internal/adapterrun"
)

// player plays loops, one after the other.
type player struct {
	options
	out       io.Writer
	loopproof string // the command, built once
	commit    string
	odd       oddities
}

// playAll plays loops and writes their results. It returns how many could not be played.
func (p *player) playAll(ctx context.Context, loops []loop) (faults int, err error) {
	return p.each(ctx, loops, p.play)
}

// each does something with loops, one after the other. It returns with how many that failed.
func (p *player) each(ctx context.Context, loops []loop, do func(context.Context, loop) error) (faults int, err error) {
	for i, l := range loops {
		fmt.Fprintf(p.out, "[%d/%d] %s\n", i+1, len(loops), l.Name)
		err := do(ctx, l)
		if ctx.Err() != nil {
			return faults, errors.New("interrupted: the documents are as they were; --write brings in the scenarios that were played")
		}
		if err != nil {
			faults++
			fmt.Fprintf(p.out, "      FAILED: %v\n", err)
		}
	}
	return faults, nil
}

// prepare builds the command once, and notes what it was built from.
func (p *player) prepare(ctx context.Context) (err error) {
	if p.commit, err = adapterrun.Commit(ctx); err != nil {
		return err
	}
	if p.odd, err = readOddities(); err != nil {
		return err
	}
	p.loopproof, err = adapterrun.Build(ctx, p.reports)
	return err
}

// play sets a loop up, plays it, and writes its result.
func (p *player) play(ctx context.Context, l loop) error {
	folder := filepath.Join(p.reports, l.Name)
	if err := adapterrun.Empty(folder); err != nil {
		return err
	}
	if err := p.setUp(ctx, l, folder); err != nil || p.setupOnly {
		return err
	}
	began := time.Now()
	p.tell("plays", p.run(l, folder))
	r, err := adapterrun.Play(ctx, folder, p.run(l, folder))
	if err != nil {
		return err
	}
	if err := l.publish(filepath.Join(folder, "report.json"), r); err != nil {
		return err
	}
	result := resultOf(r, p.commit, p.odd)
	fmt.Fprintf(p.out, "      %s in %s\n", result.summary(), time.Since(began).Round(time.Second))
	return result.write(l)
}

func (p *player) setUp(ctx context.Context, l loop, folder string) error {
	commands, err := l.setup()
	if err != nil || p.noSetup {
		return err
	}
	for i, command := range commands {
		p.tell("sets up", command)
		if err := adapterrun.Logged(ctx, filepath.Join(folder, fmt.Sprintf("setup-%d.log", i+1)), command); err != nil {
			return err
		}
	}
	return nil
}

// run is the command that plays a loop.
func (p *player) run(l loop, folder string) []string {
	command := []string{p.loopproof, "run", "--report", folder}
	if l.known() != "" {
		command = append(command, "--known-failing", l.known(), "--update")
	}
	return p.judging(l, command)
}

// judging ends a command with how a loop is played, and which.
func (p *player) judging(l loop, command []string) []string {
	if p.workers > 0 {
		command = append(command, "--workers", strconv.Itoa(p.workers))
	}
	if l.Timeout > 0 {
		command = append(command, "--timeout", l.Timeout.String())
	}
	command = append(command, l.judged()...)
	if l.isAgent() {
		return withAgents(command)
	}
	return command
}

func (p *player) tell(does string, command []string) {
	fmt.Fprintf(p.out, "      %s: %s\n", does, shellescape.QuoteCommand(command))
}
