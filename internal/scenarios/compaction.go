package scenarios

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/digest"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// usualLimit is how many tokens a model takes that refuses a request for its length in a scenario
// which names no limit.
const usualLimit = 128_000

// usualSummary is what the model answers to the request for a summary in a scenario that says
// nothing of it.
const usualSummary = "Summary: the user's request is still being worked on; tools were called, and their results were noted."

// limit returns how many tokens the model takes.
func (s *Scenario) limit() int { return cmp.Or(s.ContextLimit, usualLimit) }

// AsksForSummary reports whether a request asks for a summary of the history, in a scenario with a
// limit of tokens: it has the mark of the loop in its system prompt or its last message or, where
// the loop has none, the model can call no tool of the task in its answer, and what the request ends
// with is no prompt. Others may be offered: a history with calls is refused without any tool by some
// providers. A request that ends with results and gives the system prompt of the task asks
// for the last word of a conversation.
func (s *Scenario) AsksForSummary(req *wire.Request, mark string) bool {
	if s.ContextLimit == 0 || len(req.Messages) == 0 {
		return false
	}
	if mark != "" {
		return strings.Contains(req.SystemText(), mark) || strings.Contains(req.LastText(), mark)
	}
	if req.MayCall(s.toolNames()...) {
		return false
	}
	said := strings.TrimSpace(req.LastText())
	if last := req.Messages[len(req.Messages)-1]; last.Role != wire.User || said == "" {
		return !strings.Contains(req.SystemText(), s.System)
	}
	for _, prompt := range s.Prompts {
		if said == strings.TrimSpace(prompt) {
			return false
		}
	}
	return true
}

func (s *Scenario) toolNames() (all []string) {
	for i := range s.Tools {
		all = append(all, s.Tools[i].Name)
	}
	return all
}

// SummaryText returns what the model answers when the loop asks for a summary.
func (s *Scenario) SummaryText() string { return cmp.Or(s.Summary, usualSummary) }

// Aside returns what answers a request that is no turn of the script: one for what stands for the
// history alone and, in a scenario with a limit of tokens, a refusal where it is too long, or a
// summary; nil: the script answers. Summary says that the request asks for one.
func (s *Script) Aside(req *wire.Request, mark string) (turn *Turn, summary bool) {
	if req.Dialect.CompactsAlone(req) && s.Profile.Traits.Compacts {
		return s.compactedAlone(req), true
	}
	if s.Scenario.ContextLimit == 0 {
		return nil, false
	}
	summary = s.Scenario.AsksForSummary(req, mark)
	tokens := Tokens(req)
	switch turn = TooLong(s.Profile, tokens, s.Scenario.ContextLimit); {
	case turn != nil:
	case summary:
		turn = s.summary(tokens)
	}
	return turn, summary
}

func (s *Script) summary(tokens int) *Turn {
	text := s.Scenario.SummaryText()
	return &Turn{
		Step: &Step{Text: &text}, Number: -1,
		Answer: &wire.Answer{Text: text, Finish: wire.FinishStop, Usage: wire.Usage{Prompt: tokens, Completion: 1 + len(text)/BytesPerToken}},
	}
}

// compactedAlone is what stands for the history of a request that asks for nothing else.
func (s *Script) compactedAlone(req *wire.Request) *Turn {
	tokens, of := Tokens(req), string(req.Body.Raw)
	step, finish := &Step{Compaction: s.Scenario.SummaryText()}, wire.FinishCompaction
	stands := &wire.Compaction{Text: step.Compaction, Signature: digest.Seal(s.secret, step.Compaction, s.Scenario.ID, "compaction", of)}
	if s.Profile.Speaks.Compaction.Sealed {
		finish = wire.FinishStop
		stands = &wire.Compaction{
			ID:   compactionID.Expand(digest.New(s.secret, s.Scenario.ID, "compaction", of), "", 0),
			Data: digest.Seal(s.secret, "", s.Scenario.ID, "compaction", of),
		}
	}
	return &Turn{
		Step: step, Number: -1,
		Answer: &wire.Answer{Compaction: stands, Finish: finish, Usage: wire.Usage{Prompt: tokens, Completion: 1 + len(step.Compaction)/BytesPerToken}},
	}
}

// AtCompaction splits a turn that begins with what stands for the history: into that alone, at which
// the provider pauses, and the rest.
func (t *Turn) AtCompaction() (paused, rest *Turn) {
	first, then, answer := *t, *t, *t.Answer
	first.Answer = &wire.Answer{Compaction: answer.Compaction, Finish: wire.FinishCompaction, Usage: answer.Usage}
	answer.Compaction = nil
	then.Answer = &answer
	return &first, &then
}

// TooLong returns what a provider answers to a request of so many tokens where its model takes
// fewer, in its words; nil: it takes them.
func TooLong(p *profiles.Profile, tokens, limit int) *Turn {
	if tokens <= limit {
		return nil
	}
	return &Turn{Step: refusesLength(p, &Step{}, tokens, limit), Number: -1}
}

// refusesLength returns a step at which the provider refuses the length of a request in its words.
func refusesLength(p *profiles.Profile, step *Step, tokens, limit int) *Step {
	with := *step
	status, words := p.TooLong(tokens, limit)
	with.TooLong, with.Status, with.Error = true, status, &words
	return &with
}

// CountedIn returns the turn of the script as it answers a request: in a scenario with a limit of
// tokens, its usage is that of the request.
func (t *Turn) CountedIn(req *wire.Request, s *Script) *Turn {
	if t.Answer == nil || s.Scenario.ContextLimit == 0 {
		return t
	}
	turn, answer := *t, *t.Answer
	answer.Usage.Prompt = Tokens(req)
	turn.Answer = &answer
	return &turn
}

// compaction checks a scenario in which the provider makes the history shorter.
func (c *checker) compaction() {
	s := c.s
	c.expect(s.CompactThreshold >= leastThreshold || !s.doc.Has("/compact-threshold"), "/compact-threshold", "the provider makes a history shorter from a number of tokens on, from %d, not %d", leastThreshold, s.CompactThreshold)
	c.expect(s.CompactThreshold == 0 || c.needs(protocol.ServerCompaction), "/compact-threshold", "a scenario in which the provider makes the history shorter needs loops that ask it to: `needs: [server-compaction]`")
	c.expect(s.CompactThreshold == 0 || s.ContextLimit == 0, "/compact-threshold", "the loop makes the history shorter (`context-limit`), or the provider does (`compact-threshold`)")
}

// leastThreshold is the smallest number of tokens that all providers take:
// https://platform.claude.com/docs/en/build-with-claude/compaction
const leastThreshold = 50_000

// compacts checks a step at which the provider makes the history shorter.
func (c *checker) compacts(here string, step Step) {
	if step.Compaction == "" {
		c.expect(!c.s.doc.Has(here+"/compaction"), here+"/compaction", "what stands for the history says something")
		return
	}
	c.expect(step.answers() && step.recorded == nil, here+"/compaction", "what stands for the history comes with an answer")
	c.expect(!c.prompted() || c.s.CompactThreshold > 0, here+"/compaction", "the provider makes the history shorter where the loop asks it to: add `compact-threshold`")
}

// compaction returns what stands for the history in an answer, or nil.
func (c *compiler) compaction(step *Step, number int) *wire.Compaction {
	switch p := c.script.Profile; {
	case step.Compaction == "" || !p.Traits.Compacts:
		return nil
	case !p.Speaks.Compaction.Sealed:
		return &wire.Compaction{Text: step.Compaction}
	}
	place := strconv.Itoa(number)
	return &wire.Compaction{
		ID:   compactionID.Expand(digest.New(c.secret, c.script.Scenario.ID, "compaction", place, c.place+c.asked), "", 0),
		Data: digest.Seal(c.secret, "", c.script.Scenario.ID, "compaction", place),
	}
}

// compactionID is how OpenAI forms the ids of these items: recorded in github.com/vercel/ai,
// packages/openai/src/responses/__fixtures__.
var compactionID = profiles.MustPattern("cmp_{hex:50}")
