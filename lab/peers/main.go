// Peers compares the mock provider with other mock servers: which endpoints of provider APIs they
// answer in the form of the API, which clients work with them by their base URL alone, and which
// tasks of a test they do. It writes tables of it.
//
//	go run ./peers --install      # first: the servers and clients, into --peers
//	go run ./peers                # the servers that are installed
//	go run ./peers --only tasks   # one of endpoints, clients, tasks; --task, --server narrow it
//	go run ./peers --write        # also writes peers/README.md
//
// What is asked, and how each server is installed and started, stands in peers.yaml, tasks.yaml and
// clients.yaml.
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/lab/internal/repository"
)

//go:embed peers.yaml
var list []byte

// peers is what the files say.
type peers struct {
	Servers  []server  `yaml:"servers"`
	Requests []request `yaml:"requests"`

	tasks   []task
	clients []client
}

// settings are the flags.
type settings struct {
	dir                string
	write, install     bool
	only, task, server string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var s settings
	c := &cobra.Command{
		Use: "peers", Short: "Compare mock servers", Args: cobra.NoArgs, SilenceUsage: true, SilenceErrors: true,
		Example: "  go run ./peers --install\n  go run ./peers --only tasks --task 'Two errors'\n  go run ./peers --write",
		RunE:    func(c *cobra.Command, _ []string) error { return run(c.Context(), c.OutOrStdout(), s) },
	}
	cache, _ := os.UserCacheDir()
	c.Flags().StringVar(&s.dir, "peers", filepath.Join(cache, "loopproof-peers"), "the folder of the other servers and of the clients")
	c.Flags().BoolVar(&s.install, "install", false, "install them there, by npm, pip and cargo, and do nothing else")
	c.Flags().BoolVar(&s.write, "write", false, "write peers/README.md")
	c.Flags().StringVar(&s.only, "only", "", "make one of the tables: endpoints, clients or tasks")
	c.Flags().StringVar(&s.task, "task", "", "do only the tasks with this in their name")
	c.Flags().StringVar(&s.server, "server", "", "ask only this server")
	c.MarkFlagsMutuallyExclusive("write", "only")
	c.MarkFlagsMutuallyExclusive("write", "task")
	c.MarkFlagsMutuallyExclusive("write", "server")
	if err := c.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, set settings) error {
	p, err := read()
	if err != nil {
		return err
	}
	switch set.only {
	case "", "endpoints", "clients", "tasks":
	default:
		return fmt.Errorf("--only %s: there are endpoints, clients and tasks", set.only)
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
	fill := filler{"{loopproof}", binary, "{peers}", set.dir, "{npm}", filepath.Join(set.dir, "npm", "node_modules", ".bin"),
		"{py}", filepath.Join(set.dir, "py", "bin"), "{cargo}", filepath.Join(set.dir, "cargo", "bin"), "{lab}", filepath.Join(root, "lab")}
	if set.install {
		return p.install(ctx, fill)
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "./cmd/loopproof")
	build.Dir, build.Stderr = root, os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("cannot build the mock provider: %w", err)
	}
	if err := p.ask(ctx, filepath.Join(dir, "servers"), fill, set); err != nil {
		return err
	}
	page := p.page()
	if set.write {
		return os.WriteFile(filepath.Join(root, "lab", "peers", "README.md"), []byte(page), 0o644)
	}
	_, err = io.WriteString(out, page)
	return err
}

func read() (*peers, error) {
	var p peers
	if _, err := strictyaml.Read("peers.yaml", list, &p); err != nil {
		return nil, err
	}
	var err error
	if p.tasks, err = readTasks(); err != nil {
		return nil, fmt.Errorf("tasks.yaml: %w", err)
	}
	if p.clients, err = readClients(); err != nil {
		return nil, fmt.Errorf("clients.yaml: %w", err)
	}
	return &p, nil
}

// install installs all servers, then all clients.
func (p *peers) install(ctx context.Context, fill filler) error {
	var commands [][]string
	for _, s := range p.Servers {
		commands = append(commands, s.Install...)
	}
	commands = append(commands, clientInstalls(p.clients)...)
	for _, command := range commands {
		args := fill.all(command)
		fmt.Fprintln(os.Stderr, "peers:", strings.Join(args, " "))
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(args, " "), err)
		}
	}
	return nil
}

// ask asks each server everything. One that is not installed is left out.
func (p *peers) ask(ctx context.Context, dir string, fill filler, set settings) error {
	kept := p.Servers[:0]
	for _, s := range p.Servers {
		if set.server != "" && !strings.EqualFold(set.server, s.Name) {
			continue
		}
		if err := s.found(ctx, fill); err != nil {
			fmt.Fprintf(os.Stderr, "%s is left out: %v\n", s.Name, err)
			continue
		}
		kept = append(kept, s)
	}
	p.Servers = kept
	if len(kept) == 0 {
		return fmt.Errorf("there is no server to ask")
	}
	errs := make([]error, len(p.Servers))
	var all sync.WaitGroup
	for i := range p.Servers {
		all.Go(func() { errs[i] = p.askOne(ctx, &p.Servers[i], filepath.Join(dir, p.Servers[i].Name), fill, set) })
	}
	all.Wait()
	return errors.Join(append(errs, ctx.Err())...)
}

// askOne asks a server everything.
func (p *peers) askOne(ctx context.Context, s *server, dir string, fill filler, set settings) error {
	if set.only == "" || set.only == "endpoints" {
		if err := s.ask(ctx, filepath.Join(dir, "endpoints"), fill, p.Requests); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	if set.only == "" || set.only == "clients" {
		if err := s.serveClients(ctx, filepath.Join(dir, "clients"), fill, p.clients); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	for j, t := range p.tasks {
		if set.only != "" && set.only != "tasks" || !strings.Contains(t.Task, set.task) {
			s.tasks = append(s.tasks, nil)
			continue
		}
		d, err := t.do(ctx, s, filepath.Join(dir, fmt.Sprint("task", j)), fill)
		if err != nil {
			return err
		}
		for _, wrong := range d.wrong {
			fmt.Fprintf(os.Stderr, "%s, %s: %s\n", s.Name, t.Task, wrong)
		}
		s.tasks = append(s.tasks, d)
	}
	return nil
}

// ask starts the server, and asks it for all endpoints.
func (s *server) ask(ctx context.Context, dir string, fill filler, all []request) error {
	r, err := start(ctx, dir, s.Files, s.Command, fill)
	if err != nil {
		return err
	}
	defer r.stop()
	for _, one := range all {
		wrong := one.wrong(one.sent(ctx, r.base, nil))
		if below := s.Below[one.API]; wrong != "" && below != "" {
			wrong = one.wrong(one.sent(ctx, r.base+below, nil))
		}
		s.answers = append(s.answers, wrong)
	}
	return nil
}

// wrong says what is wrong with an answer, "" if nothing.
func (r *request) wrong(h heard) string {
	switch {
	case h.err != nil && h.status == 0:
		return "no answer"
	case h.err != nil:
		return "half an answer"
	case h.status >= 300:
		return fmt.Sprint(h.status)
	case r.Has != "" && wire.Parsed(h.body).At(r.Has) == nil:
		return "another form"
	}
	return ""
}
