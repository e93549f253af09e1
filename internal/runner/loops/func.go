package loops

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// Func is a loop in Go: it carries out a task and returns what the loop reports to its caller.
// A returned error means a failed outcome.
type Func func(ctx context.Context, task protocol.Task) (protocol.Outcome, error)

// Open returns a session that calls the function.
func (f Func) Open(_ context.Context, o Options) (Session, error) {
	return &funcSession{run: f, hello: o.Hello(cmp.Or(o.Name, "the loop"), "go"), tasks: map[string]*funcTask{}}, nil
}

type funcSession struct {
	run   Func
	hello protocol.Hello

	mu    sync.Mutex
	tasks map[string]*funcTask
}

func (s *funcSession) Hello() protocol.Hello { return s.hello }
func (s *funcSession) Remarks() []string     { return nil }
func (s *funcSession) Close() error          { return nil }

// grace is how long a loop may take to return after its context has ended.
const grace = 2 * time.Second

func (s *funcSession) RunTask(ctx context.Context, task protocol.Task) Ending {
	cancellable, t, end := s.begin(ctx, &task)
	defer end()
	done := make(chan Ending, 1)
	go func() {
		ending := Ending{How: trace.Crashed, Note: "the function ended its goroutine by runtime.Goexit, as FailNow of a test does"}
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
		if t.killed.Load() {
			return Ending{How: Killed}
		}
		return s.inTime(ctx, e)
	case <-ctx.Done():
	}
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case e := <-done:
		return s.inTime(ctx, e)
	case <-late.C:
		return Ending{How: trace.Hung, Note: "no outcome in time, and the function did not return when its context ended"}
	}
}

// inTime turns an outcome that came only because time was up into a hang.
func (s *funcSession) inTime(ctx context.Context, e Ending) Ending {
	deadline, limited := ctx.Deadline()
	if over := limited && !time.Now().Before(deadline); e.How == trace.Reported && (over || ctx.Err() != nil) {
		return Ending{How: trace.Hung, Note: "no outcome in time; the function returned when its context ended"}
	}
	return e
}

func reported(o protocol.Outcome, err error) Ending {
	if err != nil {
		o.Status = protocol.Failed
		if o.Error == "" {
			o.Error = cmp.Or(fmt.Sprint(err), fmt.Sprintf("an error of the type %T without a text", err)) // Sprint survives an Error method that panics
		}
	}
	if o.Status == "" {
		o.Status = protocol.Completed
	}
	return Ending{Outcome: &o, How: trace.Reported}
}
