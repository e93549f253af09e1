package scenarios

import (
	"slices"
	"strconv"

	"github.com/loopproof/loopproof/internal/digest"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// AnsweredBy returns the turn with its answer to the user said by a call of a tool. nil is by no
// tool.
func (t *Turn) AnsweredBy(tool *protocol.AnswerTool, script *Script) *Turn {
	if tool == nil || !t.Final() {
		return t
	}
	turn, said := *t, *t.Answer
	source := digest.New(script.secret, script.Scenario.ID, "answer", strconv.Itoa(t.Number))
	said.Text, said.Finish = "", wire.FinishCalls
	said.Calls = slices.Clip(append(said.Calls, wire.AnswerCall{
		ID:        script.Profile.CallID.Expand(source, tool.Name, script.calls()),
		Name:      tool.Name,
		Arguments: argumentsOf(tool, script.Scenario, t.Answer.Text),
		As:        tool.Name,
	}))
	turn.said = &said
	return &turn
}

// FinalCall returns the call by which the model gave the answer, and false where it gave it as a
// text.
func (t *Turn) FinalCall() (wire.AnswerCall, bool) {
	if t.said == nil {
		return wire.AnswerCall{}, false
	}
	return t.said.Calls[len(t.said.Calls)-1], true
}

// calls returns how many calls the model makes in the script.
func (s *Script) calls() (n int) {
	for _, t := range s.Turns {
		if t.Answer != nil {
			n += len(t.Answer.Calls)
		}
	}
	return n
}

// argumentsOf returns the arguments of the call that gives an answer: the answer itself, where it has
// a schema, or one that holds it.
func argumentsOf(tool *protocol.AnswerTool, s *Scenario, answer string) string {
	switch {
	case len(s.AnswerSchema) == 0:
		return string(wire.Fields{{Key: tool.Argument, Value: answer}}.JSON())
	case tool.Argument == "":
		return answer
	default:
		return string(wire.Fields{{Key: tool.Argument, Value: wire.Raw(answer)}}.JSON())
	}
}
