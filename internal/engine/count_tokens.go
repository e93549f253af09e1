package engine

import (
	"net/http"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// counts answers requests for the number of tokens that a request for a turn would have.
func (p *Provider) counts(d *wire.Dialect) besideAPI {
	return besideAPI{name: "tokens", dialect: d, answer: func(t target, r *http.Request, body []byte) (response, error) {
		if attention(t.settings(), r, body).Err() != nil {
			return response{}, errLeft
		}
		req, err := parse(d, body, nil)
		if err != nil {
			return response{}, err
		}
		return jsonResponse(d.TokenCount(scenarios.Tokens(req))), nil
	}}
}

// jsonResponse answers with a document.
func jsonResponse(body wire.Fields) response {
	return response{status: http.StatusOK, contentType: jsonType, body: body.JSON()}
}
