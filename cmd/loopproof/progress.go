package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/loopproof/loopproof/internal/fuzzing"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// progress shows how far a run is: on a terminal in one line that is overwritten, otherwise in a
// line every few seconds.
type progress struct {
	w        io.Writer
	terminal bool
	now      func() time.Time
	waiting  *waiting // nil: not waiting

	mu        sync.Mutex
	last      time.Time // of the last line
	judged    time.Time // when the last case was
	done, all int
	broken    map[string]bool // rules
	newest    string          // id of the case that the loop was given last
	given     map[string]int  // how often it was given each
}

// waiting prints every few seconds what is waited for.
type waiting struct{ stop, stopped chan struct{} }

// every calls a function again and again in the background, until it is stopped.
func every(d time.Duration, do func()) *waiting {
	ticks := time.NewTicker(d)
	w := &waiting{make(chan struct{}), make(chan struct{})}
	go func() {
		defer close(w.stopped)
		defer ticks.Stop()
		for {
			select {
			case <-w.stop:
				return
			case <-ticks.C:
				do()
			}
		}
	}()
	return w
}

// How often a line is printed.
const (
	onTerminal        = 80 * time.Millisecond
	inLog             = 10 * time.Second
	waitingOnTerminal = time.Second
	waitingInLog      = 5 * time.Second
)

func newProgress(w io.Writer, terminal bool) *progress {
	return &progress{w: w, terminal: terminal, now: time.Now, last: time.Now(), broken: map[string]bool{}, given: map[string]int{}}
}

// waitFor prints what the start of the loop waits for, until clear or the next call: on a terminal
// at once, otherwise if it takes long.
func (p *progress) waitFor(what string) {
	p.clear()
	if p.terminal {
		p.say("waiting for " + what)
	}
	start := p.now()
	p.waiting = every(p.pick(waitingOnTerminal, waitingInLog), func() {
		p.say(fmt.Sprintf("waiting for %s, %v so far", what, p.now().Sub(start).Round(time.Second)))
	})
}

// waitForCases prints while no case is judged for long, until clear.
func (p *progress) waitForCases(all int) {
	p.clear()
	p.all, p.judged, p.last = all, p.now(), p.now()
	p.waiting = every(waitingOnTerminal, p.silence)
}

// silence prints a line if no case was judged for long, so that a loop that hangs is not taken for
// a run that does.
func (p *progress) silence() {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	quiet := now.Sub(p.judged)
	if quiet < waitingInLog || now.Sub(p.last) < p.pick(waitingOnTerminal, inLog) {
		return
	}
	p.last = now
	p.say(fmt.Sprintf("%s, no case judged for %v%s", p.state(), quiet.Round(time.Second), p.since()))
}

// since names the case that was begun last, which on a busy machine may be one of many that were
// too late and are played again, one after the other. There is no room for it on a terminal.
func (p *progress) since() string {
	switch {
	case p.terminal || p.newest == "":
		return ""
	case p.given[p.newest] > 1:
		return ", played again: " + p.newest
	default:
		return ", begun last: " + p.newest
	}
}

// begin notes a case that the loop is given.
func (p *progress) begin(c trace.Case, _ protocol.Task) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.newest = c.ID()
	p.given[p.newest]++
}

// after counts a judged case.
func (p *progress) after(done, all int, c report.Case) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range c.Findings {
		p.broken[f.Rule] = true
	}
	now := p.now()
	p.done, p.all, p.judged = done, all, now
	if now.Sub(p.last) >= p.pick(onTerminal, inLog) {
		p.last = now
		p.say(p.state())
	}
}

// state says how far the run is.
func (p *progress) state() string {
	return fmt.Sprintf("%d of %d cases, %s broken", p.done, p.all, count(len(p.broken), "rule"))
}

// pick returns how often a line is printed.
func (p *progress) pick(onTerminal, inLog time.Duration) time.Duration {
	if p.terminal {
		return onTerminal
	}
	return inLog
}

func (p *progress) say(text string) {
	if p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K"+text)
		return
	}
	fmt.Fprintln(p.w, text)
}

// clear stops waiting and removes the line on a terminal.
func (p *progress) clear() {
	if p.waiting != nil {
		close(p.waiting.stop)
		<-p.waiting.stopped
		p.waiting = nil
	}
	if p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// drawn shows how far fuzzing is. Where there is no terminal, a line a minute shows that it goes
// on.
func (p *progress) drawn(r fuzzing.Result) {
	now := p.now()
	if now.Sub(p.last) < p.pick(onTerminal, time.Minute) && !(p.terminal && r.Shrinking != "") {
		return
	}
	p.last = now
	text := fmt.Sprintf("%s, %s, %s broken, %v", count(r.Conversations, "conversation"), count(r.Cases, "case"), count(len(r.Findings), "rule"), r.Took.Round(time.Second))
	if r.Shrinking != "" {
		text += ", shrinking " + r.Shrinking
	}
	p.say(text)
}
