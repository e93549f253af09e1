package openai

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

const noPrefix = "a value without the 'data:' prefix"

// ImageAt reads the image at a URL: a data URL, or a place to fetch it from.
func ImageAt(url string) wire.Image {
	rest, inline := strings.CutPrefix(url, "data:")
	mediaType, encoded, encodes := strings.Cut(rest, ";base64,")
	switch {
	case inline && encodes:
		return wire.DecodeImage(mediaType, encoded)
	case inline:
		return wire.Image{Problem: "an invalid base64-encoded value"}
	case strings.HasPrefix(url, "https://"), strings.HasPrefix(url, "http://"):
		return wire.Image{URL: url}
	case strings.Contains(url, "://"):
		scheme, _, _ := strings.Cut(url, "://")
		return wire.Image{Scheme: scheme, Problem: noPrefix}
	default:
		return wire.Image{Problem: noPrefix}
	}
}

// ImageTokens is how many tokens an image of 1024 by 1024 pixels counts as for gpt-4o, in full
// detail: https://platform.openai.com/docs/guides/images-vision#calculating-costs
const ImageTokens = 765
