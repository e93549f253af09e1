package loops

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/loopproof/loopproof/protocol"
)

// questions are those of a task about which the user has not decided yet. The zero value has none.
type questions struct {
	mu   sync.Mutex
	open []context.CancelFunc
}

// begin returns the context of a question, which ends when the questions are dropped.
func (q *questions) begin() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	q.mu.Lock()
	defer q.mu.Unlock()
	q.open = append(q.open, cancel)
	return ctx
}

// drop ends the questions: the user has gone on without deciding, or the task is over.
func (q *questions) drop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, cancel := range q.open {
		cancel()
	}
	q.open = nil
}

// dropQuestions ends the questions of a task.
func (c *connection) dropQuestions(id string) {
	c.mu.Lock()
	f := c.pending[id]
	c.mu.Unlock()
	if f != nil {
		f.questions.drop()
	}
}

// ask asks the user what the adapter wants to know, and tells it the decisions. It does not wait
// for them, since the adapter goes on with other tasks.
func (c *connection) ask(l line, at string) {
	var asked protocol.ApprovalLine
	if err := json.Unmarshal(l.text, &asked); err != nil {
		c.protocolErrors.violation("asked for an approval in a line that does not fit the protocol: "+misfit(err), at)
		return
	}
	c.mu.Lock()
	f, over := c.pending[asked.ID], c.answered[asked.ID]
	c.mu.Unlock()
	switch {
	case over:
		c.protocolErrors.violation("asked for an approval after it had reported the outcome of the task", at)
	case f == nil:
		c.protocolErrors.violation("asked for an approval in a task that it was not given", at)
	case f.task.Decide == nil:
		c.protocolErrors.violation("asked for an approval in a task in which no tool needs one", at)
	case len(asked.Calls) == 0:
		c.protocolErrors.violation("asked for an approval of no call", at)
	default:
		ctx := f.questions.begin()
		go func() {
			decisions, err := f.task.Decide(ctx, asked.Calls...)
			if err == nil {
				c.tell(ctx, protocol.DecisionLine{Type: protocol.TypeDecision, ID: asked.ID, Approval: asked.Approval, Decisions: decisions})
			}
		}()
	}
}
