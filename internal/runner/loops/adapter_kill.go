package loops

import (
	"context"
	"fmt"

	"github.com/loopproof/loopproof/protocol"
)

// killable are adapters for tasks during which they are killed. They have no other tasks beside, and
// those that are not killed are given further ones.
type killable struct {
	busy map[string]*connection // by the task
	idle []*connection
}

// Ready gives a task an adapter of its own.
func (s *adapterSession) Ready(ctx context.Context, task protocol.Task) (release func(), err error) {
	conn := s.idleKillable()
	if conn == nil {
		if conn, err = s.adapter.connect(ctx, s.protocolErrors); err != nil {
			return nil, fmt.Errorf("the adapter could not be started for a task in which it is killed\n%w", err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	conn.hello = s.conn.hello
	if s.killable.busy == nil {
		s.killable.busy = map[string]*connection{}
	}
	s.killable.busy[task.ID] = conn
	return func() { s.release(task) }, nil
}

// idleKillable returns an adapter that works and has no task, or nil.
func (s *adapterSession) idleKillable() *connection {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.killable.idle) > 0 {
		last := len(s.killable.idle) - 1
		conn := s.killable.idle[last]
		s.killable.idle = s.killable.idle[:last]
		if conn.works() {
			return conn
		}
	}
	return nil
}

// release keeps the adapter of a task for another one, where it lives.
func (s *adapterSession) release(task protocol.Task) {
	s.mu.Lock()
	conn := s.killable.busy[task.ID]
	delete(s.killable.busy, task.ID)
	if conn.works() {
		s.killable.idle = append(s.killable.idle, conn)
		conn = nil
	}
	s.mu.Unlock()
	if conn != nil {
		conn.close()
	}
}

// of returns the adapter to which a task belongs.
func (s *adapterSession) of(id string) *connection {
	s.mu.Lock()
	defer s.mu.Unlock()
	if conn := s.killable.busy[id]; conn != nil {
		return conn
	}
	return s.conn
}

// Kill kills the adapter of a task, and returns when it has ended.
func (s *adapterSession) Kill(task protocol.Task) (dir string, err error) {
	conn := s.of(task.ID)
	conn.mu.Lock()
	conn.killed = true
	conn.mu.Unlock()
	conn.kill("was killed, as the scenario wants it")
	<-conn.gone
	return task.Session.Dir, nil
}
