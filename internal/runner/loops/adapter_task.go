package loops

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/loopproof/loopproof/internal/claims"
	"github.com/loopproof/loopproof/internal/suggest"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// do gives the adapter a task and waits for its outcome, for some time also after the context has
// ended.
func (c *connection) do(ctx context.Context, task protocol.Task) Ending {
	f := c.register(task)
	defer f.questions.drop()
	c.tell(ctx, task)
	select {
	case e := <-f.ended:
		return e
	case <-ctx.Done():
	}
	timeUp := time.Now()
	t := time.NewTimer(c.patience)
	defer t.Stop()
	if claims.Has(c.hello, protocol.Cancel, task.Dialect, "") {
		soon, cancel := context.WithTimeout(context.Background(), c.patience)
		defer cancel()
		f.questions.drop()
		c.tell(soon, protocol.CancelLine{Type: protocol.TypeCancel, ID: task.ID})
	}
	select {
	case e := <-f.ended:
		return tooLate(e, time.Since(timeUp))
	case <-t.C:
		return c.miss(f)
	}
}

// register notes that the adapter is given a task.
func (c *connection) register(task protocol.Task) *pendingTask {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := &pendingTask{task: task, sent: time.Now(), ended: make(chan Ending, 1)}
	if c.cause != "" {
		f.ended <- Ending{How: Lost, Note: c.process.stderr.note("it " + c.cause)}
		return f
	}
	for _, other := range c.pending {
		other.besideOthers, f.besideOthers = true, true
	}
	c.pending[task.ID] = f
	return f
}

// tell writes a line to the adapter, and returns false if the context ends before. That an adapter
// has ended is known otherwise.
func (c *connection) tell(ctx context.Context, what any) bool {
	text, err := json.Marshal(what)
	if err != nil {
		panic("suite: a line of the protocol has no JSON form: " + err.Error())
	}
	select {
	case c.lines <- append(text, '\n'):
	case <-c.gone:
	case <-ctx.Done():
		return false
	}
	return true
}

// tooLate turns an outcome that came only when time was up into a hang.
func tooLate(e Ending, by time.Duration) Ending {
	e.Itself = e.TimedOut
	if e.How != trace.Reported {
		return e
	}
	note := fmt.Sprintf("no outcome in time; %v later it reported the status %s", by.Round(time.Millisecond), e.Outcome.Status)
	if e.Note != "" {
		note += "\n" + e.Note
	}
	return Ending{How: trace.Hung, Note: note}
}

// miss gives a task up. The adapter may be blocked as a whole, by this task or another: then it is
// ended, and when others are in it, all are played again. It is not blocked when it has answered
// another task for long after it was given this one.
func (c *connection) miss(f *pendingTask) Ending {
	took := time.Since(f.sent)
	c.mu.Lock()
	if c.answered[f.task.ID] { // at the last moment
		c.mu.Unlock()
		return tooLate(<-f.ended, c.patience)
	}
	blocked := !c.lastAnswer.After(f.sent.Add(took / 2))
	tooMany := c.protocolErrors.tooManyHung()
	f.overdue = !blocked || !f.besideOthers || tooMany
	toBlame := f.overdue
	c.timedOut = c.timedOut || blocked && !tooMany && c.cause == ""
	c.mu.Unlock()
	if blocked && !tooMany {
		c.kill(fmt.Sprintf("reported no outcome for %v", took.Round(time.Millisecond)))
	}
	if !toBlame {
		return tooLate(<-f.ended, c.patience)
	}
	if blocked {
		c.protocolErrors.hung()
	}
	return Ending{How: trace.Hung, Note: c.process.stderr.note("no outcome in time")}
}

// take reads a line of the adapter.
func (c *connection) take(l line) {
	at := fmt.Sprintf("line %d of its standard output: %s", l.number, excerpt(l.text))
	var head struct {
		Type string `json:"type"`
		ID   string `json:"id"`
	}
	if !json.Valid(l.text) {
		c.protocolErrors.violation("printed a line that is not JSON; standard output is for the protocol, logs belong on standard error", at)
		return
	}
	err := json.Unmarshal(l.text, &head)
	switch {
	case err != nil:
		c.protocolErrors.violation("printed a line that does not fit the protocol: "+misfit(err), at)
	case head.Type == protocol.TypeHello:
		c.protocolErrors.violation("said hello twice", at)
	case head.Type == protocol.TypeApproval:
		c.ask(l, at)
	case head.Type != protocol.TypeOutcome:
		hint := suggest.Hint(head.Type, []string{protocol.TypeOutcome, protocol.TypeApproval})
		c.protocolErrors.violation(fmt.Sprintf("printed a line of the unknown type %q%s", head.Type, hint), at)
	default:
		c.answer(head.ID, l, at)
	}
}

// answer hands an outcome to the task that waits for it.
func (c *connection) answer(id string, l line, at string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.pending[id]
	switch {
	case c.answered[id]:
		c.protocolErrors.violation("reported two outcomes for one task", at)
	case f == nil:
		c.protocolErrors.violation("reported an outcome for a task that it was not given", at)
	default:
		delete(c.pending, id)
		c.answered[id] = true
		c.lastAnswer = time.Now()
		c.protocolErrors.outcome()
		if e := c.readOutcome(l, at); !f.overdue {
			f.ended <- e
		}
	}
}

var statuses = []string{string(protocol.Completed), string(protocol.Failed), string(protocol.Stopped)}

// readOutcome reads an outcome. One that breaks the protocol is none.
func (c *connection) readOutcome(l line, at string) Ending {
	var o protocol.Outcome
	problem := ""
	if err := json.Unmarshal(l.text, &o); err != nil {
		problem = misfit(err)
	} else if !slices.Contains(statuses, string(o.Status)) {
		problem = unknown("status", string(o.Status), statuses)
	}
	if problem != "" {
		c.protocolErrors.violation("reported an outcome that does not fit the protocol: "+problem, at)
		return Ending{How: trace.Crashed, Note: "its outcome does not fit the protocol: " + problem}
	}
	return Ending{Outcome: &o, How: trace.Reported, Note: c.process.stderr.note("")}
}
