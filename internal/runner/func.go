package runner

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// LoopFunc is a loop in Go: it carries out a task and returns what the loop reports to its caller.
// A returned error means a failed outcome.
type LoopFunc func(ctx context.Context, task protocol.Task) (protocol.Outcome, error)

// taskEnding is how one task ended.
type taskEnding struct {
	Outcome *protocol.Outcome // nil when the loop reported none
	How     trace.How
	Note    string // what is known about a loop that crashed or hung, and the last lines of standard error

	incident *incident // in which the task was lost
	timedOut bool      // the task was lost since it, or another alongside it, ran out of time
	itself   bool      // it was the task itself, or it was one of those that did
}

// Open returns a session that calls the function.
func (f LoopFunc) open(_ context.Context, c Config) (openLoop, error) {
	name := c.Name
	if name == "" {
		name = "the loop"
	}
	return &funcSession{run: f, hello: c.hello(name, "go"), tasks: map[string]*funcTask{}}, nil
}

// hello is what the config claims for a loop that cannot say so itself.
func (c Config) hello(name, language string) protocol.Hello {
	h := protocol.Hello{
		Type: protocol.TypeHello, Protocol: protocol.Version,
		Name: name, Version: c.Version, Language: language,
		Dialects: c.Claims.Dialects, Features: c.Claims.Features,
		Profiles: c.Claims.Profiles, Deliveries: c.Claims.Deliveries,
		Concurrency: cmp.Or(c.Claims.Concurrency, c.Workers, c.workers()+maxWaiting),
	}
	if len(h.Dialects) == 0 {
		h.Dialects = dialect.Names(dialect.All()[:1]) // which most loops speak
	}
	h.Designs, h.AnswerTool = c.Claims.Designs, c.Claims.AnswerTool
	if c.Claims.NoExecutions {
		h.Executions = new(bool)
	}
	return h
}

type funcSession struct {
	run   LoopFunc
	hello protocol.Hello

	mu    sync.Mutex
	tasks map[string]*funcTask
}

func (s *funcSession) Hello() protocol.Hello { return s.hello }
func (s *funcSession) Remarks() []string     { return nil }
func (s *funcSession) Close() error          { return nil }

// grace is how long a loop may take to return after its context has ended.
const grace = 2 * time.Second

func (s *funcSession) RunTask(ctx context.Context, task protocol.Task) taskEnding {
	cancellable, end := s.begin(ctx, &task)
	defer end()
	done := make(chan taskEnding, 1)
	go func() {
		ending := taskEnding{How: trace.Crashed, Note: "the function ended its goroutine by runtime.Goexit, as FailNow of a test does"}
		defer func() {
			if p := recover(); p != nil {
				ending.Note = fmt.Sprintf("panic: %v\n%s", p, debug.Stack())
			}
			done <- ending
		}()
		outcome, err := s.run(cancellable, task)
		ending = reported(outcome, err)
	}()
	select {
	case e := <-done:
		return s.inTime(ctx, e)
	case <-ctx.Done():
	}
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case e := <-done:
		return s.inTime(ctx, e)
	case <-t.C:
		return taskEnding{How: trace.Hung, Note: "no outcome in time, and the function did not return when its context ended"}
	}
}

// inTime turns an outcome that came only because time was up into a hang.
func (s *funcSession) inTime(ctx context.Context, e taskEnding) taskEnding {
	deadline, limited := ctx.Deadline()
	if over := limited && !time.Now().Before(deadline); e.How == trace.Reported && (over || ctx.Err() != nil) {
		return taskEnding{How: trace.Hung, Note: "no outcome in time; the function returned when its context ended"}
	}
	return e
}

func reported(o protocol.Outcome, err error) taskEnding {
	if err != nil {
		o.Status = protocol.Failed
		if o.Error == "" {
			o.Error = cmp.Or(fmt.Sprint(err), fmt.Sprintf("an error of the type %T without a text", err)) // Sprint survives an Error method that panics
		}
	}
	if o.Status == "" {
		o.Status = protocol.Completed
	}
	return taskEnding{Outcome: &o, How: trace.Reported}
}
