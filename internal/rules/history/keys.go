package history

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

var keyRules = []rules.Rule{
	{
		ID:          "history/keys-keep-their-order",
		Level:       trace.Should,
		Text:        "The keys within the schema of a tool, and within arguments that are an object, keep their order from one request to the next.",
		Why:         "They are written into the prompt as they come, so that the provider's prompt cache does not know it again.",
		Needs:       wholeHistory,
		Invariant:   true,
		AnyDelivery: true,
		Returned:    true,
		Evidence:    "a second request of a task that has tools with parameters, with a tool result",
		Sources: []rules.Source{
			{URL: "https://platform.claude.com/docs/en/build-with-claude/prompt-caching", Says: "keys in tool_use blocks need a stable order: some languages make it random when they write JSON"},
			{URL: "https://github.com/sgl-project/sglang/pull/34553", Says: "the schema is the only part that carries the client's order of keys into the prompt"},
			{URL: "https://github.com/maximhq/bifrost/pull/2082", Says: "measured: every request wrote the cache again; 72 to 90 % of the cost"},
			{URL: "https://github.com/Lakr233/FlowDown/issues/273", Says: "schemas whose keys change places between two turns"},
		},
		Run: keysKeepTheirOrder,
	},
}

// keysKeepTheirOrder looks at what is equal but for the order of keys; tools-stay and
// earlier-messages-unchanged look at the rest. Elsewhere in a request the order of keys means
// nothing: the provider reads them by name.
func keysKeepTheirOrder(r *rules.Run) (j rules.CheckResult) {
	pairsInFull(r, func(before, after *trace.Exchange) {
		j.HasEvidence = j.HasEvidence || rules.CarriesResult(after.Request) && slices.ContainsFunc(after.Request.Tools, hasParameters)
		if len(j.Findings) > 0 {
			return
		}
		for _, part := range orderedParts(before.Request, after.Request) {
			if was, now, moved := wire.KeysMoved(part.was, part.now); moved {
				j.FindAt(after, now.Pointer(), fmt.Sprintf("%s have the keys in another order than in request %d", part.name, before.Number),
					rules.List(was.Keys()), rules.List(now.Keys()))
				return
			}
		}
	})
	return j
}

func hasParameters(t wire.ToolDefinition) bool { return len(t.Parameters.Get("properties").Keys()) > 0 }

// orderedPart is a part of two requests whose keys have an order.
type orderedPart struct {
	name     string
	was, now *wire.Node
}

// orderedParts returns the schemas of the tools, and the arguments of the calls, that are in both
// of two requests.
func orderedParts(before, after *wire.Request) (parts []orderedPart) {
	for _, now := range after.Tools {
		if i := slices.IndexFunc(before.Tools, func(t wire.ToolDefinition) bool { return t.Name == now.Name }); i >= 0 {
			parts = append(parts, orderedPart{"the parameters of " + now.Name, before.Tools[i].Parameters, now.Parameters})
		}
	}
	for i, m := range before.Messages[:min(len(before.Messages), len(after.Messages))] {
		now := after.Messages[i]
		for k := range min(len(m.Calls), len(now.Calls)) {
			parts = append(parts, orderedPart{"the arguments of " + now.Calls[k].Name, m.Calls[k].ArgsNode, now.Calls[k].ArgsNode})
		}
	}
	return parts
}
