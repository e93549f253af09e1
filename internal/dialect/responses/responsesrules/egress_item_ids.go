package responsesrules

import (
	"fmt"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressItemIDs are the rules of the area egress about the ids of items.
var egressItemIDs = []rules.Rule{
	{
		ID:        "egress/item-id-prefix",
		Level:     trace.Should, // OpenAI refuses it, as its profile says; xAI gives such ids itself
		Text:      "The id of an item begins with the prefix of its type: rs_ for reasoning, fc_ for a call, msg_ for a message of the model.",
		Why:       "The provider refuses other prefixes, such as those of a call_id or of the loop's own ids.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/mastra-ai/mastra/issues/10815", Says: "the 400 of OpenAI: Expected an ID that begins with 'msg'"},
			{URL: "https://github.com/openai/codex/issues/33176", Says: "the same for 'rs'"},
		},
		Vars:    []string{"at", "found", "prefix"},
		Request: itemIDPrefix,
	},
	{
		ID:        "egress/item-id-form",
		Level:     trace.Should, // OpenAI refuses it; xAI gives longer ones itself
		Text:      "The id of an item, where it is sent, has 1 to 64 letters, digits, underscores and dashes.",
		Why:       "The provider refuses an empty id, and one with other characters. An item may be sent without.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/langchain-ai/langchainjs/issues/11044", Says: "the 400 of OpenAI for an empty id: Expected an ID that contains letters, numbers, underscores, or dashes"},
		},
		Vars:    []string{"at", "found"},
		Request: itemIDForm,
	},
	{
		ID:        "egress/item-ids-distinct",
		Level:     trace.Should, // OpenAI refuses it; xAI gives one id twice itself
		Text:      "No two items of a request have the same id.",
		Why:       "The provider refuses duplicates. An item may come in many events, but remains one item.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/github/copilot-cli/issues/3560", Says: "the 400: Duplicate item found with id"},
			{URL: "https://github.com/microsoft/agent-framework/issues/3295", Says: "the same"},
			{URL: "https://github.com/vercel/ai/pull/15334", Says: "a reasoning item for each part of its summary, under one id"},
		},
		Vars:    []string{"at", "found"},
		Request: itemIDsDistinct,
	},
	{
		ID:        "egress/call-id-length",
		Level:     trace.Should,
		Text:      "The call_id of a call or an output has at most 64 characters.",
		Why:       "OpenAI refuses longer ones, such as those of another provider, or those to which a loop adds the name of a server: the conversation can never be continued.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/orchidfiles/ungate/issues/26", Says: "the 400 of OpenAI for 86 characters, in July 2026"},
			{URL: "https://github.com/NousResearch/hermes-agent/pull/73538", Says: "the same for 84"},
			{URL: "https://github.com/AnswerDotAI/fastllm/issues/45", Says: "the same for 116"},
		},
		Vars:    []string{"at", "found"},
		Request: callIDLength,
	},
}

// maxCallID is how many characters OpenAI takes.
const maxCallID = 64

var callIDLength = inItems(func(item *wire.Node, _ string) []trace.Finding {
	n := len([]rune(item.Get("call_id").Text()))
	if n <= maxCallID {
		return nil
	}
	return []trace.Finding{at(item, "call_id", "a call_id is too long", fmt.Sprintf("at most %d characters", maxCallID), map[string]string{"found": fmt.Sprint(n)})}
})

// idPrefixes are how the ids of items begin, by their types.
var idPrefixes = map[string]string{"reasoning": "rs_", "function_call": "fc_", "message": "msg_"}

var itemIDPrefix = inItems(func(item *wire.Node, kind string) []trace.Finding {
	prefix, known := idPrefixes[kind]
	id := item.Get("id").Text()
	if !known || id == "" || strings.HasPrefix(id, prefix) || kind == "message" && item.Get("role").Text() != "assistant" {
		return nil
	}
	want := strings.TrimSuffix(prefix, "_")
	f := at(item, "id", fmt.Sprintf("the id of an item of the type %q does not begin with %q", kind, want), "an id that begins with "+prefix, map[string]string{"found": id, "prefix": want})
	return []trace.Finding{f}
})

var itemIDForm = inItems(func(item *wire.Node, _ string) []trace.Finding {
	id := item.Get("id")
	if id == nil || id.Is(wire.Null) || itemIDFits(id) {
		return nil
	}
	return []trace.Finding{at(item, "id", "the id of an item is none", "1 to 64 letters, digits, underscores and dashes, or no id", map[string]string{"found": id.Text()})}
})

func itemIDFits(id *wire.Node) bool {
	text := id.Text()
	odd := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-')
	}
	return id.Is(wire.String) && text != "" && len(text) <= 64 && !strings.ContainsFunc(text, odd)
}

func itemIDsDistinct(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = rules.CarriesResult(req)
	seen := map[string]bool{}
	eachItem(req, func(item *wire.Node, kind string) {
		id := item.Get("id").Text()
		if id == "" || kind == "item_reference" {
			return
		}
		if seen[id] {
			j.Find(at(item, "id", "two items have the same id", "an id that no other item has", map[string]string{"found": id}))
		}
		seen[id] = true
	})
	return j
}
