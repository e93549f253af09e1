// Matrix renders the results of many loops as a website: which loop keeps which rule, with a page
// for each loop, rule and provider. Run it in the folder lab:
//
//	go run ./matrix --out ../site results
//	go run ./matrix --archive ../archive --out ../site results     # with the exchanges of whole reports
//	go run ./matrix verify results                                 # check what is published
//	go run ./matrix store ../loopproof-report results/acme-loop    # add the result of a loop
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/lab/internal/matrix"
)

func main() {
	if err := newCommand().Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "matrix:", err)
		os.Exit(2)
	}
}

func newCommand() *cobra.Command {
	var out, archive string
	cmd := &cobra.Command{
		Use:   "matrix [flags] RESULTS",
		Short: "Render the results of many loops as a website",
		Long: `Render a folder of results as a static website: which loop keeps which rule, with a page for each
loop, rule and provider. RESULTS has a folder for each loop, with loop.yaml and a result for each
version, as store writes them. All of them are verified first. Failures that nobody has examined
are shown as not yet examined. Of a version whose whole report is in the archive, an exchange of
each failure is shown.`,
		Example: `  go run ./matrix store ../loopproof-report results/acme-loop
  go run ./matrix --out ../site results`,
		SilenceUsage: true, SilenceErrors: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name the folder of results, as in: go run ./matrix --out ../site results")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return errors.New("--out is missing: the folder for the site, as in: go run ./matrix --out ../site results")
			}
			loops, err := matrix.Load(args[0], archive)
			if err != nil {
				return err
			}
			site, err := matrix.Render(loops)
			if err != nil {
				return err
			}
			if err := site.Write(out); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s of %s written; open %s/index.html\n", textlayout.Count(len(site), "file"), textlayout.Count(len(loops), "loop"), out)
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write the site into this `folder`; an earlier site there is replaced")
	cmd.PersistentFlags().StringVar(&archive, "archive", "", "a `folder` of whole reports, as survey writes it: LOOP/VERSION.json")
	cmd.AddCommand(verifyCommand(&archive), storeCommand(&archive))
	return cmd
}
