package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v4"
)

//go:embed clients.yaml
var clientList []byte

// client is a language with its packages, all of which one program uses.
type client struct {
	language string
	packages []string
}

func readClients() ([]client, error) {
	var of struct {
		Python []string `yaml:"python"`
		Node   []string `yaml:"node"`
	}
	d := yaml.NewDecoder(bytes.NewReader(clientList))
	d.KnownFields(true)
	if err := d.Decode(&of); err != nil {
		return nil, err
	}
	return []client{{"Python", of.Python}, {"JavaScript", of.Node}}, nil
}

func clientInstalls(list []client) (commands [][]string) {
	for _, c := range list {
		install := []string{"{py}/pip", "install", "--upgrade"}
		if c.language == "JavaScript" {
			install = []string{"npm", "install", "--prefix", "{peers}/npm"}
		}
		commands = append(commands, append(install, c.packages...))
	}
	// LiteLLM and LangChain pin older versions of these SDKs, and work with the newest.
	return append(commands, []string{"{py}/pip", "install", "--upgrade", "--no-deps", "openai", "google-genai"})
}

// tried is a line of the programs: a client, and what is wrong with each thing that it was asked to do.
type tried struct {
	Client  string            `json:"client"`
	Version string            `json:"version"`
	Wrong   map[string]string `json:"wrong"`
}

// serveClients starts the server with answers for clients, and lets the programs use it.
func (s *server) serveClients(ctx context.Context, dir string, fill filler, list []client) error {
	files := map[string]string{}
	for name, text := range s.Files {
		files[name] = text
	}
	if s.Clients != "" {
		files[s.Script] = s.Clients
	}
	r, err := start(ctx, dir, files, s.Command, fill)
	if err != nil {
		return err
	}
	defer r.stop()
	s.clients = map[string]string{}
	for _, c := range list {
		if err := s.use(ctx, r.base, c.language, dir, fill); err != nil {
			return fmt.Errorf("the clients in %s: %w", c.language, err)
		}
	}
	return nil
}

func (s *server) use(ctx context.Context, base, language, dir string, fill filler) error {
	args := []string{fill.fill("{py}/python"), fill.fill("{lab}/peers/clients.py")}
	if language == "JavaScript" {
		// An import of a module looks for packages beside its file, so it is run from there.
		text, err := os.ReadFile(fill.fill("{lab}/peers/clients.mjs"))
		if err != nil {
			return err
		}
		at := filepath.Join(fill.fill("{peers}/npm"), "clients.mjs")
		if err := os.WriteFile(at, text, 0o644); err != nil {
			return err
		}
		args = []string{"node", at}
	}
	below, err := json.Marshal(s.Below)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, args[0], append(args[1:], base, string(below))...)
	var says bytes.Buffer
	cmd.Stderr, cmd.Dir = &says, dir
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%w: %s", err, says.String())
	}
	for line := range strings.Lines(string(out)) {
		var one tried
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			return fmt.Errorf("%w: %s", err, line)
		}
		for what, wrong := range one.Wrong {
			s.clients[fmt.Sprintf("%s, %s\x00%s\x00%s", one.Client, language, one.Version, what)] = wrong
			if wrong != "" {
				fmt.Fprintf(os.Stderr, "%s, %s, %s, %s: %s\n", s.Name, one.Client, language, what, wrong)
			}
		}
	}
	return nil
}
