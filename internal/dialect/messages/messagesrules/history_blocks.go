package messagesrules

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/history"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// historyBlockRules are the rules of the area history about blocks that a loop does not understand.
var historyBlockRules = []rules.Rule{
	{
		ID:       "history/unknown-blocks-come-back",
		Level:    trace.Must,
		Text:     "Blocks of a turn that the loop does not use are sent back, too, once: calls of the provider's own tools, and their results.",
		Why:      "The provider continues its work from them, and refuses results without their calls.",
		Returned: true,
		Evidence: "a request that returns a turn with such blocks",
		Asked:    offersServerTools,
		Sources: []rules.Source{
			{URL: rules.ToolCallDocs, Says: "the content of the assistant goes back as it came"},
			{URL: "https://github.com/TanStack/ai/issues/910", Says: "the order of blocks changed around provider tools"},
			{URL: "https://github.com/anthropics/claude-code/issues/64383", Says: "the 400 of a result without its use"},
		},
		Run: unknownBlocksComeBack,
	},
}

func unknownBlocksComeBack(r *rules.Run) (j rules.CheckResult) {
	for _, e := range r.ReturnedTurns() {
		if len(e.Turn.Answer.Blocks) == 0 {
			continue
		}
		j.HasEvidence = true
		for _, raw := range e.Turn.Answer.Blocks {
			given, err := wire.ParseNode(raw)
			times := timesBack(e, given)
			if err != nil || times == 1 {
				continue
			}
			message := fmt.Sprintf("a block of the type %q did not come back as it was", given.Get("type").Text())
			if times > 1 {
				message = fmt.Sprintf("a block of the type %q came back %d times", given.Get("type").Text(), times)
			}
			j.FindAt(e.In, e.In.Request.HistoryPointer(), message, rules.Show(given), rules.DescribeReturn(e))
		}
	}
	return j
}

// timesBack returns how often a block is in the message that returns a turn, whether it is marked
// for the cache or not.
func timesBack(e rules.ReturnedTurn, given *wire.Node) (times int) {
	if e.Message == nil {
		return 0
	}
	for _, p := range e.Message.Content.Parts {
		if p.Node.Is(wire.Object) && history.SameMembers(withoutNulls(p.Node), withoutNulls(given), sameButNulls) {
			times++
		}
	}
	return times
}

// sameButNulls reports whether the values of a key are the same, where a key that is null is one
// that is not there: the keys of these blocks that may be null may also be left out, and SDKs leave
// them out when they write a block. An input is the model's.
func sameButNulls(key string, a, b *wire.Node) bool {
	switch {
	case key == "input":
		return wire.SameValue(a, b)
	case a.Is(wire.Object) && b.Is(wire.Object):
		return history.SameMembers(withoutNulls(a), withoutNulls(b), sameButNulls)
	case a.Is(wire.Array) && b.Is(wire.Array):
		return slices.EqualFunc(a.Items, b.Items, func(x, y *wire.Node) bool { return sameButNulls("", x, y) })
	default:
		return wire.SameValue(a, b)
	}
}

// withoutNulls returns an object without the keys that are null.
func withoutNulls(n *wire.Node) *wire.Node {
	rest := *n
	rest.Members = slices.DeleteFunc(slices.Clone(n.Members), func(m wire.Member) bool { return m.Value.Is(wire.Null) })
	return &rest
}
