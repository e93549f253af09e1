package responses

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// framingQuirks are about the bytes of a stream and about the events between and after those of the
// response.
func framingQuirks() []wire.Quirk {
	return wire.FramingQuirks(
		wire.LeftOpen(),
		wire.Quirk{
			Name:   "long-line",
			Does:   "sends an event of more than 64 KiB in one line",
			Events: longLine,
		},
		wire.Quirk{
			Name: "more-after-done",
			Does: "sends more events after the response",
			Events: wire.AtTheEnd(
				event("response.output_text.delta", wire.Fields{{Key: "content_index", Value: 0}, {Key: "delta", Value: " Or not."}, {Key: "item_id", Value: "msg_late"}, {Key: "output_index", Value: 0}}),
				wire.Event{Data: []byte(`{"error":{"message":"the connection was idle"}}`)}),
		},
		wire.Quirk{
			Name:   "done-after-stop",
			Does:   "sends the end mark of Chat Completions, [DONE], after the response",
			Events: wire.AtTheEnd(wire.Event{Data: []byte(Done)}),
		},
	)
}

// longLine sends an event of an unknown type with 100,000 bytes of padding after the event that
// begins the response.
func longLine(events []wire.Event) []wire.Event {
	long := event("response.progress", wire.Fields{{Key: "padding", Value: strings.Repeat("loopproof ", 10_000)}})
	return renumbered(slices.Insert(slices.Clone(events), min(1, len(events)), long))
}
