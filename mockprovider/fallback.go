package mockprovider

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/journal"
)

// passesOn reports whether a request that no script answers goes to the fallback.
func (c *call) passesOn(err error) bool {
	return err != nil && c.provider.config.Fallback != nil && c.x.Request != nil && !errors.As(err, &badHeader{}) && !errors.As(err, &impossible{})
}

// passOn lets the fallback answer a request, and notes what it answers.
func (c *call) passOn() {
	seen := &overheard{ResponseWriter: c.w}
	defer func() { c.note.Answered(seen.answer(c.conv.profile().Dialect)) }()
	c.provider.config.Fallback.ServeHTTP(seen, outside(c.r, c.body))
}

// outside returns a request as one to no run of ours.
func outside(r *http.Request, body []byte) *http.Request {
	out := r.Clone(r.Context())
	out.Body = io.NopCloser(bytes.NewReader(body))
	out.Header.Del(RunHeader)
	if id := runOf(r.URL.Path); id != "" {
		out.URL.Path, out.URL.RawPath = strings.TrimPrefix(r.URL.Path, "/run/"+id), ""
	}
	return out
}

// passOnStray lets the fallback answer a request that is for no path of ours, and reports whether there is one to do so.
func (p *Provider) passOnStray(w http.ResponseWriter, r *http.Request) bool {
	if p.config.Fallback == nil || runOf(r.URL.Path) != "" || strings.HasPrefix(r.URL.Path, "/loopproof") {
		return false
	}
	seen := &overheard{ResponseWriter: w}
	x := trace.Exchange{Start: p.open.since()}
	defer func() {
		x.End = p.open.since()
		p.isOver(p.journal.Add(p.entry(r, DefaultRun, nil, Entry{
			Stray: true, Passed: true, Profile: p.config.Profile, Exchange: x, Answer: seen.answer(p.config.Profile.Dialect), Over: true,
		})))
	}()
	p.config.Fallback.ServeHTTP(seen, r)
	return true
}

// overheard notes what passes through it, up to a limit.
type overheard struct {
	http.ResponseWriter
	status int
	size   int
	writes [][]byte
}

// maxOverheard is how much is kept of what a fallback answers.
const maxOverheard = 8 << 20

func (o *overheard) WriteHeader(status int) {
	o.status = status
	o.ResponseWriter.WriteHeader(status)
}

func (o *overheard) Write(p []byte) (int, error) {
	if o.status == 0 {
		o.status = http.StatusOK
	}
	if o.size += len(p); o.size <= maxOverheard {
		o.writes = append(o.writes, bytes.Clone(p))
	}
	return o.ResponseWriter.Write(p)
}

// Unwrap lets a flush through.
func (o *overheard) Unwrap() http.ResponseWriter { return o.ResponseWriter }

// answer returns what a journal keeps of it.
func (o *overheard) answer(dialect string) journal.Answer {
	f := fixtures.Fixture{Dialect: dialect, Status: o.status, Headers: o.Header(), Writes: o.writes}
	a := journal.Answer{Status: o.status, Header: journal.Redact(o.Header()), Writes: o.writes, Streamed: f.Streamed()}
	if said, err := f.Answer(); err == nil {
		a.Said = said
	}
	return a
}
