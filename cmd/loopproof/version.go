package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

func versionLine() string {
	return fmt.Sprintf("loopproof %s%s, rulebook %s, adapter protocol %d, report %s, %s %s/%s\n",
		loopproof.Version, revision(), rulebook.Latest(), protocol.Version, report.Schema, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func versionCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  loopproof version",
		Args:    noArguments(""),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(s.out, versionLine())
			return err
		},
	}
}

// revision returns the commit that the binary was built from, where that is known.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return " (" + setting.Value[:min(12, len(setting.Value))] + ")"
		}
	}
	return ""
}
