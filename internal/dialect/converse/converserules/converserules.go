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

// Rules returns the rules of this dialect.
func Rules() []rules.Rule {
	return rules.Only(converse.API, slices.Concat(rules.FromForm(converse.Form(), nil), orderRules, modelRules, answerRules, ofMessages))
}

// toolUseDocs describe results.
const toolUseDocs = "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolResultBlock.html"

// orderRules are about the order of messages and blocks, and about what they need elsewhere in the
// request.
var orderRules = []rules.Rule{
	{
		ID:        "egress/roles-take-turns",
		Level:     trace.Should,
		Text:      "Messages of the user and of the assistant take turns.",
		Why:       "A conversation with two messages of one role in a row is refused, at least by some models; for others the two seem to be put together.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/langchain-ai/langchain-aws/issues/192", Says: "the 400: a conversation must alternate between user and assistant roles"},
			{URL: "https://github.com/ShishirPatil/gorilla/pull/881", Says: "the same for Nova, where the user says two things"},
			{URL: "https://github.com/Portkey-AI/gateway/issues/748", Says: "the same at a gateway"},
			{URL: "https://github.com/elastic/kibana/issues/284682", Says: "the same in August 2026, for a notice of the loop behind the results"},
			{URL: "https://github.com/strands-agents/harness-sdk/pull/3622", Says: "that only some models refuse a message of the user behind one with results"},
			{URL: "https://github.com/genkit-ai/aws-bedrock-js-plugin/issues/664", Says: "each result in a message of its own"},
		},
		Vars:    []string{"index"},
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

// ofMessages are rules of Messages that hold here, too, as they are described there.
var ofMessages = []rules.Rule{
	{ID: "egress/tools-stay-defined", Sources: []rules.Source{
		{URL: "https://github.com/langgenius/dify/issues/16421", Says: "the 400 of Converse: the toolConfig field must be defined"},
		{URL: "https://github.com/vxcontrol/pentagi/pull/196", Says: "the same, where a turn adds no tools"},
	}},
	{ID: "egress/user-comes-first", Sources: []rules.Source{
		{URL: "https://github.com/langgenius/dify/issues/12340", Says: "the 400 of Converse: a conversation must start with a user message"},
	}},
	{ID: "pairing/results-in-one-message", Sources: []rules.Source{
		{URL: "https://github.com/genkit-ai/aws-bedrock-js-plugin/issues/664", Says: "the 400 of Converse for a model of Anthropic: expected toolResult blocks"},
		{URL: "https://github.com/anomalyco/opencode/pull/41780", Says: "the same for Nova"},
		{URL: "https://github.com/crewAIInc/crewAI/pull/4775", Says: "each result in a message of its own"},
	}},
	{ID: "execution/failure-is-flagged", Sources: []rules.Source{{URL: toolUseDocs, Says: "status: error where the tool could not be used"}}},
	{ID: "execution/success-is-not-flagged", Sources: []rules.Source{{URL: toolUseDocs, Says: "status: success"}}},
	{ID: "reasoning/thinking-first", Sources: []rules.Source{
		{URL: "https://github.com/RooCodeInc/Roo-Code/pull/11238", Says: "reasoning in front of the calls that it led to, on Bedrock"},
	}},
}

func rolesTakeTurns(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = rules.CarriesResult(req)
	before, hadResults := "", false
	for _, n := range req.Body.Get("messages").All() {
		role := n.Get("role").Text()
		if role != "user" && role != "assistant" {
			continue
		}
		hasResults := slices.ContainsFunc(n.Get("content").All(), func(b *wire.Node) bool { return b.Has("toolResult") })
		if role == before && !(hasResults && hadResults) { // which pairing/results-in-one-message is about
			j.Find(trace.Finding{
				Pointer: n.Pointer(), Message: "a message of the same role as the one before", Expected: "messages of the user and the assistant in turn",
				Actual: role, Vars: map[string]string{"index": n.Pointer()[strings.LastIndexByte(n.Pointer(), '/')+1:]},
			})
		}
		before, hadResults = role, hasResults
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
