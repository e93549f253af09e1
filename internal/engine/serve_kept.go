package engine

import (
	"net/http"

	"github.com/gorilla/mux"

	"github.com/loopproof/loopproof/internal/digest"
	"github.com/loopproof/loopproof/internal/engine/histories"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// keptAPI answers requests for a conversation that the provider keeps.
func (p *Provider) keptAPI(d *wire.Dialect, path wire.KeptPath) besideAPI {
	return besideAPI{name: path.API(), dialect: d, answer: func(t target, r *http.Request, body []byte) (response, error) {
		p.catchUp()
		asked, err := p.keptRequest(t, r, d, path, body)
		if err != nil {
			return response{}, err
		}
		for {
			answer, why, done := p.changeKept(t, d, path, asked)
			switch {
			case why != "":
				return historyProblem(t.settings().profile, histories.Refuse(d.KeptHistory, why, asked.ID)).response, nil
			case done:
				return keptResponse(t.settings(), answer), nil
			} // else somebody has changed it meanwhile
		}
	}}
}

// changeKept answers a request for what is kept, and keeps what the answer says. It is not done if
// that was changed meanwhile.
func (p *Provider) changeKept(t target, d *wire.Dialect, path wire.KeptPath, asked wire.KeptRequest) (answer wire.KeptAnswer, why wire.HistoryProblem, done bool) {
	s := t.settings()
	var before *histories.Conversation
	if path.Creates == "" {
		if before, asked.Kept = s.histories.Find(asked.ID, path.OfConversation(), t.since(), d.KeptHistory.Life); before != nil {
			asked.About = wire.Parsed(asked.Kept.About)
		}
	}
	if asked.Kept == nil && path.Creates == "" && !path.Free {
		return answer, path.Problem(), false
	}
	answer = path.Answer(asked)
	switch {
	case answer.Forgets:
		s.histories.Remove(asked.ID)
		p.tellGone(s, asked.ID)
	case answer.Keep != nil:
		kept := s.histories.Replace(asked.ID, before, answer.Keep, path.OfConversation(), t.since())
		if kept == nil {
			return answer, "", false
		}
		p.tellKept(s, asked.ID, kept, asked.Kept, asked.ID)
	}
	return answer, "", true
}

// keptRequest reads a request for what is kept.
func (p *Provider) keptRequest(t target, r *http.Request, d *wire.Dialect, path wire.KeptPath, body []byte) (asked wire.KeptRequest, err error) {
	s := t.settings()
	asked = wire.KeptRequest{
		ID: mux.Vars(r)["id"], Item: mux.Vars(r)["item"], Query: r.URL.Query(),
		Find: func(id string) *wire.History {
			_, kept := s.histories.Find(id, false, t.since(), d.KeptHistory.Life)
			return kept
		},
		Seal: func(words ...string) string { return digest.Seal(s.secret, "", words...) },
	}
	if path.Creates != "" {
		asked.ID = histories.NewID(path.Creates)
	}
	if r.Method != http.MethodPost || len(body) == 0 {
		return asked, nil
	}
	req, err := parse(d, body, nil)
	if err == nil {
		asked.Body = req.Body
	}
	return asked, err
}

// keptResponse returns an answer as it is sent.
func keptResponse(s *settings, a wire.KeptAnswer) response {
	if a.Events != nil {
		return streamResponse(s.profile, &scenarios.Turn{Step: &scenarios.Step{}}, a.Events, wire.DeliverSSE, s.profile.Frames())
	}
	return response{status: a.Status, contentType: jsonType, headers: s.profile.Headers, body: a.Body.JSON()}
}

// historyProblem returns why a history is not continued as the answer to a request.
func historyProblem(p *profiles.Profile, refusal *histories.Refusal) *problem {
	resp := errorResponse(p, refusal.Status, p.WordsFor(refusal.Status))
	resp.body = refusal.Body
	return &problem{refusal.Message, resp}
}

// kept returns what is kept of the answer that a response is.
func (r *response) kept() histories.Answer {
	return histories.Answer{ID: r.id, Said: r.said, Size: r.size(), Created: created}
}

// tellKept tells the other servers of a history that is kept, and of an earlier one, under an id of
// its own, from which it may go on.
func (p *Provider) tellKept(s *settings, id string, kept *histories.Conversation, earlier *wire.History, continues string) {
	if p.others == nil || !s.told || kept == nil {
		return
	}
	if shared := kept.Share(id, earlier, continues); shared != nil {
		shared.Run = s.id
		p.tellOthers(update{Kept: shared})
	}
}

// tellGone tells the other servers of a history that is kept no longer.
func (p *Provider) tellGone(s *settings, id string) {
	if p.others != nil && s.told {
		p.tellOthers(update{Kept: &histories.Shared{Run: s.id, ID: id, Gone: true}})
	}
}

// applyKept keeps a history that another server kept in its run, if that is known here.
func (p *Provider) applyKept(shared *histories.Shared) {
	if run, known := p.runByID(shared.Run); known {
		t := run.in(nil)
		t.settings().histories.Apply(shared, t.since())
	}
}

// catchUpHistory reads what other servers keep, where a request continues a conversation.
func (p *Provider) catchUpHistory(req *wire.Request) {
	if form := req.Dialect.KeptHistory; p.others == nil || form == nil {
		return
	} else if continued := form.Continues(req); continued == nil || continued.Begins {
		return
	}
	p.catchUp()
}
