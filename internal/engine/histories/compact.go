package histories

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
	answer  Answer
}

func compactOf(in *Request, p *profiles.Profile, a Answer) compactExchange {
	return compactExchange{in.Sent.Outline(), in.Sent.Body.Raw, p, a}
}

// expand returns the request as it was sent, without the history that it continues, and the answer
// as a document, or nil if it is none.
func (r compactExchange) expand() (*wire.Request, *wire.Node) {
	req, err := r.outline.Reread(r.body)
	if err != nil {
		return nil, nil // which cannot be: these bytes were read before
	}
	answer, err := wire.ParseNode(r.profile.Shape.Write(r.answer.Said, r.reply(req)))
	if err != nil {
		return nil, nil
	}
	return req, answer
}

// reply returns what surrounds the answer.
func (r compactExchange) reply(req *wire.Request) wire.Reply {
	return wire.Reply{ID: r.answer.ID, Model: r.outline.Model, Created: r.answer.Created, Request: req}
}
