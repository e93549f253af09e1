package loops

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// connection is one running adapter and the tasks that it was given.
type connection struct {
	process        *process
	protocolErrors *protocolErrors
	patience       time.Duration
	hello          protocol.Hello
	remarks        []string // about its hello

	first  chan line     // the first line it prints
	lines  chan []byte   // to be written to it
	silent chan struct{} // closed when all that it printed is read
	gone   chan struct{} // closed when it has ended and its tasks know

	mu         sync.Mutex
	greeted    bool
	closing    bool
	killed     bool                    // on purpose
	timedOut   bool                    // it was ended since its tasks ran out of time
	cause      string                  // why it is no longer of use, or how it ended; completes "the adapter ..."
	pending    map[string]*pendingTask // tasks without an outcome, by id
	answered   map[string]bool         // the others
	lastAnswer time.Time
}

// pendingTask is a task that an adapter was given and has not answered yet.
type pendingTask struct {
	task         protocol.Task
	sent         time.Time
	besideOthers bool        // it had other tasks alongside it
	overdue      bool        // the task is no longer waited for
	ended        chan Ending // has room for the one ending
	questions    questions   // whether calls may be run
}

const (
	maxLine   = 8 << 20     // in bytes; a longer line is no outcome
	exitGrace = time.Second // how long an adapter that has closed a stream may take to end
)

func newConnection(p *process, c *protocolErrors, patience time.Duration) *connection {
	conn := &connection{
		process: p, protocolErrors: c, patience: patience,
		first: make(chan line, 1), lines: make(chan []byte), silent: make(chan struct{}), gone: make(chan struct{}),
		pending: map[string]*pendingTask{}, answered: map[string]bool{},
	}
	go conn.read()
	go conn.write()
	go conn.supervise()
	return conn
}

// greet makes the adapter one that has said hello and may be given tasks.
func (c *connection) greet(h protocol.Hello) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hello, c.greeted = h, true
}

// works reports whether the adapter can be given a task, as far as is known.
func (c *connection) works() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cause == ""
}

// used reports whether the adapter was ever given a task.
func (c *connection) used() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.pending)+len(c.answered) > 0
}

func (c *connection) read() {
	defer close(c.silent)
	lines := bufio.NewScanner(c.process.stdout)
	lines.Buffer(nil, maxLine)
	greeted := false
	for n := 1; lines.Scan(); n++ {
		text := bytes.TrimSpace(lines.Bytes())
		switch {
		case len(text) == 0:
		case greeted:
			c.take(line{n, text})
		default:
			greeted = true
			c.first <- line{n, bytes.Clone(text)}
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		what := fmt.Sprintf("printed a line of more than %d MB", maxLine>>20)
		c.protocolErrors.violation(what, "")
		c.kill(what)
		return
	}
	c.awaitExit("closed its standard output, but did not end")
}

func (c *connection) write() {
	for {
		select {
		case text := <-c.lines:
			if _, err := c.process.stdin.Write(text); err != nil {
				c.awaitExit("closed its standard input, but did not end")
			}
		case <-c.gone:
			return
		}
	}
}

// kill ends an adapter that is of no more use.
func (c *connection) kill(cause string) {
	c.mu.Lock()
	if c.cause == "" {
		c.cause = cause
	}
	c.mu.Unlock()
	c.process.kill()
}

// awaitExit kills an adapter that has closed a stream, unless it did so because it was about to
// end.
func (c *connection) awaitExit(cause string) {
	if c.process.exitsWithin(exitGrace) {
		return
	}
	c.mu.Lock()
	closing := c.closing
	c.mu.Unlock()
	if !closing {
		c.kill(cause)
	}
}

// supervise waits for the end of the adapter and tells the tasks that are still waiting for it.
func (c *connection) supervise() {
	<-c.process.exited
	<-c.silent
	c.failPending()
	close(c.gone)
}

func (c *connection) failPending() {
	c.mu.Lock()
	defer c.mu.Unlock()
	blamed := c.cause != ""
	if !blamed {
		c.cause = c.process.ended()
	}
	note := c.process.stderr.note("it " + c.cause)
	waiting := slices.DeleteFunc(slices.Collect(maps.Values(c.pending)), func(f *pendingTask) bool { return f.overdue })
	only := len(c.pending) == 1 && len(c.answered) == 0
	ending := Ending{How: Lost, Note: note}
	switch {
	case c.closing:
	case c.killed:
		ending = Ending{How: Killed}
	case len(waiting) > 0 && only:
		ending.How = trace.Crashed
	case len(waiting) > 0 && c.timedOut: // which says nothing of the adapter, on a busy machine
		ending.TimedOut = true
	case len(waiting) > 0:
		ending.incident = c.protocolErrors.incident(c.cause, note, describe(waiting))
	case c.greeted && !blamed:
		c.protocolErrors.violation("ended between two tasks, and has to wait for more until its standard input ends", note)
	}
	for _, f := range waiting {
		f.ended <- ending
	}
}

// describe names tasks by what their user asks, in the order in which they were sent.
func describe(pending []*pendingTask) []string {
	slices.SortFunc(pending, func(a, b *pendingTask) int { return a.sent.Compare(b.sent) })
	var names []string
	for _, f := range pending {
		names = append(names, nameOf(f.task))
	}
	return names
}

func nameOf(t protocol.Task) string {
	name := "the task " + t.ID
	if len(t.Prompts) > 0 {
		name += " (" + excerpt([]byte(t.Prompts[0])) + ")"
	}
	return name
}

// close ends the adapter and returns when all about it has ended.
func (c *connection) close() {
	c.mu.Lock()
	c.closing = c.cause == "" // else it is ending already, and its tasks need the reason
	closing := c.closing
	c.mu.Unlock()
	if closing {
		c.process.stop(c.patience)
	}
	<-c.gone
}
