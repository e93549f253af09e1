package rules

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressParameters are the rules of the area egress about the keys of a request beside messages and tools.
var egressParameters = []Rule{
	{
		ID:        "egress/request-keys",
		Level:     Info,
		Text:      "A request has only keys that the provider documents.",
		Why:       "What one provider needs (thinking, enable_thinking, top_k), another refuses.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []Source{
			{createDocs, "the keys of a request"},
			{mistralSchema, "ChatCompletionRequest: additionalProperties false"},
			{"https://github.com/FlowiseAI/Flowise/issues/2866", "the 400 of Fireworks for a key that it does not know"},
			{anthropicSDK, "MessageCreateParams: the keys of a request in the Messages API"},
			{"https://github.com/amrit110/oli/issues/7", "the 400 of Anthropic for response_format"},
		},
		Vars:    []string{"key"},
		Request: requestKeys,
	},
	{
		ID:        "egress/one-candidate",
		Dialect:   onlyChat,
		Level:     Should,
		Text:      "A loop asks for one answer, not for several.",
		Why:       "It can follow only one of them; the others are paid for, and in a stream they come mixed.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []Source{
			{createDocs, "n: you are charged for the tokens of all choices; keep it at 1"},
			{"https://api-docs.deepseek.com/api/create-chat-completion", "a reference without n"},
		},
		Vars:    []string{"count"},
		Request: oneCandidate,
	},
	{
		ID:        "egress/no-legacy-functions",
		Dialect:   onlyChat,
		Level:     Should,
		Text:      "Tools are sent as tools, not as functions and function_call.",
		Why:       "The old keys are deprecated, and most providers never had them.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []Source{
			{createDocs, "functions, function_call: deprecated in favour of tools and tool_choice"},
		},
		Vars:    []string{"key"},
		Request: noLegacyFunctions,
	},
}

func requestKeys(p *profiles.Profile, req *wire.Request) (j Judged) {
	j.Seen = true
	known := or(p.Accepts.Request, req.Dialect.Request.Keys)
	for _, key := range req.Body.Keys() {
		if !slices.Contains(known, key) {
			j.unwanted(req.Body, key, fmt.Sprintf("the request has the key %q", key), "only keys of the provider's reference", nil)
		}
	}
	return j
}

func oneCandidate(_ *profiles.Profile, req *wire.Request) (j Judged) {
	j.Seen = true
	if n := req.Body.Get("n"); n.Is(wire.Number) && string(n.Raw) != "1" {
		j.Find(Finding{Pointer: "/n", Message: "the loop asks for several answers", Expected: "1, or no such key", Actual: show(n), Vars: map[string]string{"count": string(n.Raw)}})
	}
	return j
}

func noLegacyFunctions(_ *profiles.Profile, req *wire.Request) (j Judged) {
	j.Seen = true
	for _, key := range []string{"functions", "function_call"} {
		if v := req.Body.Get(key); v != nil && !v.Is(wire.Null) {
			j.unwanted(req.Body, key, "the deprecated key "+key, "tools and tool_choice", nil)
		}
	}
	return j
}
