package engine

import (
	"net/http"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// serveCount answers a request for the number of tokens that a request for a turn would have.
func (p *Provider) serveCount(w http.ResponseWriter, r *http.Request, d *wire.Dialect) {
	t, err := p.findTarget(r, d)
	if err != nil {
		p.serveUnrouted(w, r, http.StatusNotFound, sentence(err))
		return
	}
	body, err := p.readBody(r)
	if err == nil && attention(t.settings(), r, body).Err() != nil {
		err = errLeft
	}
	var req *wire.Request
	if err == nil {
		req, err = parse(d, body)
	}
	if err != nil {
		p.send(w, r, new(failure(t.settings().profile, statusOf(err), sentence(err))))
		return
	}
	p.sendJSON(w, r, d.TokenCount(scenarios.Tokens(req)))
}
