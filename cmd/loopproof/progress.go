package main

import (
	"fmt"
	"io"
	"time"

	"github.com/loopproof/loopproof/internal/fuzzing"
	"github.com/loopproof/loopproof/report"
)

// progress shows how far a run is: on a terminal in one line that is overwritten, otherwise in a line every few seconds.
type progress struct {
	w        io.Writer
	terminal bool
	now      func() time.Time
	last     time.Time
	broken   map[string]bool // rules
	waiting  *waiting        // nil: not waiting
}

// waiting prints every few seconds what the start of the loop waits for.
type waiting struct{ stop, stopped chan struct{} }

// How often a line is printed.
const (
	onTerminal        = 80 * time.Millisecond
	inLog             = 10 * time.Second
	waitingOnTerminal = time.Second
	waitingInLog      = 5 * time.Second
)

func newProgress(w io.Writer, terminal bool) *progress {
	return &progress{w: w, terminal: terminal, now: time.Now, last: time.Now(), broken: map[string]bool{}}
}

// waitFor prints what the start of the loop waits for, until clear or the next call: on a terminal at once, otherwise if it
// takes long.
func (p *progress) waitFor(what string) {
	p.clear()
	if p.terminal {
		p.say("waiting for " + what)
	}
	every := waitingInLog
	if p.terminal {
		every = waitingOnTerminal
	}
	ticks := time.NewTicker(every)
	w := &waiting{make(chan struct{}), make(chan struct{})}
	p.waiting = w
	start := p.now()
	go func() {
		defer close(w.stopped)
		defer ticks.Stop()
		for {
			select {
			case <-w.stop:
				return
			case <-ticks.C:
				p.say(fmt.Sprintf("waiting for %s, %v so far", what, p.now().Sub(start).Round(time.Second)))
			}
		}
	}()
}

// after counts a judged case.
func (p *progress) after(done, all int, c report.Case) {
	for _, f := range c.Findings {
		p.broken[f.Rule] = true
	}
	every := inLog
	if p.terminal {
		every = onTerminal
	}
	if now := p.now(); now.Sub(p.last) >= every {
		p.last = now
		p.say(fmt.Sprintf("%d of %d cases, %s broken", done, all, count(len(p.broken), "rule")))
	}
}

func (p *progress) say(text string) {
	if p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K"+text)
		return
	}
	fmt.Fprintln(p.w, text)
}

// clear stops waiting, and removes the line on a terminal.
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

// drawn shows how far fuzzing is. Where there is no terminal, a line a minute shows that it goes on.
func (p *progress) drawn(r fuzzing.Result) {
	every := time.Minute
	if p.terminal {
		every = onTerminal
	}
	now := p.now()
	if now.Sub(p.last) < every && !(p.terminal && r.Shrinking != "") {
		return
	}
	p.last = now
	text := fmt.Sprintf("%s, %s, %s broken, %v", count(r.Conversations, "conversation"), count(r.Cases, "case"), count(len(r.Findings), "rule"), r.Took.Round(time.Second))
	if r.Shrinking != "" {
		text += ", shrinking " + r.Shrinking
	}
	p.say(text)
}
