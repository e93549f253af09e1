package engine

import (
	"bytes"
	"strings"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/wire"
)

// recordedResponse is what a provider was seen to answer, byte for byte and piece by piece.
func recordedResponse(f *fixtures.Response) response {
	resp := response{status: f.Status, contentType: f.Headers.Get("Content-Type"), headers: map[string]string{}}
	for name := range f.Headers {
		resp.headers[name] = f.Headers.Get(name)
	}
	if len(f.Writes) > 0 && (f.Streamed() || f.Severed) { // of what was severed, all that came before the end
		resp.writes = wire.NewPieces(f.Writes...)
	} else {
		resp.body = bytes.Join(f.Writes, nil)
	}
	if f.Severed {
		resp.ending = severed
	}
	return resp
}

// fits reports whether a fixture is what a request is answered with. An answer that was recorded as
// a stream is none to a request for a document, nor to one that wants the stream framed or cut in
// another way; those get the same answer in the words of the profile.
func fits(f *fixtures.Response, failed bool, req *wire.Request, d wire.Delivery) bool {
	switch {
	case f == nil:
		return false
	case failed:
		return true
	case f.Streamed() && !strings.HasPrefix(f.Headers.Get("Content-Type"), req.Frames().Type): // recorded at another door
		return false
	default:
		array := req.Stream && req.Frames() == wire.JSONArray
		return f.Streamed() == (req.Stream && !array) && isArray(f) == array && d.Ordinary()
	}
}

// isArray reports whether the chunks of a stream were recorded as one array.
func isArray(f *fixtures.Response) bool {
	return !f.Streamed() && bytes.HasPrefix(bytes.TrimSpace(f.Body()), []byte("["))
}

// identified notes the id of a recorded answer, under which the provider keeps it.
func (r response) identified(f *fixtures.Response, req *wire.Request) response {
	if form := req.Dialect.KeptHistory; form != nil && form.Document != nil {
		r.id = form.Document(f.Body(), f.Streamed()).Get("id").Text()
	}
	return r
}
