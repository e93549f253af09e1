package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"al.essio.dev/pkg/shellescape"

	"github.com/loopproof/loopproof/report"
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
	for i, l := range loops {
		fmt.Fprintf(p.out, "[%d/%d] %s\n", i+1, len(loops), l.Name)
		err := p.play(ctx, l)
		if ctx.Err() != nil {
			return faults, errors.New("interrupted: the documents are as they were; --write brings in what was played")
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
	if err := os.MkdirAll(p.reports, 0o777); err != nil {
		return err
	}
	if p.commit, err = commit(ctx); err != nil {
		return err
	}
	if p.odd, err = readOddities(); err != nil {
		return err
	}
	p.loopproof = filepath.Join(p.reports, "loopproof")
	return logged(ctx, filepath.Join(p.reports, "build.log"), []string{"go", "build", "-o", p.loopproof, "./cmd/loopproof"})
}

// play sets a loop up, plays it, and writes its result.
func (p *player) play(ctx context.Context, l loop) error {
	folder := filepath.Join(p.reports, l.Name)
	if err := os.RemoveAll(folder); err != nil { // so that no report of an earlier run is used
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	if err := p.setUp(ctx, l, folder); err != nil {
		return err
	}
	began := time.Now()
	p.tell("plays", p.run(l, folder))
	failed := logged(ctx, filepath.Join(folder, "run.log"), p.run(l, folder))
	if code := exitOf(failed); code != 0 && code != 1 { // 1: there are failures to look at
		return failed
	}
	r, err := readReport(filepath.Join(folder, "report.json"))
	if err != nil {
		return err
	}
	if r.Stopped != "" {
		return fmt.Errorf("not all cases were played: %s", r.Stopped)
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
		if err := logged(ctx, filepath.Join(folder, fmt.Sprintf("setup-%d.log", i+1)), command); err != nil {
			return err
		}
	}
	return nil
}

// run is the command that plays a loop.
func (p *player) run(l loop, folder string) []string {
	command := []string{p.loopproof, "run", "--report", folder}
	if p.workers > 0 {
		command = append(command, "--workers", strconv.Itoa(p.workers))
	}
	if l.Timeout > 0 {
		command = append(command, "--timeout", l.Timeout.String())
	}
	if l.known() != "" {
		command = append(command, "--known-failing", l.known(), "--update")
	}
	return append(append(command, "--"), l.command()...)
}

func (p *player) tell(does string, command []string) {
	fmt.Fprintf(p.out, "      %s: %s\n", does, shellescape.QuoteCommand(command))
}

func readReport(file string) (*report.Report, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("it wrote no report: %w", err)
	}
	defer f.Close()
	return report.Read(f)
}

// logged runs a command and keeps what it prints in a file. An error shows the last lines.
func logged(ctx context.Context, file string, command []string) error {
	var printed bytes.Buffer
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Env = append(os.Environ(), "NO_COLOR=1")
	c.Stdout, c.Stderr = &printed, &printed
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 10 * time.Second
	failed := c.Run()
	if err := os.WriteFile(file, printed.Bytes(), 0o666); err != nil {
		return err
	}
	if failed == nil {
		return nil
	}
	return fmt.Errorf("%s: %w; its last words, more in %s:\n%s", shellescape.QuoteCommand(command), failed, file, lastLines(printed.String(), 8))
}

// exitOf returns the exit code of a command, or -1 when it could not be started or was ended.
func exitOf(err error) int {
	var exited *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exited):
		return exited.ExitCode()
	default:
		return -1
	}
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	lines = lines[max(0, len(lines)-n):]
	return "        " + strings.Join(lines, "\n        ")
}

// judging is what a verdict depends on: all but the loops and what is written about them.
var judging = []string{"--", ".", ":!adapters", ":!docs", ":!internal/loopsurvey", ":!*_test.go"}

// commit names the last commit that changed what a verdict depends on.
func commit(ctx context.Context) (string, error) {
	last, err := git(ctx, append([]string{"log", "-1", "--format=%h"}, judging...)...)
	if err != nil {
		return "", err
	}
	changed, err := git(ctx, append([]string{"status", "--porcelain"}, judging...)...)
	if changed != "" {
		last += " and changes"
	}
	return last, err
}

func git(ctx context.Context, args ...string) (string, error) {
	text, err := exec.CommandContext(ctx, "git", args...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(text)), nil
}
