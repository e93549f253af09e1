package engine

import (
	"errors"
	"net/http"

	"github.com/loopproof/loopproof/internal/engine/otherapis"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// moderations answers requests for a moderation.
func (p *Provider) moderations() besideAPI {
	return besideAPI{name: "moderations", forwards: true, answer: func(t target, _ *http.Request, body []byte) (response, error) {
		root, err := document(body)
		if err != nil {
			return response{}, err
		}
		fields, bad := otherapis.Moderations(p.config.Secret, root)
		if bad != nil {
			return badRequest(t, bad), nil
		}
		return jsonResponse(fields), nil
	}}
}

// document reads a body that has to be a JSON object.
func document(body []byte) (*wire.Node, error) {
	root, err := wire.ParseNode(body)
	if err == nil && !root.Is(wire.Object) {
		err = errors.New("the body of the request has to be a JSON object")
	}
	return root, err
}

// badRequest answers a request that the provider cannot read.
func badRequest(t target, bad *otherapis.BadRequest) response {
	kind := "invalid_request_error"
	return errorResponse(t.settings().profile, http.StatusBadRequest, profiles.Words{Message: bad.Message, Type: &kind, Param: &bad.Param, Code: bad.Code})
}
