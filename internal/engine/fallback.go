package engine

import (
	"bytes"
	"io"
	"net/http"
	"strings"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/dialect"
	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// forward lets the fallback answer a request, and notes what it answers.
func (p *Provider) forward(w http.ResponseWriter, s *settings, in *received, note *journal.Note) {
	answer := &recordingWriter{ResponseWriter: w}
	defer func() { note.Answered(answer.noted(s.profile.Dialect)) }()
	p.config.Fallback.ServeHTTP(answer, withoutRun(in.http, in.body))
}

// withoutRun returns a request as one that names no run.
func withoutRun(r *http.Request, body []byte) *http.Request {
	out := asAsked(r)
	out.Body = io.NopCloser(bytes.NewReader(body))
	out.Header.Del(RunHeader)
	if id := runInPath(out.URL.Path); id != "" {
		out.URL.Path, out.URL.RawPath = strings.TrimPrefix(out.URL.Path, "/run/"+id), ""
	}
	return out
}

// asAsked returns a copy of a request with the URL that the client asked.
func asAsked(r *http.Request) *http.Request {
	out := r.Clone(r.Context())
	*out.URL = *askedURL(r)
	return out
}

// forwardUnrouted lets the fallback answer a request that is for no path of ours, or for an API of a
// name, and reports whether there is one to do so.
func (p *Provider) forwardUnrouted(w http.ResponseWriter, r *http.Request, api string) bool {
	if p.config.Fallback == nil || runInPath(r.URL.Path) != "" || strings.HasPrefix(r.URL.Path, "/loopproof") {
		return false
	}
	answer := &recordingWriter{ResponseWriter: w}
	x := trace.Exchange{Start: p.defaultRun.since()}
	defer func() {
		x.End = p.defaultRun.since()
		e := p.entry(r, DefaultRun, nil)
		e.API, e.Unrouted, e.Forwarded, e.Done = api, api == "", true, true
		e.Profile, e.Exchange, e.Answer = p.config.Profile, x, answer.noted(p.config.Profile.Dialect)
		p.tellDone(p.journal.Add(e))
	}()
	p.config.Fallback.ServeHTTP(answer, asAsked(r))
	return true
}

// recordingWriter notes what passes through it, up to a limit.
type recordingWriter struct {
	http.ResponseWriter
	status int
	size   int
	left   bool // the client did not take what was written
	writes [][]byte
}

// maxRecorded is how much is kept of what a fallback answers.
const maxRecorded = 8 << 20

func (o *recordingWriter) WriteHeader(status int) {
	o.status = status
	o.ResponseWriter.WriteHeader(status)
}

func (o *recordingWriter) Write(p []byte) (int, error) {
	if o.status == 0 {
		o.status = http.StatusOK
	}
	if o.size += len(p); o.size <= maxRecorded {
		o.writes = append(o.writes, bytes.Clone(p))
	}
	n, err := o.ResponseWriter.Write(p)
	o.left = o.left || err != nil
	return n, err
}

// Unwrap lets a flush through.
func (o *recordingWriter) Unwrap() http.ResponseWriter { return o.ResponseWriter }

// noted returns what a journal keeps of it.
func (o *recordingWriter) noted(name string) journal.Answer {
	f := fixtures.Response{Dialect: name, Status: o.status, Headers: o.Header(), Writes: o.writes}
	a := journal.Answer{Status: o.status, Header: journal.Redact(o.Header()), Writes: wire.NewPieces(o.writes...), Streamed: f.Streamed()}
	if said, err := dialect.AnswerOf(&f); err == nil {
		a.Said = said
	}
	if o.left {
		a.Ending = journal.Disconnected
	}
	return a
}
