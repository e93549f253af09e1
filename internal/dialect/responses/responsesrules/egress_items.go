package responsesrules

import (
	"github.com/loopproof/loopproof/internal/dialect/responses"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressItems are the rules of the area egress about items that no form can say.
var egressItems = []rules.Rule{
	{
		ID:        "egress/reasoning-content-given",
		Level:     trace.Info,
		Text:      "Reasoning of a provider that shows it as content goes back as content: a list of parts, of which the first has a text.",
		Why:       "llama.cpp refuses a request with reasoning that has no content, whatever its summary says.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request with reasoning in its history, under a profile that shows reasoning as content",
		Sources: []rules.Source{
			{URL: "https://github.com/ggml-org/llama.cpp/blob/0c1e570/tools/server/server-chat.cpp", Says: "a reasoning item needs a content that is not empty, and a text in its first part"},
			{URL: "https://github.com/am17an/llama.cpp/issues/50", Says: "the 400 of llama.cpp's server for one without, and for an empty one"},
			{URL: responsesSchemas, Says: "ReasoningItem: content may be left out"},
		},
		Vars:    []string{"at", "what"},
		Request: reasoningContentGiven,
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
}

// reasoningContentGiven judges where the provider shows reasoning as content: elsewhere an item has
// none.
func reasoningContentGiven(p *profiles.Profile, req *wire.Request) rules.CheckResult {
	if shape, is := p.Shape.(*responses.Shape); !is || !shape.RawReasoning {
		return rules.CheckResult{}
	}
	return inKind([]string{"reasoning"}, func(item *wire.Node) []trace.Finding {
		content := item.Get("content")
		var what string
		switch {
		case !content.Is(wire.Array):
			what = "no list"
		case len(content.Items) == 0:
			what = "empty"
		case !content.Items[0].Get("text").Is(wire.String):
			what = "no text"
		default:
			return nil
		}
		return []trace.Finding{at(item, "content", "reasoning goes back without its text", "a list of parts, of which the first has a text", map[string]string{"what": what})}
	})(p, req)
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
