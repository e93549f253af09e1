// Package loops starts loops under test, and gives them tasks: functions in Go, adapters, commands,
// and coding agents.
//
//	session, err := loops.Adapter{Command: "node", Args: []string{"adapter.mjs"}}.Open(ctx, loops.Options{})
//	ending := session.RunTask(ctx, task)
//
// What a program starts ends with it, and at the latest with us.
package loops

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Loop is a loop under test that is not started yet: a [Func], an [Adapter], a [Command] or an
// [Agent].
type Loop interface {
	// Open starts the loop and asks it who it is. The error says why it cannot be judged.
	Open(ctx context.Context, o Options) (Session, error)
}

// Options say how a loop is started. The zero value is useful.
type Options struct {
	Name, Version string // of the loop
	Claims        Claims
	Profiles      profiles.Known // that its hello may name

	StartTimeout time.Duration // for the hello of an adapter; 0 is a minute
	Workers      int           // how many tasks are given at a time at most, where that is configured
	Places       int           // how many are, where it is not
	ToolServer   bool          // the tools of a task are also offered by an MCP server

	OnWait   func(what string)   // may be nil; called before something is waited for
	OnRemark func(remark string) // may be nil; called with what the authors of the loop should know
}

// Claims are what a loop in Go or a command claims to do. An adapter says so itself.
type Claims struct {
	Features                 []protocol.Feature
	Designs                  []protocol.Design
	AnswerTool               *protocol.AnswerTool
	SummaryMark              string
	NoExecutions             bool
	Dialects, SecondDialects []string
	Profiles, Deliveries     []string
	Concurrency              int
}

// Session is a started loop.
type Session interface {
	// Hello returns what the loop claims.
	Hello() protocol.Hello

	// RunTask carries out one task. It returns when the loop has reported an outcome, or is known
	// not to.
	RunTask(ctx context.Context, task protocol.Task) Ending

	// Remarks returns what the authors of the loop should know of what it says of itself.
	Remarks() []string

	// Close ends the loop.
	Close() error
}

// Fallible is a session whose loop can fail alongside its tasks.
type Fallible interface {
	// Prepare makes the loop ready for a task, given how the same task was lost before; one that
	// was lost is the only task from here to settle, which is to be called with its ending.
	Prepare(ctx context.Context, before []Ending) (settle func(Ending))

	// Faults returns what the loop did wrong that is about no single case, or nil.
	Faults() error
}

// Steerable is a session whose tasks can be handed what the user says while tools run.
type Steerable interface {
	// Steer hands it over. What a task does not take is lost with it.
	Steer(line protocol.PromptLine)
}

// Cancellable is a session whose tasks can be cancelled.
type Cancellable interface {
	// Cancel tells the loop that the user cancels a task, and returns false if it did not take that
	// in time.
	Cancel(line protocol.CancelLine) bool
}

// Killable is a session whose loop can be killed in the middle of a task.
type Killable interface {
	// Ready makes a loop ready for a task with a session: one that holds no other task, and is not
	// that of the same session before, if that was killed. release ends what it needed.
	Ready(ctx context.Context, task protocol.Task) (release func(), err error)

	// Kill ends the loop that carries out the task, with all that it holds, and returns the
	// directory in which the session is now. The ending of the task is [Killed].
	Kill(task protocol.Task) (dir string, err error)
}

// Killed is the ending of a task during which the loop was killed on purpose.
const Killed trace.How = "killed"

// AsIs is a session with a loop of which nothing is changed.
type AsIs interface {
	// SideAnswer returns the answer to a request that is no part of the conversation.
	SideAnswer(*wire.Request) (text string, is bool)
	// ToolsNamed is the name under which tools are offered, with {tool} for that of the scenario;
	// "" if it is looked for.
	ToolsNamed() string
}

// Ending is how one task ended.
type Ending struct {
	Outcome *protocol.Outcome // nil when the loop reported none
	How     trace.How
	Note    string // what is known about a loop that crashed or hung, and the last lines of standard error

	incident *incident // in which the task was lost
	TimedOut bool      // the task was lost since it, or another alongside it, ran out of time
	Itself   bool      // it was the task itself, or it was one of those that did
}

// Lost is the ending of a task that the loop could not carry out, possibly because of another task.
const Lost trace.How = "lost"

// MaxLosses is how often a task may be lost: alongside others, alone, and alone with an adapter
// that had no other before.
const MaxLosses = 3

// MaxHangs is the number of hangs in a row after which a loop is given up. A wait before another
// attempt is not a hang.
const MaxHangs = 3

// PreflightError says why a loop cannot be judged at all.
type PreflightError struct {
	Problem string // in a sentence
	Note    string // what is known, such as the last lines of an adapter
}

// Error returns the problem, and below it what is known.
func (e *PreflightError) Error() string {
	if e.Note == "" {
		return e.Problem
	}
	return e.Problem + "\n" + indent(e.Note)
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ")
}

// Hello is what is claimed for a loop that cannot say so itself.
func (o Options) Hello(name, language string) protocol.Hello {
	h := protocol.Hello{
		Type: protocol.TypeHello, Protocol: protocol.Version,
		Name: name, Version: o.Version, Language: language,
		Dialects: o.Claims.Dialects, Features: o.Claims.Features,
		Profiles: o.Claims.Profiles, Deliveries: o.Claims.Deliveries,
		Concurrency: cmp.Or(o.Claims.Concurrency, o.Workers, o.Places),
	}
	if len(h.Dialects) == 0 {
		h.Dialects = dialect.Names(dialect.All()[:1]) // which most loops speak
	}
	h.Designs, h.AnswerTool = o.Claims.Designs, o.Claims.AnswerTool
	h.SummaryMark, h.SecondDialects = o.Claims.SummaryMark, o.Claims.SecondDialects
	if o.Claims.NoExecutions {
		h.Executions = new(bool)
	}
	return h
}

// waitFor tells what the start of the loop waits for.
func (o Options) waitFor(what string) {
	if o.OnWait != nil {
		o.OnWait(what)
	}
}
