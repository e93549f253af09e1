package rules

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// sameCallsAndIDs reports whether the calls of a message are those of an answer, in their order and
// under their ids.
func sameCallsAndIDs(a *wire.Answer, m *wire.Message) bool {
	return len(a.Calls) > 0 && slices.EqualFunc(a.Calls, m.Calls, func(x wire.AnswerCall, y wire.Call) bool {
		return x.ID == y.ID && EqualCall(x, y)
	})
}

// saysTheSame reports whether two answers make the same calls, or say the same without any.
func saysTheSame(a, b *wire.Answer) bool {
	return sameCallsMade(a, b) && (len(a.Calls) > 0 || strings.TrimSpace(a.Text) == strings.TrimSpace(b.Text))
}

func hasIDOf(m *wire.Message, turns []*scenarios.Turn) bool {
	return len(m.Calls) > 0 && slices.ContainsFunc(turns, func(t *scenarios.Turn) bool { return SameID(t.Answer, m) })
}

func sameCallAndID(a *wire.Answer, m *wire.Message) bool {
	return AnyCall(a, m, func(x wire.AnswerCall, y wire.Call) bool {
		return x.ID != "" && x.ID == y.ID && EqualCall(x, y)
	})
}

// SameID reports whether a message has a call under an id of an answer.
func SameID(a *wire.Answer, m *wire.Message) bool {
	return AnyCall(a, m, func(x wire.AnswerCall, y wire.Call) bool { return x.ID != "" && x.ID == y.ID })
}

// SameCall reports whether a message has a call with the name and the arguments of one in an
// answer.
func SameCall(a *wire.Answer, m *wire.Message) bool {
	return AnyCall(a, m, EqualCall)
}

// EqualCall reports whether a returned call has the name and the arguments of one that was made.
// Blank arguments may come back as an empty object, and those of a call that the user approved with
// others as these: some loops tell the model what was run.
func EqualCall(x wire.AnswerCall, y wire.Call) bool {
	back := ArgumentsOrNone(y.Arguments)
	return x.Name == y.Name && (wire.SameJSON(ArgumentsOrNone(x.Arguments), back) || x.Approved != "" && wire.SameJSON(x.Approved, back))
}

// sameCalls reports whether the calls of a message are those of an answer, in their order.
func sameCalls(a *wire.Answer, m *wire.Message) bool {
	return len(a.Calls) > 0 && slices.EqualFunc(a.Calls, m.Calls, EqualCall)
}

// sameCallsMade reports whether two answers make the same calls.
func sameCallsMade(a, b *wire.Answer) bool {
	return slices.EqualFunc(a.Calls, b.Calls, SameCallMade)
}

// SameCallMade reports whether the model made the same call twice.
func SameCallMade(x, y wire.AnswerCall) bool {
	return EqualCall(x, wire.Call{Name: y.Name, Arguments: y.Arguments})
}

// AnyCall reports whether some call of an answer and some call of a message are alike.
func AnyCall(a *wire.Answer, m *wire.Message, alike func(wire.AnswerCall, wire.Call) bool) bool {
	for _, x := range a.Calls {
		for _, y := range m.Calls {
			if alike(x, y) {
				return true
			}
		}
	}
	return false
}

// SameAnswerText reports whether an answer has a text, and a message has the same one.
func SameAnswerText(a *wire.Answer, m *wire.Message) bool {
	text := strings.TrimSpace(a.Text)
	return text != "" && text == strings.TrimSpace(m.Content.Text) || JoinsCommentary(a, m.Content.Text)
}

// JoinsCommentary reports whether a text is the commentary of an answer followed by its text: two
// messages that many loops, and the SDKs of OpenAI, read as one.
func JoinsCommentary(a *wire.Answer, text string) bool {
	rest, found := strings.CutPrefix(strings.TrimSpace(text), strings.TrimSpace(a.Commentary))
	return a.Commentary != "" && found && strings.TrimSpace(rest) == strings.TrimSpace(a.Text+a.Refusal)
}
