package scenarios

import (
	"encoding/json"
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// answerSchema checks a scenario that says which form the answer has.
func (c *checker) answerSchema() {
	s := c.s
	if !s.doc.Has("/answer-schema") {
		return
	}
	c.objectSchema("/answer-schema", "an answer", s.AnswerSchema)
	c.expect(c.needs(protocol.AnswerSchema), "/answer-schema", "a scenario with a schema of the answer needs loops that are told of it: `needs: [answer-schema]`")
	if last := len(s.Model) - 1; last >= 0 {
		text := s.Model[last].Text
		c.expect(text != nil && s.AnswerFits(*text), at("model", last), "the last step is an answer that fits the schema")
	}
}

// answerCalls checks the steps in which the model answers beside calls.
func (c *checker) answerCalls() {
	behind := false
	for i, step := range c.s.Model {
		here, gives := at("model", i), len(step.AnswerCalls) > 0
		c.expect(!gives || c.s.doc.Has("/answer-schema") && len(step.Calls) > 0, here+"/answer-calls", "the model answers by a call where the scenario has an `answer-schema`, beside the `calls` of the step")
		c.expect(!step.IfAskedAgain || behind && step.Text != nil && len(c.s.Prompts) > 1, here+"/if-asked-again", "a step with `if-asked-again` is a text right behind one with `answer-calls`, and a prompt follows")
		behind = gives
	}
}

// AnswerForm returns the JSON Schema of the answer, or nil.
func (s *Scenario) AnswerForm() json.RawMessage {
	if len(s.AnswerSchema) == 0 {
		return nil
	}
	return s.AnswerSchema.JSON()
}

// AnswerFits reports whether a text is JSON that fits the schema of the answer: an object with all
// that is required, each of its type.
func (s *Scenario) AnswerFits(text string) bool {
	value, err := wire.ParseNode([]byte(text))
	form := Tool{JSONSchema: s.AnswerSchema}
	return err == nil && form.takes(value)
}

// Misfits reports whether the turn answers, and not in the form that the schema says.
func (s *Scenario) Misfits(t *Turn) bool {
	return len(s.AnswerSchema) > 0 && t.Final() && !s.AnswerFits(t.Answer.Text)
}

// AnswerToolIn returns the tool of a request by which a loop wants the answer: one that is no tool
// of the scenario, and takes what the schema of the answer has, or has it in one argument; nil: it
// wants a text.
func (s *Scenario) AnswerToolIn(req *wire.Request) *protocol.AnswerTool {
	form := Tool{JSONSchema: s.AnswerSchema}
	for _, t := range req.Tools {
		if len(s.AnswerSchema) == 0 || s.Tool(t.Name) != nil {
			continue
		}
		if hasAll(t.Parameters, form.Properties()) {
			return &protocol.AnswerTool{Name: t.Name}
		}
		for name, argument := range t.Parameters.Get("properties").Fields() {
			if hasAll(argument, form.Properties()) {
				return &protocol.AnswerTool{Name: t.Name, Argument: name}
			}
		}
	}
	return nil
}

// hasAll reports whether the schema of an object has all of some properties.
func hasAll(schema *wire.Node, all []Property) bool {
	properties := schema.Get("properties")
	return properties.Is(wire.Object) && len(all) > 0 && !slices.ContainsFunc(all, func(p Property) bool { return !properties.Has(p.Name) })
}

// InForm returns the turn that answers where a loop asks, behind the answer, for the same in the
// form of the schema: the last turn once more. It is no turn of the conversation. Nil: there is no
// schema, or the model could call a tool in its answer.
func (s *Script) InForm(req *wire.Request) *Turn {
	if len(s.Scenario.AnswerSchema) == 0 || req.MayCall() {
		return nil
	}
	again := *s.Turns[len(s.Turns)-1]
	again.Number = -1
	return &again
}
