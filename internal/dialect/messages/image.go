package messages

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// ReadImage reads the image of a block, and returns false for other blocks. It is there in base64,
// or is elsewhere: at a URL, or in a file that was uploaded before.
func ReadImage(block wire.Part) (wire.Image, bool) {
	if block.Type != "image" {
		return wire.Image{}, false
	}
	source := block.Node.Get("source")
	switch kind := source.Get("type").Text(); kind {
	case "base64":
		data := source.Get("data").Text()
		if strings.HasPrefix(data, "data:") {
			return wire.Image{MediaType: source.Get("media_type").Text(), Problem: "a value with a 'data:' prefix"}, true
		}
		return wire.DecodeImage(source.Get("media_type").Text(), data), true
	case "url":
		return wire.Image{URL: source.Get("url").Text()}, true
	case "":
		return wire.Image{Problem: "no source with a type"}, true
	default:
		return wire.Image{URL: kind}, true
	}
}
