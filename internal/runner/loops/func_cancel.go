package loops

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/loopproof/loopproof/protocol"
)

// funcTask is a task that a loop in Go is carrying out. It is cancelled as everything in Go is: its
// context ends.
type funcTask struct {
	cancel  context.CancelFunc
	killed  atomic.Bool
	steered chan string // what the user says while tools run

	mu     sync.Mutex
	prompt context.CancelFunc // of the prompt at which the loop is; nil when it asked for no context of its own
}

// begin returns the context of a task, and end, which is to be called when the loop has returned.
func (s *funcSession) begin(ctx context.Context, task *protocol.Task) (_ context.Context, t *funcTask, end func()) {
	ctx, cancel := context.WithCancel(ctx)
	t = &funcTask{cancel: cancel, steered: make(chan string, 1)}
	if task.Steering {
		task.Steered = t.steered
	}
	if len(task.Prompts) > 1 {
		task.PromptContext = t.promptContext
	}
	s.mu.Lock()
	s.tasks[task.ID] = t
	s.mu.Unlock()
	return ctx, t, func() {
		s.mu.Lock()
		delete(s.tasks, task.ID)
		s.mu.Unlock()
		cancel()
	}
}

// promptContext is the [protocol.Task.PromptContext] of a task.
func (t *funcTask) promptContext(ctx context.Context) context.Context {
	t.mu.Lock()
	defer t.mu.Unlock()
	ctx, t.prompt = context.WithCancel(ctx) // ends at the latest with the task
	return ctx
}

// Steer hands a task what the user says while tools run, which they do once.
func (s *funcSession) Steer(line protocol.PromptLine) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tasks[line.ID]; t != nil {
		t.steered <- line.Text
	}
}

// Cancel cancels a task, or only its current prompt where the loop takes prompts one by one.
func (s *funcSession) Cancel(line protocol.CancelLine) bool {
	s.mu.Lock()
	t := s.tasks[line.ID]
	s.mu.Unlock()
	if t == nil {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if line.Scope == protocol.ScopePrompt && t.prompt != nil {
		t.prompt()
		return true
	}
	t.cancel()
	return true
}
