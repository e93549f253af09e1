package suite

import (
	"io/fs"
	"net"
	"time"

	"github.com/loopproof/loopproof/internal/engine/toolserver"
	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// Config says which loop is judged, and by what. Only Loop is needed.
type Config struct {
	// Loop is the loop under test: a [LoopFunc], an [Adapter] or a [Command].
	Loop Loop

	// Name and Version say in the report which loop this is. An adapter says so itself; without a
	// name, [Run] takes that of the test.
	Name, Version string

	// Claims are what the loop claims to do. The zero value claims plain conversations with tools
	// over the dialect chat.
	Claims Claims

	// Select says which cases are played. The zero value plays all that the loop claims.
	Select Select

	// OwnScenarios is a folder of additional scenarios, in the format of those of Loopproof.
	OwnScenarios fs.FS

	// OwnProfiles is a folder of additional profiles, in the format of those of Loopproof. Their
	// names differ from those of Loopproof; they may be based on these and on each other.
	OwnProfiles fs.FS

	// KnownFailing is a file that lists expected failures. They are reported, but do not affect the
	// result.
	KnownFailing string

	// Strict makes a violated should count like a violated must.
	Strict bool

	// Rulebook is the number of the rulebook by which the loop is judged, such as 2026.12: what is
	// newer is only noted. "" means the newest number.
	Rulebook string

	// Seed determines the generated ids: the same seed gives the same ids. 0 means a random seed.
	Seed uint64

	// Workers is how many cases are played at the same time, limited by the concurrency of the
	// loop. 0 means twelve per processor, plus up to 64 that mostly wait, and for a [Command] one
	// per processor. The number is reduced when cases time out that do not time out when played
	// alone.
	Workers int

	// Timeout is the maximum duration of a case; 0 means 10 seconds.
	Timeout time.Duration

	// StartTimeout is how long the loop may take to start: for an adapter to send its hello, and
	// for any loop to answer the preflight, a single question that is not judged. 0 means 60
	// seconds, since some runtimes start slowly.
	StartTimeout time.Duration

	// Listen opens the ports of the mock provider and its tools. nil means free ports of the
	// loopback address.
	Listen func() (net.Listener, error)

	// Report is the folder to which [Run] and [Register] write report.json and junit.xml; "" means
	// that nothing is written. [Play] returns the report instead.
	Report string

	// Trace is a folder to which the exchange of every case is written, one file for each case:
	// requests, the bytes of each response and how they were split, tool executions, and the
	// outcome. Keys are redacted. "" means that nothing is written.
	Trace string

	// Hooks are called while the loop is judged.
	Hooks Hooks
}

// Claims are what a [LoopFunc] or a [Command] claims to support. Everything that is claimed is
// judged; what is not claimed is listed in the report and never counts as passed. An adapter sends
// its claims in its hello.
type Claims struct {
	// Features are the supported features. A claim may be limited to a dialect or a delivery, as in
	// "retries@json".
	Features []Feature

	// Designs are documented ways in which the loop differs from most loops. AnswerTool is the tool
	// by which the model answers a loop of the design answers-by-tool; nil means final_answer.
	Designs    []Design
	AnswerTool *protocol.AnswerTool

	// SummaryMark is a text by which the requests of a loop that claims compaction for a summary of
	// its history are known; "" means that they are known by their shape.
	SummaryMark string

	// NoExecutions says that the loop does not run its tools through the URLs of the task.
	NoExecutions bool

	// Dialects are the wire APIs that the loop speaks; none means chat. SecondDialects are those in
	// which a loop that claims second-api asks its second model; none means each that is no draft.
	Dialects, SecondDialects []string

	// Profiles and Deliveries limit the claims by patterns; none means all.
	Profiles, Deliveries []string

	// Concurrency is how many tasks the loop can carry out at the same time. 0 means as many as
	// there are [Config.Workers].
	Concurrency int
}

// Select says which cases are played. The lists contain patterns with * and **, of which at least
// one has to match; an empty list selects everything. A pattern that matches nothing is an error.
type Select struct {
	Dialects, Profiles, Deliveries, Scenarios, Rules, Cases []string

	// Levels are levels of conformance, without patterns: core, streaming, reasoning, resilience or
	// long-running. Only what counts for them is played and judged.
	Levels []string

	// Quick plays each scenario under one profile of each dialect, whole and as a stream. That
	// covers every rule, and not what single providers do otherwise.
	Quick bool

	// Shard plays one of several parts of the run. All parts need the same seed; the default is 1.
	Shard Shard
}

// Shard is one of several parts into which a run is split, so that several machines can share it.
// The zero value is the whole run. [report.Merge] combines the reports of all shards.
type Shard struct {
	Index int // from 1
	Of    int
}

// Hooks are functions that are called while a loop is judged. Each may be nil.
type Hooks struct {
	// Reproduce returns the command line that plays a single case again. nil means a command for go
	// test.
	Reproduce func(caseID string, seed uint64) string

	// OnWait is called with a description when starting the loop has to wait for something.
	OnWait func(what string)

	// OnPlan is called with the ids of the planned cases, and OnCase after each case, in order.
	OnPlan func(cases []string)
	OnCase func(done, all int, c report.Case)
}

func (c Config) runner() runner.Config {
	out := runner.Config{
		Name: c.Name, Version: c.Version, Claims: loops.Claims(c.Claims), Select: c.Select.runner(),
		OwnScenarios: c.OwnScenarios, OwnProfiles: c.OwnProfiles, KnownFailing: c.KnownFailing, Strict: c.Strict, Rulebook: c.Rulebook,
		Seed: c.Seed, Workers: c.Workers, Timeout: c.Timeout, StartTimeout: c.StartTimeout, Listen: c.Listen,
		Report: c.Report, Trace: c.Trace, Hooks: c.Hooks.runner(), ToolServer: toolserver.ForRun,
	}
	if c.Loop != nil {
		out.Loop = c.Loop.runner()
	}
	return out
}

func (s Select) runner() runner.Select {
	return runner.Select{
		Dialects: s.Dialects, Profiles: s.Profiles, Deliveries: s.Deliveries, Scenarios: s.Scenarios, Rules: s.Rules, Cases: s.Cases, Levels: s.Levels,
		Quick: s.Quick, Shard: runner.Shard(s.Shard),
	}
}

func (h Hooks) runner() runner.Hooks {
	out := runner.Hooks{Reproduce: h.Reproduce, OnWait: h.OnWait, OnCase: h.OnCase}
	if h.OnPlan != nil {
		out.OnPlan = func(p runner.Plan) { h.OnPlan(p.IDs()) }
	}
	return out
}
