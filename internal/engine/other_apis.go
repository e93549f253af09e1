package engine

import (
	"errors"
	"net/http"

	"github.com/loopproof/loopproof/internal/engine/otherapis"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// embeddings answers requests for embeddings in a dialect: in its own form or, where it has none, in
// that of OpenAI.
func (p *Provider) embeddings(d *wire.Dialect) besideAPI {
	if form := d.Embeddings; form != nil {
		return documented("embeddings", func(req *wire.Node) (wire.Fields, *otherapis.BadRequest) { return otherapis.EmbeddingsIn(form, req) })
	}
	return documented("embeddings", otherapis.Embeddings)
}

// moderations answers requests for a moderation.
func (p *Provider) moderations() besideAPI {
	return documented("moderations", func(req *wire.Node) (wire.Fields, *otherapis.BadRequest) {
		return otherapis.Moderations(p.config.Secret, req)
	})
}

// documented returns an API whose answers depend on the body alone.
func documented(name string, answer func(*wire.Node) (wire.Fields, *otherapis.BadRequest)) besideAPI {
	return besideAPI{name: name, forwards: true, answer: func(t target, _ *http.Request, body []byte) (response, error) {
		root, err := wire.ParseNode(body)
		if err == nil && !root.Is(wire.Object) {
			err = errors.New("the body of the request has to be a JSON object")
		}
		if err != nil {
			return response{}, err
		}
		fields, bad := answer(root)
		if bad != nil {
			kind := "invalid_request_error"
			return errorResponse(t.settings().profile, http.StatusBadRequest, profiles.Words{Message: bad.Message, Type: &kind, Param: &bad.Param, Code: bad.Code}), nil
		}
		return jsonResponse(fields), nil
	}}
}
