package engine

import (
	"crypto/rand"
	"encoding/hex"
	"net/http"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/digest"
	"github.com/loopproof/loopproof/internal/journal"
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

// changeKept answers a request for what is kept, and keeps what the answer says. It is not done if
// that was changed meanwhile.
func (p *Provider) changeKept(t target, d *wire.Dialect, path wire.KeptPath, asked wire.KeptRequest) (answer wire.KeptAnswer, why wire.HistoryProblem, done bool) {
	s := t.settings()
	var before *keptHistory
	if path.Creates == "" {
		if before, asked.Kept = s.histories.find(asked.ID, path.OfConversation(), t.since(), d.KeptHistory.Life); before != nil {
			asked.About = wire.Parsed(asked.Kept.About)
		}
	}
	if asked.Kept == nil && path.Creates == "" && !path.Free {
		return answer, path.Problem(), false
	}
	answer = path.Answer(asked)
	switch {
	case answer.Forgets:
		s.histories.remove(asked.ID)
		p.tellGone(s, asked.ID)
	case answer.Keep != nil:
		kept := s.histories.replace(asked.ID, before, answer.Keep, path.OfConversation(), t)
		if kept == nil {
			return answer, "", false
		}
		p.tellKept(s, asked.ID, kept, asked.Kept, asked.ID)
	}
	return answer, "", true
}

// keptRequest reads a request for what is kept.
func (p *Provider) keptRequest(t target, r *http.Request, d *wire.Dialect, path wire.KeptPath) (asked wire.KeptRequest, err error) {
	s := t.settings()
	asked = wire.KeptRequest{
		ID: mux.Vars(r)["id"], Item: mux.Vars(r)["item"], Query: r.URL.Query(),
		Find: func(id string) *wire.History {
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

// replace keeps a history under an id, instead of what was kept there before; nil: something else
// is by now.
func (h *keptHistories) replace(id string, before *keptHistory, history *wire.History, lasts bool, t target) *keptHistory {
	kept := replacement(before, history)
	kept.used, kept.lasts = t.since(), lasts
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	if h.kept[id] != before {
		return nil
	}
	if before != nil {
		kept.forgotten, kept.fetched = before.forgotten, before.fetched
	}
	h.put(id, kept)
	return kept
}

// replacement returns what keeps a history instead of an earlier one, which may be nil, and shares
// with it what both have.
func replacement(earlier *keptHistory, history *wire.History) *keptHistory {
	own, before := history.All(), (*journal.Turn)(nil)
	if earlier != nil {
		switch items, goesOn := history.Differs(earlier.turn.History()); {
		case goesOn && len(items) > 0:
			own, before = items, earlier.turn
		case goesOn: // only what is kept besides items is another
			own, before = history.Items, earlier.turn.Before()
		}
	}
	size := len(history.About)
	for _, item := range own {
		size += len(item)
	}
	return &keptHistory{turn: journal.NewTurn(before, size, func() *wire.History { return history })}
}
