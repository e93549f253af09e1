package messages

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// textQuirks are about how a text is divided into blocks.
func textQuirks() []wire.Quirk {
	return []wire.Quirk{{
		Name:   "text-in-parts",
		Does:   "sends a text in two blocks",
		Events: textInParts,
		Whole:  wire.InBody(splitTexts),
	}}
}

// textInParts divides each text block of a stream between two of its deltas. The index of what
// follows goes up.
func textInParts(events []wire.Event) []wire.Event {
	deltas := map[int]int{} // of each text
	for _, e := range events {
		if payload := wire.Parsed(e.Data); payload.Path("delta", "type").Text() == "text_delta" {
			index, _ := payload.Path("index").Int()
			deltas[index]++
		}
	}
	var changed []wire.Event
	said, more := map[int]int{}, 0
	for _, e := range events {
		payload := wire.Parsed(e.Data)
		index, has := payload.Path("index").Int()
		if has && payload.Path("delta", "type").Text() == "text_delta" {
			if said[index]++; deltas[index] > 1 && said[index] == deltas[index]/2+1 {
				changed = append(changed, event("content_block_stop", wire.Fields{{Key: "index", Value: index + more}}))
				more++
				changed = append(changed, event("content_block_start", wire.Fields{{Key: "index", Value: index + more}, {Key: "content_block", Value: wire.Raw(`{"type":"text","text":""}`)}}))
			}
		}
		if has && more > 0 {
			payload.Set("index", index+more)
			e.Data = payload.JSON()
		}
		changed = append(changed, e)
	}
	return changed
}

// splitTexts divides the text blocks of a whole message.
func splitTexts(message *wire.Node) {
	var blocks []any
	for _, block := range message.Get("content").All() {
		if text := block.Get("text").Text(); block.Get("type").Text() == "text" && strings.TrimSpace(text) != "" {
			blocks = append(blocks, wire.WithTexts(block, wire.Halves(text))...)
		} else {
			blocks = append(blocks, wire.Raw(block.JSON()))
		}
	}
	message.Set("content", blocks)
}
