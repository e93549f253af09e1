// Package converserules holds the rules that are about the dialect converse alone.
package converserules

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/dialect/converse"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// Rules are the rules of this dialect.
var Rules = rules.Only(converse.API, slices.Concat(rules.FromForm(converse.Form, nil), orderRules))

// orderRules are about the order of messages and blocks, and about what they need elsewhere in the
// request.
var orderRules = []rules.Rule{
	{
		ID:        "egress/tool-config-stays",
		Level:     trace.Must,
		Text:      "A request whose history has a toolUse or a toolResult has a toolConfig with tools, also the last one before the end.",
		Why:       "Others are refused, such as those by which a history is summed up.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/langgenius/dify/issues/16421", Says: "the 400: the toolConfig field must be defined"},
			{URL: "https://github.com/vxcontrol/pentagi/pull/196", Says: "the same, where a turn adds no tools"},
			{URL: "https://github.com/aws-samples/bedrock-access-gateway/pull/239", Says: "the same, when a conversation is summed up"},
		},
		Request: toolConfigStays,
	},
	{
		ID:        "egress/roles-take-turns",
		Level:     trace.Must,
		Text:      "Messages of the user and of the assistant take turns, and the first is one of the user.",
		Why:       "A conversation with two messages of one role in a row is refused.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/langchain-ai/langchain-aws/issues/192", Says: "the 400: a conversation must alternate between user and assistant roles"},
			{URL: "https://github.com/elastic/kibana/issues/284682", Says: "the same in August 2026, for a notice of the loop behind the results"},
			{URL: "https://github.com/genkit-ai/aws-bedrock-js-plugin/issues/664", Says: "each result in a message of its own"},
			{URL: "https://github.com/langgenius/dify/issues/12340", Says: "the 400: a conversation must start with a user message"},
		},
		Vars:    []string{"index", "first"},
		Request: rolesTakeTurns,
	},
	{
		ID:        "egress/cache-point-not-behind-reasoning",
		Level:     trace.Must,
		Text:      "No cachePoint is directly behind a reasoningContent.",
		Why:       "It is refused, and so is every later request with it in its history.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/anomalyco/opencode/issues/36517", Says: "the 400: cache point cannot be inserted after reasoning block"},
			{URL: "https://github.com/strands-agents/harness-sdk/pull/1834", Says: "the same, for a cache point at the end of a turn"},
		},
		Request: cachePoints,
	},
}

// parts returns the blocks of a request that are of a kind, with the message of each.
func parts(req *wire.Request, kind string) (found []*wire.Node) {
	for _, m := range req.Messages {
		for _, p := range m.Content.Parts {
			if p.Type == kind {
				found = append(found, p.Node)
			}
		}
	}
	return found
}

func toolConfigStays(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	if len(parts(req, "toolUse"))+len(parts(req, "toolResult")) == 0 {
		return j
	}
	j.HasEvidence = true
	if config := req.Body.Get("toolConfig"); config == nil {
		j.Find(trace.Finding{Pointer: "/toolConfig", Message: "a history with calls, and no tools", Expected: "the toolConfig of the requests before", Actual: rules.Show(config)})
	}
	return j
}

func rolesTakeTurns(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = rules.CarriesResult(req)
	before := "assistant"
	for i, n := range req.Body.Get("messages").All() {
		role := n.Get("role").Text()
		if role != "user" && role != "assistant" {
			continue
		}
		if role == before {
			first := "no"
			if i == 0 {
				first = "yes"
			}
			j.Find(trace.Finding{
				Pointer: n.Pointer(), Message: "a message of the same role as the one before, or the first one, of the assistant", Expected: "messages of the user and the assistant in turn",
				Actual: role, Vars: map[string]string{"index": n.Pointer()[strings.LastIndexByte(n.Pointer(), '/')+1:], "first": first},
			})
		}
		before = role
	}
	return j
}

func cachePoints(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = rules.CarriesResult(req)
	for _, m := range req.Messages {
		for i, p := range m.Content.Parts {
			if i > 0 && p.Type == "cachePoint" && m.Content.Parts[i-1].Type == "reasoningContent" {
				j.Find(trace.Finding{Pointer: p.Node.Pointer(), Message: "a cache point behind reasoning", Expected: "it before the reasoning, or behind another block", Actual: rules.Show(p.Node)})
			}
		}
	}
	return j
}
