package scenarios

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// Facts are what a scenario says, shows and needs of the wire. They are computed once, when it is
// loaded: where it is played, and why not elsewhere, follows from them and from what a profile can
// say.
//
//	if f := s.Facts(); f.Needs&^profile.Abilities != 0 {
//		// the profile cannot say it
//	}
type Facts struct {
	Needs  wire.Abilities // without which a profile cannot say it
	Quirks []string       // for which its steps ask, each once
	Items  []string       // the types of the items of the provider's own tools, each once

	// Recorded are the names of the dialects in which its fixtures are; none where nothing of it
	// was recorded.
	Recorded []string

	Images       bool // a tool returns images
	Approvals    bool // a tool needs an approval
	Broken       bool // some arguments are no JSON: where they are objects, only a stream can carry them in pieces
	CutAtEach    bool // the stream of a step is cut at each place, each time in a case of its own
	EndsInAnswer bool // every answer calls tools, or is the plain text that ends the conversation: a call can say the same
	Cancels      bool // the user cancels in some step
	Steers       bool // the user says something while the tools of some step run
	FallsBack    bool // the first model goes down in some step
	SecondAPI    bool // the second model is one of another provider, in another wire API
	Crashes      bool // the process of the loop is killed in some step
	Resumes      bool // the user continues although a prompt got no answer
	OverHTTP     bool // it says what only HTTP has, such as a redirect or a content type, or a second wire API
	HangsUp      bool // connections are refused at its end, which needs a port of its own

	of *Scenario
}

// Facts returns the facts of the scenario, which are not to be changed.
func (s *Scenario) Facts() *Facts {
	if s.facts == nil || s.facts.of != s { // it was put together or copied, and not loaded
		return factsOf(s)
	}
	return s.facts
}

// KeepFacts computes the facts of a scenario that was put together and is complete, so that they
// are not computed each time that they are asked for.
func (s *Scenario) KeepFacts() { s.facts = factsOf(s) }

func factsOf(s *Scenario) *Facts {
	f := &Facts{
		of: s,
		Images: slices.ContainsFunc(s.Tools, func(t Tool) bool {
			return slices.ContainsFunc(t.Results, func(r Result) bool { return r.Pictured() != "" })
		}),
		Approvals:    slices.ContainsFunc(s.Tools, func(t Tool) bool { return t.NeedsApproval }),
		EndsInAnswer: s.endsInAnswer(),
		Steers:       s.SteeredPrompt() >= 0,
		Resumes:      slices.Contains(s.Needs, protocol.ResumeAfterFailure),
		SecondAPI:    slices.Contains(s.Needs, protocol.SecondAPI),
		OverHTTP:     slices.Contains(s.Needs, protocol.SecondAPI), // which not all of two wire APIs have over a WebSocket
		HangsUp:      len(s.Model) > 0 && s.Model[len(s.Model)-1].Refused,
	}
	if f.Steers || f.Resumes {
		f.Needs |= wire.MixedTurns // what the user says goes with results
	}
	if f.Images {
		f.Needs |= wire.ImageResults
	}
	if slices.ContainsFunc(s.Tools, func(t Tool) bool { return t.FreeText }) {
		f.Needs |= wire.CustomTools
	}
	if !slices.ContainsFunc(wire.AllDeliveries(), func(d wire.Delivery) bool { return d.Like() != wire.DeliverComments && s.deliveredIn(d) }) {
		f.Needs |= wire.StreamComments
	}
	for i := range s.Model {
		f.add(&s.Model[i], s.Prompted())
	}
	for _, t := range s.Threads {
		for i := range t.Model {
			f.add(&t.Model[i], true)
		}
	}
	return f
}

// Area returns the folder in which the scenario is, which is an area of the rulebook.
func (s *Scenario) Area() string {
	area, _, _ := strings.Cut(s.ID, "/")
	return area
}

// add adds what a step says.
func (f *Facts) add(step *Step, prompted bool) {
	f.Quirks = appendNew(f.Quirks, step.Quirks...)
	for _, item := range step.ProviderItems {
		f.Items = appendNew(f.Items, item.Type)
	}
	f.Cancels = f.Cancels || step.Cancel != nil
	f.FallsBack = f.FallsBack || step.ModelDown
	f.Crashes = f.Crashes || step.Crash != nil
	f.OverHTTP = f.OverHTTP || step.overHTTP() || step.LosesThread // of which a connection keeps the last response
	f.CutAtEach = f.CutAtEach || step.cutsEverywhere()
	f.Broken = f.Broken || slices.ContainsFunc(step.Calls, func(c Call) bool { return isBroken(c.Arguments) })
	if step.recorded != nil { // which says it in its own dialect, whatever it says
		f.Recorded = appendNew(f.Recorded, step.recorded.fixture.Dialect)
		return
	}
	f.Needs |= step.needs(prompted)
}

func appendNew(all []string, more ...string) []string {
	for _, one := range more {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

// needs returns the abilities without which a step cannot be said.
func (s *Step) needs(prompted bool) wire.Abilities {
	needs := wire.FinishAbility(wire.Finish(s.Finish))
	for _, n := range []struct {
		is bool
		of wire.Abilities
	}{
		{len(s.Blocks) > 0 || s.Mixed, wire.OwnBlocks},
		{s.Container, wire.Containers},
		{s.Text != nil && *s.Text != "" && len(s.Calls) > 0, wire.MixedTurns},
		{s.Refusal != "", wire.Refusals},
		{s.Phase != "" || s.Commentary != "", wire.PhasesOfTexts},
		{len(s.ProviderItems) > 0, wire.OwnItems},
		{s.Compaction != "", wire.Compactions},
		{s.Program != "" || s.ProgramOutput != nil, wire.Programs},
		{s.Stream.Interleaved, wire.InterleavedCalls},
		{behindTheFinish(s.Cut) || behindTheFinish(s.InBandError.place()), wire.EndMark},
		{s.Finish == string(wire.FinishStop) && len(s.Calls) > 0, wire.LooseFinish},
		{s.Damaged != "", wire.Checksums},
		{slices.ContainsFunc(s.Calls, func(c Call) bool { return c.SameIDAs != "" }), wire.RepeatedIDs},
		{s.writes(prompted, isOdd), wire.TextArguments},
		{s.writes(prompted, isBroken) || s.breaksInCalls(), wire.CallPieces},
		{s.writes(prompted, isNull), wire.NullCalls},
		{s.writes(prompted, hasBigIntegers), wire.BigIntegers},
		{s.Reasoning != nil || len(s.ReasoningDetails) > 0, wire.ShownReasoning},
		{s.Reasoning != nil && len(s.Calls) == 0, wire.ReadableReasoning}, // else it comes back with the calls, if only sealed
		{len(s.ReasoningDetails) > 0, wire.ReasoningBlocks},
		{len(s.ReasoningDetails) > 0 && !readable(s.ReasoningDetails), wire.SealedReasoning},
		{s.RetryAfterAs == WaitDetails, wire.DetailedWaits},
	} {
		if n.is {
			needs |= n.of
		}
	}
	return needs
}

// behindTheFinish reports whether an answer breaks off between its finish reason and the end of the
// stream.
func behindTheFinish(b *Break) bool { return b != nil && b.Before == "done" }

// breaksInCalls reports whether the answer breaks off, or is cancelled, behind the beginning of
// what holds nothing but calls.
func (s *Step) breaksInCalls() bool {
	if len(s.Calls) == 0 || s.Text != nil || s.Reasoning != nil || len(s.ReasoningDetails) > 0 {
		return false
	}
	for _, b := range []*Break{s.Cut, s.Reset, s.Stall.place(), s.InBandError.place()} {
		if b != nil && b.After.N > 1 {
			return true
		}
	}
	early, interrupted := s.earlyPart()
	return interrupted && early.N > 1
}

// readable reports whether reasoning is one block that can be read.
func readable(blocks []Block) bool { return len(blocks) == 1 && blocks[0].Type == wire.BlockText }

// writes reports whether a call has arguments of a kind. Those with places to fill are looked at
// when they are filled.
func (s *Step) writes(prompted bool, kind func(arguments string) bool) bool {
	return slices.ContainsFunc(s.Calls, func(c Call) bool { return kind(c.Arguments) && (prompted || !templated(c.Arguments)) })
}

// isOdd reports whether arguments are other JSON than an object or null. What is not JSON at all
// can come in the pieces of a stream.
func isOdd(arguments string) bool {
	return !isInput(arguments) && !isBroken(arguments) && !isNull(arguments)
}

func isNull(arguments string) bool { return arguments == "null" }

// hasBigIntegers reports whether a number in arguments is an integer that no double holds.
func hasBigIntegers(arguments string) bool {
	numbers := json.NewDecoder(strings.NewReader(arguments))
	numbers.UseNumber()
	for {
		token, err := numbers.Token()
		if err != nil {
			return false
		}
		if n, is := token.(json.Number); is {
			exact, noInteger := n.Int64()
			if double, _ := n.Float64(); noInteger == nil && int64(double) != exact {
				return true
			}
		}
	}
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

// endsInAnswer reports whether a call of a tool can say the answer of the scenario.
func (s *Scenario) endsInAnswer() bool {
	if len(s.Prompts) != 1 {
		return false
	}
	for i, step := range s.Model {
		if len(step.AnswerCalls) > 0 || step.answers() && len(step.Calls) == 0 && !(step.isPlainAnswer() && i == len(s.Model)-1) {
			return false
		}
	}
	return true
}

// isPlainAnswer reports whether the model answers in a text that comes whole and as it was asked
// for.
func (s *Step) isPlainAnswer() bool {
	said := s.Text != nil && *s.Text != "" && (s.Finish == "" || s.Finish == string(wire.FinishStop)) && len(s.Quirks) == 0 && s.recorded == nil
	t := &Turn{Step: s, Answer: &wire.Answer{Text: "it"}}
	return said && t.Whole() && !t.Disguised() && s.Cut == nil
}
