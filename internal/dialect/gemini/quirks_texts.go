package gemini

import (
	"github.com/loopproof/loopproof/internal/wire"
)

// textQuirks are about how a text is divided into parts.
func textQuirks() []wire.Quirk {
	return []wire.Quirk{{
		Name:   "text-in-parts",
		Does:   "sends a text in two parts",
		Events: wire.EachPayload(splitTexts),
		Whole:  wire.InBody(splitTexts),
	}}
}

// splitTexts divides the texts of a chunk that are no thoughts. A signature stays with the end of
// its text.
func splitTexts(chunk *wire.Node) {
	content := chunk.Path("candidates", 0, "content")
	if len(content.Get("parts").All()) == 0 {
		return
	}
	var parts []any
	for _, part := range content.Get("parts").All() {
		halves := []string{""}
		if part.Has("text") && !part.Has("thought") {
			halves = wire.Halves(part.Get("text").Text())
		}
		for i, half := range halves {
			piece := part.Clone()
			if len(halves) > 1 {
				piece.Set("text", half)
			}
			if i < len(halves)-1 {
				piece.Remove("thoughtSignature")
			}
			parts = append(parts, wire.Raw(piece.JSON()))
		}
	}
	content.Set("parts", parts)
}
