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
	"github.com/loopproof/loopproof/lab/internal/matrix"
	"github.com/loopproof/loopproof/report"
)

// player plays loops, one after the other.
type player struct {
	options
	out       io.Writer
	loopproof string // the command, built once
	commit    string
	summary   summary // of newer versions
}

// playAll plays loops and writes their results. It returns how many could not be played.
func (p *player) playAll(ctx context.Context, loops []*matrix.Loop) (faults int, err error) {
	return p.each(ctx, loops, p.play)
}

// each does something with loops, one after the other. It returns with how many that failed.
func (p *player) each(ctx context.Context, loops []*matrix.Loop, do func(context.Context, *matrix.Loop) error) (faults int, err error) {
	for i, l := range loops {
		fmt.Fprintf(p.out, "[%d/%d] %s\n", i+1, len(loops), l.Name)
		err := do(ctx, l)
		if ctx.Err() != nil {
			return faults, errors.New("interrupted: the loops that were played have their new results; --write renews the list of all")
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
	p.loopproof, err = adapterrun.Build(ctx, p.reports)
	return err
}

// play sets a loop up, plays it, and writes its result.
func (p *player) play(ctx context.Context, l *matrix.Loop) error {
	_, err := p.playOne(ctx, l)
	return err
}

// playOne is [player.play], and returns the result; with --setup-only there is none.
func (p *player) playOne(ctx context.Context, l *matrix.Loop) (*matrix.Result, error) {
	folder := filepath.Join(p.reports, l.Name)
	if err := adapterrun.Empty(folder); err != nil {
		return nil, err
	}
	if err := p.setUp(ctx, l, folder); err != nil || p.setupOnly {
		return nil, err
	}
	began := time.Now()
	p.tell("plays", p.run(l, folder))
	r, err := adapterrun.Play(ctx, folder, p.run(l, folder))
	if err != nil {
		return nil, err
	}
	result, err := p.publish(l, filepath.Join(folder, "report.json"), r)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(p.out, "      %s in %s\n", result.Summary(), time.Since(began).Round(time.Second))
	return result, nil
}

// publish writes the report of a loop into the archive, and its result into the folder of the loop.
func (p *player) publish(l *matrix.Loop, file string, r *report.Report) (*matrix.Result, error) {
	if err := matrix.Verify(file, r); err != nil {
		return nil, fmt.Errorf("it cannot be published: %w", err)
	}
	archived, err := matrix.Archive(r, p.archive, l.Name)
	if err != nil {
		return nil, err
	}
	if err := withoutFolders(archived, l.Checkout); err != nil {
		return nil, err
	}
	if r, err = matrix.ReadReport(archived); err != nil {
		return nil, err
	}
	result, err := matrix.NewResult(r, p.commit)
	if err != nil {
		return nil, err
	}
	_, err = result.Write(l.Folder)
	return result, err
}

func (p *player) setUp(ctx context.Context, l *matrix.Loop, folder string) error {
	commands, err := setup(l)
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
func (p *player) run(l *matrix.Loop, folder string) []string {
	command := []string{p.loopproof, "run", "--report", folder}
	if l.Known() != "" {
		command = append(command, "--known-failing", l.Known(), "--update")
	}
	return p.judging(l, command)
}

// judging ends a command with how a loop is played, and which.
func (p *player) judging(l *matrix.Loop, command []string) []string {
	if p.workers > 0 {
		command = append(command, "--workers", strconv.Itoa(p.workers))
	}
	if l.Timeout > 0 {
		command = append(command, "--timeout", l.Timeout.String())
	}
	command = append(command, l.Judged()...)
	if l.IsAgent() {
		return withAgents(command)
	}
	return command
}

func (p *player) tell(does string, command []string) {
	fmt.Fprintf(p.out, "      %s: %s\n", does, shellescape.QuoteCommand(command))
}
