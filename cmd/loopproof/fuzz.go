package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/files"
	"github.com/loopproof/loopproof/internal/fuzzing"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/knownfailing"
	"github.com/loopproof/loopproof/report"
)

func fuzzCommand(s streams) *cobra.Command {
	f := &fuzzFlags{runFlags: runFlags{own: ownFolders{dialects: s.dialects}}}
	cmd := &cobra.Command{
		Use:   "fuzz [flags] [-- COMMAND ARGS...]",
		Short: "Test a loop with conversations drawn at random",
		Long: `Draw conversations that a provider may really have, play them to the loop as loopproof run does, and
judge them by the same rules. A conversation that breaks a rule is made as small as possible, and
written as a scenario that loopproof run plays again. Only what the loop claims is drawn.

COMMAND is that of loopproof run. Without COMMAND, the built-in reference loop is judged. The same
seed draws the same conversations. Ctrl-C ends early, with what was found so far.`,
		Example: `  loopproof fuzz -- node my-adapter.js
  loopproof fuzz --for 10m --seed 41 -- node my-adapter.js
  loopproof fuzz --dialect messages --rule 'pairing/*' -- node my-adapter.js
  loopproof fuzz --known-failing known-failing.yaml -- node my-adapter.js
  loopproof run --scenarios fuzz-findings -- node my-adapter.js`,
		RunE: func(cmd *cobra.Command, args []string) error {
			command, err := afterDash(cmd, args)
			if err != nil {
				return err
			}
			run := &fuzzRun{streams: s, flags: f, command: command}
			return run.run(cmd.Context())
		},
	}
	cmd.Flags().SetInterspersed(false) // flags after COMMAND belong to it
	f.registerFuzz(cmd.Flags())
	return completeLists(cmd, &f.own)
}

// fuzzFlags are the flags of fuzz: some of run, and its own.
type fuzzFlags struct {
	runFlags
	duration time.Duration
	most     int
	only     int
	out      string
	json     bool
}

func (f *fuzzFlags) registerFuzz(set *pflag.FlagSet) {
	set.SortFlags = false
	set.DurationVar(&f.duration, "for", 2*time.Minute, "how long conversations are drawn; 0: until Ctrl-C")
	set.IntVar(&f.most, "count", 0, "the maximum number of conversations; 0: as many as --for allows")
	set.IntVar(&f.only, "conversation", -1, "draw only the conversation of this number, as a finding names it; needs --seed")
	set.Uint64Var(&f.seed, "seed", 0, "draw the same conversations as the run with this seed; 0: a new seed")
	set.StringVar(&f.out, "out", "fuzz-findings", "write the scenarios that break a rule into this `folder`")
	set.StringArrayVar(&f.dialects, "dialect", nil, "draw only for this `dialect`; repeatable, accepts patterns")
	set.StringArrayVar(&f.profiles, "profile", nil, "draw only for this `profile`")
	set.StringArrayVar(&f.deliveries, "delivery", nil, "draw only this `delivery`")
	set.StringArrayVar(&f.rules, "rule", nil, "judge only this `rule`")
	f.own.registerProfiles(set)
	set.StringVar(&f.knownFailing, "known-failing", "", "a `file` that lists expected failures; what it says of a rule, in any case, is no finding")
	set.StringVar(&f.report, "report", "", "write report.json, junit.xml and more of the scenarios that break a rule into this `folder`")
	set.BoolVar(&f.json, "json", false, "print the result as JSON")
	f.registerPlaying(set)
	f.registerLoop(set)
}

// fuzzRun is one run of fuzz.
type fuzzRun struct {
	streams
	flags   *fuzzFlags
	command []string
	config  runner.Config
	known   profiles.Known

	expected *knownfailing.List // the known-failing list
}

func (r *fuzzRun) run(ctx context.Context) error {
	if err := r.configure(); err != nil {
		return err
	}
	shown := newProgress(r.err, r.terminal)
	r.config.Hooks.OnWait = shown.waitFor
	r.config.Hooks.OnRemark = r.remark(shown)
	session, err := runner.Open(ctx, r.config)
	if err != nil {
		shown.clear()
		return err
	}
	defer session.Close()
	if !r.flags.json {
		shown.clear()
		r.greet()
	}
	first, most := r.flags.numbers()
	result, err := fuzzing.Run(ctx, fuzzing.Config{
		Session: session, Known: r.known, Seed: r.config.Seed, For: r.flags.duration, From: first, Most: most, Strict: r.flags.strict,
		Accepted: r.expected.Accepts,
		OnBatch: func(result fuzzing.Result) {
			shown.clear()
			shown.drawn(result)
		},
	})
	shown.clear()
	return r.finish(ctx, result, err)
}

// numbers returns the number of the first conversation, and how many are drawn, 0 for any number.
func (f *fuzzFlags) numbers() (first, most int) {
	if f.only >= 0 {
		return f.only, 1
	}
	return 0, f.most
}

// configure reads the flags.
func (r *fuzzRun) configure() (err error) {
	f := r.flags
	if f.duration < 0 {
		return fmt.Errorf("--for must not be negative, as %v is", f.duration)
	}
	if f.most < 0 {
		return fmt.Errorf("--count must be at least 1, not %d; omit it for as many as --for allows", f.most)
	}
	if f.only >= 0 && (f.seed == 0 || f.most > 0) {
		return errors.New("--conversation names a conversation of a run: give the --seed of that run, and no --count")
	}
	if f.seed == 0 {
		f.seed = rand.Uint64N(1_000_000) + 1
	}
	if r.expected, err = f.expectations(); err != nil {
		return err
	}
	if r.config, err = f.playing(r.command); err != nil {
		return err
	}
	if r.config.OwnProfiles, r.known, err = f.own.readProfiles(); err != nil {
		return err
	}
	return f.prepareFolders()
}

// prepareFolders checks that what is found can be written, before it is searched for.
func (f *fuzzFlags) prepareFolders() error {
	_, missing := os.Stat(f.out)
	if err := files.MakeFolder(f.out); err != nil {
		return fmt.Errorf("the scenarios cannot be written: %w", err)
	}
	if missing != nil {
		os.Remove(f.out) // it is made again when something is found
	}
	if f.report != "" {
		return report.PrepareDir(f.report)
	}
	return nil
}

func (r *fuzzRun) greet() {
	fmt.Fprintf(r.out, "loopproof %s fuzzes %s\nseed %d\n\n", loopproof.Version, r.flags.loop(r.command, "fuzz yours: loopproof fuzz"), r.config.Seed)
}

// finish writes what was found, and returns the verdict.
func (r *fuzzRun) finish(ctx context.Context, result fuzzing.Result, problem error) error {
	if err := r.writeFiles(result); err != nil {
		return err
	}
	if err := r.tell(result); err != nil {
		return err
	}
	if dir := r.flags.report; dir != "" && len(result.Findings) > 0 {
		if err := r.writeReport(ctx, dir, result); err != nil {
			return err
		}
	} else if dir != "" {
		r.tellUnreported(dir)
	}
	switch {
	case problem != nil:
		return problem
	case result.Cases == 0:
		return errors.New("nothing was played: no conversation was drawn that this loop claims to handle")
	case len(result.Findings) > 0:
		return verdict(exitNotConformant)
	default:
		return nil
	}
}

// tellUnreported tells that there is no report, since what a folder has of an earlier run would be
// taken for it.
func (r *fuzzRun) tellUnreported(dir string) {
	earlier := ""
	if _, err := os.Stat(filepath.Join(dir, "report.json")); err == nil {
		earlier = "; the one in " + dir + " is of an earlier run"
	}
	r.log("nothing was found, so no report is written%s", earlier)
}

// writeFiles writes the scenario of each finding.
func (r *fuzzRun) writeFiles(result fuzzing.Result) error {
	if len(result.Findings) == 0 {
		return nil
	}
	if err := os.MkdirAll(r.flags.out, 0o777); err != nil {
		return fmt.Errorf("the scenarios cannot be written: %w", err)
	}
	for _, f := range withFiles(result) {
		if err := os.WriteFile(r.file(f), f.File, 0o666); err != nil {
			return fmt.Errorf("the scenarios cannot be written: %w", err)
		}
	}
	return nil
}

// withFiles returns the findings that have a file: those of the result, and those that are listed
// under them.
func withFiles(result fuzzing.Result) (all []fuzzing.Finding) {
	for _, f := range result.Findings {
		all = append(append(all, f), f.Alike...)
	}
	return all
}

// file returns the name of the file of a finding.
func (r *fuzzRun) file(f fuzzing.Finding) string { return filepath.Join(r.flags.out, f.Name+".yaml") }

// writeReport plays the scenarios that were found from their files, and writes the report of that.
func (r *fuzzRun) writeReport(ctx context.Context, dir string, result fuzzing.Result) error {
	c := r.config
	flags := r.flags.runFlags
	flags.own.scenarios = r.flags.out
	c.OwnScenarios, c.Hooks.Reproduce, c.Select = files.In(r.flags.out), flags.reproduce(r.command), runner.Select{}
	for _, f := range withFiles(result) {
		c.Select.Scenarios = append(c.Select.Scenarios, f.Name)
	}
	played, err := runner.Play(context.WithoutCancel(ctx), c)
	if played == nil {
		return err
	}
	return errors.Join(err, played.WriteDir(dir))
}

// replay returns the command that shows a finding again: it plays the scenario, or where the loop
// differs from itself draws the conversation once more.
func (r *fuzzRun) replay(f fuzzing.Finding) string {
	flags, seed := r.flags.runFlags, fmt.Sprint(r.config.Seed)
	if !fuzzing.IsComparison(f.Rule) {
		flags.own.scenarios = r.file(f)
		return flags.again(r.command, "run", "--scenario", f.Name, "--seed", seed)
	}
	flags.quick = true // fuzz has no such flag
	what := []string{"fuzz", "--seed", seed, "--conversation", fmt.Sprint(f.Number)}
	for _, selected := range []struct {
		flag     string
		patterns []string
	}{{"--dialect", flags.dialects}, {"--profile", flags.profiles}, {"--delivery", flags.deliveries}} {
		for _, pattern := range selected.patterns {
			what = append(what, selected.flag, pattern)
		}
	}
	return flags.again(r.command, what...)
}
