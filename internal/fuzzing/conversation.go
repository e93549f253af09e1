package fuzzing

import (
	"slices"
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// Conversation is what is drawn: what the user and the model say, and how tools behave. Whatever is
// removed from it, it stays valid.
type Conversation struct {
	System  string
	Prompts []Prompt

	// SpareTools are offered, and never called.
	SpareTools []string

	// Transcript is the format of the transcript that the loop is asked for; "" is its own.
	Transcript string

	// MCP says that the loop takes its tools from a server of MCP.
	MCP bool

	// SecondAPI says that the second model is one of another provider, in another wire API.
	SecondAPI bool

	// AskedAbout are the tools that need an approval of the user.
	AskedAbout []string

	// ContextLimit is how many tokens a request may have; 0 is no limit.
	ContextLimit int

	// TokenBudget is how many tokens the answer to a prompt may cost; 0 is any number. Each turn of
	// the model costs the same then, and no turn of a prompt follows the one that spends the budget.
	TokenBudget int

	// AnswerInForm is the answer of the last turn, in the form that the caller demands; "": they
	// demand none.
	AnswerInForm string

	// MaxTurns is the turn limit that the loop is given; 0 is none.
	MaxTurns int

	// Timeout is the time that the loop is given for the whole of it; 0 is the usual one.
	Timeout time.Duration

	// Profiles are those under which it is played, at most one of each dialect. Deliveries are how
	// its answers are delivered.
	Profiles   []string
	Deliveries []wire.Delivery
}

// Prompt is what the user says once, with all that it leads to. Every turn but the last one calls
// tools.
type Prompt struct {
	Text  string
	Turns []Turn

	// Second says that the user chooses the second model for the prompt, where there are several.
	Second bool
}

// Turn is what the model says once.
type Turn struct {
	// Failures are attempts that fail before the model is heard. They pass, so that a loop that
	// retries reaches the answer.
	Failures []scenarios.Step

	// Step is what the model says, without its calls.
	Step  scenarios.Step
	Calls []Call
}

// Call is a call of the model, and what its tool does.
type Call struct {
	Tool      string
	Arguments string

	// RepeatsID says that the call has the id of the first call of the turn before which calls,
	// where that is one of the same tool.
	RepeatsID bool

	// Denied is why the user denies the call, and ApprovedWith are the arguments with which they
	// approve it instead of its own. They count where the tool needs an approval.
	Denied       *string
	ApprovedWith string

	// Result is what the tool returns, unless an equal call before has another result.
	Result scenarios.Result

	// Thread is what the model says in the conversation with a sub-agent that the call begins. Its
	// last turn is the result.
	Thread []Turn
}

// clone returns a copy that shares nothing which shrinking changes.
func (c *Conversation) clone() *Conversation {
	copied := *c
	copied.Prompts = slices.Clone(c.Prompts)
	for i := range copied.Prompts {
		copied.Prompts[i].Turns = cloned(copied.Prompts[i].Turns)
	}
	copied.AskedAbout = slices.Clone(c.AskedAbout)
	copied.SpareTools, copied.Profiles, copied.Deliveries = slices.Clone(c.SpareTools), slices.Clone(c.Profiles), slices.Clone(c.Deliveries)
	return &copied
}

func cloned(turns []Turn) []Turn {
	turns = slices.Clone(turns)
	for i := range turns {
		t := &turns[i]
		t.Failures, t.Calls = slices.Clone(t.Failures), slices.Clone(t.Calls)
		for j := range t.Calls {
			t.Calls[j].Thread = cloned(t.Calls[j].Thread)
		}
	}
	return turns
}

// threads returns the turns of each prompt, and those of each conversation with a sub-agent behind
// the ones of the prompt in which it begins.
func (c *Conversation) threads() []*[]Turn {
	var all []*[]Turn
	for i := range c.Prompts {
		all = append(all, &c.Prompts[i].Turns)
		for _, t := range c.Prompts[i].Turns {
			for j := range t.Calls {
				if len(t.Calls[j].Thread) > 0 {
					all = append(all, &t.Calls[j].Thread)
				}
			}
		}
	}
	return all
}

// turns returns all turns, in the order of their threads.
func (c *Conversation) turns() []*Turn {
	var all []*Turn
	for _, thread := range c.threads() {
		for i := range *thread {
			all = append(all, &(*thread)[i])
		}
	}
	return all
}

// answers reports whether the last of some turns is an answer, and nothing else.
func answers(turns []Turn) bool {
	last := turns[len(turns)-1]
	return len(last.Calls) == 0 && plainAnswer(&last.Step)
}

// plainAnswer reports whether a step is a text that comes whole.
func plainAnswer(s *scenarios.Step) bool {
	return s.Text != nil && *s.Text != "" && s.Finish == "" && s.Cut == nil && s.Reset == nil && s.InBandError == nil && s.Stall == nil &&
		s.Cancel == nil && s.Status == 0 && s.Times == 0
}
