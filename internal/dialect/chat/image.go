package chat

import (
	"github.com/loopproof/loopproof/internal/dialect/openai"
	"github.com/loopproof/loopproof/internal/wire"
)

// ReadImage reads the image of a part of a content, and returns false for other parts. It is a data URL, or the URL of a
// place to fetch it from.
func ReadImage(part wire.Part) (wire.Image, bool) {
	if part.Type != "image_url" {
		return wire.Image{}, false
	}
	holder := part.Node.Get("image_url")
	if !holder.Is(wire.Object) {
		return wire.Image{Problem: "no object with a url"}, true
	}
	return openai.ImageAt(holder.Get("url").Text()), true
}
