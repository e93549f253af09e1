package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/pflag"

	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/conformance"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/engine/toolserver"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/knownfailing"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// runFlags are the flags of run.
type runFlags struct {
	selectionFlags
	claimFlags
	own ownFolders

	knownFailing, report, trace string
	update                      bool

	rulebook      string // number
	seed          uint64
	workers       int
	timeout       time.Duration
	startTimeout  time.Duration
	quick, strict bool
	verbose       bool
	eachOnce      bool // of an agent, unless --quick says otherwise
	shard         string
	shardIndex    string

	runner, agent string
}

// selectionFlags say what is played and judged.
type selectionFlags struct {
	dialects, profiles, deliveries, scenarios, rules, cases, levels []string

	failed  string // file or folder of a report
	changed string // revision of git
}

// claimFlags say for a loop that cannot say so itself what it does.
type claimFlags struct {
	features     []string
	takes        []string // deliveries
	noExecutions bool
	designs      []string
	answerTool   string
}

const defaultTimeout = 10 * time.Second // of a case

var runners = []string{"adapter", "command", "agent", "acp"}

func (f *runFlags) register(set *pflag.FlagSet) {
	set.SortFlags = false
	set.StringArrayVar(&f.dialects, "dialect", nil, "play only this `dialect`; repeatable, accepts patterns")
	set.StringArrayVar(&f.profiles, "profile", nil, "play only this `profile`")
	set.StringArrayVar(&f.deliveries, "delivery", nil, "play only this `delivery`")
	set.StringArrayVar(&f.scenarios, "scenario", nil, "play only this `scenario`")
	set.StringArrayVar(&f.rules, "rule", nil, "judge only this `rule`, in the scenarios that test it")
	set.StringArrayVar(&f.levels, "level", nil, "judge only what counts for this `level`: "+strings.Join(conformance.Levels(), ", ")+"; repeatable")
	set.StringArrayVar(&f.cases, "case", nil, "play only this `case`")
	set.StringVar(&f.failed, "failed", "", "play only the cases that failed in this `report`, a report.json or the folder of --report, with its random ids")
	set.StringVar(&f.changed, "changed", "", "play only the cases that may end otherwise than at this `revision` of git, by default HEAD, since a scenario of --scenarios or --repo, or an entry of --known-failing, is not as it was")
	set.Lookup("changed").NoOptDefVal = "HEAD"
	f.own.register(set, "play")
	set.StringVar(&f.knownFailing, "known-failing", "", "a `file` that lists expected failures")
	set.BoolVar(&f.update, "update", false, "create or update the --known-failing list from this run; reasons are kept")
	set.StringVar(&f.report, "report", "", "write report.json, junit.xml and more into this `folder`")
	set.BoolVar(&f.verbose, "verbose", false, "describe every broken rule in full, not only the first one")
	set.StringVar(&f.trace, "trace", "", "write all requests and responses of every case into this `folder`")
	set.Uint64Var(&f.seed, "seed", 0, "use the same random ids as the run with this seed; 0: a new seed")
	f.registerPlaying(set)
	set.BoolVar(&f.quick, "quick", false, "play each scenario under one profile of each dialect, whole and as a stream")
	set.StringVar(&f.shard, "shard", "", "play one part of the run, as `N/ALL`, such as 2/8; merge the reports with loopproof report merge")
	set.StringVar(&f.shardIndex, "shard-index", "", "the same for indexes that count from 0, as `INDEX/ALL`: 0/8 is 1/8; for Kubernetes, which has no shell to add 1")
	f.registerLoop(set)
}

// registerPlaying registers the flags that say how cases are played and judged.
func (f *runFlags) registerPlaying(set *pflag.FlagSet) {
	set.IntVar(&f.workers, "workers", 0, "the maximum number of cases played in parallel; 0: twelve for each processor, plus up to 64 that mostly wait; with --runner command, one for each processor")
	set.DurationVar(&f.timeout, "timeout", defaultTimeout, "the timeout of a case")
	set.DurationVar(&f.startTimeout, "start-timeout", time.Minute, "the timeout of the start and of the first task")
	set.BoolVar(&f.strict, "strict", false, "treat a broken SHOULD rule like a broken MUST rule")
	set.StringVar(&f.rulebook, "rulebook", "", "judge by the rulebook of this `number`, such as "+rulebook.Latest().Number+"; what is newer is only noted")
}

// registerLoop registers the flags that say how the loop is started, and what one does that cannot
// say so itself.
func (f *runFlags) registerLoop(set *pflag.FlagSet) {
	set.StringVar(&f.runner, "runner", "adapter", "how the loop is started: `adapter` (one process, JSON lines), command (one process for each task), agent (the same, with the tools of an MCP server) or acp (an agent that speaks the Agent Client Protocol)")
	set.StringVar(&f.agent, "agent", "", "with --runner agent or acp: the `name` of an agent, as in loopproof list agents, or the file of its description")
	set.StringArrayVar(&f.features, "feature", nil, "with --runner command or acp: a `feature` that the program supports; repeatable; may be limited to a delivery, as in retries@json")
	set.StringArrayVar(&f.takes, "takes", nil, "with --runner command or acp: a `delivery` in which the program takes answers, if it does not take all; repeatable, accepts patterns: 'sse*' for one that always streams")
	set.StringArrayVar(&f.designs, "design", nil, "with --runner command or acp: a documented `design` of the program, windowed-history, answers-by-tool or cached-results; repeatable")
	set.StringVar(&f.answerTool, "answer-tool", "", "with --design answers-by-tool: the `tool.argument` that holds the final answer (default final_answer.answer)")
	set.BoolVar(&f.noExecutions, "no-executions", false, "with --runner command or acp: the program has its own tools and does not run those of the task")
}

// config returns the configuration of the run, and the known-failing list.
func (f *runFlags) config(command []string) (runner.Config, *knownfailing.List, error) {
	c, err := f.playing(command)
	if err != nil {
		return c, nil, err
	}
	_, mine, err := f.own.open(&c)
	if err != nil {
		return c, nil, err
	}
	known, err := f.expectations()
	if err != nil {
		return c, nil, err
	}
	return c, known, f.openChanged(&c, mine, known)
}

// playing returns the configuration without the user's own folders.
func (f *runFlags) playing(command []string) (runner.Config, error) {
	c := runner.Config{
		EachOnce: f.eachOnce, Seed: f.seed, Workers: f.workers, Timeout: f.timeout, StartTimeout: f.startTimeout, Strict: f.strict, Rulebook: f.rulebook, Trace: f.trace,
		Select:     runner.Select{Dialects: f.dialects, Profiles: f.profiles, Deliveries: f.deliveries, Scenarios: f.scenarios, Rules: f.rules, Cases: f.cases, Levels: f.levels, Quick: f.quick},
		ToolServer: toolserver.ForRun,
		Hooks:      runner.Hooks{Reproduce: f.reproduce(command)},
	}
	return c, errors.Join(f.check(command), f.openLoop(command, &c), f.openShard(&c), f.openFailed(&c))
}

func (f *runFlags) check(command []string) error {
	var errs []error
	if f.workers < 0 {
		errs = append(errs, fmt.Errorf("--workers must not be negative, as %d is; omit it, or give 0, for the default", f.workers))
	}
	if f.timeout <= 0 {
		errs = append(errs, fmt.Errorf("--timeout must be above zero, such as 10s, not %v", f.timeout))
	}
	if f.startTimeout <= 0 {
		errs = append(errs, fmt.Errorf("--start-timeout must be above zero, such as 60s, not %v", f.startTimeout))
	}
	if !f.claimsByFlags() && (len(f.features)+len(f.takes)+len(f.designs) > 0 || f.noExecutions || f.answerTool != "") {
		errs = append(errs, errors.New("--feature, --takes, --design, --answer-tool and --no-executions need --runner command, or acp with a command; an adapter declares them in its hello, and an agent in its description"))
	}
	for _, delivery := range f.takes {
		known := wire.Words(wire.AllDeliveries())
		if !slices.ContainsFunc(known, func(name string) bool { return doublestar.MatchUnvalidated(delivery, name) }) {
			errs = append(errs, oneOf("delivery", delivery, known))
		}
	}
	for _, design := range f.designs {
		errs = append(errs, oneOf("design", design, wire.Words(protocol.Designs())))
	}
	if name, argument, ok := strings.Cut(f.answerTool, "."); f.answerTool != "" && (!ok || name == "" || argument == "" || !slices.Contains(f.designs, string(protocol.AnswersByTool))) {
		errs = append(errs, fmt.Errorf("--answer-tool must be TOOL.ARGUMENT, as in final_answer.answer, and needs --design %s", protocol.AnswersByTool))
	}
	if f.changed != "" && f.failed != "" {
		errs = append(errs, errors.New("--changed and --failed each say what is played again; give one of them"))
	}
	errs = append(errs, f.checkUpdate())
	for _, feature := range f.features {
		name, _ := claims.Split(protocol.Feature(feature))
		errs = append(errs, oneOf("feature", string(name), wire.Words(protocol.Features())))
	}
	return errors.Join(errs...)
}

// claimsByFlags reports whether the flags say what the loop does, since it cannot say so itself.
func (f *runFlags) claimsByFlags() bool {
	return f.runner == "command" || f.runner == "acp" && f.agent == ""
}

// hides returns the first flag that is set and leaves out cases of a scenario, or "".
func (f *runFlags) hides() string {
	for _, flag := range []struct {
		name string
		set  bool
	}{
		{"--quick", f.quick}, {"--dialect", len(f.dialects) > 0}, {"--profile", len(f.profiles) > 0},
		{"--delivery", len(f.deliveries) > 0}, {"--rule", len(f.rules) > 0}, {"--level", len(f.levels) > 0}, {"--case", len(f.cases) > 0},
		{"--failed", f.failed != ""}, {"--changed", f.changed != ""},
	} {
		if flag.set {
			return flag.name
		}
	}
	return ""
}

// checkUpdate returns an error if --update is used with flags that hide cases of a scenario.
func (f *runFlags) checkUpdate() error {
	switch {
	case !f.update:
		return nil
	case f.knownFailing == "":
		return errors.New("--update needs --known-failing FILE, the list to update")
	case f.hides() != "":
		return fmt.Errorf("--update needs all cases of the scenarios that it plays, and %s leaves some out: only --scenario can be combined with it", f.hides())
	default:
		return nil
	}
}

// openLoop puts the loop into the config.
func (f *runFlags) openLoop(command []string, c *runner.Config) error {
	if err := oneOf("runner", f.runner, runners); err != nil {
		return err
	}
	if f.runner == "agent" || f.runner == "acp" || f.agent != "" {
		return f.openAgent(command, c)
	}
	switch {
	case len(command) == 0 && f.runner == "command":
		return errors.New("--runner command needs a command after --, as in\n  loopproof run --runner command -- ./my-agent --prompt '{prompt}'")
	case len(command) == 0:
		reference(c)
	case f.runner == "adapter":
		c.Loop = loops.Adapter{Command: command[0], Args: command[1:]}
	default:
		c.Loop = loops.Command{Command: command[0], Args: command[1:]}
		c.Claims.NoExecutions, c.Claims.Deliveries = f.noExecutions, f.takes
		played := dialect.Names(append(dialect.Known(), f.own.dialects...))
		c.Claims.Dialects = slices.DeleteFunc(slices.Clone(f.dialects), func(d string) bool { return !slices.Contains(played, d) })
		c.Claims.Designs, c.Claims.Features = wordsAs[protocol.Design](f.designs), wordsAs[protocol.Feature](f.features)
		if name, argument, ok := strings.Cut(f.answerTool, "."); ok {
			c.Claims.AnswerTool = &protocol.AnswerTool{Name: name, Argument: argument}
		}
	}
	return nil
}

// openShard puts the shard into the config.
func (f *runFlags) openShard(c *runner.Config) error {
	switch {
	case f.shard != "" && f.shardIndex != "":
		return errors.New("--shard and --shard-index say the same thing; give one of them")
	case f.shard != "":
		shard, ok := readShard(f.shard, 1)
		if !ok {
			return fmt.Errorf("--shard must be N/ALL, such as 2/8 for the second of eight parts, not %q", f.shard)
		}
		c.Select.Shard = shard
	case f.shardIndex != "":
		shard, ok := readShard(f.shardIndex, 0)
		if !ok {
			return fmt.Errorf("--shard-index must be INDEX/ALL, such as 0/8 for the first of eight parts and 7/8 for the last, not %q", f.shardIndex)
		}
		c.Select.Shard = shard
	}
	return nil
}

// readShard reads a shard whose index counts from first.
func readShard(text string, first int) (runner.Shard, bool) {
	at, all, ok := strings.Cut(text, "/")
	index, err1 := strconv.Atoi(at)
	of, err2 := strconv.Atoi(all)
	shard := runner.Shard{Index: index - first + 1, Of: of}
	return shard, ok && err1 == nil && err2 == nil && shard.Index >= 1 && shard.Index <= of
}

// reproduce returns the command line that plays one case again, with the user's own command.
func (f *runFlags) reproduce(command []string) func(string, uint64) string {
	return func(caseID string, seed uint64) string {
		return f.again(command, "run", "--case", caseID, "--seed", fmt.Sprint(seed))
	}
}

// again returns the command line that plays something again, with the user's own command.
func (f *runFlags) again(command []string, what ...string) string {
	args := append([]string{"loopproof"}, what...)
	args = append(args, f.own.args()...)
	if f.timeout != defaultTimeout {
		args = append(args, "--timeout", f.timeout.String())
	}
	if f.startTimeout != time.Minute {
		args = append(args, "--start-timeout", f.startTimeout.String())
	}
	if f.runner != "adapter" {
		args = append(args, "--runner", f.runner)
	}
	if f.agent != "" {
		args = append(args, "--agent", f.agent)
	}
	if (f.agent != "" || f.runner == "acp") && !f.quick && !f.eachOnce {
		args = append(args, "--quick=false")
	}
	if f.claimsByFlags() { // what is played is what is claimed
		for _, dialect := range f.dialects {
			args = append(args, "--dialect", dialect)
		}
	}
	for _, feature := range f.features {
		args = append(args, "--feature", feature)
	}
	for _, delivery := range f.takes {
		args = append(args, "--takes", delivery)
	}
	for _, design := range f.designs {
		args = append(args, "--design", design)
	}
	if f.answerTool != "" {
		args = append(args, "--answer-tool", f.answerTool)
	}
	if f.noExecutions {
		args = append(args, "--no-executions")
	}
	if len(command) > 0 {
		args = append(append(args, "--"), command...)
	}
	return quoted(args)
}

func (f *runFlags) expectations() (*knownfailing.List, error) {
	if f.update {
		folder := filepath.Dir(f.knownFailing)
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("--known-failing %s: there is no folder %s in which the list could be written", f.knownFailing, folder)
		}
		return knownfailing.LoadToUpdate(f.knownFailing)
	}
	return knownfailing.Load(f.knownFailing)
}
