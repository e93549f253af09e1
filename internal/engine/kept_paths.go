package engine

import (
	"net/http"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/wire"
)

// serveKept answers a request for a conversation that the provider keeps.
func (p *Provider) serveKept(w http.ResponseWriter, r *http.Request, d *wire.Dialect, path wire.KeptPath) {
	t, err := p.findTarget(r, d)
	if err != nil {
		p.serveUnrouted(w, r, http.StatusNotFound, sentence(err))
		return
	}
	p.catchUp()
	s, id := t.settings(), mux.Vars(r)["id"]
	document := s.histories.find(id, t.since(), d.KeptHistory.Life)
	kept, err := wire.ParseNode(document)
	if document == nil || err != nil {
		p.send(w, r, historyProblem(s.profile, d.KeptHistory, wire.HistoryUnknown, id).response)
		return
	}
	status, body := path.Answer(kept, r.URL.Query())
	if path.Forgets {
		s.histories.remove(id)
		p.tellKept(s, id, nil)
	}
	p.send(w, r, response{status: status, contentType: jsonType, headers: s.profile.Headers, body: body.JSON()})
}
