package responses

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// besideText are keys that a request has which gives its input as a text, and that requests for
// embeddings do not have.
var besideText = []string{"instructions", "tools", "stream", "store", "include", "reasoning", "text", "previous_response_id", "max_output_tokens", "conversation"}

// likeness tells how surely an object is a request: an input of items, or a text with keys of this
// API alongside it.
func likeness(body *wire.Node) wire.Likeness {
	input := body.Get("input")
	switch {
	case input.Is(wire.String) && slices.ContainsFunc(besideText, body.Has):
		return wire.Certain
	case len(input.All()) > 0 && !slices.ContainsFunc(input.Items, func(item *wire.Node) bool { return !isItem(item) }):
		return wire.Certain
	default:
		return wire.Unlike
	}
}

// isItem reports whether an entry of an input is an item: a message, or one with a type that has no
// other meaning. The parts of what is to be embedded or moderated have types too.
func isItem(item *wire.Node) bool {
	kind := item.Get("type").Text()
	return item.Has("role") || kind != "" && kind != "text" && kind != "image_url"
}
