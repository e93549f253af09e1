package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// server is something that is measured.
type server struct {
	Name, Version string

	command func(port int) []string
	path    func(w workload) string // "" where it does not answer such a request
}

func loopproofPath(w workload) string { return w.api.path }

func floorPath(w workload) string { return "/" + w.Name }

// peerPath is that of servers which are measured in Chat Completions.
func peerPath(w workload) string {
	if !w.peers {
		return ""
	}
	return w.api.path
}

// prepare builds the mock provider, asks it for the answers that the floor gives, and finds the
// other servers.
func (b *bench) prepare(ctx context.Context) error {
	if b.binary == "" {
		b.binary = filepath.Join(b.dir, "loopproof")
		build := exec.CommandContext(ctx, "go", "build", "-o", b.binary, "./cmd/loopproof")
		build.Dir, build.Stderr = b.root, os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("cannot build the mock provider: %w", err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	scripts, answers := filepath.Join(b.dir, "scripts"), filepath.Join(b.dir, "answers")
	for name, text := range map[string]string{"any.yaml": anyScript, "merged.yaml": mergedScript} {
		if err := writeFile(filepath.Join(scripts, name), text); err != nil {
			return err
		}
	}
	ours := &server{Name: "Loopproof", Version: version(b.binary, "version"), path: loopproofPath, command: func(port int) []string {
		return []string{b.binary, "serve", "--addr", address(port), "--scenario", scripts}
	}}
	bare := &server{Name: "floor", Version: "net/http", path: floorPath, command: func(port int) []string {
		return []string{self, "floor", "--addr", address(port), "--answers", answers}
	}}
	b.results = newResults(b.options)
	if err := b.writeAnswers(ctx, ours, answers); err != nil {
		return err
	}
	b.servers = []*server{bare, ours}
	for _, peer := range b.peers() {
		if err := peer.works(ctx); err != nil {
			b.results.missing("%s: %v", peer.Name, err)
			continue
		}
		b.servers = append(b.servers, peer)
	}
	for _, s := range b.servers {
		b.results.Versions = append(b.results.Versions, s.Name+" "+s.Version)
	}
	return nil
}

// works returns why a server does not answer.
func (s *server) works(ctx context.Context) error {
	_, err := firstAnswer(ctx, s, workloads()[0])
	return err
}

// peers returns the other mock servers that are installed, and notes those that are not.
func (b *bench) peers() []*server {
	var found []*server
	add := func(name, program, install string, command func(port int) []string) {
		file, err := exec.LookPath(program)
		if err != nil {
			b.results.missing("%s: %s is not installed (%s)", name, program, install)
			return
		}
		if strings.HasPrefix(install, "github.com/") && !isBuiltFrom(file, install) {
			b.results.missing("%s: the %s that is installed is another program (it is not built from %s)", name, program, install)
			return
		}
		found = append(found, &server{Name: name, Version: version(program, "--version"), path: peerPath, command: command})
	}
	fixture := filepath.Join(b.dir, "aimock.json")
	writeFile(fixture, fmt.Sprintf(`{"fixtures":[{"match":{"userMessage":%q},"response":{"content":%q}}]}`, followUp, lastWord))
	config := filepath.Join(b.dir, "aimock-config.json")
	writeFile(config, fmt.Sprintf(`{"llm":{"fixtures":%q}}`, fixture))
	add("aimock", "aimock", "npm install --global @copilotkit/aimock", func(port int) []string {
		return []string{"aimock", "--config", config, "--port", fmt.Sprint(port)}
	})
	rules := filepath.Join(b.dir, "llmock.yaml")
	writeFile(rules, fmt.Sprintf("rules:\n  - pattern: .*\n    responses: [%q]\n", lastWord))
	add("llmock", "llmock", "github.com/shishberg/llmock", func(port int) []string {
		return []string{"llmock", "-config", rules, "-port", fmt.Sprint(port)}
	})
	add("llm-d-inference-sim", "llm-d-inference-sim", "github.com/llm-d/llm-d-inference-sim", func(port int) []string {
		return []string{"llm-d-inference-sim", "--model", "loopproof", "--port", fmt.Sprint(port)}
	})
	return found
}

// isBuiltFrom reports whether a file is a program of a Go module.
func isBuiltFrom(file, module string) bool {
	info, err := buildinfo.ReadFile(file)
	return err == nil && info.Main.Path == module
}

// writeAnswers stores the answer to each workload, from which the floor answers.
func (b *bench) writeAnswers(ctx context.Context, from *server, folder string) error {
	p, err := from.start(ctx)
	if err != nil {
		return err
	}
	defer p.stop()
	for _, w := range workloads() {
		answer, err := p.ask(ctx, w)
		if err != nil {
			return fmt.Errorf("the mock provider does not answer %s: %w", w.Name, err)
		}
		if err := writeFile(filepath.Join(folder, w.Name), string(answer)); err != nil {
			return err
		}
	}
	return nil
}

// running is a server that was started.
type running struct {
	*process
	server *server
	url    string
}

// start starts a server on a free port, and returns when it takes connections.
func (s *server) start(ctx context.Context) (*running, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	p, err := startProcess(ctx, s.command(port))
	if err != nil {
		return nil, err
	}
	for range 15_000 {
		c, err := net.Dial("tcp", address(port))
		if err == nil {
			c.Close()
			return &running{p, s, "http://" + address(port)}, nil
		}
		if p.ended() {
			break
		}
		time.Sleep(time.Millisecond)
	}
	p.stop()
	return nil, fmt.Errorf("it does not listen: %s", p.output())
}

// ask sends the request of a workload once.
func (r *running) ask(ctx context.Context, w workload) ([]byte, error) {
	return r.askOver(ctx, &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, w, w.body)
}

// askOver sends a body to the path of a workload, and returns the answer.
func (r *running) askOver(ctx context.Context, client *http.Client, w workload, body string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url+r.server.path(w), strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	for name, value := range w.api.headers {
		req.Header.Set(name, value)
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = errors.New(resp.Status + ": " + string(bytes.TrimSpace(answer)))
	}
	return answer, err
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func address(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }

func writeFile(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o644)
}

// version returns what a program says of its version.
func version(program, arg string) string {
	out, err := exec.Command(program, arg).Output()
	line, _, _ := strings.Cut(string(out), "\n")
	if err != nil || line == "" {
		return "(version not known)"
	}
	return strings.TrimPrefix(strings.TrimSpace(line), "loopproof ")
}
