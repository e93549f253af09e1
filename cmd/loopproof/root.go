package main

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/suggest"
)

// The exit codes.
const (
	exitConformant    = 0
	exitNotConformant = 1
	exitFault         = 2 // of Loopproof, the adapter or the configuration
)

// helpWidth is the length of a line of the help texts.
const helpWidth = 100

// verdict is an error that only carries an exit code. The message was already printed.
type verdict int

func (v verdict) Error() string { return fmt.Sprintf("exit code %d", int(v)) }

// execute runs the command line and returns the exit code.
func execute(args []string, s streams) int {
	signalled, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	context.AfterFunc(signalled, func() {
		stop() // first, so that a second signal ends the process as soon as anything ends by the first
		cancel()
	})

	root := rootCommand(s)
	root.SetArgs(args)
	root.SetOut(s.out)
	root.SetErr(s.err)
	err := root.ExecuteContext(ctx)
	if err != nil && !errors.As(err, new(verdict)) {
		fmt.Fprintln(s.err, "loopproof: "+strings.TrimSpace(err.Error()))
	}
	return exitCode(err)
}

// exitCode returns the exit code for the error of a command. An error that is no verdict is not the
// fault of the loop.
func exitCode(err error) int {
	var code verdict
	switch {
	case err == nil:
		return exitConformant
	case errors.As(err, &code):
		return int(code)
	default:
		return exitFault
	}
}

func rootCommand(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "loopproof",
		Short: "Test an agent loop with scripted conversations",
		Long: `Loopproof tests agent loops: it plays the model provider from a script, watches what the loop sends,
runs and returns, and judges it by a set of rules.

Exit codes: 0 conformant; 1 not conformant; 2 an error in Loopproof, the adapter or the
configuration.`,
		Example: `  loopproof run                                    judge the built-in reference loop
  loopproof run -- node my-adapter.js              judge a loop in any language
  loopproof run --rule 'pairing/*' -- node my-adapter.js
  loopproof explain pairing/every-call-answered    what a rule requires, and why
  loopproof serve --scenario pairing/single-call   run the mock provider`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			var names []string
			for _, c := range cmd.Commands() {
				names = append(names, c.Name())
			}
			return fmt.Errorf("unknown command %q%s; run loopproof --help for the list", args[0], suggest.Hint(args[0], names))
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			cmd.Help()
			return verdict(exitFault) // nothing was judged
		},
	}
	root.Version = loopproof.Version // --version and -v
	root.SetVersionTemplate(versionLine())
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages ", fmt.Sprintf(".FlagUsagesWrapped %d ", helpWidth)))
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(runCommand(s), fuzzCommand(s), initCommand(s), serveCommand(s), tryCommand(s), recordCommand(s), probeCommand(s), gatewayCommand(s), importCommand(s), reportCommand(s), listCommand(s), explainCommand(s), lintCommand(s), validateCommand(s), mcpCommand(s), healthcheckCommand(s), versionCommand(s))
	refuseUnknown(root)
	repoFlag(root)
	return root
}

// refuseUnknown has the commands that the library brings, help and completion, refuse a word that
// they do not know. By themselves they show a help text and succeed, so that a mistyped shell would
// have that text for its completion script.
func refuseUnknown(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Example = "  loopproof help report merge"
			cmd.Args = func(_ *cobra.Command, args []string) error {
				found, rest, err := root.Find(args)
				if err != nil || len(rest) == 0 {
					return err
				}
				return fmt.Errorf("unknown command %q; run %s --help for the list", rest[0], found.CommandPath())
			}
		case "completion":
			cmd.Example = "  loopproof completion bash"
			for _, shell := range cmd.Commands() {
				shell.Example = "  " + shell.CommandPath() + " --no-descriptions"
			}
			cmd.RunE = func(cmd *cobra.Command, _ []string) error {
				cmd.Help()
				return verdict(exitFault) // as without any command
			}
		}
	}
}

// flagError suggests a known flag in an error about an unknown one.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		return fmt.Errorf("--%s must be %s, not %q", invalid.GetFlag().Name, valueOf(invalid.GetFlag()), invalid.GetValue())
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return fmt.Errorf("%w; run %s --help for the list", err, cmd.CommandPath())
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	given := "--" + unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		given = given[1:]
	}
	return fmt.Errorf("unknown flag %s%s; run %s --help for the list", given, suggest.Hint(given, names), cmd.CommandPath())
}

// noArguments refuses arguments. flag is the flag that people mean when they give one, or "" if
// there is none.
func noArguments(flag string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return nil
		case flag == "":
			return fmt.Errorf("unexpected argument %q; %s takes none", args[0], cmd.CommandPath())
		default:
			return fmt.Errorf("unexpected argument %q; it belongs after a flag, as in\n  %s %s %s", args[0], cmd.CommandPath(), flag, quoted(args[:1]))
		}
	}
}

// valueOf describes the values of a flag.
func valueOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "duration":
		return "a duration such as 10s"
	case "int", "uint64":
		return "a whole number"
	case "bool":
		return "true or false, or have no value"
	default:
		return "a " + f.Value.Type()
	}
}

// oneOf returns an error if a word is not a known one.
func oneOf(what, word string, known []string) error {
	for _, k := range known {
		if k == word {
			return nil
		}
	}
	return fmt.Errorf("unknown %s %q%s; choose from %s", what, word, suggest.Hint(word, known), list(known))
}
