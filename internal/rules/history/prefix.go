package history

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// Prefix says how far the requests of a run begin like the requests before them: that part of a
// prompt a provider's cache knows again. A prompt is the tools, the system prompt and the messages,
// in this order: https://platform.claude.com/docs/en/build-with-claude/prompt-caching.
type Prefix struct {
	Bytes int          // of the prompts that another request followed
	Lost  int          // of these bytes, that came after the first difference
	First *PrefixBreak // nil where nothing is lost
}

// PrefixBreak is a request that does not begin like the one before it.
type PrefixBreak struct {
	Before, After *trace.Exchange
	Was, Now      PromptPart // the first that differ
}

// PromptPart is a tool or a message of a prompt.
type PromptPart struct {
	Pointer string     // into the request
	Node    *wire.Node // nil: there is nothing

	ordered []*wire.Node  // what in it keeps the order of its keys
	message *wire.Message // nil: it is a tool
}

// PrefixOf compares each request with the one before it. Requests of which a provider keeps a part
// are left out, and so is the last one that a turn limit allows, which may have no tools, and one to
// another model, which has a cache of its own.
func PrefixOf(r *rules.Run) (p Prefix) {
	pairsInFull(r, func(before, after *trace.Exchange) {
		if r.IsLastWord(after) || r.Script.Scenario.ChangesTools() || before.Request.Model != after.Request.Model {
			return
		}
		was, now := promptParts(before.Request), promptParts(after.Request)
		broken := false
		for i, part := range was {
			p.Bytes += len(part.Node.Raw)
			if i < len(now) && !broken && part.begins(now[i], i == len(was)-1) {
				continue
			}
			if p.First == nil {
				p.First = &PrefixBreak{Before: before, After: after, Was: part, Now: PromptPart{Pointer: part.Pointer}}
				if i < len(now) {
					p.First.Now = now[i]
				}
			}
			broken = true
			p.Lost += len(part.Node.Raw)
		}
	})
	return p
}

// promptParts returns what a prompt is made of. Deferred tools are not before the conversation.
func promptParts(req *wire.Request) (parts []PromptPart) {
	for _, t := range req.Tools {
		if !t.Deferred {
			parts = append(parts, PromptPart{Pointer: t.Node.Pointer(), Node: t.Node, ordered: []*wire.Node{t.Parameters}})
		}
	}
	for i := range req.Messages {
		m := &req.Messages[i]
		part := PromptPart{Pointer: req.MessagePointer(i), Node: m.Node, message: m}
		for _, c := range m.Calls {
			part.ordered = append(part.ordered, c.ArgsNode)
		}
		parts = append(parts, part)
	}
	return parts
}

// begins reports whether a part of a prompt is as it was, or, as the last one, goes on.
func (p PromptPart) begins(now PromptPart, last bool) bool {
	switch {
	case (p.message == nil) != (now.message == nil):
		return false
	case p.message == nil && !wire.SameExactly(p.Node, now.Node):
		return false
	case p.message != nil && !sameAsBefore(*p.message, *now.message) && !(last && (goesOn(p.Node, now.Node) || hasMore(*p.message, *now.message))):
		return false
	}
	for i := range min(len(p.ordered), len(now.ordered)) {
		if _, _, moved := wire.KeysMoved(p.ordered[i], now.ordered[i]); moved {
			return false
		}
	}
	return true
}
