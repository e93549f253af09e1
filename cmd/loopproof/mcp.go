package main

import (
	"errors"
	"net/url"
	"os"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/internal/engine/toolserver"
)

func mcpCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp URL",
		Short: "Offer the tools of a run over standard input and output",
		Long: `Offer the tools of a run as an MCP server over standard input and output, for agents that take no
URL of an MCP server. URL is that of the run, {mcp_url} in the description of an agent.`,
		Example: `  loopproof mcp http://127.0.0.1:8080/run/8c1f/mcp`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one URL, as in: loopproof mcp http://127.0.0.1:8080/run/8c1f/mcp")
			}
			if u, err := url.Parse(args[0]); err != nil || u.Host == "" {
				return errors.New(args[0] + " is not a URL such as http://127.0.0.1:8080/run/8c1f/mcp")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return toolserver.Relay(cmd.Context(), args[0], os.Stdin, s.out)
		},
	}
}
