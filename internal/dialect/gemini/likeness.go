package gemini

import "github.com/loopproof/loopproof/internal/wire"

// likeness tells how surely an object is a request: contents of parts.
func likeness(body *wire.Node) wire.Likeness {
	if wire.HasObjects(body.Get("contents"), "parts") {
		return wire.Certain
	}
	return wire.Unlike
}
