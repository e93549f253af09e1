package egress

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// coreRules are the rules about the shape of what a loop sends.
var coreRules = []rules.Rule{
	{
		ID:        "egress/content-present",
		Where:     rules.ContentNeeded,
		Level:     trace.Must,
		Text:      "Every message has a content, except an assistant message with tool calls, a refusal or a function call.",
		Why:       "OpenAI refuses a content of null, and the message stays in the history of every later request.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "content: required unless tool_calls or function_call is specified"},
			{URL: "https://github.com/vercel/ai/pull/14950", Says: "content null without tool calls"},
			{URL: "https://github.com/carlrobertoh/ProxyAI/issues/834", Says: "the 400 of DeepSeek"},
		},
		Vars:    []string{"index", "found", "role", "at", "item"},
		Request: contentPresent,
	},
	{
		ID:        "egress/no-blank-assistant-message",
		Level:     trace.Should,
		Text:      "No assistant message without text and calls is sent.",
		Why:       "Some providers refuse it, and it stays in the history.",
		Invariant: true,
		ByTurn:    true,
		Returned:  true,
		Evidence:  "a request with an assistant message",
		Sources: []rules.Source{
			{URL: "https://github.com/vercel/ai/pull/15040", Says: "empty assistant messages sent"},
			{URL: "https://github.com/trpc-group/trpc-agent-go/issues/1186", Says: "empty assistant messages sent"},
		},
		Vars:    []string{"index"},
		Request: noBlankAssistantMessage,
	},
	{
		ID:        "egress/call-has-name",
		Level:     trace.Must,
		Text:      "A tool call goes back with the name of its function.",
		Why:       "The name is required.",
		Invariant: true,
		ByTurn:    true,
		Returned:  true,
		Evidence:  "a request with a tool call in its history",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "name: required"},
			{URL: "https://github.com/agno-agi/agno/issues/7132", Says: "a name overwritten by the blank one of a later delta"},
			{URL: "https://github.com/TanStack/ai/pull/536", Says: "the 400 of Anthropic for a call without its name"},
		},
		Vars:    []string{"at", "index", "call", "found"},
		Request: callHasName,
	},
}

// contentPresent is no node of the forms of requests: a message of the assistant may do without a
// content beside what it says otherwise, and each API has other keys for that.
func contentPresent(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for i, m := range req.Messages {
		if m.Role == wire.Tool || m.RoleWord == "" { // tool-content-is-text and messages-given look at those
			continue
		}
		j.HasEvidence = true
		if !m.Content.Node.Is(wire.Absent) && !m.Content.Node.Is(wire.Null) || mayBeSilent(m) {
			continue
		}
		j.Find(trace.Finding{
			Pointer:  m.Node.Pointer() + "/content",
			Message:  fmt.Sprintf("the %s message has no content", m.RoleWord),
			Expected: "a string",
			Actual:   rules.Show(m.Content.Node),
			Vars:     map[string]string{"index": strconv.Itoa(i), "found": rules.KindOf(m.Content.Node), "role": m.RoleWord, "at": dottedContent(m), "item": rules.IndexOf(m)},
		})
	}
	return j
}

// dottedContent is where the content of a message is, or would be, as some providers write it.
func dottedContent(m wire.Message) string {
	if m.Content.Node == nil {
		return rules.Dotted(m.Node) + ".content"
	}
	return rules.Dotted(m.Content.Node)
}

func mayBeSilent(m wire.Message) bool {
	if m.Role != wire.Assistant {
		return false
	}
	return len(m.Calls) > 0 || slices.ContainsFunc([]string{"refusal", "function_call", "audio"}, func(key string) bool {
		v := m.Node.Get(key)
		return v != nil && !v.Is(wire.Null)
	})
}

func noBlankAssistantMessage(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for i, m := range req.Messages {
		if m.Role != wire.Assistant {
			continue
		}
		j.HasEvidence = true
		// A content of null is left to content-present, where that judges it.
		null := m.Content.Node.Is(wire.Null) && rules.ContentNeeded(p.Speaks)
		if m.Content.Blank() && !mayBeSilent(m) && !null && m.Content.Node != nil {
			j.Find(trace.Finding{
				Pointer:  m.Node.Pointer(),
				Message:  "an assistant message that says nothing",
				Expected: "text or tool calls",
				Actual:   rules.Show(m.Node),
				Vars:     map[string]string{"index": strconv.Itoa(i)},
			})
		}
	}
	return j
}

// IsCustom reports whether a call is one of OpenAI's custom tools, which have an input instead of a
// function.
func IsCustom(c wire.Call) bool { return c.Node.Get("type").Text() == "custom" }

// nameOf returns the object in which the name of a call is.
func nameOf(c wire.Call) *wire.Node {
	if f := c.Node.Get("function"); f != nil || c.Node.Get("type").Text() != "tool_use" {
		return f
	}
	return c.Node
}

func callHasName(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	rules.EachCall(req, func(c wire.Call, vars func() map[string]string) {
		j.HasEvidence = true
		if c.Name == "" && !IsCustom(c) {
			place := vars()
			place["found"] = rules.KindOf(nameOf(c).Get("name"))
			if !nameOf(c).Is(wire.Object) {
				place["found"] = "no function"
			}
			j.Find(trace.Finding{
				Pointer:  nameOf(c).Pointer() + "/name",
				Message:  "a tool call without the name of its function",
				Expected: "the name that the model called",
				Actual:   rules.Show(nameOf(c).Get("name")),
				Vars:     place,
			})
		}
	})
	return j
}
