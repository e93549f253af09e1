package interactions

import "github.com/loopproof/loopproof/internal/wire"

// Quirks returns the known ways in which streams differ.
func Quirks() []wire.Quirk {
	status := wire.Fields{{Key: "interaction_id", Value: "v1_a"}, {Key: "status", Value: inProgress}, {Key: "event_type", Value: "interaction.status_update"}}
	return wire.WithNeeds([]wire.Quirk{{
		Name:   "unknown-events",
		Does:   "tells the status of an interaction in an event of its own, behind the first one",
		Events: wire.BehindFirst(wire.Event{Lines: []string{"event: interaction.status_update"}, Data: status.JSON()}),
	}, {
		Name:   "text-in-the-start",
		Does:   "sends the beginning of a text in the start of its step, and not in a delta",
		Events: textsInStarts,
	}}, nil)
}

// textsInStarts moves the first delta of each text into the start of its step.
func textsInStarts(events []wire.Event) (changed []wire.Event) {
	for _, e := range events {
		payload, last := wire.Parsed(e.Data), len(changed)-1
		if delta := payload.Get("delta"); last >= 0 && delta.Get("type").Text() == "text" {
			start := wire.Parsed(changed[last].Data)
			if step := start.Get("step"); step.Get("type").Text() == outputStep && !step.Has("content") {
				step.Set("content", []any{textOf(delta.Get("text").Text())})
				changed[last].Data = start.JSON()
				continue
			}
		}
		changed = append(changed, e)
	}
	return changed
}
