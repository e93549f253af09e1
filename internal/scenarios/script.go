package scenarios

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/digest"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// Script is a scenario that is compiled to be played once, under one profile and with random ids.
type Script struct {
	Scenario *Scenario
	Profile  *profiles.Profile
	Turns    []*Turn // what the model does at each request, repeated steps written out; none without a prompt

	secret string
	quirky bool        // its steps show the quirks for which they ask
	texts  []stepTexts // of each step, without a prompt
}

// Turn is what the model does at one request.
type Turn struct {
	Step   *Step
	Number int          // of the turn in its script, from 0
	Answer *wire.Answer // nil when the provider answers with an error
	Quirks []wire.Quirk // that the answer shows

	// Half is an answer of which the first half is sent instead of one, or nil if none is.
	Half *wire.Answer

	// Malformed is after how much the JSON of the answer is broken in the middle, or nil if it is
	// not.
	Malformed *Break

	// Asked is a digest of the conversation to which the turn answers, in a scenario without a
	// prompt, and the conversation with a sub-agent in which it does.
	Asked string

	// said is how the answer is put on the wire, where that is not as it is: as a call of the tool
	// by which the model answers. Whatever judges the turn sees the answer.
	said *wire.Answer

	cut int // the place at which the stream ends, where each is tried
}

// Compile makes a scenario ready under a profile. The same secret gives the same ids.
func Compile(s *Scenario, p *profiles.Profile, secret string) *Script {
	return compile(s, p, secret, true)
}

// CompileRegular is [Compile] without the quirks for which the scenario asks.
func CompileRegular(s *Scenario, p *profiles.Profile, secret string) *Script {
	return compile(s, p, secret, false)
}

func compile(s *Scenario, p *profiles.Profile, secret string, quirky bool) *Script {
	script := &Script{Scenario: s, Profile: p, secret: secret, quirky: quirky}
	if !s.Prompted() {
		script.prepare()
		return script
	}
	script.Turns = script.compile("")
	return script
}

// compile returns the turns of a scenario with a prompt. again makes other ids.
func (s *Script) compile(again string) (turns []*Turn) {
	c := &compiler{script: s, secret: s.secret, ids: map[string]string{}, counted: counted(s.Scenario), quirky: s.quirky, asked: again}
	for i := range s.Scenario.Model {
		step := c.withBody(&s.Scenario.Model[i]) // once, since the turns of a step are told by it
		for c.repeat = range max(1, step.Times) {
			turns = append(turns, c.turn(step, len(turns)))
		}
	}
	return turns
}

// Again returns the script with the turns from one on as the model says them when it is asked anew:
// with other ids.
func (s *Script) Again(from int) *Script {
	again := *s
	again.Turns = slices.Concat(s.Turns[:from], s.compile("again")[from:])
	return &again
}

type compiler struct {
	script *Script
	secret string
	ids    map[string]string
	calls  int
	quirky bool
	repeat int    // of the step
	asked  string // digest of the request that is answered, without a prompt; with one, what makes other ids when it is asked again
	place  string // of the step, where another one has a call of the same name

	counted map[string]bool // names of calls whose id comes again

	program *wire.Program // that waits for results
}

// counted returns the calls whose id comes again in a later turn.
func counted(s *Scenario) map[string]bool {
	again := map[string]bool{}
	for _, step := range s.Model {
		for _, call := range step.Calls {
			again[call.SameIDAs] = true
		}
	}
	return again
}

func (c *compiler) turn(step *Step, number int) *Turn {
	turn := &Turn{Step: step, Number: number}
	switch {
	case step.recorded != nil:
		turn.Answer = step.recorded.answer
	case step.answers():
		turn.Answer = c.answer(step, turn.Number)
	case step.Half != "" && step.Status == http.StatusOK:
		turn.Half = c.answer(&Step{Text: &step.Half}, turn.Number)
	}
	if c.quirky {
		turn.show(step.Quirks, c.script.Profile)
	}
	return turn
}

// withBody returns a step with the body of the provider's own error, where it says how that comes:
// without its end, or with the status of success.
func (c *compiler) withBody(step *Step) *Step {
	if step.TooLong {
		limit := c.script.Scenario.limit()
		return refusesLength(c.script.Profile, step, limit+limit/8, limit)
	}
	words, status := c.script.Profile.WordsFor(step.Status), step.Status
	switch {
	case step.Half != "" && step.Status != http.StatusOK:
		words.Message = step.Half
	case step.Status == http.StatusOK && step.Error != nil:
		status = http.StatusServiceUnavailable
		words = c.script.Profile.WordsFor(status)
		words.Message = step.Error.Message
	default:
		return step
	}
	with := *step
	body := string(c.script.Profile.Error(status, words))
	if step.Half != "" {
		body = body[:wire.MiddleOf(step.Half, []byte(body))]
	}
	with.Body, with.Error, with.Half = &body, nil, ""
	return &with
}

func (c *compiler) answer(step *Step, number int) *wire.Answer {
	a := &wire.Answer{Finish: step.finish(), Refusal: step.Refusal, Interleaved: step.Stream.Interleaved, Mixed: step.Mixed, Phase: step.Phase, Commentary: step.Commentary}
	if step.Text != nil {
		a.Text = *step.Text
	}
	for _, b := range step.Blocks {
		a.Blocks = append(a.Blocks, wire.Raw(b))
	}
	a.Items = c.items(step, number)
	a.Compaction = c.compaction(step, number)
	a.Program = c.programOf(step)
	if step.Container || a.Program != nil && c.script.Profile.Abilities&wire.Containers != 0 {
		a.Container = containerID.Expand(digest.New(c.secret, c.script.Scenario.ID, "container"), "", 0)
	}
	if p := c.script.Profile; p.Traits.Reasoning {
		a.Reasoning = step.Reasoning
		if always := p.Reasoning.Always; a.Reasoning == nil && always != "" {
			a.Reasoning = &always
		}
		a.Details = c.details(step, number)
		if a.Reasoning == nil && len(a.Details) > 0 {
			text := ""
			for _, d := range a.Details {
				text += d.Text
			}
			a.Reasoning = &text
		}
		if p.Traits.ReasoningOmitted {
			a.Reasoning = nil
		}
	}
	for n, call := range step.Calls {
		a.Calls = append(a.Calls, wire.AnswerCall{Name: call.Tool, Arguments: call.arguments(), As: call.As, FreeText: c.script.Scenario.FreeText(call.Tool), Approved: call.ApprovedWith})
		if a.Program != nil && a.Program.Output == nil {
			a.Calls[n].Caller = a.Program.ID
		}
		c.script.Profile.Traits.Name(&a.Calls[n], c.id(call, n))
	}
	if c.script.Profile.Traits.SignedTexts && a.Text != "" && len(a.Calls) == 0 {
		a.Signature = digest.Seal(c.secret, strings.TrimSpace(a.Text), c.script.Scenario.ID, "text signature", strconv.Itoa(number))
	}
	c.script.signCalls(a, number)
	a.Usage = wire.Usage{Prompt: 40 + 20*number, Completion: 8 + len(a.Text)/4 + 12*len(a.Calls)}
	if step.Usage != nil && c.script.Scenario.Prompted() { // without a prompt the request says more
		a.Usage = step.Usage.in(c.script.Profile.Speaks, a.Usage)
	}
	return a
}

// signCalls signs the first of the calls of an answer, where the provider signs those made at once.
func (s *Script) signCalls(a *wire.Answer, number int) {
	if len(s.Profile.Traits.CallSignature) == 0 || len(a.Calls) == 0 {
		return
	}
	first := &a.Calls[0]
	first.Signature = digest.Seal(s.secret, "a call", s.Scenario.ID, "call signature", strconv.Itoa(number), first.Arguments)
}

// containerID is how Anthropic forms the ids of containers: recorded in github.com/vercel/ai,
// packages/anthropic/src/__fixtures__.
var containerID = profiles.MustPattern("container_01{alnum:22}")

func (s *Step) finish() wire.Finish {
	switch {
	case s.Finish != "":
		return wire.Finish(s.Finish)
	case len(s.Calls) > 0:
		return wire.FinishCalls
	default:
		return wire.FinishStop
	}
}

func (c Call) arguments() string {
	if c.Repeat == nil {
		return c.Arguments
	}
	return strings.ReplaceAll(c.Arguments, c.Repeat.Text, strings.Repeat(c.Repeat.Text, c.Repeat.Times))
}

// id returns the id of the n-th call of a turn. One that comes again is counted in its turn, as by
// the servers that were seen to repeat ids; those in the style of the provider are drawn, and never
// come twice.
func (c *compiler) id(call Call, n int) string {
	if call.ID != "" {
		c.ids[call.As] = call.ID
		return call.ID
	}
	if same, ok := c.ids[call.SameIDAs]; ok {
		c.ids[call.As] = same
		return same
	}
	if c.counted[call.As] {
		form := "functions.%s:%d"
		if c.script.Profile.Abilities&wire.AnyIDs == 0 {
			form = "functions_%s_%d"
		}
		c.ids[call.As] = fmt.Sprintf(form, call.Tool, n)
		return c.ids[call.As]
	}
	source := digest.New(c.secret, c.script.Scenario.ID, "call", call.As, c.place+strconv.Itoa(c.repeat)+c.asked)
	id := c.script.Profile.CallID.Expand(source, call.Tool, c.calls)
	c.calls++
	c.ids[call.As] = id
	return id
}

// details returns the structured reasoning of a step. Plain reasoning becomes one block where the
// profile has blocks, an empty one too where reasoning is an entry of its own.
func (c *compiler) details(step *Step, number int) []wire.ReasoningBlock {
	if !c.script.Profile.Traits.ReasoningBlocks {
		return nil
	}
	blocks := step.ReasoningDetails
	if len(blocks) == 0 && step.Reasoning != nil && (*step.Reasoning != "" || c.script.Profile.Speaks.Request.Typed) {
		blocks = []Block{{Type: wire.BlockText, Text: *step.Reasoning}}
	}
	details := make([]wire.ReasoningBlock, len(blocks))
	for i, b := range blocks {
		d := wire.ReasoningBlock{Type: b.Type, Text: b.Text, ID: b.ID, Format: b.Format, Index: b.Index}
		if d.Format == "" {
			d.Format = "unknown"
		}
		place := fmt.Sprintf("%d/%d", number, i)
		switch {
		case b.Type == wire.BlockEncrypted, c.script.Profile.Traits.ReasoningSealed:
			d.Data = digest.Seal(c.secret, "", c.script.Scenario.ID, "encrypted", place)
		case c.script.Profile.Traits.UnsignedBlocks:
		case b.Signed || c.script.Profile.Speaks.Reasoning.InBlocks: // where every block is signed
			if c.script.Profile.Traits.ReasoningOmitted { // the model reasoned, but its text is not visible
				d.Text = ""
			}
			d.Signature = digest.Seal(c.secret, d.Text, c.script.Scenario.ID, "signature", place)
		}
		details[i] = d
	}
	return details
}

// Altered returns the [wire.Request.Altered] of a provider with this secret. It reports nothing
// about signatures that are not of this provider.
func Altered(secret string) func(text, seal string) bool {
	return func(text, seal string) bool { return digest.Broken(secret, text, seal) }
}

// Shown returns the answer as it is given to a request that asks for the model's reasoning and for
// what stands for its history, or does not.
func (t *Turn) Shown(reasoning, compaction bool) *wire.Answer {
	answer := cmp.Or(t.said, t.Answer)
	reasoned := answer != nil && (answer.Reasoning != nil || len(answer.Details) > 0)
	compacted := answer != nil && answer.Compaction != nil
	if (reasoning || !reasoned) && (compaction || !compacted) {
		return answer
	}
	shown := *answer
	if !reasoning {
		shown.Reasoning, shown.Details = nil, nil
	}
	if !compaction {
		shown.Compaction = nil
	}
	return &shown
}

// Fails reports whether the loop gets no answer at all, not even the beginning of one.
func (t *Turn) Fails() bool { return t.Answer == nil }

// Breaks reports whether the answer breaks off before its end, also because the user cancels. One
// that only lacks the end mark does not break off: the finish reason has arrived.
func (t *Turn) Breaks() bool {
	if t.Fails() {
		return false
	}
	if t.Step.Cut != nil && t.Step.Cut.Before == "done" {
		return false
	}
	return t.Step.breaksOff() || t.Cancelled(DuringAnswer, DuringStream)
}

// Whole reports whether the loop receives a complete answer, whatever it says.
func (t *Turn) Whole() bool { return !t.Fails() && !t.Breaks() }

// Truncated reports whether the provider says that it stopped the model early.
func (t *Turn) Truncated() bool {
	return t.Whole() && slices.Contains([]wire.Finish{wire.FinishLength, wire.FinishContentFilter, wire.FinishContextWindow}, t.Answer.Finish)
}

// Blank reports whether a whole answer says nothing.
func (t *Turn) Blank() bool {
	return t.Whole() && strings.TrimSpace(t.Answer.Text) == "" && t.Answer.Refusal == "" && len(t.Answer.Calls) == 0 && !t.Paused() && !t.AsksApproval()
}

// Asks reports whether the turn asks for tools that have to be run.
func (t *Turn) Asks() bool { return t.Whole() && !t.Truncated() && len(t.Answer.Calls) > 0 }

// Final reports whether the turn is an answer to the user.
func (t *Turn) Final() bool {
	return t.Whole() && !t.Truncated() && !t.Blank() && !t.Paused() && len(t.Answer.Calls) == 0 && !t.AsksApproval()
}

// Paused reports whether the provider continues with the turn when it gets it back: after tools of its
// own, or behind what stands for the history.
func (t *Turn) Paused() bool {
	return t.Whole() && (t.Answer.Finish == wire.FinishPause || t.Answer.Finish == wire.FinishCompaction)
}

// AsksApproval reports whether the provider asks the user about a call of its own, and waits for
// the answer.
func (t *Turn) AsksApproval() bool {
	return t.Whole() && !t.Truncated() && len(t.Answer.Approvals()) > 0
}

// Returns reports whether a loop returns the turn in its history: it asked for tools or for an
// approval, answered, or paused.
func (t *Turn) Returns() bool { return t.Asks() || t.Final() || t.Paused() || t.AsksApproval() }
