package responses

import "github.com/loopproof/loopproof/internal/wire"

// reasoningQuirks are about how reasoning is told.
func reasoningQuirks() []wire.Quirk {
	return []wire.Quirk{{
		Name:   "summary-in-parts",
		Does:   "sends the summary of its reasoning in several parts",
		Events: summaryInParts,
		Whole:  wire.InBody(func(body *wire.Node) { splitSummaries(body.Get("output")) }),
	}}
}

// summaryInParts sends two parts instead of each part of a summary.
func summaryInParts(events []wire.Event) []wire.Event {
	said := map[int]string{}
	for _, e := range events {
		if payload := wire.Parsed(e.Data); kindOf(payload) == "response.reasoning_summary_text.done" {
			index, _ := payload.Path("output_index").Int()
			said[index] = payload.Path("text").Text()
		}
	}
	var changed []wire.Event
	for _, e := range events {
		payload := wire.Parsed(e.Data)
		index, _ := payload.Path("output_index").Int()
		switch kindOf(payload) {
		case "response.reasoning_summary_text.delta", "response.reasoning_summary_text.done", "response.reasoning_summary_part.done":
			continue
		case "response.reasoning_summary_part.added":
			for n, half := range halves(said[index]) {
				changed = append(changed, summaryPart(payload, n, half)...)
			}
			continue
		}
		splitSummaries(payload.Path("response", "output"))
		splitSummary(payload.Get("item"))
		if payload != nil {
			e.Data = payload.JSON()
		}
		changed = append(changed, e)
	}
	return renumbered(changed)
}

// summaryPart returns the events of a part of a summary, after the one that announces it.
func summaryPart(added *wire.Node, n int, text string) (events []wire.Event) {
	for _, f := range []struct {
		kind  string
		field wire.Field
	}{
		{"response.reasoning_summary_part.added", wire.Field{Key: "part", Value: textPart("summary_text", "")}},
		{"response.reasoning_summary_text.delta", wire.Field{Key: "delta", Value: text}},
		{"response.reasoning_summary_text.done", wire.Field{Key: "text", Value: text}},
		{"response.reasoning_summary_part.done", wire.Field{Key: "part", Value: textPart("summary_text", text)}},
	} {
		payload := added.Clone()
		payload.Remove("part")
		payload.Set("type", f.kind)
		payload.Set("summary_index", n)
		payload.Set(f.field.Key, f.field.Value)
		events = append(events, wire.Event{Lines: []string{"event: " + f.kind}, Data: payload.JSON()})
	}
	return events
}

// splitSummaries does so in the items of a whole response.
func splitSummaries(output *wire.Node) {
	for _, item := range output.All() {
		splitSummary(item)
	}
}

func splitSummary(item *wire.Node) {
	if item.Get("type").Text() != reasoningItem || len(item.Get("summary").All()) != 1 {
		return
	}
	item.Set("summary", textParts("summary_text", halves(item.Get("summary").Child("0").Get("text").Text())))
}

// halves cuts a text in two.
func halves(text string) []string {
	letters := []rune(text)
	return []string{string(letters[:len(letters)/2]), string(letters[len(letters)/2:])}
}
