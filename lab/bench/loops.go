package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
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
	var out bytes.Buffer
	run := exec.CommandContext(ctx, b.binary, "run", "--seed", "1", "--quick", "--", l.program, adapter)
	run.Stdout, run.Stderr = &out, &out
	begin := time.Now()
	if err := run.Start(); err != nil {
		return nil, err
	}
	own := sampleCPU(&process{cmd: run})
	failed := run.Wait()
	row := &loopRow{Name: l.name, Took: time.Since(begin), Own: own()}
	if run.ProcessState.ExitCode() > 1 { // 1: it breaks a rule
		return nil, fmt.Errorf("%w: %s", failed, out.Bytes())
	}
	row.Loop = run.ProcessState.UserTime() + run.ProcessState.SystemTime() - row.Own // they have that of children, too
	var err error
	row.Cases, err = casesIn(out.Bytes())
	return row, err
}

// sampleCPU reads the processor time of a process, without that of its children, again and again. The
// function that it returns is called once the process has ended, and returns what was read last.
func sampleCPU(p *process) func() time.Duration {
	over, last := make(chan struct{}), make(chan time.Duration)
	go func() {
		var latest time.Duration
		for {
			if now, err := p.cpu(); err == nil {
				latest = max(latest, now)
			}
			select {
			case <-over:
				last <- latest
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return func() time.Duration {
		close(over)
		return <-last
	}
}
