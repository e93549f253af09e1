package chatrules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/egress"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressKeyRules are the rules about the keys of what a loop sends.
var egressKeyRules = []rules.Rule{
	{
		ID:        "egress/assistant-message-keys",
		Level:     trace.Should,
		Text:      "An assistant message has only keys that the provider documents for it.",
		Why:       "Strict providers refuse keys that they do not know; others may start to.",
		Invariant: true,
		Evidence:  "a request with an assistant message",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "the keys of an assistant message"},
			{URL: "https://github.com/openai/openai-agents-js/pull/1064", Says: "foreign keys in assistant messages"},
			{URL: "https://github.com/partITech/php-mistral/issues/76", Says: "the 422 of Mistral for extra keys"},
		},
		Vars:    []string{"index", "key"},
		Request: assistantMessageKeys,
	},
	{
		ID:        "egress/tool-message-keys",
		Level:     trace.Should,
		Text:      "A tool message has role, tool_call_id and content; a name is tolerated.",
		Why:       "Strict providers refuse keys that they do not know; others may start to.",
		Invariant: true,
		Evidence:  "a request with a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "the keys of a tool message"},
			{URL: "https://github.com/partITech/php-mistral/issues/76", Says: "the 422 of Mistral for extra keys"},
		},
		Vars:    []string{"index", "key"},
		Request: toolMessageKeys,
	},
	{
		ID:        "egress/call-keys",
		Level:     trace.Should,
		Text:      "A tool call goes back with id, type and function, and the function with name and arguments.",
		Why:       "Strict providers refuse keys that they do not know. OpenAI refused the index of a streamed call, for some days in April 2024.",
		Invariant: true,
		Evidence:  "a request with a tool call in its history",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "the keys of a tool call"},
			{URL: "https://github.com/labring/FastGPT/issues/1253", Says: "the 400 of OpenAI for an index"},
			{URL: "https://github.com/RageAgainstThePixel/OpenAI-DotNet/issues/278", Says: "taken again eleven days later"},
		},
		Vars:    []string{"index", "call", "key"},
		Request: callKeys,
	},
	{
		ID:        "egress/no-private-fields",
		Level:     trace.Should,
		Text:      "Internal fields of the loop, such as isError, timestamp and toolName, are not sent.",
		Why:       "Strict providers refuse requests with such fields.",
		Invariant: true,
		Evidence:  "a request with an assistant message",
		Sources: []rules.Source{
			{URL: "https://github.com/openai/openai-node/pull/1990", Says: "parsed_arguments sent back"},
			{URL: "https://github.com/featherless-ai/open-agent-loops", Says: "toolName, isError and timestamp never cross the wire"},
		},
		Vars:    []string{"index", "key"},
		Request: noPrivateFields,
	},
}

var documented = struct{ assistant, tool, call, function []string }{
	assistant: []string{"role", "content", "refusal", "name", "audio", "tool_calls", "function_call", "annotations"},
	tool:      []string{"role", "content", "tool_call_id", "name"},
	call:      []string{"id", "type", "function", "custom"},
	function:  []string{"name", "arguments"},
}

// private are names under which loops were seen to send what they note for themselves.
var private = []string{
	"toolName", "tool_name", "isError", "is_error", "timestamp", "createdAt", "created_at", "finishReason", "finish_reason",
	"stopReason", "stop_reason", "parsed", "parsed_arguments", "usage", "duration", "metadata", "additional_kwargs", "response_metadata",
	"providerData", "provider_data", "status", "result", "args", "input",
}

// findForeignKeys reports the keys of a node that are neither documented nor private ones.
func findForeignKeys(j *rules.CheckResult, n *wire.Node, what string, vars func() map[string]string, allowed ...[]string) {
	for key, value := range n.Fields() {
		known := slices.ContainsFunc(allowed, func(keys []string) bool { return slices.Contains(keys, key) })
		if !known && !slices.Contains(private, key) {
			egress.FindUnwantedKey(j, value, fmt.Sprintf("%s has the key %q", what, key), "only "+strings.Join(slices.Concat(allowed...), ", "), vars())
		}
	}
}

// indexOf says by which values a finding names a message.
func indexOf(i int) func() map[string]string {
	return func() map[string]string { return map[string]string{"index": strconv.Itoa(i)} }
}

func assistantMessageKeys(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for i, m := range req.Messages {
		if m.Role == wire.Assistant {
			j.HasEvidence = true
			findForeignKeys(&j, m.Node, "an assistant message", indexOf(i), egress.OneOf(p.Accepts.Assistant, documented.assistant), reasoningKeys(p))
		}
	}
	return j
}

// reasoningKeys returns the keys that are left to the rules about reasoning: none where the
// provider has no reasoning, and only its own where it refuses the others.
func reasoningKeys(p *profiles.Profile) []string {
	if p.Reasoning.Resend == profiles.ResendNone {
		return nil
	}
	return egress.OneOf(p.Reasoning.Takes, []string{"reasoning_content", "reasoning", "reasoning_details"})
}

func toolMessageKeys(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for i, m := range req.Messages {
		if m.Role == wire.Tool {
			j.HasEvidence = true
			findForeignKeys(&j, m.Node, "a tool message", indexOf(i), egress.OneOf(p.Accepts.Tool, documented.tool))
		}
	}
	return j
}

func callKeys(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	rules.EachCall(req, func(c wire.Call, vars func() map[string]string) {
		j.HasEvidence = true
		findForeignKeys(&j, c.Node, "a tool call", vars, egress.OneOf(p.Accepts.Call, documented.call))
		findForeignKeys(&j, c.Node.Get("function"), "the function of a tool call", vars, documented.function)
	})
	return j
}

func noPrivateFields(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for i, m := range req.Messages {
		if m.Role != wire.Assistant && m.Role != wire.Tool {
			continue
		}
		j.HasEvidence = j.HasEvidence || m.Role == wire.Assistant
		findPrivateFields(&j, m.Node, i)
		for _, c := range m.Calls {
			findPrivateFields(&j, c.Node, i)
			findPrivateFields(&j, c.Node.Get("function"), i)
		}
	}
	return j
}

// findPrivateFields reports the private keys of a node that is in message i.
func findPrivateFields(j *rules.CheckResult, n *wire.Node, i int) {
	for key, value := range n.Fields() {
		if slices.Contains(private, key) {
			egress.FindUnwantedKey(j, value, fmt.Sprintf("the private field %q crosses the wire", key), "no such key", map[string]string{"index": strconv.Itoa(i)})
		}
	}
}
