package runner

import (
	"context"
	"io/fs"
	"net"
	"net/http"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// Config says which loop is judged, and by what. Only Loop is needed. Package suite describes the
// fields that it has, too.
type Config struct {
	Loop          Loop
	Name, Version string // of the loop

	Claims Claims
	Select Select

	OwnScenarios, OwnProfiles fs.FS

	KnownFailing string
	Strict       bool

	// EachOnce plays each scenario once, as Select.Quick, and takes that for the whole: of a loop
	// that costs seconds to start.
	EachOnce bool

	Seed         uint64
	Workers      int
	Timeout      time.Duration
	StartTimeout time.Duration
	Listen       func() (net.Listener, error)

	Report, Trace string

	// ToolServer offers the tools of a run to an [Agent].
	ToolServer func(*engine.Run) http.Handler

	Hooks Hooks

	known *profiles.Known // all that the config knows, once they were read
}

// Claims are what a LoopFunc or a Command claims to do. An adapter says so itself.
type Claims struct {
	Features                       []protocol.Feature
	Designs                        []protocol.Design
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
	// Reproduce returns the command line that plays a single case again. nil means a command for go
	// test.
	Reproduce func(caseID string, seed uint64) string

	// OnTask is called before a task is handed to the loop, by many workers at a time. The same
	// case may be played again.
	OnTask func(c trace.Case, t protocol.Task)

	OnWait func(what string)

	// OnRemark is called with what the authors of the loop should know before it is judged. The
	// report has it as a note.
	OnRemark func(remark string)

	OnPlan func(Plan)
	OnCase func(done, all int, c report.Case)
}

// Loop is a loop under test that is not started yet: a [LoopFunc], an [Adapter], a [Command] or an
// [Agent].
type Loop interface {
	// open starts the loop and asks it who it is. The error says why it cannot be judged.
	open(ctx context.Context, c Config) (openLoop, error)
}

// openLoop is a started loop.
type openLoop interface {
	// Hello returns what the loop claims.
	Hello() protocol.Hello

	// RunTask carries out one task. It returns when the loop has reported an outcome, or is known
	// not to.
	RunTask(ctx context.Context, task protocol.Task) taskEnding

	// Remarks returns what the authors of the loop should know of what it says of itself.
	Remarks() []string

	// Close ends the loop.
	Close() error
}
