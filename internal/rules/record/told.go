package record

import (
	"fmt"
	"time"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/wire"
)

// eachTold calls f for every call that the events tell of. Events of a run without tools prove
// nothing.
func eachTold(r *rules.Run, f func(c rules.ToldCall)) {
	if !r.UsedTools() {
		return
	}
	for _, c := range r.ToldCalls {
		if len(c.Events) > 0 {
			f(c)
		}
	}
}

// eachCompletion calls f for every call of which the events tell that it is done, and not because
// the user cancelled.
func eachCompletion(r *rules.Run, f func(c rules.ToldCall, e transcript.Event)) {
	eachTold(r, func(c rules.ToldCall) {
		if e := c.Completion(); e != nil && !r.Interrupted(c.Turn) {
			f(c, *e)
		}
	})
}

// findMistold adds a finding about a call in the events.
func findMistold(j *rules.CheckResult, c rules.ToldCall, format, expected string, at *wire.Node) {
	actual := "no such event"
	if at != nil {
		actual = place(at)
	}
	j.Find(trace.Finding{Answer: c.In.Number, Message: fmt.Sprintf(format, c.Call.As), Expected: expected, Actual: actual})
}

// timeIn reads a time of an event, and false when it has none.
func timeIn(n *wire.Node) (time.Time, bool) {
	at, err := time.Parse(time.RFC3339Nano, n.Text())
	return at, err == nil
}

// resultsText returns what the results of an event say: a text, or any JSON.
func resultsText(n *wire.Node) string {
	if n == nil || n.Is(wire.String) {
		return n.Text()
	}
	return string(n.Raw)
}
