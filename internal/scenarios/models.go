package scenarios

import (
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// FirstModel is the model that a loop is told to ask, and SecondModel the one for when the first one
// is down, or for the prompts for which the user chooses it.
const (
	FirstModel  = "loopproof"
	SecondModel = "second-model"
)

// Which is one of the two models.
type Which string

// The models, as scenarios name them.
const (
	First  Which = "first"
	Second Which = "second"
)

// Name returns the name by which the model is asked.
func (w Which) Name() string {
	if w == Second {
		return SecondModel
	}
	return FirstModel
}

// PromptModels returns the models that the user chooses for the prompts; nil: none is chosen.
func (s *Scenario) PromptModels() (names []string) {
	for _, w := range s.Models {
		names = append(names, w.Name())
	}
	return names
}

// AsksSecondModel reports whether a request asks the second model, whatever is around its name. The
// first one may have a name of the loop's own.
func AsksSecondModel(req *wire.Request) bool { return strings.Contains(req.Model, SecondModel) }

// models checks the models that the user chooses, and the step from which on the first one is down.
func (c *checker) models() {
	if len(c.s.Models) > 0 && len(c.s.Models) != len(c.s.Prompts) {
		c.fail("/models", fmt.Sprintf("the user chooses a model for each of the `prompts`, of which there are %d, and %d models", len(c.s.Prompts), len(c.s.Models)))
	} else if len(c.s.Models) > 0 {
		c.expect(c.needs(protocol.ModelSwitch), "/needs", "a scenario in which the user chooses models needs loops that take them: `needs: [%s]`", protocol.ModelSwitch)
		for i, w := range c.s.Models {
			c.word(at("models", i), "model", string(w), []string{string(First), string(Second)})
		}
	}
	down := false
	for i, step := range c.s.Model {
		if !step.ModelDown {
			continue
		}
		here := at("model", i) + "/model-down"
		c.expect(!down, here, "the first model goes down once")
		c.expect(step.Status >= 400, here, "a model that is down answers with an error: add a `status` such as 503")
		c.expect(i < len(c.s.Model)-1, here, "the second model has nothing to say: add a step behind it")
		c.expect(c.needs(protocol.ModelFallback), "/needs", "a scenario whose first model goes down needs loops that ask a second one: `needs: [%s]`", protocol.ModelFallback)
		down = true
	}
	c.expect(down || len(c.s.Models) > 0 || !c.needs(protocol.SecondAPI), "/needs", "nothing asks the second model, which would be in another wire API: add `models`, or `model-down: true` to a step")
	c.expect(!down || len(c.s.Models) == 0, "/models", "the user chooses models, or the first one goes down, not both")
}
