package engine

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/wire"
)

// sendHandled sends a response that a handler writes, and notes what it wrote. A stream on
// which the client listens ends with the server.
func (p *Provider) sendHandled(w http.ResponseWriter, s *settings, r *http.Request, resp *response, body []byte, note *journal.Note) {
	ctx, stop := eitherOf(r.Context(), s.ctx)
	defer stop()
	if resp.listens {
		ctx, stop = eitherOf(ctx, p.ctx)
		defer stop()
	}
	record := &recorder{ResponseWriter: w, control: http.NewResponseController(w)}
	defer func() {
		a := record.answer()
		if r.Context().Err() != nil && !resp.listens {
			a.Ending = journal.Disconnected
		}
		note.Answered(a)
	}()
	if resp.wait > 0 && !p.config.Clock.Sleep(ctx, resp.wait) {
		return
	}
	for name, value := range resp.headers {
		w.Header().Set(name, value)
	}
	resp.handler.ServeHTTP(record, withBody(ctx, r, body))
}

// handled returns what a handler writes as a response that is whole.
func handled(h http.Handler, r *http.Request, body []byte) response {
	record := &recorder{ResponseWriter: &nowhere{header: http.Header{}}}
	h.ServeHTTP(record, withBody(r.Context(), r, body))
	a := record.answer()
	return response{status: a.Status, contentType: a.Header.Get("Content-Type"), body: a.Body()}
}

// withBody returns a request whose body was read.
func withBody(ctx context.Context, r *http.Request, body []byte) *http.Request {
	again := r.WithContext(ctx)
	again.Body = io.NopCloser(bytes.NewReader(body))
	return again
}

// recorder keeps what is written.
type recorder struct {
	http.ResponseWriter
	control *http.ResponseController // nil: there is nobody to send it to
	status  int
	writes  [][]byte
}

// WriteHeader notes the status.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write notes the bytes.
func (r *recorder) Write(data []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(data)
	r.writes = append(r.writes, bytes.Clone(data[:n]))
	return n, err
}

// Flush sends what was written.
func (r *recorder) Flush() {
	if r.control != nil {
		r.control.Flush()
	}
}

// Unwrap is for [http.ResponseController].
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *recorder) answer() journal.Answer {
	a := journal.Answer{Status: r.status, Header: http.Header{}, Writes: wire.NewPieces(r.writes...), Streamed: r.Header().Get("Content-Type") == "text/event-stream"}
	if kind := r.Header().Get("Content-Type"); kind != "" {
		a.Header.Set("Content-Type", kind)
	}
	return a
}

// nowhere is a response that nobody reads.
type nowhere struct{ header http.Header }

// Header returns the headers.
func (n *nowhere) Header() http.Header { return n.header }

// Write takes all.
func (n *nowhere) Write(data []byte) (int, error) { return len(data), nil }

// WriteHeader takes it.
func (n *nowhere) WriteHeader(int) {}
