package main

import (
	"fmt"
	"io"
	"time"

	"github.com/loopproof/loopproof/report"
)

// progress says how far a run is: on a terminal in one line that is written again and again, elsewhere in a line every
// now and then.
type progress struct {
	w        io.Writer
	terminal bool
	now      func() time.Time
	last     time.Time
	broken   map[string]bool // rules
}

// How often something is said.
const (
	onTerminal = 80 * time.Millisecond
	inLog      = 10 * time.Second
)

func newProgress(w io.Writer, terminal bool) *progress {
	return &progress{w: w, terminal: terminal, now: time.Now, last: time.Now(), broken: map[string]bool{}}
}

// after notes that a case is judged.
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

// starting says that the loop is being started, where the next line can take its place.
func (p *progress) starting() {
	if p.terminal {
		p.say("starting")
	}
}

func (p *progress) say(text string) {
	if p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K"+text)
		return
	}
	fmt.Fprintln(p.w, text)
}

// clear takes the line away that is written again and again.
func (p *progress) clear() {
	if p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
