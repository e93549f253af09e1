package mockprovider

import (
	"net/http"

	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/journal"
	"github.com/loopproof/loopproof/scenarios"
)

// Journal remembers what was asked and answered, up to a limit.
type Journal = journal.Journal

// Entry is one request in a [Journal], what it was answered, and what is wrong with it.
type Entry = journal.Entry

// DefaultRun is the id of the run to which all requests belong that are sent to no other.
const DefaultRun = "default"

// call is a request for a turn of the model while it is served.
type call struct {
	provider *Provider
	conv     conversation
	w        http.ResponseWriter
	r        *http.Request
	body     []byte
	x        *trace.Exchange
	manner   manner
	note     *journal.Note
}

// take hands the exchange to its conversation and writes it into the journal.
func (c *call) take() error {
	found, err := c.conv.take(c.x, c.r.Header)
	c.manner = found.manner
	passed := c.passesOn(err)
	switch {
	case passed && c.x.Refusal != nil:
		c.x.Refusal.Given = false
	case err != nil && !passed && c.x.Problem == "":
		c.x.Problem = err.Error()
	}
	c.note = c.conv.journal().Add(c.provider.entry(c.r, c.conv.name(), found.script, Entry{
		Profile:  c.conv.profile(),
		Exchange: *c.x,
		Fault:    c.manner.goneWrong(),
		Passed:   passed,
	}).WithBody(c.body))
	return err
}

// entry fills in of an entry what is the same for all requests.
func (p *Provider) entry(r *http.Request, run string, script *scenarios.Script, e Entry) Entry {
	e.Run, e.At = run, p.config.Clock.Now()
	e.Method, e.Target, e.Header = r.Method, journal.RedactTarget(r.URL), journal.Redact(r.Header)
	if script != nil {
		e.Script, e.Scenario = script, script.Scenario.ID
	}
	return e
}

// send answers the request, and reports whether the client was outwaited.
func (c *call) send(r *http.Request, resp response) bool {
	c.note.Answered(resp.noted())
	return c.provider.send(c.w, r, resp)
}

// fail answers with an error of our own.
func (c *call) fail(status int, message string) {
	resp := failure(c.conv.profile(), status, message)
	c.note.Answered(resp.noted())
	c.provider.write(c.w, c.r, resp)
}

// end notes that the exchange is over.
func (c *call) end() {
	c.conv.end(c.x)
	c.note.Ended(*c.x)
	if _, run := c.conv.(*Run); !run && c.note != nil {
		c.provider.isOver(c.note)
	}
}

// isOver tells that an answer has come to its end.
func (p *Provider) isOver(n *journal.Note) {
	if p.others != nil {
		p.tellOthers(record{Entry: shareEntry(n.Entry())})
	}
	if p.config.Over != nil {
		p.config.Over(n.Entry())
	}
}

// noted returns what a journal keeps of a response.
func (r response) noted() journal.Answer {
	a := journal.Answer{Status: r.status, Streamed: r.writes != nil, Writes: r.writes, Said: r.said}
	if r.headless {
		a.Status = 0
	}
	if r.writes == nil && len(r.body) > 0 {
		a.Writes = [][]byte{r.body}
		if r.ending != clean {
			a.Writes[0] = r.body[:len(r.body)/2]
		}
	}
	switch r.ending {
	case severed:
		a.Ending = journal.Severed
	case reset:
		a.Ending = journal.Reset
	}
	a.Header = http.Header{}
	if r.contentType != "" {
		a.Header.Set("Content-Type", r.contentType)
	}
	for name, value := range r.headers {
		a.Header.Set(name, value)
	}
	return a
}
