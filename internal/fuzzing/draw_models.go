package fuzzing

import (
	"net/http"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/protocol"
)

// otherModels let a second model say what follows a turn, since the first one is down, or let the
// user choose it for some prompts.
func (g *Grammar) otherModels() (kinds []kind) {
	if g.claims(protocol.ModelFallback) {
		kinds = append(kinds, func(d *drawing, c *Conversation) {
			all := c.turns()
			t := all[d.upTo(len(all)-1, "turn at which the model is down")]
			t.Failures = []scenarios.Step{{Status: http.StatusServiceUnavailable, ModelDown: true}}
			c.SecondAPI = g.inAnotherAPI(d)
		})
	}
	if g.claims(protocol.ModelSwitch) && g.claims(protocol.MultiPrompt) {
		kinds = append(kinds, func(d *drawing, c *Conversation) {
			d.severalPrompts(c)
			second := d.upTo(len(c.Prompts)-1, "prompt for the second model")
			for i := range c.Prompts {
				c.Prompts[i].Second = i == second || d.chance(30, "another prompt for the second model")
			}
			c.SecondAPI = c.models() != nil && g.inAnotherAPI(d)
		})
	}
	return kinds
}

// inAnotherAPI draws whether the second model is one of another provider, in another wire API.
func (g *Grammar) inAnotherAPI(d *drawing) bool {
	return g.claims(protocol.SecondAPI) && d.chance(50, "a second model of another provider")
}

// models returns the models that the user chooses for the prompts, or nil.
func (c *Conversation) models() (models []scenarios.Which) {
	chosen := false
	for _, p := range c.Prompts {
		model := scenarios.First
		if p.Second {
			model, chosen = scenarios.Second, true
		}
		models = append(models, model)
	}
	if !chosen || len(models) == 1 {
		return nil
	}
	return models
}

// overAPIs reports whether the second model is asked in another wire API.
func (c *Conversation) overAPIs() bool {
	return c.SecondAPI && (c.models() != nil || inFailure(func(s *scenarios.Step) bool { return s.ModelDown })(c))
}
