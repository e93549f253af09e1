package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// loopRow is what a run of a loop in another language took: how long, and how much processor time of
// the loop and of Loopproof.
type loopRow struct {
	Name      string
	Cases     int
	Took      time.Duration
	Loop, Own time.Duration
}

// share is the part of the processor time that is Loopproof's.
func (row *loopRow) share() float64 {
	return row.Own.Seconds() / max(row.Own+row.Loop, time.Millisecond).Seconds()
}

// otherLoop is a loop that is judged.
type otherLoop struct {
	name, program string
	adapter       string // in the repository; "": the one that loopproof init writes
	language      string // for loopproof init
}

var otherLoops = []otherLoop{
	{name: "plain loop in Python", program: "python3", adapter: "packages/starters/plain-loop/adapter.py"},
	{name: "example loop in Python", program: "python3", language: "python"},
	{name: "example loop for Node.js", program: "node", language: "node"},
}

// measureLoops plays the cases of --quick to loops that are programs of their own.
func (b *bench) measureLoops(ctx context.Context) error {
	for _, l := range otherLoops {
		if _, err := exec.LookPath(l.program); err != nil {
			b.results.missing("the %s: %v", l.name, err)
			continue
		}
		row, err := b.playLoop(ctx, l)
		if err != nil {
			return fmt.Errorf("the %s: %w", l.name, err)
		}
		b.results.Loops = append(b.results.Loops, row)
	}
	return nil
}

func (b *bench) playLoop(ctx context.Context, l otherLoop) (*loopRow, error) {
	adapter := filepath.Join(b.root, filepath.FromSlash(l.adapter))
	if l.adapter == "" {
		dir := filepath.Join(b.dir, l.language)
		if out, err := exec.CommandContext(ctx, b.binary, "init", l.language, "--dir", dir).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w: %s", err, out)
		}
		found, err := filepath.Glob(filepath.Join(dir, "adapter.*"))
		if err != nil || len(found) != 1 {
			return nil, fmt.Errorf("loopproof init wrote no adapter into %s", dir)
		}
		adapter = found[0]
	}
	times := filepath.Join(b.dir, "times")
	run := exec.CommandContext(ctx, b.binary, "run", "--seed", "1", "--quick", "--", "sh", "-c", `"$0" "$1"; times >"$2"`, l.program, adapter, times)
	begin := time.Now()
	out, err := run.CombinedOutput()
	row := &loopRow{Name: l.name, Took: time.Since(begin)}
	if run.ProcessState == nil || run.ProcessState.ExitCode() > 1 { // 1: it breaks a rule
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	if row.Cases, err = casesIn(out); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(times)
	if err != nil {
		return nil, err
	}
	row.Loop, err = childTime(string(data))
	row.Own = run.ProcessState.UserTime() + run.ProcessState.SystemTime() - row.Loop // they have that of children, too
	return row, err
}

// childTime returns the processor time of the children of a shell, as its command times prints it:
// user and system time in the second line.
func childTime(printed string) (total time.Duration, err error) {
	lines := strings.Split(strings.TrimSpace(printed), "\n")
	found := shellTime.FindAllString(lines[len(lines)-1], -1)
	if len(lines) != 2 || len(found) != 2 {
		return 0, fmt.Errorf("the shell prints its times otherwise than expected: %q", printed)
	}
	for _, f := range found {
		one, err := time.ParseDuration(f)
		if err != nil {
			return 0, err
		}
		total += one
	}
	return total, nil
}

var shellTime = regexp.MustCompile(`\d+m[\d.]+s`)
