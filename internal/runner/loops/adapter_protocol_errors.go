package loops

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/trace"
)

// protocolErrors are the errors of an adapter that belong to no single case. A run continues after
// them, and ends with an error. It is safe for use by many goroutines.
type protocolErrors struct {
	mu         sync.Mutex
	violations []*violation
	incidents  []*incident
	hangs      int // since the last outcome
}

// violation is a way in which an adapter broke the protocol, with its first example.
type violation struct {
	kind, example string
	times         int
}

// incident is an end of an adapter that cannot be blamed on one task, since it had or had had
// others.
type incident struct {
	how       string // completes "the adapter ..."
	note      string
	tasks     []string
	open      int  // tasks that were not played again yet
	explained bool // one of them ended the adapter alone, too
}

// violation notes that the adapter broke the protocol. kind completes the sentence "it ...".
func (c *protocolErrors) violation(kind, example string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, known := range c.violations {
		if known.kind == kind {
			known.times++
			return
		}
	}
	c.violations = append(c.violations, &violation{kind: kind, example: example, times: 1})
}

// incident notes an end of the adapter under some tasks.
func (c *protocolErrors) incident(how, note string, tasks []string) *incident {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := &incident{how: how, note: note, tasks: tasks, open: len(tasks)}
	c.incidents = append(c.incidents, i)
	return i
}

// hung notes that a task hung, and no other alongside it was answered.
func (c *protocolErrors) hung() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hangs++
}

// outcome notes that the adapter reported one.
func (c *protocolErrors) outcome() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hangs = 0
}

// tooManyHung reports whether so many tasks hung that there is no use in asking which.
func (c *protocolErrors) tooManyHung() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hangs >= MaxHangs
}

// settle notes how a task ended that was lost in incidents before.
func (c *protocolErrors) settle(before []Ending, e Ending) {
	if e.How == Lost {
		return // it is played again
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range before {
		if b.incident != nil {
			b.incident.open--
			b.incident.explained = b.incident.explained || e.How != trace.Reported
		}
	}
}

// err returns all of it as one error, or nil.
func (c *protocolErrors) err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	if len(c.violations) > 0 {
		errs = append(errs, protocolErrorOf(c.violations))
	}
	for _, i := range c.incidents {
		if !i.explained && i.open == 0 {
			errs = append(errs, i.unexplained())
		}
	}
	return errors.Join(errs...)
}

func protocolErrorOf(all []*violation) error {
	var text strings.Builder
	text.WriteString("the adapter broke the protocol:")
	for _, b := range all {
		fmt.Fprintf(&text, "\n- it %s", b.kind)
		if b.times > 1 {
			fmt.Fprintf(&text, " (%d times)", b.times)
		}
		if b.example != "" {
			fmt.Fprintf(&text, "\n%s", indent(b.example))
		}
	}
	return errors.New(text.String())
}

// maxTasks is how many tasks a message lists.
const maxTasks = 3

// unexplained describes an incident whose tasks were all played again, and of which none ended the
// adapter.
func (i *incident) unexplained() error {
	tasks := strings.Join(i.tasks[:min(len(i.tasks), maxTasks)], " and ")
	if more := len(i.tasks) - maxTasks; more > 0 {
		tasks += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Errorf("the adapter %s while it had %s, but not when it was given the same again alone: look for what goes on after "+
		"an outcome is reported, or claim less concurrency\n%s", i.how, tasks, indent(i.note))
}
