package scenarios

import (
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/digest"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// AnsweredBy returns the turn with its answer to the user said by a call of a tool. nil is by no
// tool. The answer to the last prompt is in no request. Others come back, so that their turns have the
// call, as those have in which the model answers beside calls.
func (t *Turn) AnsweredBy(tool *protocol.AnswerTool, script *Script) *Turn {
	switch {
	case tool == nil || t.Answer == nil:
		return t
	case len(t.Step.AnswerCalls) > 0:
		return t.answering(tool, script, t.Answer.Text, t.Step.AnswerCalls...)
	case !t.Final():
		return t
	case len(script.Scenario.AnswerSchema) > 0 && t.Number < len(script.Turns)-1:
		return t.answering(tool, script, "", t.Answer.Text)
	}
	turn, said := *t, *t.Answer
	said.Text, said.Finish = "", wire.FinishCalls
	said.Calls = slices.Clip(append(said.Calls, t.answerCall(tool, script, t.Answer.Text, 0)))
	turn.said = &said
	return &turn
}

// answering returns the turn with a text, and with answers by calls of a tool behind its own.
func (t *Turn) answering(tool *protocol.AnswerTool, script *Script, text string, answers ...string) *Turn {
	turn, answer := *t, *t.Answer
	answer.Text, answer.Finish, answer.Calls = text, wire.FinishCalls, slices.Clip(answer.Calls)
	for n, given := range answers {
		call := t.answerCall(tool, script, given, n)
		call.Answer = given
		answer.Calls = append(answer.Calls, call)
	}
	answer.Signature = ""
	script.signCalls(&answer, t.Number)
	turn.Answer = &answer
	return &turn
}

// answerCall returns the n-th call by which the model gives an answer in the turn.
func (t *Turn) answerCall(tool *protocol.AnswerTool, script *Script, answer string, n int) wire.AnswerCall {
	source := digest.New(script.secret, script.Scenario.ID, "answer"+strings.Repeat(" again", n), strconv.Itoa(t.Number))
	id := script.Profile.CallID.Expand(source, tool.Name, script.calls()+n)
	call := wire.AnswerCall{Name: tool.Name, Arguments: argumentsOf(tool, script.Scenario, answer), As: tool.Name}
	script.Profile.Traits.Name(&call, id)
	return call
}

// Given returns the answers of a form that the model gave in the turn by calls of a tool, and that fit
// it.
func (t *Turn) Given(s *Scenario) (answers []string) {
	if !t.Asks() {
		return nil
	}
	for _, c := range t.Answer.Calls {
		if c.Answer != "" && s.AnswerFits(c.Answer) {
			answers = append(answers, c.Answer)
		}
	}
	return answers
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
