package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// play has a progress told of a case a second, of which the second breaks a rule.
func play(terminal bool, seconds int) string {
	var b bytes.Buffer
	now := time.Unix(0, 0)
	p := newProgress(&b, terminal)
	p.now, p.last = func() time.Time { return now }, now
	p.waitFor("the hello of the adapter")
	p.clear()
	for i := range seconds {
		now = now.Add(time.Second)
		c := report.Case{}
		if i == 1 {
			c.Findings = []report.Finding{{Rule: "pairing/ids-distinct"}}
		}
		p.after(i+1, 30, c)
	}
	p.clear()
	return b.String()
}

func TestProgressOnATerminal(t *testing.T) {
	const line = "\r\x1b[K"
	want := line + line + "waiting for the hello of the adapter" + line + line + "1 of 30 cases, 0 rules broken" + line + "2 of 30 cases, 1 rule broken" + line
	if got := play(true, 2); got != want {
		t.Errorf("written %q, want %q", got, want)
	}
}

func TestProgressInALog(t *testing.T) {
	want := "10 of 30 cases, 1 rule broken\n20 of 30 cases, 1 rule broken\n"
	if got := play(false, 25); got != want {
		t.Errorf("written %q, want %q", got, want)
	}
	if got := play(false, 9); got != "" {
		t.Errorf("a short run is not quiet: %q", got)
	}
}

// TestProgressOfALoopThatHangs has no case end for half a minute behind the first one.
func TestProgressOfALoopThatHangs(t *testing.T) {
	var b bytes.Buffer
	now := time.Unix(0, 0)
	p := newProgress(&b, false)
	p.now, p.last = func() time.Time { return now }, now
	p.after(1, 30, report.Case{})
	for second := range 30 {
		if second == 10 || second == 20 {
			p.begin(trace.Case{Scenario: "finish/length", Dialect: "chat", Profile: "openai", Delivery: wire.DeliverJSON}, protocol.Task{})
		}
		now = now.Add(time.Second)
		p.silence()
	}
	want := "1 of 30 cases, 0 rules broken, no case judged for 10s\n" +
		"1 of 30 cases, 0 rules broken, no case judged for 20s, begun last: finish/length@chat/openai/json\n" +
		"1 of 30 cases, 0 rules broken, no case judged for 30s, played again: finish/length@chat/openai/json\n"
	if got := b.String(); got != want {
		t.Errorf("written %q, want %q", got, want)
	}
	now = now.Add(time.Second)
	p.after(2, 30, report.Case{})
	p.silence()
	if got := b.String(); got != want {
		t.Errorf("a case that ends is silence: %q", got)
	}
}
