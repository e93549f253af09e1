package history

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// orderRules are the rules of the area history about how the blocks of a turn go back.
var orderRules = []rules.Rule{
	{
		ID:        "history/blocks-in-their-order",
		Level:     trace.Should,
		Where:     rules.WithBlocks,
		Text:      "The blocks of a turn go back in the order in which they came: reasoning, text and calls.",
		Why:       "Otherwise reasoning appears before another call than the one it was about, and signed reasoning is bound to what is before it. Not a must: there are separate rules for what the API refuses.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request that returns a turn of several blocks",
		Sources: []rules.Source{
			{URL: rules.ToolCallDocs, Says: "the content of the assistant goes back as it came"},
			{URL: rules.ThinkingDocs, Says: "thinking between tool calls; the sequence of blocks cannot be rearranged"},
			{URL: "https://github.com/TanStack/ai/issues/910", Says: "the order of blocks changed around provider tools"},
		},
		Run: blocksInOrder,
	},
	{
		// Not a MUST: no provider is known to refuse it.
		ID:        "history/calls-in-their-order",
		Level:     trace.Should,
		Where:     func(d *wire.Dialect) bool { return rules.WithoutBlocks(d) && rules.WithCallIDs(d) },
		Text:      "The calls of a turn go back in the order in which the model made them.",
		Why:       "The model sees its calls in another order, and the provider's cache misses.",
		Invariant: true,
		Returned:  true,
		Evidence:  "a request that returns a turn with several calls",
		Sources: []rules.Source{
			{URL: "https://openrouter.ai/docs/features/tool-calling", Says: "the assistant message goes back as it came"},
			{URL: "https://platform.openai.com/docs/guides/prompt-caching", Says: "cache hits need exact prefix matches"},
		},
		Run: callsInOrder,
	},
	{
		ID:       "history/text-verbatim",
		Level:    trace.Should,
		Where:    rules.WithBlocks,
		Text:     "The text alongside calls goes back with the white space at its ends.",
		Why:      "A turn that differs by a line break misses the provider's cache, and breaks reasoning that is bound to the text before it. Not a must: providers accept a trimmed text.",
		Returned: true,
		Evidence: "a request that returns a turn whose text begins or ends with white space",
		Sources: []rules.Source{
			{URL: rules.ToolCallDocs, Says: "the content of the assistant goes back as it came"},
			{URL: rules.ThinkingDocs, Says: "reasoning is bound to the conversation before it"},
		},
		Run: textVerbatim,
	},
}

// blocksInOrder looks at turns that came back with all their blocks; where some did not, or the
// reasoning is not in front, other rules have to say something.
func blocksInOrder(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.ReturnedCallTurns() {
		given := blocksOf(r, e)
		if e.Message == nil || len(given) < 2 {
			continue
		}
		places := placesAmong(e.Message.Content.Parts, given)
		if slices.Contains(places, -1) || rules.IsReasoningPart(wire.Part{Type: given[0].Get("type").Text()}) && places[0] > 0 {
			continue
		}
		j.HasEvidence = true
		if slices.IsSorted(places) {
			continue
		}
		j.FindAt(e.In, e.Message.Content.Node.Pointer(),
			"the blocks of a turn came back in another order",
			typesOf(given),
			typesOf(nodesOf(e.Message.Content.Parts)))
	}
	return j
}

// callsInOrder looks at turns that came back with all their calls, in one message or in several.
func callsInOrder(r *rules.Run) (j rules.CheckResult) {
	known := idsOf(r)
	for _, e := range r.ReturnedCallTurns() {
		var places [][2]int
		for n, given := range e.Turn.Answer.Calls {
			if message, call, ok := e.PlaceOfCall(n); ok && known[given.ID] == 1 && e.In.Request.Messages[message].Calls[call].ID == given.ID {
				places = append(places, [2]int{message, call})
			}
		}
		if len(places) < 2 || len(places) < len(e.Turn.Answer.Calls) {
			continue
		}
		j.HasEvidence = true
		if !slices.IsSortedFunc(places, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
			j.FindAt(e.In, rules.CallsPointer(*e.Message),
				"the calls of a turn came back in another order",
				rules.DescribeCalls(e.Turn.Answer.Calls),
				rules.Show(e.Message.Node))
		}
	}
	return j
}

func placesAmong(parts []wire.Part, given []*wire.Node) []int {
	places := make([]int, len(given))
	for i, b := range given {
		places[i] = placeAmong(parts, b)
	}
	return places
}

// blocksOf returns the blocks of a turn as the provider sent them: with its reasoning where the
// loop asks for it. What stands for the history has a rule of its own.
func blocksOf(r *rules.Run, e rules.ReturnedTurn) []*wire.Node {
	body, err := wire.ParseNode(r.Script.Profile.Shape.Write(e.Turn.Shown(e.In.Request.Dialect.ShowsReasoning(e.In.Request), false), wire.Reply{}))
	if err != nil {
		return nil
	}
	return body.Get("content").All()
}

// placeAmong returns where a block came back, or -1. It is known by what no other block has.
func placeAmong(parts []wire.Part, given *wire.Node) int {
	for i, p := range parts {
		if p.Type != given.Get("type").Text() {
			continue
		}
		same := func(key string) bool { return p.Node.Get(key).Text() == given.Get(key).Text() }
		switch p.Type {
		case "tool_use":
			if same("id") {
				return i
			}
		case "thinking":
			if same("signature") && same("thinking") {
				return i
			}
		case "text":
			if strings.TrimSpace(p.Text) == strings.TrimSpace(given.Get("text").Text()) {
				return i
			}
		default:
			if wire.SameValue(p.Node, given) {
				return i
			}
		}
	}
	return -1
}

func nodesOf(parts []wire.Part) []*wire.Node {
	nodes := make([]*wire.Node, len(parts))
	for i, p := range parts {
		nodes[i] = p.Node
	}
	return nodes
}

// typesOf names blocks by their types.
func typesOf(blocks []*wire.Node) string {
	var types []string
	for _, b := range blocks {
		types = append(types, b.Get("type").Text())
	}
	return rules.List(types)
}

func textVerbatim(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.ReturnedCallTurns() {
		text := e.Turn.Answer.Text
		trimmed := strings.TrimSpace(text)
		if e.Message == nil || trimmed == "" || trimmed == text || !strings.Contains(e.Message.Content.Text, trimmed) {
			continue // without the text, text-comes-back has something to say
		}
		j.HasEvidence = true
		if !strings.Contains(e.Message.Content.Text, text) {
			j.FindAt(e.In, e.Message.Content.Node.Pointer(),
				"the text alongside calls came back without the white space at its ends",
				rules.Quote(text),
				rules.Quote(e.Message.Content.Text))
		}
	}
	return j
}
