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
	if asked.Kept == nil && path.Creates == "" && !path.Free {
		p.send(w, r, &historyProblem(s.profile, d.KeptHistory, path.Problem(), asked.ID).response)
		return
	}
	answer := path.Answer(asked)
	switch {
	case answer.Forgets:
		s.histories.remove(asked.ID)
		p.tellKept(s, asked.ID, nil)
	case answer.Keep != nil:
		p.tellKept(s, asked.ID, s.histories.replace(asked.ID, answer.Keep, path.OfConversation(), t))
	}
	p.send(w, r, new(keptResponse(s, answer)))
}

// keptRequest reads a request for what is kept.
func (p *Provider) keptRequest(t target, r *http.Request, d *wire.Dialect, path wire.KeptPath) (asked wire.KeptRequest, err error) {
	s := t.settings()
	find := func(id string, conversation bool) *wire.Node {
		kept, err := wire.ParseNode(s.histories.find(id, conversation, t.since(), d.KeptHistory.Life))
		if err != nil {
			return nil
		}
		return kept
	}
	asked = wire.KeptRequest{
		ID: mux.Vars(r)["id"], Item: mux.Vars(r)["item"], Query: r.URL.Query(),
		Find: func(id string) *wire.Node { return find(id, false) },
		Seal: func(words ...string) string { return digest.Seal(s.secret, "", words...) },
	}
	if asked.Kept = find(asked.ID, path.OfConversation()); path.Creates != "" {
		asked.ID, asked.Kept = newKeptID(path.Creates), nil
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

// replace keeps a document under an id, instead of what was kept there.
func (h *keptHistories) replace(id string, document []byte, lasts bool, t target) *keptHistory {
	kept := &keptHistory{document: func() []byte { return document }, size: len(document), used: t.since(), lasts: lasts}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.put(id, kept)
	return kept
}
