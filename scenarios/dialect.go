package scenarios

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/profiles"
)

// canBeSaid reports whether a step can be said in a dialect.
func (s Step) canBeSaid(in wire.Speech, prompted bool) bool {
	for _, needs := range []struct{ used, there bool }{
		{len(s.Blocks) > 0 || s.Mixed, in.Blocks},
		{s.Container, in.Containers},
		{s.Refusal != "", in.Refusals},
		{s.Stream.Interleaved, in.Interleaved},
		{s.Cut != nil && s.Cut.Before == "done", in.EndMark},
		{s.Finish == string(wire.FinishStop) && len(s.Calls) > 0, in.LooseFinish},
		{dialectsFinish(s.Finish), slices.Contains(in.Finishes, wire.Finish(s.Finish))},
		{slices.ContainsFunc(s.Calls, func(c Call) bool { return c.SameIDAs != "" }), in.RepeatedIDs},
		{s.oddArguments(prompted), !in.ObjectArguments},
	} {
		if needs.used && !needs.there {
			return false
		}
	}
	return true
}

// dialectsFinish reports whether only some dialects know a reason to stop.
func dialectsFinish(word string) bool {
	return word == string(wire.FinishPause) || word == string(wire.FinishContextWindow)
}

// oddArguments reports whether a call has arguments that are no JSON object. Those with places to fill are looked at when
// they are filled.
func (s Step) oddArguments(prompted bool) bool {
	return !s.cutsInputs() && slices.ContainsFunc(s.Calls, func(c Call) bool {
		return !isInput(c.Arguments) && (prompted || !templated(c.Arguments))
	})
}

// cutsInputs reports whether the inputs of calls may be half ones, since the model was cut off in the last of them.
func (s Step) cutsInputs() bool { return s.Finish == string(wire.FinishLength) }

// InStreamsAlone reports whether only streams can say the scenario under a profile: an input of a call that was cut off is
// no JSON, and where arguments are objects it stands in the pieces of a stream alone.
func (s *Scenario) InStreamsAlone(p *profiles.Profile) bool {
	return p.Speaks.Speech.ObjectArguments && slices.ContainsFunc(s.Model, func(step Step) bool {
		return step.cutsInputs() && slices.ContainsFunc(step.Calls, func(c Call) bool { return !isInput(c.Arguments) })
	})
}

// isInput reports whether arguments can be a JSON object.
func isInput(arguments string) bool {
	if wire.BlankArguments(arguments) {
		return true
	}
	n, err := wire.ParseNode([]byte(arguments))
	return err == nil && n.Is(wire.Object)
}
