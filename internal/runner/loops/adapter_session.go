package loops

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/loopproof/loopproof/protocol"
)

// adapterSession carries out tasks through an adapter, which it starts again when it ends too
// early.
type adapterSession struct {
	adapter        Adapter
	protocolErrors *protocolErrors

	mu       sync.Mutex
	conn     *connection
	killable killable
	remarks  []string // about its first hello
	restarts int
	ended    int // tasks of which there is an outcome
	givenUp  error
}

// maxRestarts is how often an adapter is started again in one run, and once more for every few tasks
// that have an outcome. A task that ends it takes one or two.
const (
	maxRestarts     = 30
	tasksPerRestart = 5
)

// Hello returns what the adapter said when it was first started.
func (s *adapterSession) Hello() protocol.Hello {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn.hello
}

// Remarks returns what is odd in its hello.
func (s *adapterSession) Remarks() []string { return s.remarks }

func (s *adapterSession) Prepare(ctx context.Context, before []Ending) func(Ending) {
	s.makeReady(ctx, len(before) > 1)
	return func(e Ending) { s.protocolErrors.settle(before, e) }
}

// makeReady starts the adapter again where it has ended, or where it has to be one that had no task
// before.
func (s *adapterSession) makeReady(ctx context.Context, unused bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.givenUp != nil || s.conn.works() && !(unused && s.conn.used()) {
		return
	}
	if s.restarts >= maxRestarts+s.ended/tasksPerRestart {
		s.givenUp = fmt.Errorf("the adapter ended early or hung so often that it was given up after %d restarts and %d outcomes", s.restarts, s.ended)
		return
	}
	s.restarts++
	s.conn.close()
	conn, err := s.adapter.connect(ctx, s.protocolErrors)
	if err != nil {
		s.givenUp = fmt.Errorf("the adapter ended early and could not be started again\n%w", err)
		return
	}
	conn.hello = s.conn.hello // what it claimed first is what is judged
	s.conn = conn
}

// RunTask gives a task to the adapter.
func (s *adapterSession) RunTask(ctx context.Context, task protocol.Task) Ending {
	conn := s.of(task.ID)
	s.mu.Lock()
	err := s.givenUp
	s.mu.Unlock()
	if err != nil {
		return Ending{How: Lost, Note: err.Error()}
	}
	ending := conn.do(ctx, task)
	if ending.Outcome != nil {
		s.mu.Lock()
		s.ended++
		s.mu.Unlock()
	}
	return ending
}

// Faults returns how the adapter broke the protocol, and how it ended where that is no single
// task's fault.
func (s *adapterSession) Faults() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(s.protocolErrors.err(), s.givenUp)
}

// Close ends the adapter and returns when it has ended.
func (s *adapterSession) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn.close()
	for _, conn := range s.killable.idle {
		conn.close()
	}
	s.adapter.keeper.close()
	return nil
}

// Steer hands the adapter what the user says while tools run.
func (s *adapterSession) Steer(line protocol.PromptLine) {
	s.mu.Lock()
	conn := s.conn
	s.mu.Unlock()
	soon, stop := context.WithTimeout(context.Background(), conn.patience)
	defer stop()
	conn.tell(soon, line)
}

// Cancel tells the adapter that the user cancels a task. It returns false if the adapter does not
// read it in time.
func (s *adapterSession) Cancel(line protocol.CancelLine) bool {
	conn := s.of(line.ID)
	conn.dropQuestions(line.ID)
	soon, stop := context.WithTimeout(context.Background(), conn.patience)
	defer stop()
	return conn.tell(soon, line)
}
