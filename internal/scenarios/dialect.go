package scenarios

import (
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// canBeSaid reports whether a step can be said in a dialect.
func (s *Step) canBeSaid(in wire.Speech, prompted bool) bool {
	switch {
	case (len(s.Blocks) > 0 || s.Mixed) && !in.Blocks,
		s.Container && !in.Containers,
		s.Refusal != "" && !in.Refusals,
		s.Stream.Interleaved && !in.Interleaved,
		(behindTheFinish(s.Cut) || behindTheFinish(s.InBandError.place())) && !in.EndMark,
		s.Finish == string(wire.FinishStop) && len(s.Calls) > 0 && !in.LooseFinish,
		dialectsFinish(s.Finish) && !slices.Contains(in.Finishes, wire.Finish(s.Finish)),
		!in.RepeatedIDs && slices.ContainsFunc(s.Calls, func(c Call) bool { return c.SameIDAs != "" }),
		in.ObjectArguments && s.oddArguments(prompted),
		in.WholeCalls && s.brokenArguments(prompted):
		return false
	}
	return true
}

// behindTheFinish reports whether an answer breaks off between its finish reason and the end of the
// stream.
func behindTheFinish(b *Break) bool { return b != nil && b.Before == "done" }

// dialectsFinish reports whether only some dialects know a reason to stop.
func dialectsFinish(word string) bool {
	return word == string(wire.FinishPause) || word == string(wire.FinishContextWindow)
}

// oddArguments reports whether a call has arguments that are other JSON than an object. Those with
// places to fill are looked at when they are filled, and what is not JSON at all can come in the
// pieces of a stream.
func (s *Step) oddArguments(prompted bool) bool {
	return slices.ContainsFunc(s.Calls, func(c Call) bool {
		return !isInput(c.Arguments) && !isBroken(c.Arguments) && (prompted || !templated(c.Arguments))
	})
}

// brokenArguments reports whether a call has arguments that are no JSON, but for those with places
// to fill.
func (s *Step) brokenArguments(prompted bool) bool {
	return slices.ContainsFunc(s.Calls, func(c Call) bool {
		return isBroken(c.Arguments) && (prompted || !templated(c.Arguments))
	})
}

// InStreamsAlone reports whether only streams can say the scenario under a profile: arguments that
// are no JSON, or were cut off, have a place in the pieces of a stream, but none in an object.
func (s *Scenario) InStreamsAlone(p *profiles.Profile) bool {
	return p.Speaks.Speech.ObjectArguments && slices.ContainsFunc(s.Model, func(step Step) bool {
		return slices.ContainsFunc(step.Calls, func(c Call) bool { return isBroken(c.Arguments) })
	})
}

// isInput reports whether arguments can be a JSON object.
func isInput(arguments string) bool {
	if wire.BlankArguments(arguments) {
		return true
	}
	_, is := wire.ParseObject(arguments)
	return is
}

// isBroken reports whether arguments are no JSON. Blank ones stand for none.
func isBroken(arguments string) bool {
	_, err := wire.ParseNode([]byte(arguments))
	return err != nil && !wire.BlankArguments(arguments)
}
