package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"net/http"
	"time"

	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/page"
	"github.com/loopproof/loopproof/internal/sequence"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// WriteSVG draws the case as a sequence diagram: who sent what to whom, and what broke a rule. The
// error says that its exchange is not in the report.
func (c *Case) WriteSVG(w io.Writer) error {
	if c.Trace == nil {
		return fmt.Errorf("the report does not have the exchange of the case %s", c.ID)
	}
	return page.WriteSVG(w, c.picture(""))
}

// picture draws the case with what is found about a rule, or with all that is found.
func (c *Case) picture(rule string) *sequence.Diagram {
	if c.Trace == nil {
		return nil
	}
	drawn := c.Trace.conversation(dialect.Named(c.Dialect))
	drawn.Title = c.ID
	for i := range c.Findings {
		f := &c.Findings[i]
		if len(drawn.Marks) == mostMarks || rule != "" && f.Rule != rule {
			continue
		}
		m := sequence.Mark{
			Level: string(f.Level), Rule: f.Rule, Message: f.Message, Expected: f.Expected, Actual: f.Actual,
			Request: f.Request, Pointer: f.Pointer,
		}
		if a := c.refusal(f); a != nil {
			m.Provider = fmt.Sprintf("%s answers %d: %s", c.provider(a), a.Status, a.Message)
		}
		drawn.Marks = append(drawn.Marks, m)
	}
	return sequence.Of(drawn)
}

// mostMarks is how many findings are drawn: more cannot be read.
const mostMarks = 6

// conversation reads the bodies of an exchange. What cannot be read is shown by its size.
func (t *Trace) conversation(speaks *wire.Dialect) sequence.Conversation {
	c := sequence.Conversation{LeftOut: t.LeftOut}
	for i := range t.Requests {
		c.Exchanges = append(c.Exchanges, t.Requests[i].exchange(speaks))
	}
	for i := range t.Tools {
		ran := &t.Tools[i]
		c.Tools = append(c.Tools, sequence.Tool{
			Name: ran.Tool, CallID: ran.CallID, Arguments: ran.Arguments, Result: ran.Result, Failed: ran.Failed,
			At: duration(ran.AtMS), End: duration(ran.EndMS),
		})
	}
	for _, q := range t.Asked {
		said := q.Decision
		if q.With != "" {
			said += " with " + q.With
		}
		c.Questions = append(c.Questions, sequence.Question{About: q.Tool + " " + q.Arguments, Decision: said, At: duration(q.AtMS), End: duration(q.EndMS)})
	}
	if t.Restart != nil {
		c.Killed = []time.Duration{duration(t.Restart.KilledMS)}
	}
	c.Outcome = t.drawnOutcome()
	return c
}

func (t *Trace) drawnOutcome() sequence.Outcome {
	if o := t.Outcome; o != nil {
		return sequence.Outcome{Status: string(o.Status), Text: cmp.Or(o.Error, o.Text, o.Reason), Bad: o.Status == protocol.Failed}
	}
	return sequence.Outcome{Status: "the loop " + t.Ending, Text: t.Note, Bad: true}
}

func (r *TracedRequest) exchange(speaks *wire.Dialect) sequence.Exchange {
	a := &r.Answer
	x := sequence.Exchange{
		Number: r.Number, At: duration(r.AtMS), End: duration(a.EndMS), Note: r.Problem,
		Status: a.Status, Broken: a.Ending, Remark: a.Said, Body: a.Body.shown(),
	}
	if sizes, err := a.WriteSizes(); err == nil {
		x.Writes = len(sizes)
	}
	if speaks == nil {
		x.Note = cmp.Or(x.Note, r.Body.shown())
		return x
	}
	if req, err := speaks.Read(r.Body.bytes()); err == nil && !r.Body.Cut {
		x.Request = req
	} else {
		x.Note = cmp.Or(x.Note, r.Body.shown())
	}
	if a.Status == http.StatusOK && !a.Body.Cut {
		if said, err := speaks.ReadAnswer(a.Body.bytes(), a.Writes != ""); err == nil {
			x.Said = said
		}
	}
	return x
}

// shown returns a body that cannot be read as what it is.
func (t TracedBody) shown() string {
	switch {
	case t.Text == "" && t.Bytes == 0:
		return ""
	case t.Text == "" || t.Cut:
		return "a body of " + page.Size(t.Bytes)
	default:
		return t.Text
	}
}

func duration(ms float64) time.Duration {
	return time.Duration(math.Round(ms * float64(time.Millisecond)))
}
