package engine

import (
	"fmt"
	"net/http"

	"github.com/loopproof/loopproof/internal/engine/otherapis"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// embeddings returns what answers requests for embeddings in a dialect: in its own form or, where
// it has none, in that of OpenAI.
func (p *Provider) embeddings(d *wire.Dialect) http.HandlerFunc {
	answer := otherapis.Embeddings
	if form := d.Embeddings; form != nil {
		answer = func(req *wire.Node) (wire.Fields, *otherapis.BadRequest) { return otherapis.EmbeddingsIn(form, req) }
	}
	return func(w http.ResponseWriter, r *http.Request) { p.serveJSON(w, r, answer) }
}

// serveModerations answers a request for a moderation.
func (p *Provider) serveModerations(w http.ResponseWriter, r *http.Request) {
	p.serveJSON(w, r, func(req *wire.Node) (wire.Fields, *otherapis.BadRequest) {
		return otherapis.Moderations(p.config.Secret, req)
	})
}

// serveJSON answers a request whose answer depends on its body alone.
func (p *Provider) serveJSON(w http.ResponseWriter, r *http.Request, answer func(*wire.Node) (wire.Fields, *otherapis.BadRequest)) {
	if p.forwardUnrouted(w, r) {
		return // the provider knows better
	}
	run, err := p.findRun(r)
	if err != nil {
		p.serveUnrouted(w, r, http.StatusNotFound, sentence(err))
		return
	}
	body, err := p.readBody(r)
	var root *wire.Node
	if err == nil {
		root, err = wire.ParseNode(body)
	}
	if err == nil && !root.Is(wire.Object) {
		err = fmt.Errorf("the body of the request has to be a JSON object")
	}
	if err != nil {
		p.send(w, r, new(failure(run.in(nil).settings().profile, statusOf(err), sentence(err))))
		return
	}
	fields, bad := answer(root)
	if bad != nil {
		kind := "invalid_request_error"
		p.send(w, r, new(errorResponse(run.in(nil).settings().profile, http.StatusBadRequest, profiles.Words{Message: bad.Message, Type: &kind, Param: &bad.Param, Code: bad.Code})))
		return
	}
	p.sendJSON(w, r, fields)
}
