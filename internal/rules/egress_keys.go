package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressKeys are the rules about the keys of what a loop sends.
var egressKeys = []Rule{
	{
		ID:        "egress/assistant-message-keys",
		Level:     Should,
		Dialect:   onlyChat,
		Text:      "An assistant message has only keys that the provider documents for it.",
		Why:       "Strict providers refuse keys that they do not know; others may start to.",
		Invariant: true,
		Evidence:  "a request with an assistant message",
		Sources: []Source{
			{createDocs, "the keys of an assistant message"},
			{"https://github.com/openai/openai-agents-js/pull/1064", "foreign keys in assistant messages"},
			{"https://github.com/partITech/php-mistral/issues/76", "the 422 of Mistral for extra keys"},
		},
		Vars:    []string{"index", "key"},
		Request: assistantMessageKeys,
	},
	{
		ID:        "egress/tool-message-keys",
		Level:     Should,
		Dialect:   onlyChat,
		Text:      "A tool message has role, tool_call_id and content; a name is tolerated.",
		Why:       "Strict providers refuse keys that they do not know; others may start to.",
		Invariant: true,
		Evidence:  "a request with a tool result",
		Sources: []Source{
			{createDocs, "the keys of a tool message"},
			{"https://github.com/partITech/php-mistral/issues/76", "the 422 of Mistral for extra keys"},
		},
		Vars:    []string{"index", "key"},
		Request: toolMessageKeys,
	},
	{
		ID:        "egress/call-keys",
		Level:     Should,
		Dialect:   onlyChat,
		Text:      "A tool call goes back with id, type and function, and the function with name and arguments.",
		Why:       "Strict providers refuse keys that they do not know. OpenAI refused the index of a streamed call, for some days in April 2024.",
		Invariant: true,
		Evidence:  "a request with a tool call in its history",
		Sources: []Source{
			{createDocs, "the keys of a tool call"},
			{"https://github.com/labring/FastGPT/issues/1253", "the 400 of OpenAI for an index"},
			{"https://github.com/RageAgainstThePixel/OpenAI-DotNet/issues/278", "taken again eleven days later"},
		},
		Vars:    []string{"index", "call", "key"},
		Request: callKeys,
	},
	{
		ID:        "egress/no-private-fields",
		Level:     Should,
		Dialect:   onlyChat,
		Text:      "What a loop notes for itself stays with the loop: isError, timestamp, finishReason and their like do not cross the wire.",
		Why:       "It leaks into requests that strict providers refuse.",
		Invariant: true,
		Evidence:  "a request with an assistant message",
		Sources: []Source{
			{"https://github.com/openai/openai-node/pull/1990", "parsed_arguments sent back"},
			{"https://github.com/featherless-ai/open-agent-loops", "toolName, isError and timestamp never cross the wire"},
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

// foreign reports the keys of a node that are neither documented nor private ones.
func (j *Judged) foreign(n *wire.Node, what string, vars map[string]string, allowed ...[]string) {
	known := slices.Concat(allowed...)
	for _, key := range n.Keys() {
		if slices.Contains(known, key) || slices.Contains(private, key) {
			continue
		}
		j.unwanted(n, key, fmt.Sprintf("%s has the key %q", what, key), "only "+strings.Join(known, ", "), vars)
	}
}

func (j *Judged) unwanted(n *wire.Node, key, message, expected string, vars map[string]string) {
	all := map[string]string{"key": key}
	for k, v := range vars {
		all[k] = v
	}
	j.Find(Finding{
		Pointer:  n.Get(key).Pointer(),
		Message:  message,
		Expected: expected,
		Actual:   fmt.Sprintf("%q: %s", key, show(n.Get(key))),
		Vars:     all,
	})
}

func assistantMessageKeys(p *profiles.Profile, req *wire.Request) (j Judged) {
	for i, m := range req.Messages {
		if m.Role == wire.Assistant {
			j.Seen = true
			j.foreign(m.Node, "an assistant message", map[string]string{"index": strconv.Itoa(i)}, or(p.Accepts.Assistant, documented.assistant), reasoningKeys(p))
		}
	}
	return j
}

// reasoningKeys returns the keys that are left to the rules about reasoning: none where the provider has no reasoning,
// and only its own where it refuses the others.
func reasoningKeys(p *profiles.Profile) []string {
	if p.Reasoning.Resend == profiles.ResendNone {
		return nil
	}
	return or(p.Reasoning.Takes, []string{"reasoning_content", "reasoning", "reasoning_details"})
}

// or returns the provider's own list of keys, or else that of the reference.
func or(own, reference []string) []string {
	if len(own) > 0 {
		return own
	}
	return reference
}

func toolMessageKeys(p *profiles.Profile, req *wire.Request) (j Judged) {
	for i, m := range req.Messages {
		if m.Role == wire.Tool {
			j.Seen = true
			j.foreign(m.Node, "a tool message", map[string]string{"index": strconv.Itoa(i)}, or(p.Accepts.Tool, documented.tool))
		}
	}
	return j
}

func callKeys(p *profiles.Profile, req *wire.Request) (j Judged) {
	eachCall(req, func(c wire.Call, vars map[string]string) {
		j.Seen = true
		j.foreign(c.Node, "a tool call", vars, or(p.Accepts.Call, documented.call))
		j.foreign(c.Node.Get("function"), "the function of a tool call", vars, documented.function)
	})
	return j
}

func noPrivateFields(_ *profiles.Profile, req *wire.Request) (j Judged) {
	for i, m := range req.Messages {
		if m.Role != wire.Assistant && m.Role != wire.Tool {
			continue
		}
		j.Seen = j.Seen || m.Role == wire.Assistant
		nodes := []*wire.Node{m.Node}
		for _, c := range m.Calls {
			nodes = append(nodes, c.Node, c.Node.Get("function"))
		}
		for _, n := range nodes {
			for _, key := range n.Keys() {
				if slices.Contains(private, key) {
					j.unwanted(n, key, fmt.Sprintf("the private field %q crosses the wire", key), "no such key", map[string]string{"index": strconv.Itoa(i)})
				}
			}
		}
	}
	return j
}
