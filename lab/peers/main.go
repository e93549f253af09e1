// Peers asks the mock provider and other mock servers for the endpoints of provider APIs, and writes
// a table of which of them answer in the form of the API.
//
//	go run ./peers                # the servers that are installed
//	go run ./peers --write        # also writes peers/README.md
//
// What is asked, and how each server is started, stands in peers.yaml.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/lab/internal/repository"
)

//go:embed peers.yaml
var list []byte

// peers is what peers.yaml says.
type peers struct {
	Servers  []server  `yaml:"servers"`
	Requests []request `yaml:"requests"`
}

// server is a mock server, and how it is started: {port}, {dir} and {loopproof} stand for a free
// port, a folder with its files, and the program that is built from this repository.
type server struct {
	Name    string            `yaml:"name"`
	Install string            `yaml:"install"`
	Version []string          `yaml:"version"`
	Command []string          `yaml:"command"`
	Files   map[string]string `yaml:"files"`
	Below   map[string]string `yaml:"below"` // an API to the path below which it has it

	version string
	answers []string // to each request: what is wrong, "" nothing
}

// request is one request: Ask is a method and a path. Has is a JSON pointer to what the answer of
// the API always has.
type request struct {
	API  string      `yaml:"api"`
	What string      `yaml:"what"`
	Ask  string      `yaml:"ask"`
	JSON wire.Fields `yaml:"json"`
	Form string      `yaml:"form"` // the field of a file
	Has  string      `yaml:"has"`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	write := false
	c := &cobra.Command{
		Use: "peers", Short: "Compare which endpoints mock servers answer", Args: cobra.NoArgs, SilenceUsage: true, SilenceErrors: true,
		Example: "  go run ./peers\n  go run ./peers --write",
		RunE:    func(c *cobra.Command, _ []string) error { return run(c.Context(), c.OutOrStdout(), write) },
	}
	c.Flags().BoolVar(&write, "write", false, "write peers/README.md")
	if err := c.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, write bool) error {
	var p peers
	if _, err := strictyaml.Read("peers.yaml", list, &p); err != nil {
		return err
	}
	root, err := repository.Root()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "peers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "loopproof")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "./cmd/loopproof")
	build.Dir, build.Stderr = root, os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("cannot build the mock provider: %w", err)
	}
	for i := range p.Servers {
		s := &p.Servers[i]
		if err := s.ask(ctx, filepath.Join(dir, s.Name), binary, p.Requests); err != nil {
			fmt.Fprintf(os.Stderr, "%s is left out: %v\n", s.Name, err)
		}
	}
	page := p.page()
	if write {
		return os.WriteFile(filepath.Join(root, "lab", "peers", "README.md"), []byte(page), 0o644)
	}
	_, err = io.WriteString(out, page)
	return err
}

// ask starts the server, and asks it everything.
func (s *server) ask(ctx context.Context, dir, binary string, all []request) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	fill := strings.NewReplacer("{port}", port, "{dir}", dir, "{loopproof}", binary).Replace
	for name, text := range s.Files {
		if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, name), []byte(fill(text)), 0o644)); err != nil {
			return err
		}
	}
	args := make([]string, len(s.Command))
	for i, arg := range s.Command {
		args[i] = fill(arg)
	}
	if _, err := exec.LookPath(args[0]); err != nil {
		return fmt.Errorf("%w (%s)", err, s.Install)
	}
	told, err := exec.CommandContext(ctx, fill(s.Version[0]), s.Version[1:]...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("its version is not known: %w", err)
	}
	s.version = regexp.MustCompile(`\d+\.\d+\.\d+`).FindString(string(told))
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	var says bytes.Buffer
	cmd.Stdout, cmd.Stderr = &says, &says
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() {
		cmd.Process.Kill()
		cmd.Wait()
	}()
	base := "http://127.0.0.1:" + port
	if err := listens(ctx, "127.0.0.1:"+port); err != nil {
		return fmt.Errorf("%w; it says: %s", err, says.String())
	}
	for _, r := range all {
		wrong := r.sent(ctx, base)
		if below := s.Below[r.API]; wrong != "" && below != "" {
			wrong = r.sent(ctx, base+below)
		}
		s.answers = append(s.answers, wrong)
	}
	return nil
}

// listens waits until a server takes connections.
func listens(ctx context.Context, addr string) error {
	for range 150 {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
	return errors.New("it does not listen after 30 s")
}

// sent sends the request, and returns what is wrong with its answer.
func (r *request) sent(ctx context.Context, base string) string {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	method, path, _ := strings.Cut(r.Ask, " ")
	var body bytes.Buffer
	kind := "application/json"
	switch {
	case r.Form != "":
		form := multipart.NewWriter(&body)
		form.WriteField("model", "whisper-1")
		form.WriteField("purpose", "batch")
		form.WriteField("prompt", "a cat")
		file, _ := form.CreateFormFile(r.Form, "a.mp3")
		file.Write([]byte("ID3"))
		form.Close()
		kind = form.FormDataContentType()
	case r.JSON != nil:
		body.Write(r.JSON.JSON())
	}
	req, err := http.NewRequestWithContext(ctx, method, base+path, &body)
	if err != nil {
		return err.Error()
	}
	if body.Len() > 0 {
		req.Header.Set("Content-Type", kind)
	}
	req.Header.Set("Authorization", "Bearer sk-test")
	if r.API == "Anthropic" {
		req.Header.Set("X-Api-Key", "test")
		req.Header.Set("Anthropic-Version", "2023-06-01")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "no answer"
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	switch {
	case err != nil:
		return "half an answer"
	case resp.StatusCode >= 300:
		return fmt.Sprint(resp.StatusCode)
	case r.Has != "" && wire.Parsed(answer).At(r.Has) == nil:
		return "another form"
	}
	return ""
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

// page returns the table.
func (p *peers) page() string {
	var b strings.Builder
	b.WriteString("# Endpoints of mock servers\n\n<!-- cd lab && go run ./peers --write writes this file. -->\n\n")
	b.WriteString("Each server is started as a process with one script that answers every prompt, and asked for the same [list of\nendpoints](peers.yaml). It answers one where the status is below 300 and the body has what the API always returns.\n\n")
	head, line, sum := "| API | endpoint |", "|---|---|", fmt.Sprintf("| | **%d in all** |", len(p.Requests))
	for _, s := range p.Servers {
		if s.answers == nil {
			continue
		}
		good := 0
		for _, wrong := range s.answers {
			if wrong == "" {
				good++
			}
		}
		head, line, sum = head+fmt.Sprintf(" %s %s |", s.Name, s.version), line+"---|", sum+fmt.Sprintf(" **%d** |", good)
	}
	fmt.Fprintf(&b, "%s\n%s\n%s\n", head, line, sum)
	for i, r := range p.Requests {
		fmt.Fprintf(&b, "| %s | %s |", r.API, r.What)
		for _, s := range p.Servers {
			switch {
			case s.answers == nil:
			case s.answers[i] == "":
				b.WriteString(" yes |")
			default:
				fmt.Fprintf(&b, " %s |", s.answers[i])
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
