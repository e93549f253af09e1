package history

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// cacheMark is the key by which a loop asks a provider to cache everything up to here. It is no
// part of what is cached: the mark moves on with the conversation, and a client that sets one on a
// text has to write it as a list of blocks.
// https://platform.claude.com/docs/en/build-with-claude/prompt-caching,
// https://openrouter.ai/docs/features/prompt-caching
const cacheMark = "cache_control"

// cachePoint is the only key of a block that is such a mark:
// https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
const cachePoint = "cachePoint"

// sameMessage reports whether two messages say the same, whatever in them is to be cached.
func sameMessage(a, b *wire.Node) bool {
	if wire.SameExactly(a, b) {
		return true
	}
	if !a.Is(wire.Object) || !b.Is(wire.Object) {
		return false
	}
	return SameMembers(a, b, func(key string, x, y *wire.Node) bool {
		return wire.SameExactly(x, y) || key == "content" && sameContent(x, y)
	})
}

// sameAsBefore reports whether a message came again as it was. Where a history may be a text alone,
// that is a message of the user.
func sameAsBefore(before, now wire.Message) bool {
	if before.Node.Is(wire.String) && before.Role == now.Role {
		return oneText(now.Content) && now.Content.Text == before.Content.Text
	}
	if before.Node.Is(wire.Array) && before.Role == wire.User && before.Role == now.Role { // contents, without a message around them
		return sameContent(before.Node, now.Content.Node)
	}
	return sameMessage(before.Node, now.Node)
}

// goesOn reports whether a turn is another one with more items after its own, which are one turn
// where a history is a list of items: those of two turns follow each other there when no result is
// between them.
func goesOn(a, b *wire.Node) bool {
	items := []*wire.Node{a}
	if a.Is(wire.Array) {
		items = a.Items
	}
	return b.Is(wire.Array) && len(b.Items) > len(items) && slices.EqualFunc(items, b.Items[:len(items)], sameMessage)
}

// hasMore reports whether a message of the user is an earlier one with more content at its end. A loop that
// leaves out an answer and asks in other words has to send that so where messages of one role have
// to be one: https://github.com/langchain-ai/langchain-aws/issues/192.
func hasMore(before, now wire.Message) bool {
	if before.Role != wire.User || now.Role != wire.User || !before.Node.Is(wire.Object) || !now.Node.Is(wire.Object) {
		return false
	}
	return SameMembers(before.Node, now.Node, func(_ string, x, y *wire.Node) bool {
		return wire.SameExactly(x, y) || x.Is(wire.Array) && goesOn(x, y)
	})
}

// sameContent compares contents of which one may be written as a list of blocks for the sake of a
// mark.
func sameContent(a, b *wire.Node) bool {
	x, y := wire.ReadContent(a), wire.ReadContent(b)
	if a.Is(wire.String) != b.Is(wire.String) {
		return oneText(x) && oneText(y) && x.Text == y.Text
	}
	was, now := withoutPoints(x.Parts), withoutPoints(y.Parts)
	return len(was) > 0 && slices.EqualFunc(was, now, func(p, q wire.Part) bool {
		return p.Node.Is(wire.Object) && q.Node.Is(wire.Object) &&
			SameMembers(p.Node, q.Node, func(_ string, v, w *wire.Node) bool { return wire.SameExactly(v, w) })
	})
}

// withoutPoints returns the parts of a content but for Bedrock's mark, which is a block of its own.
func withoutPoints(parts []wire.Part) []wire.Part {
	return slices.DeleteFunc(slices.Clone(parts), func(p wire.Part) bool { return slices.Equal(p.Node.Keys(), []string{cachePoint}) })
}

// oneText reports whether a content is a text, as a string or as the only block.
func oneText(c wire.Content) bool {
	return c.Node.Is(wire.String) || len(c.Parts) == 1 && c.Parts[0].Type == "text"
}

// SameMembers compares the members of two objects, but for the mark.
func SameMembers(a, b *wire.Node, same func(key string, x, y *wire.Node) bool) bool {
	for _, m := range b.Members {
		if m.Key != cacheMark && a.Get(m.Key) == nil {
			return false
		}
	}
	for _, m := range a.Members {
		if other := b.Get(m.Key); m.Key != cacheMark && (other == nil || !same(m.Key, m.Value, other)) {
			return false
		}
	}
	return true
}
