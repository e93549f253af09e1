package scenarios

import (
	"cmp"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
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
// the loop has none, the model can call no tool in its answer, and what the request ends with is no
// prompt of the task. A request that ends with results and gives the system prompt of the task asks
// for the last word of a conversation.
func (s *Scenario) AsksForSummary(req *wire.Request, mark string) bool {
	if s.ContextLimit == 0 || len(req.Messages) == 0 {
		return false
	}
	if mark != "" {
		return strings.Contains(req.SystemText(), mark) || strings.Contains(req.LastText(), mark)
	}
	if req.MayCall() {
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

// SummaryText returns what the model answers when the loop asks for a summary.
func (s *Scenario) SummaryText() string { return cmp.Or(s.Summary, usualSummary) }

// Aside returns what answers a request in a scenario with a limit of tokens that is no turn of the
// script: a refusal where it is too long, or a summary; nil: the script answers. Summary says that
// the request asks for one.
func (s *Script) Aside(req *wire.Request, mark string) (turn *Turn, summary bool) {
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
