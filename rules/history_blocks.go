package rules

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/wire"
)

// historyBlocks are the rules of the area history about blocks that a loop does not understand.
var historyBlocks = []Rule{
	{
		ID:       "history/unknown-blocks-come-back",
		Level:    Must,
		Dialects: onlyMessages,
		Text:     "Blocks of a turn that are none of the loop's business go back too: the use of the provider's own tools, and what it found.",
		Why:      "The provider goes on with its own work from them, and refuses results that lost their use.",
		Returned: true,
		Evidence: "a request that returns a turn with such blocks",
		Sources: []Source{
			{toolCallDocs, "the content of the assistant goes back as it came"},
			{"https://github.com/TanStack/ai/issues/910", "the order of blocks changed around provider tools"},
			{"https://github.com/anthropics/claude-code/issues/64383", "the 400 of a result without its use"},
		},
		Run: unknownBlocksComeBack,
	},
}

func unknownBlocksComeBack(r *Run) (j Judged) {
	for _, e := range r.Echoes() {
		if len(e.Turn.Answer.Blocks) == 0 {
			continue
		}
		j.Seen = true
		for _, raw := range e.Turn.Answer.Blocks {
			given, err := wire.ParseNode(raw)
			if err != nil || e.Message != nil && slices.ContainsFunc(e.Message.Content.Parts, func(p wire.Part) bool { return wire.SameValue(p.Node, given) }) {
				continue
			}
			j.Find(Finding{
				Request:  e.In.Number,
				Pointer:  "/messages",
				Message:  fmt.Sprintf("a block of the type %q did not come back as it was", given.Get("type").Text()),
				Expected: show(given),
				Actual:   echoed(e),
			})
		}
	}
	return j
}
