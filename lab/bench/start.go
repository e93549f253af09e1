package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// startRuns is how often a server is started.
const startRuns = 10

// measureHelp measures how long --help takes.
func (b *bench) measureHelp(ctx context.Context) error {
	row := &timesRow{Server: "loopproof --help"}
	for range 2 * startRuns {
		begin := time.Now()
		if err := exec.CommandContext(ctx, b.binary, "--help").Run(); err != nil {
			return err
		}
		row.Times = append(row.Times, time.Since(begin))
	}
	b.results.Help = row
	return nil
}

// measureStart measures the time from the start of a process to its first answer. The servers take
// turns.
func (b *bench) measureStart(ctx context.Context) error {
	plain := workloads()[0]
	rows := make([]*timesRow, len(b.servers))
	for i, s := range b.servers {
		rows[i] = &timesRow{Server: s.Name}
	}
	for range startRuns {
		for i, s := range b.servers {
			took, err := firstAnswer(ctx, s, plain)
			if err != nil {
				return err
			}
			rows[i].Times = append(rows[i].Times, took)
		}
	}
	b.results.Start = rows
	return nil
}

// firstAnswer starts a server, and returns when it has answered its first request.
func firstAnswer(ctx context.Context, s *server, w workload) (time.Duration, error) {
	port, err := freePort()
	if err != nil {
		return 0, err
	}
	begin := time.Now()
	p, err := startProcess(ctx, s.command(port))
	if err != nil {
		return 0, err
	}
	defer p.stop()
	r := &running{p, s, "http://" + address(port)}
	for !p.ended() && time.Since(begin) < 30*time.Second {
		if _, err = r.ask(ctx, w); err == nil {
			return time.Since(begin), nil
		}
		time.Sleep(500 * time.Microsecond)
	}
	return 0, fmt.Errorf("it gives no first answer: %w (%s)", err, p.output())
}

// measureMemory sends many requests, and measures the memory of the servers afterwards.
func (b *bench) measureMemory(ctx context.Context) error {
	plain := workloads()[0]
	script, err := b.prepareLoad(plain)
	if errors.Is(err, errNoWrk) {
		b.results.missing("memory: %v", err)
		return nil
	}
	if err != nil {
		return err
	}
	for _, s := range b.servers {
		row, err := b.memoryAfter(ctx, s, plain, script)
		if err != nil {
			return err
		}
		b.results.Memory = append(b.results.Memory, row)
	}
	return nil
}

func (b *bench) memoryAfter(ctx context.Context, s *server, w workload, script string) (*memoryRow, error) {
	r, err := s.start(ctx)
	if err != nil {
		return nil, err
	}
	defer r.stop()
	if _, err := r.ask(ctx, w); err != nil {
		return nil, err
	}
	row := &memoryRow{Server: s.Name}
	if row.First, _, err = r.memory(); err != nil {
		b.results.missing("memory: %v", err)
		return row, nil
	}
	for row.Requests < b.requests {
		got, err := b.load(ctx, r, w, script, time.Second)
		if err != nil {
			return nil, err
		}
		row.Requests += got.Requests
	}
	row.End, row.Most, err = r.memory()
	return row, err
}
