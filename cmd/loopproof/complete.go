package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// completeLists has the shell complete the flags of a command whose values are in a list of the
// command list, and its arguments from others of them. Where a list cannot be read, there is
// nothing to complete.
func completeLists(cmd *cobra.Command, own *ownFolders, arguments ...string) *cobra.Command {
	for flag, list := range map[string]string{
		"rule": "rules", "scenario": "scenarios", "profile": "profiles", "dialect": "dialects", "delivery": "deliveries", "takes": "deliveries",
		"feature": "features", "design": "designs", "agent": "agents",
	} {
		if cmd.Flags().Lookup(flag) != nil {
			cmd.RegisterFlagCompletionFunc(flag, completing(own, list))
		}
	}
	if cmd.Flags().Lookup("runner") != nil {
		cmd.RegisterFlagCompletionFunc("runner", cobra.FixedCompletions(runners, cobra.ShellCompDirectiveNoFileComp))
	}
	if len(arguments) > 0 {
		cmd.ValidArgsFunction = completing(own, arguments...)
	}
	return cmd
}

// completing returns a function that lists all ids of some lists, with what is said of them.
func completing(own *ownFolders, lists ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		chosen, err := sections(own, lists...)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var words []cobra.Completion
		for _, section := range chosen {
			for _, it := range section.items {
				if strings.HasPrefix(it.ID, begun) {
					words = append(words, cobra.CompletionWithDesc(it.ID, it.Text))
				}
			}
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}
