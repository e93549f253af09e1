package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/loopproof/loopproof/internal/agents"
	"github.com/loopproof/loopproof/internal/dialect"
)

func initAgentCommand(s streams) *cobra.Command {
	var dir string
	var sketch agents.Sketch
	cmd := &cobra.Command{
		Use:   "agent [flags] [-- COMMAND ARGS...]",
		Short: "Describe a coding agent that takes a base URL and an MCP server",
		Long: `Write the description of an agent, for loopproof run --runner agent. It is made of three things: the
command, with {prompt} among its arguments or else the prompt on standard input; the API that the
agent uses; and the file, below its home, that configures its MCP servers. On a terminal, the
command asks for what is not given.`,
		Example: `  loopproof init agent
  loopproof init agent --dialect messages --mcp .my-agent/mcp.json -- my-agent --print '{prompt}'
  loopproof init agent --dialect chat --mcp none -- my-agent '{prompt}'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			command, err := afterDash(cmd, args)
			if err != nil {
				return err
			}
			sketch.Command = command
			if err := complete(&sketch, s.err); err != nil {
				return err
			}
			name := filepath.Join(dir, sketch.Name()+".yaml")
			if err := writeNew(name, sketch.YAML()); err != nil {
				return err
			}
			fmt.Fprintf(s.out, "wrote %s\n\nnext:\n  loopproof run --runner agent --agent %s --scenario pairing/single-call --trace trace\n  read it, complete the parts marked YOURS, and run it again\n", name, quoted([]string{name}))
			return nil
		},
	}
	cmd.Flags().SetInterspersed(false)
	cmd.Flags().StringVar(&sketch.Dialect, "dialect", "", "the `dialect` of the API that the agent uses")
	cmd.Flags().StringVar(&sketch.MCP, "mcp", "", "the `file` below its home that names MCP servers, .json or .toml; none: it takes no MCP servers")
	cmd.Flags().StringVar(&dir, "dir", ".", "write into this `folder`")
	return cmd
}

// complete asks for what a sketch lacks, if there is a terminal.
func complete(sketch *agents.Sketch, out io.Writer) error {
	names := dialect.Names(dialect.Known())
	if len(sketch.Command) > 0 && sketch.Dialect != "" && sketch.MCP != "" {
		return errors.Join(oneOf("dialect", sketch.Dialect, names), sketch.Check())
	}
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return errors.New("three things are needed: --dialect, --mcp and the command after --, as in\n  loopproof init agent --dialect messages --mcp .my-agent/mcp.json -- my-agent --print '{prompt}'")
	}
	return askFor(sketch, names, os.Stdin, out)
}

// askFor asks for what a sketch lacks.
func askFor(sketch *agents.Sketch, dialects []string, in io.Reader, out io.Writer) error {
	answers := bufio.NewReader(in)
	ask := func(question string) string {
		fmt.Fprint(out, question+" ")
		answer, _ := answers.ReadString('\n')
		return strings.TrimSpace(answer)
	}
	if len(sketch.Command) == 0 {
		sketch.Command = strings.Fields(ask("The command that answers one prompt and ends, with {prompt} in it (my-agent --print {prompt}):"))
	}
	if sketch.Dialect == "" {
		sketch.Dialect = ask("The API that it uses (" + strings.Join(dialects, ", ") + "):")
	}
	if sketch.MCP == "" {
		sketch.MCP = ask("The file below its home that names MCP servers (.my-agent/mcp.json; none):")
	}
	if !slices.Contains(dialects, sketch.Dialect) {
		return oneOf("dialect", sketch.Dialect, dialects)
	}
	return sketch.Check()
}

// writeNew writes a file that does not exist yet.
func writeNew(name string, text []byte) error {
	if _, err := os.Lstat(name); err == nil {
		return fmt.Errorf("%s already exists and is not overwritten; choose another folder with --dir", name)
	}
	if err := os.MkdirAll(path.Dir(filepath.ToSlash(name)), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}
