package gemini

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// ReadImage reads the image of a part of a content or of a result, and returns false for other
// parts.
func ReadImage(part wire.Part) (wire.Image, bool) {
	if inline := get(part.Node, "inlineData"); inline != nil {
		mediaType := get(inline, "mimeType").Text()
		if !strings.HasPrefix(mediaType, "image/") {
			return wire.Image{}, false
		}
		return wire.DecodeImage(mediaType, wire.StandardBase64(inline.Get("data").Text())), true
	}
	if file := get(part.Node, "fileData"); file != nil {
		mediaType := get(file, "mimeType").Text()
		return wire.Image{MediaType: mediaType, URL: get(file, "fileUri").Text()}, strings.HasPrefix(mediaType, "image/")
	}
	return wire.Image{}, false
}
