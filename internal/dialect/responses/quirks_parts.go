package responses

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// partQuirks are about how the texts of items are divided into parts.
func partQuirks() []wire.Quirk {
	return []wire.Quirk{
		summaryForm.quirk("summary-in-parts", "sends the summary of its reasoning in several parts"),
		outputForm.quirk("text-in-parts", "sends the text of a message in two parts"),
	}
}

// partForm is how a text is in the parts of an item, and told in a stream.
type partForm struct {
	item, key string // the type of the item, and where its parts are
	part      string // the type of a part
	added     string // the beginning of the kinds of the events about a part: added and done
	text      string // the same of its text: delta and done
	index     string // of a part in its item
	logprobs  bool   // the events about a text have a list of them
	cut       func(text string) []string
}

var (
	summaryForm = partForm{
		item: reasoningItem, key: "summary", part: "summary_text", index: "summary_index",
		added: "response.reasoning_summary_part.", text: "response.reasoning_summary_text.", cut: halves,
	}
	outputForm = partForm{
		item: "message", key: "content", part: "output_text", index: "content_index",
		added: "response.content_part.", text: "response.output_text.", logprobs: true, cut: wire.Halves,
	}
)

func (f partForm) quirk(name, does string) wire.Quirk {
	return wire.Quirk{
		Name:   name,
		Does:   does,
		Events: f.inParts,
		Whole:  wire.InBody(func(body *wire.Node) { f.splitAll(body.Get("output")) }),
	}
}

// inParts sends two parts instead of each, each in one piece.
func (f partForm) inParts(events []wire.Event) []wire.Event {
	said := map[int]string{}
	for _, e := range events {
		if payload := wire.Parsed(e.Data); kindOf(payload) == f.text+"done" {
			index, _ := payload.Path("output_index").Int()
			said[index] = payload.Path("text").Text()
		}
	}
	var changed []wire.Event
	for _, e := range events {
		payload := wire.Parsed(e.Data)
		index, _ := payload.Path("output_index").Int()
		kind := kindOf(payload)
		switch about := payload.Path("part", "type").Text() == f.part; {
		case strings.HasPrefix(kind, f.text) || kind == f.added+"done" && about:
			continue // it is sent with the beginning of its part
		case kind == f.added+"added" && about:
			for n, text := range f.cut(said[index]) {
				changed = append(changed, f.events(payload, n, text)...)
			}
			continue
		}
		f.splitAll(payload.Path("response", "output"))
		f.split(payload.Get("item"))
		if payload != nil {
			e.Data = payload.JSON()
		}
		changed = append(changed, e)
	}
	return renumbered(changed)
}

// events returns the events of a part, like the one that announces it.
func (f partForm) events(added *wire.Node, n int, text string) (events []wire.Event) {
	part := added.Get("part").Clone()
	part.Set("text", text)
	for _, said := range []struct {
		kind  string
		field wire.Field
	}{
		{f.added + "added", wire.Field{Key: "part", Value: wire.Raw(added.Get("part").JSON())}},
		{f.text + "delta", wire.Field{Key: "delta", Value: text}},
		{f.text + "done", wire.Field{Key: "text", Value: text}},
		{f.added + "done", wire.Field{Key: "part", Value: wire.Raw(part.JSON())}},
	} {
		payload := added.Clone()
		payload.Remove("part")
		payload.Set("type", said.kind)
		payload.Set(f.index, n)
		if f.logprobs && said.field.Key != "part" {
			payload.Set("logprobs", []any{})
		}
		payload.Set(said.field.Key, said.field.Value)
		events = append(events, wire.Event{Lines: []string{"event: " + said.kind}, Data: payload.JSON()})
	}
	return events
}

// splitAll divides the texts in the items of a whole response.
func (f partForm) splitAll(output *wire.Node) {
	for _, item := range output.All() {
		f.split(item)
	}
}

func (f partForm) split(item *wire.Node) {
	parts := item.Get(f.key).All()
	if item.Get("type").Text() != f.item || len(parts) != 1 || parts[0].Get("type").Text() != f.part {
		return
	}
	item.Set(f.key, wire.WithTexts(parts[0], f.cut(parts[0].Get("text").Text())))
}

// halves cuts a text in two.
func halves(text string) []string {
	letters := []rune(text)
	return []string{string(letters[:len(letters)/2]), string(letters[len(letters)/2:])}
}
