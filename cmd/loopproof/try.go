package main

import "github.com/spf13/cobra"

func tryCommand(s streams) *cobra.Command {
	f := &serveFlags{own: ownFolders{dialects: s.dialects}, exercises: true}
	cmd := &cobra.Command{
		Use:   "try [flags]",
		Short: "Judge what a loop sends, with nothing but its base URL",
		Long: `Run the mock provider with exercises for any loop: it calls the tools that the loop offers, one at a
time and several at once, is overloaded, and answers. No adapter is needed. Give the loop the address
that is printed and any API key, let it offer a tool that changes nothing, and ask it anything.

The page under /loopproof/ lists the exercises, and how the loop went on after each. Ctrl-C ends it, and
tells which rules were broken. Only requests are judged: whether a call ran once, and what the loop
returns, is judged by loopproof run.`,
		Example: `  loopproof try
  loopproof try --profile mistral --profile anthropic-4.5
  loopproof try --addr 0.0.0.0:8080 --report loopproof-report
  docker run --rm -p 8080:8080 loopproof try   # then http://localhost:8080/loopproof/`,
		Args: cobra.NoArgs,
		RunE: f.start(s),
	}
	f.register(cmd)
	for _, name := range []string{"scenario", "endpoints", "watch", "fallback", "record", "redact"} {
		cmd.Flags().MarkHidden(name)
	}
	return cmd
}
