package chat

import (
	"github.com/loopproof/loopproof/internal/dialect/openai"
	"github.com/loopproof/loopproof/internal/wire"
)

// ReadImage reads the image of a part of a content, and returns false for other parts. It is a data
// URL, or the URL of a place to fetch it from, in an object; some providers take it without the
// object, too.
func ReadImage(part wire.Part) (wire.Image, bool) {
	if part.Type != "image_url" {
		return wire.Image{}, false
	}
	holder := part.Node.Get("image_url")
	switch {
	case holder.Is(wire.Object):
		return openai.ImageAt(holder.Get("url").Text()), true
	case holder.Is(wire.String):
		image := openai.ImageAt(holder.Text())
		image.Bare = true
		return image, true
	default:
		return wire.Image{Problem: wire.NoURLObject}, true
	}
}
