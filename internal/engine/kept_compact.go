package engine

import (
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// compactExchange is a request and its answer as they are kept until somebody asks for them, which
// hardly anyone does: the request with its bytes alone, for what is read of them takes many times
// their memory.
type compactExchange struct {
	outline *wire.Request
	body    []byte
	profile *profiles.Profile
	said    *wire.Answer
	id      string
}

func compactOf(in *received, p *profiles.Profile, resp *response) compactExchange {
	return compactExchange{in.sent.Outline(), in.sent.Body.Raw, p, resp.said, resp.id}
}

// expand returns the request as it was sent, without the history that it continues, and the answer
// as a document, or nil if it is none.
func (r compactExchange) expand() (*wire.Request, *wire.Node) {
	req, err := r.outline.Reread(r.body)
	if err != nil {
		return nil, nil // which cannot be: these bytes were read before
	}
	answer, err := wire.ParseNode(r.profile.Shape.Write(r.said, r.reply(req)))
	if err != nil {
		return nil, nil
	}
	return req, answer
}

// reply returns what surrounds the answer.
func (r compactExchange) reply(req *wire.Request) wire.Reply {
	return wire.Reply{ID: r.id, Model: r.outline.Model, Created: created, Request: req}
}
