package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// process is a program that runs alongside the command.
type process struct {
	cmd  *exec.Cmd
	said *tail
	done chan struct{}
}

func startProcess(ctx context.Context, command []string) (*process, error) {
	p := &process{cmd: exec.CommandContext(ctx, command[0], command[1:]...), said: &tail{}, done: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = p.said, p.said
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		p.cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// output returns the last line in which the process speaks of an error, or its first line.
func (p *process) output() string {
	said := ""
	for line := range strings.Lines(p.said.String()) {
		if line = strings.TrimSpace(line); strings.Contains(line, "rror") || said == "" {
			said = line
		}
	}
	return said
}

// stop ends the process, and waits for its end.
func (p *process) stop() {
	p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(5 * time.Second):
		p.cmd.Process.Kill()
		<-p.done
	}
}

// cpu returns how much processor time the process has used. It is known on Linux only.
func (p *process) cpu() (time.Duration, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:]) // the name may have spaces
	if len(fields) < 13 {
		return 0, errors.New("/proc/PID/stat has an unknown form")
	}
	user, _ := strconv.Atoi(string(fields[11]))
	system, _ := strconv.Atoi(string(fields[12]))
	return time.Duration(user+system) * time.Second / 100, nil // clock ticks, of which there are 100 a second
}

// memory returns how many bytes of memory the process has now, and had at most. It is known on
// Linux only.
func (p *process) memory() (now, most int64, err error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(data)) {
		name, value, _ := strings.Cut(line, ":")
		kB, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		switch name {
		case "VmRSS":
			now = kB << 10
		case "VmHWM":
			most = kB << 10
		}
	}
	return now, most, nil
}

// tail keeps the beginning of what a process says.
type tail struct {
	sync.Mutex
	text []byte
}

// Write keeps some of the bytes and takes all.
func (t *tail) Write(p []byte) (int, error) {
	t.Lock()
	defer t.Unlock()
	t.text = append(t.text, p[:min(len(p), 4000-len(t.text))]...)
	return len(p), nil
}

// String returns what was kept.
func (t *tail) String() string {
	t.Lock()
	defer t.Unlock()
	return string(t.text)
}
