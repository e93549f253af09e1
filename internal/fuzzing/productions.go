package fuzzing

import (
	"net/http"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// production is something that the grammar can draw, and the feature that a loop has to claim before
// a conversation with it is played to it; "" for none.
type production struct {
	name  string
	in    func(*Conversation) bool
	needs protocol.Feature
}

// productions are what the grammar can draw, as far as it is counted or needs a feature.
var productions = []production{
	{"a system prompt", func(c *Conversation) bool { return c.System != "" }, ""},
	{"parallel calls", inTurn(func(t *Turn) bool { return len(t.Calls) > 1 }), protocol.ParallelCalls},
	{"several prompts", func(c *Conversation) bool { return len(c.Prompts) > 1 }, protocol.MultiPrompt},
	{"reasoning", inStep(func(s *scenarios.Step) bool { return s.Reasoning != nil }), protocol.Reasoning},
	{"blocks of reasoning", inStep(func(s *scenarios.Step) bool { return len(s.ReasoningDetails) > 0 }), protocol.Reasoning},
	{"streams alone", (*Conversation).onlyStreams, protocol.Streaming},
	{"a limit of tokens", func(c *Conversation) bool { return c.ContextLimit > 0 }, protocol.Compaction},
	{"a compaction by the provider", compacts, protocol.ServerCompaction},
	{"a budget of tokens", func(c *Conversation) bool { return c.TokenBudget > 0 }, protocol.TokenBudget},
	{"a model that is down", inFailure(func(s *scenarios.Step) bool { return s.ModelDown }), protocol.ModelFallback},
	{"a model that the user chooses", func(c *Conversation) bool { return c.models() != nil }, protocol.ModelSwitch},
	{"a second model of another provider", (*Conversation).overAPIs, protocol.SecondAPI},
	{"a form of the answer", func(c *Conversation) bool { return c.AnswerInForm != "" }, protocol.AnswerSchema},
	{"an answer by a call beside others", inTurn(func(t *Turn) bool { return len(t.Step.AnswerCalls) > 0 }), protocol.AnswerSchema},
	{"a prompt while tools run", inStep(func(s *scenarios.Step) bool { return s.Steers }), protocol.Steering},
	{"a killed process", inStep(func(s *scenarios.Step) bool { return s.Crash != nil }), protocol.DurableSessions},
	{"an approved call", ofCall(func(c *Conversation, call *Call) bool { return c.asksAbout(*call) && call.Denied == nil }), protocol.ToolApprovals},
	{"a denied call", ofCall(func(c *Conversation, call *Call) bool { return c.asksAbout(*call) && call.Denied != nil }), protocol.ToolApprovals},
	{"a call approved with other arguments", ofCall(func(c *Conversation, call *Call) bool { return c.edits(*call) }), protocol.ApprovalEdits},
	{"a temporary failure", inTurn(func(t *Turn) bool { return len(t.Failures) > 0 }), protocol.Retries},
	{"tools of a server of MCP", func(c *Conversation) bool { return c.MCP }, protocol.MCPTools},
	{"a result of several blocks", inCall(func(c *Call) bool { return c.Result.Several() }), protocol.MCPTools},
	{"a list of tools that changes", inCall(changesTools), protocol.ChangingTools},
	{"a sub-agent", delegates, protocol.SubAgents},
	{"an image", inCall(func(c *Call) bool { return c.Result.Image != "" }), protocol.Images},
	{"a cancel", inStep(func(s *scenarios.Step) bool { return s.Cancel != nil }), protocol.Cancel},
	{"a turn limit", func(c *Conversation) bool { return c.MaxTurns > 0 || inTurn(endless)(c) }, protocol.TurnLimit},
	{"a transcript format", func(c *Conversation) bool { return c.Transcript != "" }, protocol.Transcript},
	{"a prompt after an unanswered one", (*Conversation).resumes, protocol.ResumeAfterFailure},
	{"a call of a custom tool", inCall(func(c *Call) bool { return c.Tool == customTool.Name }), protocol.CustomTools},
	{"an approval request", inStep(func(s *scenarios.Step) bool {
		return slices.ContainsFunc(s.ProviderItems, func(i scenarios.ProviderItem) bool { return i.Type == wire.ApprovalRequest })
	}), protocol.Approvals},

	{"a conversation without calls", func(c *Conversation) bool { return c.calls() == 0 }, ""},
	{"several rounds of calls", func(c *Conversation) bool {
		return slices.ContainsFunc(c.Prompts, func(p Prompt) bool { return len(p.Turns) > 2 })
	}, ""},
	{"text beside calls", inTurn(func(t *Turn) bool { return len(t.Calls) > 0 && t.Step.Text != nil }), ""},
	{"a phase", inStep(func(s *scenarios.Step) bool { return s.Phase != "" }), ""},
	{"a provider item or block", inStep(func(s *scenarios.Step) bool { return len(s.ProviderItems)+len(s.Blocks) > 0 }), ""},
	{"interleaved calls", inStep(func(s *scenarios.Step) bool { return s.Stream.Interleaved }), ""},
	{"a quirk", inStep(func(s *scenarios.Step) bool { return len(s.Quirks) > 0 }), ""},
	{"a call that cannot be run", inCall(func(c *Call) bool { return c.bad() }), ""},
	{"a failing tool", inCall(func(c *Call) bool { return c.Result.Fails() }), ""},
	{"a slow tool", inCall(func(c *Call) bool { return c.Result.After > 0 }), ""},
	{"a long result", inCall(func(c *Call) bool { return c.Result.Repeat > 1 }), ""},
	{"an empty result", inCall(func(c *Call) bool { return c.Result.Text == "" && !c.Result.Fails() && c.Result.Image == "" }), ""},
	{"an integer beyond 2^53", inCall(func(c *Call) bool { return strings.Contains(c.Arguments, bigInteger) }), ""},
	{"a repeated call id", inCall(func(c *Call) bool { return c.RepeatsID }), ""},
	{"a container", inStep(func(s *scenarios.Step) bool { return s.Container }), ""},
	{"a pause", inStep(func(s *scenarios.Step) bool { return s.Finish == string(wire.FinishPause) }), ""},
	{"a lost conversation", inStep(func(s *scenarios.Step) bool { return s.LosesThread }), ""},
	{"a temporary error status", inFailure(func(s *scenarios.Step) bool { return s.Status != 0 }), ""},
	{"a wait before a retry", inFailure(func(s *scenarios.Step) bool { return s.RetryAfter != nil || len(s.Headers) > 0 }), ""},
	{"an attempt without a response", inFailure(func(s *scenarios.Step) bool { return s.Status == 0 && s.Text == nil }), ""},
	{"a temporary interruption", inFailure(func(s *scenarios.Step) bool { return s.Text != nil }), ""},
	{"a redirect", func(c *Conversation) bool {
		redirects := func(s *scenarios.Step) bool { return s.Redirect != 0 }
		return inStep(redirects)(c) || inFailure(redirects)(c)
	}, ""},
	{"a refused connection", inStep(func(s *scenarios.Step) bool { return s.Refused }), ""},
	{"a silent provider", inStep(func(s *scenarios.Step) bool { return s.Stall != nil }), ""},
	{"a permanent error status", inStep(func(s *scenarios.Step) bool { return s.Status >= 300 }), ""},
	{"a success status without an answer", inStep(func(s *scenarios.Step) bool { return s.Status == http.StatusOK }), ""},
	{"a permanent interruption", inStep(func(s *scenarios.Step) bool {
		return s.Cut != nil || s.Reset != nil || s.InBandError != nil
	}), ""},
	{"an answer in another form", inStep(func(s *scenarios.Step) bool { return s.Gzip || s.Whole || s.Text != nil && s.ContentType != "" }), ""},
	{"a blank answer", inStep(func(s *scenarios.Step) bool { return s.Text != nil && *s.Text == "" }), ""},
	{"an answer cut at the token limit", inStep(func(s *scenarios.Step) bool { return s.Finish == string(wire.FinishLength) }), ""},
	{"a filtered answer", inStep(func(s *scenarios.Step) bool { return s.Finish == string(wire.FinishContentFilter) }), ""},
	{"a refusal", inStep(func(s *scenarios.Step) bool { return s.Refusal != "" }), ""},
	{"an unused tool", func(c *Conversation) bool { return len(c.SpareTools) > 0 }, ""},
}

// needs returns the features that a loop has to claim before the conversation is played to it.
func (c *Conversation) needs() (all []protocol.Feature) {
	for _, p := range productions {
		if p.needs != "" && !slices.Contains(all, p.needs) && p.in(c) {
			all = append(all, p.needs)
		}
	}
	return all
}
