package engine

import (
	"slices"

	"github.com/loopproof/loopproof/internal/engine/histories"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// secondAPI is a run as requests for its second model see it, where that is one of another provider
// in another wire API: reached under the same path, which says by its end which API is spoken. The
// conversation is that of the run. What is sealed is sealed with a secret of its own, so that neither
// provider knows the seals of the other.
type secondAPI struct {
	*Run
	about  settings
	spoken *scenarios.Script
}

func newSecondAPI(r *Run) *secondAPI {
	secret, p := r.config.Secret+" second", r.config.Second
	r.about.altered = r.alteredBut(false, r.about.altered)
	return &secondAPI{Run: r, spoken: scenarios.Compile(r.config.Scenario, p, secret), about: settings{
		id: r.ID, profile: p, delivery: r.config.Delivery, lenient: r.config.Lenient, secret: secret,
		refuser: rulebook.NewRefuser(p), journal: r.log, histories: histories.New(true, r.provider.kept),
		altered: r.alteredBut(true, scenarios.Altered(secret)), ctx: r.about.ctx, loop: true,
	}}
}

// alteredBut returns the [wire.Request.Altered] of a provider. One does not know the seals of the other
// provider of the run, and so not whether they were altered.
func (r *Run) alteredBut(second bool, altered func(text, signature string) bool) func(text, signature string) bool {
	return func(text, signature string) bool {
		return altered(text, signature) && !r.sealed(!second, signature)
	}
}

// sealed reports whether a signature, or what was encrypted, is one of the first or the second
// provider.
func (r *Run) sealed(second bool, seal string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.exchanges, func(x *trace.Exchange) bool {
		return x.Turn != nil && x.Turn.Answer != nil && r.asksSecondModel(x.Request) == second && slices.Contains(x.Turn.Answer.Seals(), seal)
	})
}

func (s *secondAPI) settings() *settings { return &s.about }

func (s *secondAPI) script(scenario string) *scenarios.Script {
	if scenario != s.config.Scenario.ID {
		return nil
	}
	return s.spoken
}

func (s *secondAPI) speaks(d *wire.Dialect) bool { return s.about.profile.Speaks == d }

// told returns what the task tells of it, given the URL under which the model is reached.
func (s *secondAPI) told(base string) *protocol.API {
	p := s.about.profile
	return &protocol.API{
		Model: scenarios.SecondModel, Dialect: p.Dialect, Profile: p.Name,
		BaseURL: base + "/run/" + s.ID + p.Speaks.Endpoint.BasePath,
	}
}

// spoken returns the script in the wire API of a request; nil: of the first one.
func (r *Run) spoken(req *wire.Request) *scenarios.Script {
	if req != nil && r.second != nil && r.second.speaks(req.Dialect) {
		return r.second.spoken
	}
	return r.compiled
}

// asksSecondModel reports whether a request asks the second model: by its API, where that is another
// one, else by its name.
func (r *Run) asksSecondModel(req *wire.Request) bool {
	if r.second != nil {
		return r.second.speaks(req.Dialect)
	}
	return scenarios.AsksSecondModel(req)
}
