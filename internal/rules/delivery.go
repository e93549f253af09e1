package rules

import (
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// Ordinary reports whether a turn reached the loop in an ordinary way: as JSON, or as a stream of
// one event a write without oddities. What happens to any other turn is judged by the rules about
// streams alone, so that one mistake in a reader of streams does not show as ten.
func (r *Run) Ordinary(t *scenarios.Turn) bool {
	switch r.Case.Delivery.Like() {
	case wire.DeliverJSON:
		return true
	case wire.DeliverSSE:
		return t.Fails() || !t.Answer.Interleaved && !(t.Answer.Text != "" && len(t.Answer.Calls) > 0)
	default:
		return false
	}
}

// CallWithArguments returns the n-th call as it came back, with arguments in the form of the
// dialect: a text or an object. It returns false if it did not come back so.
func (e ReturnedTurn) CallWithArguments(n int) (wire.Call, bool) {
	call, ok := e.Call(n)
	return call, ok && call.ArgsNode.Is(e.In.Request.Dialect.Request.Arguments)
}
