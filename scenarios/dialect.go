package scenarios

import (
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/messages"
	"github.com/loopproof/loopproof/internal/wire"
)

// inChat reports whether the dialect chat can say a step, which knows neither blocks nor containers nor turns that
// pause.
func inChat(s Step) bool {
	return len(s.Blocks) == 0 && !s.Mixed && !s.Container && s.Finish != string(wire.FinishPause) && s.Finish != string(wire.FinishContextWindow)
}

// inMessages reports whether the dialect messages can say a step. There the arguments of a call are a JSON object, an
// id is never given twice, blocks come one after the other, the mark that ends a stream is part of the
// answer, and a refusal is no text beside others. Arguments with places to fill are looked at when they are filled.
func inMessages(s Step, prompted bool) bool {
	if s.Refusal != "" || s.Stream.Interleaved || s.Cut != nil && s.Cut.Before == "done" || s.Finish == string(wire.FinishStop) && len(s.Calls) > 0 {
		return false
	}
	return !slices.ContainsFunc(s.Calls, func(c Call) bool {
		return c.SameIDAs != "" || !isInput(c.Arguments) && (prompted || !templated(c.Arguments)) && !s.cutsInputs()
	})
}

// cutsInputs reports whether the inputs of calls may be half ones, since the model was cut off in the last of them.
func (s Step) cutsInputs() bool { return s.Finish == string(wire.FinishLength) }

// InStreamsAlone reports whether only streams can say the scenario in a dialect: an input of a call that was cut off is
// no JSON, and stands in the pieces of a stream alone.
func (s *Scenario) InStreamsAlone(dialect string) bool {
	return dialect == messages.Dialect && slices.ContainsFunc(s.Model, func(step Step) bool {
		return step.cutsInputs() && slices.ContainsFunc(step.Calls, func(c Call) bool { return !isInput(c.Arguments) })
	})
}

// isInput reports whether arguments can be the input of a tool_use block.
func isInput(arguments string) bool {
	if messages.Blank(arguments) {
		return true
	}
	n, err := wire.ParseNode([]byte(arguments))
	return err == nil && n.Is(wire.Object)
}
