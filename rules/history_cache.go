package rules

import "github.com/loopproof/loopproof/wire"

// cacheMark is the key by which a loop asks a provider to cache what stands up to here. It is no part of what is cached:
// the mark moves on with the conversation, and whoever sets one on a text has to write it as a list of blocks.
// https://platform.claude.com/docs/en/build-with-claude/prompt-caching, https://openrouter.ai/docs/features/prompt-caching
const cacheMark = "cache_control"

// sameMessage reports whether two messages say the same, whatever in them is to be cached.
func sameMessage(a, b *wire.Node) bool {
	if wire.SameExactly(a, b) {
		return true
	}
	if !a.Is(wire.Object) || !b.Is(wire.Object) {
		return false
	}
	return sameMembers(a, b, func(key string, x, y *wire.Node) bool {
		return wire.SameExactly(x, y) || key == "content" && sameContent(x, y)
	})
}

func sameContent(a, b *wire.Node) bool {
	x, y := blocksOf(a), blocksOf(b)
	if len(x) == 0 || len(x) != len(y) {
		return false
	}
	for i := range x {
		switch {
		case x[i].Is(wire.String) || y[i].Is(wire.String):
			if !isText(x[i]) || !isText(y[i]) || textOf(x[i]) != textOf(y[i]) {
				return false
			}
		case !x[i].Is(wire.Object) || !y[i].Is(wire.Object):
			return false
		case !sameMembers(x[i], y[i], func(_ string, v, w *wire.Node) bool { return wire.SameExactly(v, w) }):
			return false
		}
	}
	return true
}

// sameMembers compares the members of two objects, but for the mark.
func sameMembers(a, b *wire.Node, same func(key string, x, y *wire.Node) bool) bool {
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

// blocksOf returns the blocks of a content; a content that is a string stands for one block of text.
func blocksOf(content *wire.Node) []*wire.Node {
	if content.Is(wire.String) {
		return []*wire.Node{content}
	}
	if content.Is(wire.Array) {
		return content.Items
	}
	return nil
}

func isText(block *wire.Node) bool {
	return block.Is(wire.String) || block.Get("type").Text() == "text" && block.Get("text").Is(wire.String)
}

func textOf(block *wire.Node) string {
	if block.Is(wire.String) {
		return block.Text()
	}
	return block.Get("text").Text()
}
