package engine

import (
	"net/http"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/secret"
	"github.com/loopproof/loopproof/internal/wire"
)

// Journal stores requests and responses, up to a limit.
type Journal = journal.Journal

// Entry is one request in a [Journal], with its response and findings.
type Entry = journal.Entry

// DefaultRun is the id of the run to which all requests belong that are sent to no other.
const DefaultRun = "default"

// entry returns an entry with what is the same for all requests.
func (p *Provider) entry(r *http.Request, run string, script *scenarios.Script) *Entry {
	e := &Entry{Run: run, At: p.config.Clock.Now(), Method: r.Method, Target: journal.RedactTarget(askedURL(r)), Header: journal.Redact(r.Header)}
	e.SetKeys(secret.Of(r.Header, askedURL(r)))
	if script != nil {
		e.Script, e.Scenario = script, script.Scenario.ID
	}
	return e
}

// tellDone tells that an exchange is over.
func (p *Provider) tellDone(note *journal.Note) {
	if p.others != nil {
		p.tellOthers(update{Entry: shareEntry(note.Entry())})
	}
	if p.config.OnExchangeDone != nil {
		p.config.OnExchangeDone(note.Entry())
	}
}

// noted returns what a journal keeps of a response.
func (r *response) noted() journal.Answer {
	a := journal.Answer{Status: r.status, Streamed: r.writes != nil, Writes: r.writes, Said: r.said}
	if r.noResponse {
		a.Status = 0
	}
	if r.writes == nil && len(r.body) > 0 {
		written := r.body
		if r.ending != clean {
			written = r.body[:len(r.body)/2]
		}
		a.Writes = wire.NewPieces(written)
	}
	switch r.ending {
	case severed:
		a.Ending = journal.Severed
	case reset:
		a.Ending = journal.Reset
	}
	a.Header = r.header()
	return a
}
