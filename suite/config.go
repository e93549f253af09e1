package suite

import (
	"io/fs"
	"net"
	"time"

	"github.com/loopproof/loopproof/internal/runner"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// Config says which loop is judged, and by what. Only Loop is needed.
type Config struct {
	// Loop is the loop under test: a [LoopFunc], an [Adapter] or a [Command].
	Loop Loop

	// Name and Version say in the report which loop this is. An adapter says so itself; without a name, [Run] takes that
	// of the test.
	Name, Version string

	// Claims are what the loop claims to do. The zero value claims plain conversations with tools, over the API chat.
	Claims Claims

	// Select says which cases are played. The zero value plays all that the loop claims.
	Select Select

	// OwnScenarios is a folder of further scenarios, in the same form as those of Loopproof.
	OwnScenarios fs.FS

	// OwnProfiles is a folder of further profiles, in the same form as those of Loopproof and with other names. They
	// may be built upon each other and upon those.
	OwnProfiles fs.FS

	// KnownFailing is the file of failures that are expected; they do not make the verdict, but stay in the report.
	KnownFailing string

	// Strict makes a broken should count like a broken must.
	Strict bool

	// Seed makes the ids of the run; the same seed gives the same ones. 0 draws one.
	Seed uint64

	// Workers is how many cases are played at a time, at most as many as the loop takes; 0 is eight for each processor, since
	// many of them wait, and one for each processor for a Command. They become fewer when cases run out of time that do not
	// when they are played alone.
	Workers int

	// Timeout is how long a case may take; 0 is 10 seconds.
	Timeout time.Duration

	// StartTimeout is how long the loop may take to start: an adapter to say hello, and any loop to answer the preflight,
	// one question with one answer, before anything is judged. 0 is 60 seconds, since some runtimes start slowly.
	StartTimeout time.Duration

	// Listen opens the ports at which the loop finds the mock provider and its tools; nil: free ports of the loopback
	// address.
	Listen func() (net.Listener, error)

	// Report is a folder into which report.json and junit.xml are written; "" writes none. Only [Run] and [Register] do; who
	// calls [Play] has the report.
	Report string

	// Trace is a folder into which the whole exchange of every case is written, each into a file that is named after it:
	// requests, the bytes of each answer and how they were cut, tools, outcome. Keys are redacted. "" writes none.
	Trace string

	// Hooks are called while the loop is judged.
	Hooks Hooks
}

// Claims are what a [LoopFunc] or a [Command] claims to do. What is claimed is judged in full; what is not claimed is listed
// in the report and never counts as passed. An adapter says all of this itself, in its hello.
type Claims struct {
	// Features are what the loop offers. A claim may be limited to a dialect or a delivery: "retries@json".
	Features []Feature

	// Designs are what the loop does otherwise than most, as its documentation says; AnswerTool is the tool by which the
	// model answers a loop of the design answers-by-tool, nil for final_answer.
	Designs    []Design
	AnswerTool *protocol.AnswerTool

	// NoExecutions says that the loop does not run its tools through the URLs of the task.
	NoExecutions bool

	// Dialects are the wire APIs that the loop speaks; none means chat.
	Dialects []string

	// Profiles and Deliveries narrow, by patterns, what the loop claims; none means all.
	Profiles, Deliveries []string

	// Concurrency is how many tasks the loop carries out at the same time; 0 is the number of workers, and without that one
	// for each processor for a Command, which is a process for each task.
	Concurrency int
}

// Select says which cases are played. The lists are patterns with * and **, any of which has to match; an empty list selects
// everything. A pattern that matches nothing is an error.
type Select struct {
	Dialects, Profiles, Deliveries, Scenarios, Rules, Cases []string

	// Quick plays a selection of cases that covers every rule once.
	Quick bool

	// Shard plays one of several parts of the run. All parts need the same seed; without one it is 1.
	Shard Shard
}

// Shard is one of several parts into which a run is split, so that as many machines can play it. The zero value is the
// whole run. The reports of all shards make that of the whole: [report.Merge].
type Shard struct {
	Index int // from 1
	Of    int
}

// Hooks are functions that are called while a loop is judged; nil ones are not.
type Hooks struct {
	// Reproduce returns the command line that plays a single case again; nil says how to do it with go test.
	Reproduce func(caseID string, seed uint64) string

	// OnWait is called when the start of the loop begins to wait for something, which it names.
	OnWait func(what string)

	// OnPlan is called with the ids of the cases when it is known which are played, OnCase after each one, in order.
	OnPlan func(cases []string)
	OnCase func(done, all int, c report.Case)
}

func (c Config) runner() runner.Config {
	out := runner.Config{
		Name: c.Name, Version: c.Version, Claims: runner.Claims(c.Claims), Select: c.Select.runner(),
		OwnScenarios: c.OwnScenarios, OwnProfiles: c.OwnProfiles, KnownFailing: c.KnownFailing, Strict: c.Strict,
		Seed: c.Seed, Workers: c.Workers, Timeout: c.Timeout, StartTimeout: c.StartTimeout, Listen: c.Listen,
		Report: c.Report, Trace: c.Trace, Hooks: c.Hooks.runner(),
	}
	if c.Loop != nil {
		out.Loop = c.Loop.runner()
	}
	return out
}

func (s Select) runner() runner.Select {
	return runner.Select{
		Dialects: s.Dialects, Profiles: s.Profiles, Deliveries: s.Deliveries, Scenarios: s.Scenarios, Rules: s.Rules, Cases: s.Cases,
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
