package runner

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// restarts kills a loop in one case where its scenario says so, and starts it again.
type restarts struct {
	session loops.Killable // nil: it is not killed

	mu   sync.Mutex
	task protocol.Task // that it carries out
	dirs []string      // where it stored the session
	err  error         // why it could not be killed
}

// restarts returns what kills the loop in a case and starts it again.
func (p *player) restarts(c trace.Case) *restarts {
	session, is := p.session.(loops.Killable)
	if !is || !p.plan.scenarios[c.Scenario].Facts().Crashes {
		return &restarts{}
	}
	return &restarts{session: session}
}

// onCrash returns what kills the loop, or nil if it is not killed.
func (r *restarts) onCrash() func() {
	if r.session == nil {
		return nil
	}
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		dir, err := r.session.Kill(r.task)
		r.err = err
		if dir != "" && dir != r.dirs[len(r.dirs)-1] {
			r.dirs = append(r.dirs, dir)
		}
	}
}

// begin returns the task with the session where it is now.
func (r *restarts) begin(task protocol.Task, resumed bool) protocol.Task {
	r.mu.Lock()
	defer r.mu.Unlock()
	task.Session = &protocol.Session{ID: task.Session.ID, Dir: r.dirs[len(r.dirs)-1], Resumed: resumed}
	r.task = task
	return task
}

// failed returns why the loop could not be killed, or nil.
func (r *restarts) failed() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// play lets the loop carry out a task, and again the same session if it is killed meanwhile. It
// returns how the last of these tasks ended, and when.
func (r *restarts) play(ctx context.Context, p *player, run *engine.Run, task protocol.Task) (loops.Ending, time.Duration) {
	if task.Session == nil {
		return p.runTask(ctx, run, task)
	}
	defer func() {
		for _, dir := range r.dirs {
			os.RemoveAll(dir)
		}
	}()
	dir, err := os.MkdirTemp("", "loopproof-session-")
	if err != nil {
		return lost(fmt.Errorf("no folder for the session of the loop could be made: %w", err)), run.Since()
	}
	r.dirs = []string{dir}
	for resumed := false; ; resumed = true {
		task = r.begin(task, resumed)
		release, err := r.session.Ready(ctx, task)
		if err != nil {
			return lost(err), run.Since()
		}
		if resumed {
			run.Restarted()
		}
		ending, ended := p.runTask(ctx, run, task)
		release()
		switch err := r.failed(); {
		case err != nil:
			return lost(err), ended
		case ending.How != loops.Killed:
			return ending, ended
		}
		task.ID += "-resumed"
	}
}

// lost is the ending of a task for which we could not provide what it needs.
func lost(err error) loops.Ending {
	return loops.Ending{How: loops.Lost, Note: err.Error()}
}

// runTask lets the loop carry out one task in the time that it has, and waits until nothing of it
// goes on.
func (p *player) runTask(ctx context.Context, run *engine.Run, task protocol.Task) (loops.Ending, time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	ending := p.session.RunTask(ctx, task)
	ended := run.Since()
	run.Settle(ctx)
	return ending, ended
}
