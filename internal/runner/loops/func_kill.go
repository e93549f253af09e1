package loops

import (
	"context"
	"os"

	"github.com/loopproof/loopproof/protocol"
)

// Ready returns at once: a loop in Go is a function.
func (s *funcSession) Ready(context.Context, protocol.Task) (release func(), err error) {
	return func() {}, nil
}

// Kill copies what the function has stored, and ends its context. What it stores from then on is
// not there when it is given the session again.
func (s *funcSession) Kill(task protocol.Task) (dir string, err error) {
	s.mu.Lock()
	t := s.tasks[task.ID]
	s.mu.Unlock()
	dir, err = os.MkdirTemp("", "loopproof-session-")
	if err == nil {
		err = os.CopyFS(dir, os.DirFS(task.Session.Dir))
	}
	if t != nil {
		t.killed.Store(true)
		t.cancel()
	}
	return dir, err
}
