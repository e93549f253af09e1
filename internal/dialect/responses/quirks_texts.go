package responses

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// textQuirks are about how the text of a message is divided into parts.
func textQuirks() []wire.Quirk {
	return []wire.Quirk{{
		Name:   "text-in-parts",
		Does:   "sends the text of a message in two parts",
		Events: textInParts,
		Whole:  wire.InBody(func(body *wire.Node) { splitTexts(body.Get("output")) }),
	}}
}

// textInParts sends two parts instead of the text of each message, each in one piece.
func textInParts(events []wire.Event) []wire.Event {
	said := map[int]string{}
	for _, e := range events {
		if payload := wire.Parsed(e.Data); kindOf(payload) == "response.output_text.done" {
			index, _ := payload.Path("output_index").Int()
			said[index] = payload.Path("text").Text()
		}
	}
	var changed []wire.Event
	for _, e := range events {
		payload := wire.Parsed(e.Data)
		index, _ := payload.Path("output_index").Int()
		kind := kindOf(payload)
		switch {
		case strings.HasPrefix(kind, "response.output_text.") || kind == "response.content_part.done" && payload.Path("part", "type").Text() == "output_text":
			continue // it is sent with the beginning of its part
		case kind == "response.content_part.added" && payload.Path("part", "type").Text() == "output_text":
			for n, half := range wire.Halves(said[index]) {
				changed = append(changed, outputText(payload, n, half)...)
			}
			continue
		}
		splitTexts(payload.Path("response", "output"))
		splitText(payload.Get("item"))
		if payload != nil {
			e.Data = payload.JSON()
		}
		changed = append(changed, e)
	}
	return renumbered(changed)
}

// outputText returns the events of a part of a text, like the one that announces it.
func outputText(added *wire.Node, n int, text string) (events []wire.Event) {
	part := added.Get("part").Clone()
	part.Set("text", text)
	for _, f := range []struct {
		kind  string
		field wire.Field
	}{
		{"response.content_part.added", wire.Field{Key: "part", Value: wire.Raw(added.Get("part").JSON())}},
		{"response.output_text.delta", wire.Field{Key: "delta", Value: text}},
		{"response.output_text.done", wire.Field{Key: "text", Value: text}},
		{"response.content_part.done", wire.Field{Key: "part", Value: wire.Raw(part.JSON())}},
	} {
		payload := added.Clone()
		payload.Remove("part")
		payload.Set("type", f.kind)
		payload.Set("content_index", n)
		if f.field.Key != "part" {
			payload.Set("logprobs", []any{})
		}
		payload.Set(f.field.Key, f.field.Value)
		events = append(events, wire.Event{Lines: []string{"event: " + f.kind}, Data: payload.JSON()})
	}
	return events
}

// splitTexts divides the texts in the messages of a whole response.
func splitTexts(output *wire.Node) {
	for _, item := range output.All() {
		splitText(item)
	}
}

func splitText(item *wire.Node) {
	content := item.Get("content").All()
	if item.Get("type").Text() != "message" || len(content) != 1 || content[0].Get("type").Text() != "output_text" {
		return
	}
	var parts []any
	for _, half := range wire.Halves(content[0].Get("text").Text()) {
		part := content[0].Clone()
		part.Set("text", half)
		parts = append(parts, wire.Raw(part.JSON()))
	}
	item.Set("content", parts)
}
