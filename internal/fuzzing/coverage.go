package fuzzing

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// Coverage is how often what the grammar can draw was played.
type Coverage struct {
	// Productions are the conversations that have each production of the grammar; Profiles and
	// Deliveries are the cases.
	Productions, Profiles, Deliveries map[string]int
}

func newCoverage() Coverage {
	c := Coverage{Productions: map[string]int{}, Profiles: map[string]int{}, Deliveries: map[string]int{}}
	for _, p := range productions {
		c.Productions[p.name] = 0
	}
	return c
}

// Counted is how often something was played.
type Counted struct {
	Name  string
	Times int
}

// Sorted returns counts, the highest first.
func Sorted(counts map[string]int) []Counted {
	var all []Counted
	for name, n := range counts {
		all = append(all, Counted{name, n})
	}
	slices.SortFunc(all, func(a, b Counted) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.Name, b.Name))
	})
	return all
}

func (c Coverage) count(drawn *Conversation) {
	for _, p := range productions {
		if p.in(drawn) {
			c.Productions[p.name]++
		}
	}
}

func (c Coverage) countCase(played ended) {
	c.Profiles[played.profile]++
	c.Deliveries[string(played.delivery)]++
}

// production is something that the grammar can draw.
type production struct {
	name string
	in   func(*Conversation) bool
}

// inTurn, inCall and inStep return whether something holds of any turn, call or step of a
// conversation.
func inTurn(holds func(*Turn) bool) func(*Conversation) bool {
	return func(c *Conversation) bool { return slices.ContainsFunc(c.turns(), holds) }
}

func inCall(holds func(*Call) bool) func(*Conversation) bool {
	return inTurn(func(t *Turn) bool {
		return slices.ContainsFunc(t.Calls, func(c Call) bool { return holds(&c) })
	})
}

func inStep(holds func(*scenarios.Step) bool) func(*Conversation) bool {
	return inTurn(func(t *Turn) bool { return holds(&t.Step) })
}

// inFailure returns whether something holds of any failed attempt of a conversation.
func inFailure(holds func(*scenarios.Step) bool) func(*Conversation) bool {
	return inTurn(func(t *Turn) bool {
		return slices.ContainsFunc(t.Failures, func(s scenarios.Step) bool { return holds(&s) })
	})
}

// bad reports whether a call cannot be run as it is.
func (c *Call) bad() bool {
	tool := toolNamed(c.Tool)
	return tool == nil || (&scenarios.Scenario{Tools: []scenarios.Tool{*tool}}).Trouble(wire.AnswerCall{Name: c.Tool, Arguments: c.Arguments}) != scenarios.NoTrouble
}

// productions are what the grammar can draw, as far as it is counted.
var productions = []production{
	{"a system prompt", func(c *Conversation) bool { return c.System != "" }},
	{"several prompts", func(c *Conversation) bool { return len(c.Prompts) > 1 }},
	{"a conversation without calls", func(c *Conversation) bool {
		return !inTurn(func(t *Turn) bool { return len(t.Calls) > 0 })(c)
	}},
	{"several rounds of calls", func(c *Conversation) bool {
		return slices.ContainsFunc(c.Prompts, func(p Prompt) bool { return len(p.Turns) > 2 })
	}},
	{"parallel calls", inTurn(func(t *Turn) bool { return len(t.Calls) > 1 })},
	{"text beside calls", inTurn(func(t *Turn) bool { return len(t.Calls) > 0 && t.Step.Text != nil })},
	{"reasoning", inStep(func(s *scenarios.Step) bool { return s.Reasoning != nil })},
	{"blocks of reasoning", inStep(func(s *scenarios.Step) bool { return len(s.ReasoningDetails) > 0 })},
	{"a phase", inStep(func(s *scenarios.Step) bool { return s.Phase != "" })},
	{"a provider item or block", inStep(func(s *scenarios.Step) bool { return len(s.ProviderItems)+len(s.Blocks) > 0 })},
	{"interleaved calls", inStep(func(s *scenarios.Step) bool { return s.Stream.Interleaved })},
	{"a quirk", inStep(func(s *scenarios.Step) bool { return len(s.Quirks) > 0 })},
	{"a call that cannot be run", inCall(func(c *Call) bool { return c.bad() })},
	{"a failing tool", inCall(func(c *Call) bool { return c.Result.Fails() })},
	{"a slow tool", inCall(func(c *Call) bool { return c.Result.After > 0 })},
	{"a long result", inCall(func(c *Call) bool { return c.Result.Repeat > 1 })},
	{"an empty result", inCall(func(c *Call) bool { return c.Result.Text == "" && !c.Result.Fails() && c.Result.Image == "" })},
	{"an image", inCall(func(c *Call) bool { return c.Result.Image != "" })},
	{"an integer beyond 2^53", inCall(func(c *Call) bool { return strings.Contains(c.Arguments, bigInteger) })},
	{"a call of a custom tool", inCall(func(c *Call) bool { return c.Tool == customTool.Name })},
	{"a repeated call id", inCall(func(c *Call) bool { return c.RepeatsID })},
	{"an approval request", inStep(func(s *scenarios.Step) bool {
		return slices.ContainsFunc(s.ProviderItems, func(i scenarios.ProviderItem) bool { return i.Type == wire.ApprovalRequest })
	})},
	{"a container", inStep(func(s *scenarios.Step) bool { return s.Container })},
	{"a pause", inStep(func(s *scenarios.Step) bool { return s.Finish == string(wire.FinishPause) })},
	{"a lost conversation", inStep(func(s *scenarios.Step) bool { return s.LosesThread })},
	{"a transcript format", func(c *Conversation) bool { return c.Transcript != "" }},
	{"a denied call", func(c *Conversation) bool {
		return inCall(func(call *Call) bool { return c.asksAbout(*call) && call.Denied != nil })(c)
	}},
	{"an approved call", func(c *Conversation) bool {
		return inCall(func(call *Call) bool { return c.asksAbout(*call) && call.Denied == nil })(c)
	}},
	{"a limit of tokens", func(c *Conversation) bool { return c.ContextLimit > 0 }},
	{"a budget of tokens", func(c *Conversation) bool { return c.TokenBudget > 0 }},
	{"a form of the answer", func(c *Conversation) bool { return c.AnswerInForm != "" }},
	{"a prompt while tools run", inStep(func(s *scenarios.Step) bool { return s.Steers })},
	{"a model that is down", inFailure(func(s *scenarios.Step) bool { return s.ModelDown })},
	{"a model that the user chooses", func(c *Conversation) bool { return c.models() != nil }},
	{"a killed process", inStep(func(s *scenarios.Step) bool { return s.Crash != nil })},
	{"a turn limit", func(c *Conversation) bool { return c.MaxTurns > 0 }},
	{"a cancel", inStep(func(s *scenarios.Step) bool { return s.Cancel != nil })},
	{"a temporary error status", inFailure(func(s *scenarios.Step) bool { return s.Status != 0 })},
	{"a wait before a retry", inFailure(func(s *scenarios.Step) bool { return s.RetryAfter != nil || len(s.Headers) > 0 })},
	{"an attempt without a response", inFailure(func(s *scenarios.Step) bool { return s.Status == 0 && s.Text == nil })},
	{"a temporary interruption", inFailure(func(s *scenarios.Step) bool { return s.Text != nil })},
	{"a redirect", func(c *Conversation) bool {
		redirects := func(s *scenarios.Step) bool { return s.Redirect != 0 }
		return inStep(redirects)(c) || inFailure(redirects)(c)
	}},
	{"a refused connection", inStep(func(s *scenarios.Step) bool { return s.Refused })},
	{"a silent provider", inStep(func(s *scenarios.Step) bool { return s.Stall != nil })},
	{"a permanent error status", inStep(func(s *scenarios.Step) bool { return s.Status >= 300 })},
	{"a success status without an answer", inStep(func(s *scenarios.Step) bool { return s.Status == http.StatusOK })},
	{"a permanent interruption", inStep(func(s *scenarios.Step) bool {
		return s.Cut != nil || s.Reset != nil || s.InBandError != nil
	})},
	{"an answer in another form", inStep(func(s *scenarios.Step) bool { return s.Gzip || s.Whole || s.Text != nil && s.ContentType != "" })},
	{"a blank answer", inStep(func(s *scenarios.Step) bool { return s.Text != nil && *s.Text == "" })},
	{"an answer cut at the token limit", inStep(func(s *scenarios.Step) bool { return s.Finish == string(wire.FinishLength) })},
	{"a filtered answer", inStep(func(s *scenarios.Step) bool { return s.Finish == string(wire.FinishContentFilter) })},
	{"a refusal", inStep(func(s *scenarios.Step) bool { return s.Refusal != "" })},
	{"a prompt after an unanswered one", func(c *Conversation) bool { return c.resumes() }},
	{"an unused tool", func(c *Conversation) bool { return len(c.SpareTools) > 0 }},
}
