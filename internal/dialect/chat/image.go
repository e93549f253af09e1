package chat

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// ReadImage reads the image of a part of a content, and returns false for other parts. It is there as a data URL, or
// as the URL of a place to fetch it from.
func ReadImage(part wire.Part) (wire.Image, bool) {
	if part.Type != "image_url" {
		return wire.Image{}, false
	}
	holder := part.Node.Get("image_url")
	url := holder.Get("url").Text()
	rest, inline := strings.CutPrefix(url, "data:")
	mediaType, encoded, encodes := strings.Cut(rest, ";base64,")
	switch {
	case !holder.Is(wire.Object):
		return wire.Image{Problem: "no object with a url"}, true
	case inline && encodes:
		return wire.DecodeImage(mediaType, encoded), true
	case inline:
		return wire.Image{Problem: "an invalid base64-encoded value"}, true
	case strings.HasPrefix(url, "https://"), strings.HasPrefix(url, "http://"):
		return wire.Image{URL: url}, true
	default:
		return wire.Image{Problem: "a value without the 'data:' prefix"}, true
	}
}
