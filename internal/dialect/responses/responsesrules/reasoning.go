package responsesrules

import (
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// reasoningParts is the rule of the area reasoning about summaries.
var reasoningParts = []rules.Rule{
	{
		ID:       "reasoning/summary-in-parts",
		Level:    trace.Should,
		Needs:    []protocol.Feature{protocol.Reasoning},
		Quirks:   []rules.Quirk{{Name: "summary-in-parts", In: "thought-of-two-sentences"}},
		Text:     "All parts of a reasoning summary go back, in one item.",
		Why:      "Parts of it are lost, or each becomes an item under the same id, which the provider refuses.",
		Evidence: "a request that returns reasoning whose summary came in several parts",
		Sources: []rules.Source{
			{URL: "https://github.com/vercel/ai/pull/14842", Says: "traces with three to six parts, of which all but the last came back without the encrypted content, and ids that was twice"},
			{URL: "https://github.com/anomalyco/opencode/pull/46039", Says: "parts of a summary that became items of their own"},
		},
		RunQuirks: summaryInParts,
	},
}

// summaryInParts looks for an item that says all of the summary. One that is left out is for other
// rules.
func summaryInParts(r *rules.Run, quirks []rules.Quirk) (j rules.CheckResult) {
	for _, e := range r.ReturnedTurns() {
		given := thoughtOf(e.Turn.Answer)
		if _, shown := rules.QuirkOf(e.Turn, quirks); !shown || given == "" {
			continue
		}
		var parts []*wire.Node
		whole := false
		eachItem(e.In.Request, func(item *wire.Node, kind string) {
			if said := summaryOf(item); kind == "reasoning" && said != "" && strings.Contains(given, said) {
				parts, whole = append(parts, item), whole || said == given
			}
		})
		if len(parts) == 0 {
			continue
		}
		j.HasEvidence = true
		if !whole {
			j.Find(trace.Finding{
				Request: e.In.Number, Pointer: parts[0].Pointer(), Message: "the summary of the reasoning came back in part",
				Expected: rules.Quote(given), Actual: rules.Show(parts[0]),
			})
		}
	}
	return j
}

// thoughtOf returns what the model thought at a turn.
func thoughtOf(a *wire.Answer) string {
	if a.Reasoning != nil {
		return *a.Reasoning
	}
	text := ""
	for _, b := range a.Details {
		text += b.Text
	}
	return text
}

// summaryOf returns what the parts of a summary say together.
func summaryOf(item *wire.Node) (text string) {
	for _, part := range item.Get("summary").All() {
		text += part.Get("text").Text()
	}
	return text
}
