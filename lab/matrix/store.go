package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/lab/internal/adapterrun"
	"github.com/loopproof/loopproof/lab/internal/matrix"
	"github.com/loopproof/loopproof/report"
)

func storeCommand(archive *string) *cobra.Command {
	var confirm bool
	cmd := &cobra.Command{
		Use:   "store REPORT FOLDER",
		Short: "Store the result of a report in the folder of a loop, to be published",
		Long: `Check a report as verify does, and write its result into the folder of a loop: the verdict on each
rule, and of a broken one the simplest case. With --archive, the whole report is written there,
without the texts that the loop's authors wrote into its requests. If the folder has no loop.yaml,
one is written, in which each broken must is marked as not yet examined.

The result is marked as self-reported. With --confirm, somebody of this project has played the same
version again: the rules that came out otherwise are told, and the new result takes the place of the
one that was reported.`,
		Example: `  go run ../cmd/loopproof run --report loopproof-report -- node my-adapter.js
  go run ./matrix store ../loopproof-report results/acme-loop
  go run ./matrix store --confirm ../loopproof-report results/acme-loop`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return errors.New("name a report and the folder of its loop, as in: go run ./matrix store ../loopproof-report results/acme-loop")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return store(cmd.Context(), cmd.OutOrStdout(), args[0], args[1], *archive, confirm)
		},
	}
	cmd.Flags().BoolVar(&confirm, "confirm", false, "this project has played it: the result is not marked as self-reported")
	return cmd
}

func store(ctx context.Context, w io.Writer, from, folder, archive string, confirm bool) error {
	file, err := reportFile(from)
	if err == nil && file == "" {
		err = fmt.Errorf("the folder %s has no report.json; run --report writes it", from)
	}
	if err != nil {
		return err
	}
	r, err := verifiedReport(file)
	if err != nil {
		return err
	}
	commit := ""
	if confirm {
		if commit, err = confirmed(ctx, w, r, folder); err != nil {
			return err
		}
	}
	if archive != "" {
		archived, err := matrix.Archive(r, archive, filepath.Base(folder))
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s written\n", archived)
	}
	stored, err := matrix.Store(r, folder, commit)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s written\n", stored)
	began, err := matrix.Begin(r, folder)
	if began {
		fmt.Fprintf(w, "%s written: complete it, and say whose fault each broken must is\n", filepath.Join(folder, matrix.LoopFileName))
	}
	return err
}

// confirmed tells in which rules a report differs from what was reported, and returns the commit by
// which it was judged.
func confirmed(ctx context.Context, w io.Writer, r *report.Report, folder string) (commit string, err error) {
	differs, err := matrix.Confirmed(r, folder)
	if err != nil {
		return "", fmt.Errorf("nothing was reported that could be confirmed: %w", err)
	}
	for _, one := range differs {
		fmt.Fprintln(w, one)
	}
	if len(differs) == 0 {
		fmt.Fprintln(w, "every rule came out as it was reported")
	}
	return adapterrun.Commit(ctx)
}
