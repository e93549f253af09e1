package engine

import (
	"crypto/rand"
	"encoding/hex"
	"net/http"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/digest"
	"github.com/loopproof/loopproof/internal/scenarios"
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
	s := t.settings()
	asked, err := p.keptRequest(t, r, d, path)
	if err != nil {
		p.send(w, r, &newProblem(s.profile, statusOf(err), err).response)
		return
	}
	for {
		answer, why, done := p.changeKept(t, d, path, asked)
		switch {
		case why != "":
			p.send(w, r, &historyProblem(s.profile, d.KeptHistory, why, asked.ID).response)
		case !done: // somebody else has changed it meanwhile
			continue
		default:
			p.send(w, r, new(keptResponse(s, answer)))
		}
		return
	}
}

// changeKept answers a request for what is kept, and keeps what the answer says. It is not done if that was changed meanwhile.
func (p *Provider) changeKept(t target, d *wire.Dialect, path wire.KeptPath, asked wire.KeptRequest) (answer wire.KeptAnswer, why wire.HistoryProblem, done bool) {
	s := t.settings()
	var before *keptHistory
	if path.Creates == "" {
		before, asked.Kept = s.histories.find(asked.ID, path.OfConversation(), t.since(), d.KeptHistory.Life)
	}
	if asked.Kept == nil && path.Creates == "" && !path.Free {
		return answer, path.Problem(), false
	}
	answer = path.Answer(asked)
	switch {
	case answer.Forgets:
		s.histories.remove(asked.ID)
		p.tellKept(s, asked.ID, nil)
	case answer.Keep != nil:
		kept := s.histories.replace(asked.ID, before, answer.Keep, path.OfConversation(), t)
		if kept == nil {
			return answer, "", false
		}
		p.tellKept(s, asked.ID, kept)
	}
	return answer, "", true
}

// keptRequest reads a request for what is kept.
func (p *Provider) keptRequest(t target, r *http.Request, d *wire.Dialect, path wire.KeptPath) (asked wire.KeptRequest, err error) {
	s := t.settings()
	asked = wire.KeptRequest{
		ID: mux.Vars(r)["id"], Item: mux.Vars(r)["item"], Query: r.URL.Query(),
		Find: func(id string) *wire.Node {
			_, kept := s.histories.find(id, false, t.since(), d.KeptHistory.Life)
			return kept
		},
		Seal: func(words ...string) string { return digest.Seal(s.secret, "", words...) },
	}
	if path.Creates != "" {
		asked.ID = newKeptID(path.Creates)
	}
	if r.Method != http.MethodPost {
		return asked, nil
	}
	body, err := p.readBody(r)
	if err != nil || len(body) == 0 {
		return asked, err
	}
	req, err := parse(d, body)
	if err == nil {
		asked.Body = req.Body
	}
	return asked, err
}

// newKeptID returns an id that cannot be guessed.
func newKeptID(prefix string) string {
	b := make([]byte, 24)
	rand.Read(b) // never fails
	return prefix + hex.EncodeToString(b)
}

// keptResponse returns an answer as it is sent.
func keptResponse(s *settings, a wire.KeptAnswer) response {
	if a.Events != nil {
		return streamResponse(s.profile, &scenarios.Turn{Step: &scenarios.Step{}}, a.Events, wire.DeliverSSE, false)
	}
	return response{status: a.Status, contentType: jsonType, headers: s.profile.Headers, body: a.Body.JSON()}
}

// replace keeps a document under an id, instead of what was kept there before; nil: something else is by now.
func (h *keptHistories) replace(id string, before *keptHistory, document []byte, lasts bool, t target) *keptHistory {
	kept := &keptHistory{document: func() []byte { return document }, size: len(document), used: t.since(), lasts: lasts}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.kept[id] != before {
		return nil
	}
	h.put(id, kept)
	return kept
}
