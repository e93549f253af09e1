package testadapters

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/protocol"
)

// good plays conversations with the reference loop, and cancels them on request. If word is
// "whole", it ignores scopes and always cancels the whole task, as older adapters do.
func good(word string) {
	j := jobs{running: map[string]*job{}}
	serve(func(o order) {
		if o.Type == protocol.TypePrompt {
			j.steer(o)
			return
		}
		if o.Type == protocol.TypeDecision {
			j.decide(o)
			return
		}
		if o.Type == protocol.TypeCancel {
			if word == "whole" {
				o.Scope = protocol.ScopeTask
			}
			j.cancel(o.ID, o.Scope)
			return
		}
		if o.BaseURL == "" {
			say(carryOut(o))
			return
		}
		say(j.carryOut(o.Task))
	}, protocol.Cancel, protocol.ToolApprovals, protocol.ApprovalEdits, protocol.DurableSessions, protocol.Steering)
}

// ownHello is good, and says hello in a line of its own.
func ownHello(line string) {
	print(line + "\n")
	j := jobs{running: map[string]*job{}}
	read(func(o order) {
		if o.Type != protocol.TypeCancel {
			say(j.carryOut(o.Task))
		}
	})
}

// jobs are the tasks that an adapter is carrying out.
type jobs struct {
	mu      sync.Mutex
	running map[string]*job
}

// job is a task and what ends it, or what it does for the current prompt.
type job struct {
	mu           sync.Mutex
	task, prompt context.CancelFunc
	questions    map[string]chan []protocol.Decision // to the user, by their number
	said         chan string                         // while tools ran
}

// steer hands over what the user says while tools run.
func (j *jobs) steer(o order) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if one := j.running[o.ID]; one != nil {
		one.said <- o.Text
	}
}

// decide hands over what the user has decided.
func (j *jobs) decide(o order) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if one := j.running[o.ID]; one != nil {
		one.mu.Lock()
		defer one.mu.Unlock()
		one.questions[o.Approval] <- o.Decisions
	}
}

// ask asks the user about calls, and waits for the decisions.
func (one *job) ask(ctx context.Context, task string, calls []protocol.PendingCall) ([]protocol.Decision, error) {
	decided := make(chan []protocol.Decision, 1)
	one.mu.Lock()
	number := strconv.Itoa(len(one.questions))
	one.questions[number] = decided
	one.mu.Unlock()
	say(protocol.ApprovalLine{Type: protocol.TypeApproval, ID: task, Approval: number, Calls: calls})
	select {
	case decisions := <-decided:
		return decisions, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (j *jobs) carryOut(task protocol.Task) protocol.Outcome {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	one := &job{task: cancel, prompt: cancel, questions: map[string]chan []protocol.Decision{}, said: make(chan string, 1)}
	task.Steered = one.said
	task.Decide = func(ctx context.Context, calls ...protocol.PendingCall) ([]protocol.Decision, error) {
		return one.ask(ctx, task.ID, calls)
	}
	j.mu.Lock()
	j.running[task.ID] = one
	j.mu.Unlock()
	task.PromptContext = func(ctx context.Context) context.Context {
		one.mu.Lock()
		defer one.mu.Unlock()
		ctx, one.prompt = context.WithCancel(ctx)
		return ctx
	}
	return refloop.Loop{Backoff: time.Millisecond}.Run(ctx, task)
}

func (j *jobs) cancel(id string, scope protocol.Scope) {
	j.mu.Lock()
	one := j.running[id]
	j.mu.Unlock()
	if one == nil {
		return
	}
	one.mu.Lock()
	defer one.mu.Unlock()
	if scope == protocol.ScopePrompt {
		one.prompt()
	} else {
		one.task()
	}
}
