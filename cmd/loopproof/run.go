package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/spf13/cobra"

	"github.com/loopproof/loopproof"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/knownfailing"
	"github.com/loopproof/loopproof/report"
)

func runCommand(s streams) *cobra.Command {
	f := &runFlags{own: ownFolders{dialects: s.dialects}}
	cmd := &cobra.Command{
		Use:   "run [flags] [-- COMMAND ARGS...]",
		Short: "Test a loop",
		Long: `Play every conversation that the loop claims to handle, and judge what it does.

With --runner adapter, COMMAND is started once and exchanges JSON, one object a line, over its
standard input and output. With --runner command, COMMAND is started once for each task and prints
the answer on standard output. With --runner agent, a coding agent is started as its users start it,
once for each task, and gets the tools of the task from an MCP server; each scenario is played once,
unless --quick=false. Without COMMAND, the built-in reference loop is judged.

The selecting flags (--dialect to --case) are repeatable and accept patterns: * matches anything up
to the next slash, ** matches anything. A pattern that matches nothing is an error.

The first failure is shown in full, with what the loop itself reported, and the others in a line
each; --verbose shows all of them in full, and --report FOLDER writes a page of them.

--known-failing FILE decides the exit code by a list of the failures that are accepted for now: the
run fails if another one appears, or if one on the list is gone. --update creates FILE or brings it
up to date; new entries wait for a reason of yours. Without --update, FILE is not changed, and
--report FOLDER writes the entries that it lacks into FOLDER/unexpected.yaml.`,
		Example: `  loopproof run
  loopproof run -- node my-adapter.js
  loopproof run --quick -- python3 adapter.py
  loopproof run --profile openai --profile deepseek --delivery 'sse*' -- ./my-adapter
  loopproof run --case 'pairing/parallel-results@**' --seed 41 -- node my-adapter.js
  loopproof run --report out -- node my-adapter.js
  loopproof run --failed out -- node my-adapter.js
  loopproof run --changed --scenarios my-scenarios -- node my-adapter.js
  loopproof run --changed=main --known-failing known-failing.yaml -- node my-adapter.js
  loopproof run --known-failing known-failing.yaml --report out -- node my-adapter.js
  loopproof run --known-failing known-failing.yaml --update -- node my-adapter.js
  loopproof run --shard 2/8 --report shard-2 -- node my-adapter.js
  loopproof run --shard-index "$JOB_COMPLETION_INDEX/8" --report "reports/$JOB_COMPLETION_INDEX" -- node my-adapter.js
  loopproof run --runner agent --agent claude-code
  loopproof run --runner agent --agent my-agent.yaml --scenario 'pairing/*'
  loopproof run --runner acp --agent gemini-cli
  loopproof run --runner acp --dialect chat --feature parallel-calls --feature cancel -- my-agent --acp`,
		RunE: func(cmd *cobra.Command, args []string) error {
			command, err := afterDash(cmd, args)
			if err != nil {
				return err
			}
			if (f.runner == "agent" || f.runner == "acp") && !cmd.Flags().Changed("quick") {
				f.eachOnce = true // starts cost seconds
			}
			c, known, err := f.config(command)
			if err != nil {
				return err
			}
			r := &loopRun{streams: s, flags: f, config: c, known: known}
			return r.run(cmd.Context(), command)
		},
	}
	cmd.Flags().SetInterspersed(false) // flags after COMMAND belong to it
	f.register(cmd.Flags())
	return completeLists(cmd, &f.own)
}

// afterDash returns the command after --, or none.
func afterDash(cmd *cobra.Command, args []string) ([]string, error) {
	switch dash := cmd.ArgsLenAtDash(); {
	case dash < 0 && len(args) > 0:
		return nil, fmt.Errorf("unexpected argument %q; put the command of an adapter after --, as in\n  loopproof run -- %s", args[0], quoted(args))
	case dash == 0 && len(args) == 0:
		return nil, errors.New("the command after -- is missing")
	default:
		return args, nil
	}
}

// loopRun judges one loop.
type loopRun struct {
	streams
	flags  *runFlags
	config runner.Config
	known  *knownfailing.List
	plan   runner.Plan
}

func (r *loopRun) run(ctx context.Context, command []string) error {
	if dir := r.flags.report; dir != "" {
		if err := report.PrepareDir(dir); err != nil {
			return err
		}
	}
	greet := sync.OnceFunc(func() { r.greet(command) }) // once it is known that there is something to do
	shown := newProgress(r.err, r.terminal)
	r.config.Hooks.OnPlan = func(p runner.Plan) {
		r.plan = p
		shown.clear()
		greet()
		r.announce(p)
		shown.waitForCases(len(p.Cases))
	}
	r.config.Hooks.OnTask = shown.begin
	r.config.Hooks.OnCase = shown.after
	r.config.Hooks.OnWait = shown.waitFor
	r.config.Hooks.OnRemark = r.remark(shown)
	result, err := runner.Play(ctx, r.config)
	shown.clear()
	if result == nil && ctx.Err() != nil {
		return errors.New("interrupted before there was a verdict")
	}
	if result == nil {
		return err
	}
	if ctx.Err() != nil {
		err = errors.New("interrupted before all cases were played, so there is no verdict")
		if r.config.Select.Shard.Of > 0 {
			return err // a part that is played again elsewhere must not be merged as it is
		}
	}
	if len(result.Cases) == 0 && err != nil {
		return errors.Join(fmt.Errorf("not judged: %w", err), r.write(result, &knownfailing.Judged{})) // the error is the result, told once
	}
	finished := r.finish(result)
	r.tellNext(command)
	if _, judged := finished.(verdict); judged && err != nil {
		return err // an error of the loop outside its tasks matters more than the verdict
	}
	return errors.Join(err, finished)
}

// greet writes the first line before anything is started.
func (r *loopRun) greet(command []string) {
	fmt.Fprintf(r.out, "loopproof %s judges %s\n", loopproof.Version, r.flags.loop(command, "judge yours: loopproof run"))
}

// loop names the loop that a command is about. For the built-in one it says how to do the same with
// another.
func (f *runFlags) loop(command []string, yours string) string {
	switch {
	case f.agent != "":
		return "the agent " + f.agent
	case len(command) > 0:
		return quoted(command)
	default:
		return "the built-in reference loop; to " + yours + " -- COMMAND ARGS..."
	}
}

// announce says what will be played.
func (r *loopRun) announce(p runner.Plan) {
	scenarios, profiles, deliveries := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, c := range p.Cases {
		scenarios[c.Scenario], profiles[c.Profile], deliveries[string(c.Delivery)] = true, true, true
	}
	who := report.Loop{Name: p.Hello.Name, Version: p.Hello.Version, Language: p.Hello.Language}
	switch gone := len(p.Gone); {
	case gone > 0 && r.flags.failed != "":
		fmt.Fprintf(r.out, "not played any more, of those that failed in %s: %s, such as %s\n", r.flags.failed, count(gone, "case"), p.Gone[0])
	case gone > 0:
		fmt.Fprintf(r.out, "not played to this loop, of what changed since %s: %s, such as %s\n", r.flags.changed, counted(gone, "pattern", "patterns"), p.Gone[0])
	}
	fmt.Fprintf(r.out, "%s: %s of %s, %s, %s\n\n", who, count(len(p.Cases), "case"), count(len(scenarios), "scenario"),
		counted(len(profiles), "profile", "profiles"), counted(len(deliveries), "delivery", "deliveries"))
}

// finish shows the report, writes it where it is wanted, and returns the verdict.
func (r *loopRun) finish(result *report.Report) error {
	updated, notUpdated := r.update(result) // told at the end, so that the report is not lost
	judged := r.known.Judge(result, r.plan.Selection())
	console := report.Console{Colour: r.colour, Width: r.width, Short: !r.flags.verbose, More: r.more()}
	if list := r.flags.knownFailing; list != "" {
		console.Expected = judged.Covers
		console.Note = knownNote(list, result, &judged, updated)
	}
	if err := errors.Join(console.WriteFailures(r.out, result), console.WriteSummary(r.out, result)); err != nil {
		return err
	}
	r.tellKnown(result, &judged)
	r.tellUpdate(updated)
	if err := errors.Join(r.write(result, &judged), console.WriteResult(r.out, result), notUpdated); err != nil {
		return err
	}
	if updated != nil && updated.Unreasoned > 0 {
		return verdict(exitNotConformant)
	}
	return r.verdict(result, &judged)
}

// more says how to see what a short report leaves out.
func (r *loopRun) more() string {
	if dir := r.flags.report; dir != "" {
		return filepath.Join(dir, "report.html") + " and --verbose describe each of them"
	}
	return "--verbose describes each of them; --report FOLDER writes a page of them"
}

// write writes the files of the report, and the summary of a GitHub job.
func (r *loopRun) write(result *report.Report, judged *knownfailing.Judged) error {
	if dir := r.flags.report; dir != "" {
		if err := result.WriteDir(dir); err != nil {
			return err
		}
		if err := writeEntries(dir, r.flags.knownFailing, knownfailing.EntriesFor(result, r.plan.Selection(), judged.Unexpected)); err != nil {
			return err
		}
		fmt.Fprintf(r.out, "%11s  %s\n", "report", dir)
		r.tellFailed(result)
	}
	if name := os.Getenv("GITHUB_STEP_SUMMARY"); name != "" {
		return appendTo(name, result.WriteMarkdown)
	}
	return nil
}

func appendTo(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return fmt.Errorf("cannot write the job summary: %w", err)
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func (r *loopRun) verdict(result *report.Report, judged *knownfailing.Judged) error {
	hasList := r.flags.knownFailing != ""
	switch {
	case len(judged.Mistaken) > 0 || len(result.Cases) == 0:
		return verdict(exitFault)
	case hasList && !judged.Clean(), !hasList && result.Result == report.NotConformant:
		return verdict(exitNotConformant)
	case nothingJudged(result):
		return errors.New("nothing was judged: no case gave evidence for any rule")
	default:
		return nil
	}
}

func nothingJudged(result *report.Report) bool {
	for _, rule := range result.Rules {
		if rule.Cases > 0 {
			return false
		}
	}
	return true
}
