package suite

import (
	"context"
	"io/fs"
	"net"
	"time"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// The words of the protocol, so that a user of this package needs no other import. Their fields are shown by
// go doc protocol.Task, protocol.Tool and protocol.Outcome, of github.com/loopproof/loopproof/protocol.
type (
	// Task is one conversation to hold: Dialect, BaseURL, APIKey and Model for the client, Stream, System, Prompts, Tools,
	// MaxTurns, TimeoutMS, and Profile, the provider that is played.
	Task = protocol.Task

	// Tool is a tool of a task: Name, Description, Parameters (JSON Schema), URL, and the method Run(ctx, callID,
	// arguments), which runs it.
	Tool = protocol.Tool

	// Outcome is how a conversation ended, as the loop tells its caller: Status, Text, and where the loop has them Error,
	// Reason, FinishReason, Usage, Transcript and Events.
	Outcome = protocol.Outcome

	// Feature is something that a loop may or may not offer.
	Feature = protocol.Feature

	// Usage is the sum of the tokens that the model reported: InputTokens and OutputTokens.
	Usage = protocol.Usage

	// Design is something that a loop does otherwise than most, as its documentation says.
	Design = protocol.Design
)

// The features that a loop may claim, and the statuses of an outcome.
const (
	Streaming     = protocol.Streaming
	ParallelCalls = protocol.ParallelCalls
	Reasoning     = protocol.Reasoning
	MultiPrompt   = protocol.MultiPrompt
	Cancel        = protocol.Cancel
	Retries       = protocol.Retries
	TurnLimit     = protocol.TurnLimit
	UsageCounts   = protocol.UsageCounts
	Images        = protocol.Images
	Transcript    = protocol.Transcript
	Events        = protocol.Events

	Completed = protocol.Completed
	Failed    = protocol.Failed
	Stopped   = protocol.Stopped
)

// Config says which loop is judged, and by what. Only Loop is needed.
type Config struct {
	// Loop is the loop under test: a [LoopFunc], an [Adapter] or a [Command].
	Loop Loop

	// Name and Version say in the report which loop this is. An adapter says so itself; without a name, [Run] takes that
	// of the test.
	Name, Version string

	// Features are what a LoopFunc or a Command claims to do. What is claimed is judged in full. A claim may be limited to
	// a dialect or a delivery: "retries@json". An adapter says all of this itself.
	Features []Feature

	// Designs are what a LoopFunc or a Command does otherwise than most, as its documentation says; AnswerTool is the tool
	// by which the model answers a loop of the design answers-by-tool, nil for final_answer. An adapter says so itself.
	Designs    []Design
	AnswerTool *protocol.AnswerTool

	// NoExecutions says that the loop does not run its tools through the URLs of the task.
	NoExecutions bool

	// ClaimedDialects are the wire APIs that the loop speaks; none means chat.
	ClaimedDialects []string

	// Claimed narrows, by patterns, the profiles and deliveries that the loop claims; none means all.
	ClaimedProfiles, ClaimedDeliveries []string

	// Concurrency is how many tasks a LoopFunc or a Command carries out at the same time; 0 is the number of workers, and
	// without that one for each processor for a Command, which is a process for each task.
	Concurrency int

	// The selection: patterns with * and **, any of which has to match. None means everything.
	Dialects, Profiles, Deliveries, Scenarios, Rules, Cases []string

	// OwnScenarios is a folder of further scenarios, in the same form as those of Loopproof.
	OwnScenarios fs.FS

	// OwnProfiles is a folder of further profiles, in the same form as those of Loopproof and with other names. They
	// may be built upon each other and upon those.
	OwnProfiles fs.FS

	// KnownFailing is the file of failures that are expected; they do not make the verdict, but stay in the report.
	KnownFailing string

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

	// Quick plays a selection of cases that covers every rule once.
	Quick bool

	// Shard plays one of several parts of the run. All parts need the same seed; without one it is 1.
	Shard Shard

	// Strict makes a broken should count like a broken must.
	Strict bool

	// Reproduce returns the command line that plays a single case again; nil says how to do it with go test.
	Reproduce func(caseID string, seed uint64) string

	// Report is a folder into which report.json and junit.xml are written; "" writes none.
	Report string

	// Trace is a folder into which the whole exchange of every case is written, each into a file that is named after it:
	// requests, the bytes of each answer and how they were cut, tools, outcome. Keys are redacted. "" writes none.
	Trace string

	// OnTask is called before a task is handed to the loop, by many workers at a time. The same case may be played again.
	OnTask func(c trace.Case, t Task)

	// OnWait is called when the start of the loop begins to wait for something, which it names.
	OnWait func(what string)

	// OnPlan is called when it is known how many cases are played, OnCase after each one, in order.
	OnPlan func(Plan)
	OnCase func(done, all int, c report.Case)

	known []*profiles.Profile // all that the config knows, once they were read
}

// Loop is a loop under test that is not started yet: a [LoopFunc], an [Adapter] or a [Command].
type Loop interface {
	// open starts the loop and asks it who it is. The error says why it cannot be judged.
	open(ctx context.Context, c Config) (openLoop, error)
}

// openLoop is a started loop.
type openLoop interface {
	// Hello returns what the loop claims.
	Hello() protocol.Hello

	// Do carries out one task. It returns when the loop has reported an outcome, or is known not to.
	Do(ctx context.Context, task Task) taskEnding

	// Close ends the loop.
	Close() error
}
