package mockprovider

import (
	"net/http"

	"github.com/loopproof/loopproof/internal/wire"
)

// bytesPerToken is how long a token is taken to be when they are counted.
const bytesPerToken = 4

// serveCount answers a request for the number of tokens that a request for a turn would have.
func (p *Provider) serveCount(w http.ResponseWriter, r *http.Request, who finder, d *wire.Dialect) {
	conv, err := find(d, who, r)
	if err != nil {
		p.astray(w, r, http.StatusNotFound, sentence(err))
		return
	}
	body, err := p.read(r)
	if err == nil {
		_, err = parse(d, body)
	}
	if err != nil {
		p.send(w, r, failure(conv.profile(), statusOf(err), sentence(err)))
		return
	}
	p.send(w, r, response{status: http.StatusOK, contentType: jsonType, body: d.TokenCount(1 + len(body)/bytesPerToken).JSON()})
}
