package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// server is a mock server, and how it is installed and started.
type server struct {
	Name    string            `yaml:"name"`
	Install [][]string        `yaml:"install"`
	Version []string          `yaml:"version"`
	Command []string          `yaml:"command"`
	Files   map[string]string `yaml:"files"`
	Script  string            `yaml:"script"`  // the file with its answers, or the path that takes them
	Code    []string          `yaml:"code"`    // what stands before and behind the code of a recipe
	Below   map[string]string `yaml:"below"`   // an API to the path below which it has it
	Clients string            `yaml:"clients"` // its answers for the clients

	version string
	answers []string // to each request: what is wrong, "" nothing
	tasks   []*done
	clients map[string]string // a client with what it does: what is wrong, "" nothing
}

// filler fills placeholders.
type filler []string

func (f filler) with(pairs ...string) filler {
	return append(append(filler(nil), pairs...), f...)
}

func (f filler) fill(text string) string { return strings.NewReplacer(f...).Replace(text) }

func (f filler) all(texts []string) []string {
	filled := make([]string, len(texts))
	for i, text := range texts {
		filled[i] = f.fill(text)
	}
	return filled
}

// found asks the server for its version, which is an error where it is not installed.
func (s *server) found(ctx context.Context, fill filler) error {
	args := fill.all(s.Version)
	told, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput()
	for line := range strings.Lines(string(told)) {
		if s.version == "" && (len(s.Install) == 0 || strings.Contains(line, s.Name) || strings.HasPrefix(line, "Version:")) {
			s.version = regexp.MustCompile(`\d+\.\d+\.\d+`).FindString(line)
		}
	}
	if s.version != "" {
		return nil
	}
	how := make([]string, len(s.Install))
	for i, command := range s.Install {
		how[i] = strings.Join(fill.all(command), " ")
	}
	return fmt.Errorf("it is not installed (%v): --install, or %s", err, strings.Join(how, " && "))
}

// running is a server that was started.
type running struct {
	base string
	cmd  *exec.Cmd
}

// stop ends the server, which may write files until then.
func (r *running) stop() {
	if r == nil {
		return
	}
	r.cmd.Process.Signal(os.Interrupt)
	ended := make(chan struct{})
	go func() { r.cmd.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(5 * time.Second):
		r.cmd.Process.Kill()
		<-ended
	}
}

// start writes the files of a server, starts it, and waits until it listens.
func start(ctx context.Context, dir string, files map[string]string, command []string, fill filler) (*running, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	fill = fill.with("{dir}", dir, "{port}", port)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(fill.fill(text)), 0o644); err != nil {
			return nil, err
		}
	}
	args := fill.all(command)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "NODE_PATH="+fill.fill("{peers}/npm/node_modules"))
	var says bytes.Buffer
	cmd.Stdout, cmd.Stderr = &says, &says
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	r := &running{base: "http://127.0.0.1:" + port, cmd: cmd}
	if err := listens(ctx, "127.0.0.1:"+port); err != nil {
		r.stop()
		return nil, fmt.Errorf("%w; it says: %s", err, says.String())
	}
	return r, nil
}

// listens waits until a server takes connections.
func listens(ctx context.Context, addr string) error {
	for range 300 {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return errors.New("it does not listen after 30 s")
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}
