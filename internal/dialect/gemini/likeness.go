package gemini

import "github.com/loopproof/loopproof/internal/wire"

// likeness tells how surely an object is a request: contents of parts, or one alone.
func likeness(body *wire.Node) wire.Likeness {
	if contents := body.Get("contents"); wire.HasObjects(contents, "parts") || contents.Is(wire.Object) && contents.Has("parts") {
		return wire.Certain
	}
	return wire.Unlike
}
