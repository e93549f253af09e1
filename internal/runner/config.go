package runner

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

// Config says which loop is judged, and by what. Only Loop is needed. Package suite describes the fields that it has, too.
type Config struct {
	Loop          Loop
	Name, Version string // of the loop

	Claims Claims
	Select Select

	OwnScenarios, OwnProfiles fs.FS

	KnownFailing string
	Strict       bool

	Seed         uint64
	Workers      int
	Timeout      time.Duration
	StartTimeout time.Duration
	Listen       func() (net.Listener, error)

	Report, Trace string

	Hooks Hooks

	known []*profiles.Profile // all that the config knows, once they were read
}

// Claims are what a LoopFunc or a Command claims to do. An adapter says so itself.
type Claims struct {
	Features                       []Feature
	Designs                        []Design
	AnswerTool                     *protocol.AnswerTool
	NoExecutions                   bool
	Dialects, Profiles, Deliveries []string
	Concurrency                    int
}

// Select says which cases are played. The lists are patterns.
type Select struct {
	Dialects, Profiles, Deliveries, Scenarios, Rules, Cases []string

	Quick bool
	Shard Shard
}

// Hooks are called while a loop is judged.
type Hooks struct {
	// Reproduce returns the command line that plays a single case again; nil says how to do it with go test.
	Reproduce func(caseID string, seed uint64) string

	// OnTask is called before a task is handed to the loop, by many workers at a time. The same case may be played again.
	OnTask func(c trace.Case, t Task)

	OnWait func(what string)
	OnPlan func(Plan)
	OnCase func(done, all int, c report.Case)
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
