package responses

import (
	"github.com/loopproof/loopproof/internal/dialect/openai"
	"github.com/loopproof/loopproof/internal/wire"
)

// ReadImage reads the image of a part of a content or of a result, and returns false for other
// parts. It is a data URL, the URL of a place to fetch it from, or a file that was uploaded before.
func ReadImage(part wire.Part) (wire.Image, bool) {
	if part.Type != "input_image" {
		return wire.Image{}, false
	}
	if file := part.Node.Get("file_id").Text(); file != "" {
		return wire.Image{URL: file}, true
	}
	url := part.Node.Get("image_url").Text()
	if url == "" {
		return wire.Image{Problem: "no image_url"}, true
	}
	return openai.ImageAt(url), true
}

// imagePlace returns input[3].output[0].image_url, as OpenAI writes it.
func imagePlace(part *wire.Node) string { return Place(part) + ".image_url" }

// Place returns where a value is, as OpenAI writes it: input[3].output[0].
func Place(n *wire.Node) string { return wire.InBrackets(n.Pointer()) }
