package messagesrules

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const midConversation = "https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages"

const systemStandsApartID = "egress/system-stands-apart"

// egressSystemRules is the rule of the area egress about instructions in the dialect messages.
var egressSystemRules = []rules.Rule{
	{
		ID:        systemStandsApartID,
		Level:     trace.Should,
		Text:      "The system prompt is the key system of the request. If the model also accepts messages of the role system, these are after a message of the user, and before one of the assistant or at the end, and say something in texts.",
		Why:       "Anthropic refuses such a message in any other place, without a text, or with an image, and older models refuse it everywhere.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: midConversation, Says: "from Claude Opus 4.8 on: after a user turn, or an assistant turn that ends with a result of the provider's own tools; last, or before an assistant turn; never first"},
			{URL: "https://github.com/pydantic/pydantic-ai/pull/6765", Says: "the same, measured for several models"},
			{URL: "https://github.com/vercel/ai/issues/15674", Says: "a client that sends them"},
			{URL: "https://github.com/anthropics/claude-code/issues/73821", Says: "the 400 for one before a message of the user"},
			{URL: "https://github.com/anthropics/claude-agent-sdk-typescript/issues/350", Says: "the 400 of an older model"},
			{URL: rules.MeasuredMessages, Says: "the 400s for a message without blocks, with white space alone, and with an image"},
		},
		Vars:    []string{"index", "problem"},
		Request: systemStandsApart,
	},
}

// What can be wrong about a message of the role system.
const (
	systemUnknown = "unknown" // the model takes none
	systemFirst   = "first"   // it is where the system prompt would be
	systemAfter   = "after"   // of what is before it
	systemBefore  = "before"  // of what is after it
	systemEmpty   = "empty"   // it has no block
	systemBlank   = "blank"   // a text of it is white space
	systemOther   = "other"   // a block of it is no text
)

// systemStandsApart takes messages of the role system that are together for one, as the provider
// does.
func systemStandsApart(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	sent := onTheWire(req)
	if !slices.ContainsFunc(sent, ofSystem) {
		j.HasEvidence = len(sent) > 0
		return j
	}
	all := slices.DeleteFunc(slices.Clone(sent), directiveOnly)
	for i := 0; i < len(all); {
		j.HasEvidence = true
		end := i + 1
		if all[i].Role == wire.System {
			for end < len(all) && all[end].Role == wire.System {
				end++
			}
			if said, problem := saysNothing(p, all[i:end]); problem != "" {
				j.Find(systemFinding(problem, said, said))
			} else if problem := misplaced(p, all, i, end); problem == systemBefore { // the provider names the last one
				j.Find(systemFinding(problem, all[i], all[end-1]))
			} else if problem != "" {
				j.Find(systemFinding(problem, all[i], all[i]))
			}
		}
		i = end
	}
	return j
}

// systemFinding is a problem with a message, of which the provider names one that may be another.
func systemFinding(problem string, m, named wire.Message) trace.Finding {
	return trace.Finding{
		Pointer:  m.Node.Pointer(),
		Message:  systemProblems[problem].message,
		Expected: systemProblems[problem].expected,
		Actual:   rules.Show(m.Node),
		Vars:     map[string]string{"index": rules.IndexOf(named), "problem": problem},
	}
}

// saysNothing returns the first of some messages of the role system whose content the provider
// refuses, and what is wrong with it, where the model takes such messages at all. A content that is
// none is for other rules.
func saysNothing(p *profiles.Profile, all []wire.Message) (wire.Message, string) {
	for _, m := range all {
		problem := contentProblem(m.Content)
		if problem != "" && p.Accepts.SystemMessages && p.RefusesViolation(systemStandsApartID, map[string]string{"index": rules.IndexOf(m), "problem": problem}) {
			return m, problem
		}
	}
	return wire.Message{}, ""
}

func contentProblem(said wire.Content) string {
	switch {
	case said.Node.Is(wire.String) && strings.TrimSpace(said.Node.Text()) == "":
		return systemBlank
	case said.Node.Is(wire.Array) && len(said.Node.Items) == 0:
		return systemEmpty
	}
	for _, part := range said.Parts {
		switch part.Type {
		case "", "tool_addition", "tool_removal":
		case "text":
			if text := part.Node.Get("text"); text.Is(wire.String) && strings.TrimSpace(text.Text()) == "" {
				return systemBlank
			}
		default:
			return systemOther
		}
	}
	return ""
}

func ofSystem(m wire.Message) bool { return m.Role == wire.System }

var systemProblems = map[string]struct{ message, expected string }{
	systemUnknown: {"a message of the role system, which this model does not take", "the key system of the request"},
	systemFirst:   {"a message of the role system in the first place", "the key system of the request"},
	systemAfter:   {"a message of the role system after one of the assistant", "it after a message of the user"},
	systemBefore:  {"a message of the role system in front of one of the user", "it in front of a message of the assistant, or at the end"},
	systemEmpty:   {"a message of the role system without a block", "a text"},
	systemBlank:   {"a message of the role system with white space for a text", "a text"},
	systemOther:   {"a message of the role system with a block that is no text", "texts alone"},
}

// misplaced says what is wrong about the messages of the role system from i up to end, "" when
// nothing is.
func misplaced(p *profiles.Profile, all []wire.Message, i, end int) string {
	switch {
	case !p.Accepts.SystemMessages:
		return systemUnknown
	case i == 0:
		return systemFirst
	case all[i-1].Role == wire.Assistant && !endsInServerResult(all[i-1]):
		return systemAfter
	case end < len(all) && all[end].Role != wire.Assistant:
		return systemBefore
	default:
		return ""
	}
}

// endsInServerResult reports whether the last block of a message is what a tool of the provider's
// own returned.
func endsInServerResult(m wire.Message) bool {
	n := len(m.Content.Parts)
	return n > 0 && strings.HasSuffix(m.Content.Parts[n-1].Type, "_tool_result")
}

// directiveOnly reports whether a message of the role system says nothing and only sets what the
// answer is to be like. It may be anywhere.
func directiveOnly(m wire.Message) bool {
	return m.Role == wire.System && m.Content.Node.Is(wire.Array) && len(m.Content.Node.Items) == 0 && m.Node.Get("output_config") != nil
}
