package runner

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/engine"
	"github.com/loopproof/loopproof/internal/runner/loops"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// life is that of a loop in one case: it may be killed, and started again.
type life struct {
	session loops.Killable // nil: it is not killed

	mu   sync.Mutex
	task protocol.Task // that it carries out
	dirs []string      // where it stored the session
	err  error         // why it could not be killed
}

// life returns the life of the loop in a case.
func (p *player) life(c trace.Case) *life {
	session, is := p.session.(loops.Killable)
	if !is || !p.plan.scenarios[c.Scenario].Facts().Crashes {
		return &life{}
	}
	return &life{session: session}
}

// onCrash returns what kills the loop, or nil if it is not killed.
func (l *life) onCrash() func() {
	if l.session == nil {
		return nil
	}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		dir, err := l.session.Kill(l.task)
		l.err = err
		if dir != "" && dir != l.dirs[len(l.dirs)-1] {
			l.dirs = append(l.dirs, dir)
		}
	}
}

// begin returns the task with the session where it is now.
func (l *life) begin(task protocol.Task, resumed bool) protocol.Task {
	l.mu.Lock()
	defer l.mu.Unlock()
	task.Session = &protocol.Session{ID: task.Session.ID, Dir: l.dirs[len(l.dirs)-1], Resumed: resumed}
	l.task = task
	return task
}

// failed returns why the loop could not be killed, or nil.
func (l *life) failed() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// live lets the loop carry out a task, and again the same session if it is killed meanwhile. It
// returns how the last of these tasks ended, and when.
func (l *life) live(ctx context.Context, p *player, run *engine.Run, task protocol.Task) (loops.Ending, time.Duration) {
	if task.Session == nil {
		return p.runTask(ctx, run, task)
	}
	defer func() {
		for _, dir := range l.dirs {
			os.RemoveAll(dir)
		}
	}()
	dir, err := os.MkdirTemp("", "loopproof-session-")
	if err != nil {
		return lost(err), run.Since()
	}
	l.dirs = []string{dir}
	for resumed := false; ; resumed = true {
		task = l.begin(task, resumed)
		release, err := l.session.Ready(ctx, task)
		if err != nil {
			return lost(err), run.Since()
		}
		if resumed {
			run.Restarted()
		}
		ending, ended := p.runTask(ctx, run, task)
		release()
		switch err := l.failed(); {
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
