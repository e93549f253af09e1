package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/catalog"
	"github.com/loopproof/loopproof/internal/profiles"
)

// repoFlag adds --repo to all commands: who writes a scenario or a profile of Loopproof sees the
// change at once, with any built binary.
func repoFlag(root *cobra.Command) {
	var folder string
	root.PersistentFlags().StringVar(&folder, "repo", "", "read Loopproof's own scenarios and profiles from this checkout `folder` of its repository, not from the binary")
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return useCheckout(folder) }
}

// useCheckout has all that follows read the scenarios and profiles of a checkout. All of them are
// checked first, since code that reads embedded files takes them to be right.
func useCheckout(folder string) error {
	if folder == "" && os.Getenv(loopproof.CheckoutVariable) == "" {
		return nil
	}
	if folder != "" {
		os.Setenv(loopproof.CheckoutVariable, folder)
	}
	folder = os.Getenv(loopproof.CheckoutVariable)
	for _, part := range []string{"scenarios", "profiles"} {
		if info, err := os.Stat(filepath.Join(folder, part)); err != nil || !info.IsDir() {
			return fmt.Errorf("--repo: %s is no checkout of Loopproof's repository: it has no folder %s", folder, part)
		}
	}
	if err := profiles.CheckAll(); err != nil {
		return errors.Join(fmt.Errorf("--repo %s: a profile is not valid", folder), err)
	}
	if err := catalog.CheckScenarios(); err != nil {
		return errors.Join(fmt.Errorf("--repo %s: a scenario is not valid", folder), err)
	}
	return nil
}
