package runner

import (
	"io/fs"
	"net"
	"net/http"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// Config says which loop is judged, and by what. Only Loop is needed. Package suite describes the
// fields that it has, too.
type Config struct {
	Loop          loops.Loop
	Name, Version string // of the loop

	Claims loops.Claims
	Select Select

	OwnScenarios, OwnProfiles fs.FS

	KnownFailing string
	Strict       bool
	Rulebook     string // its number; "": the newest

	// EachOnce plays each scenario once, as Select.Quick, and takes that for the whole: of a loop
	// that costs seconds to start.
	EachOnce bool

	Seed         uint64
	Workers      int
	Timeout      time.Duration
	StartTimeout time.Duration
	Listen       func() (net.Listener, error)

	Report, Trace string

	// Untraced leaves the exchanges of broken cases out of the report, for tests that look at the
	// findings alone.
	Untraced bool

	// ToolServer offers the tools of a run to a [loops.Agent].
	ToolServer func(*engine.Run) http.Handler

	Hooks Hooks

	known *profiles.Known // all that the config knows, once they were read
}

// Select says which cases are played. The lists are patterns.
type Select struct {
	Dialects, Profiles, Deliveries, Scenarios, Rules, Cases []string

	Levels []string // of conformance, without patterns

	// Again are patterns of cases of which any may match. Those that match none are named in
	// [Plan.Gone]; nil means all cases.
	Again []string

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
