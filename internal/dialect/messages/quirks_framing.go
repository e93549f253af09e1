package messages

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// framingQuirks are about the bytes of a stream and about the events between and after those of the
// message.
func framingQuirks() []wire.Quirk {
	return wire.FramingQuirks(
		wire.LeftOpen(),
		wire.Quirk{
			Name:   "events-without-data", // so it was reported: the name of an event without its data
			Does:   "sends events without data",
			Events: wire.Between(wire.Event{Lines: []string{"event: content_block_delta"}}),
		},
		wire.Quirk{
			Name:   "long-line",
			Does:   "sends an event of more than 64 KiB in one line",
			Events: longLine,
		},
		wire.Quirk{
			Name:   "done-after-stop",
			Does:   "sends the end mark of Chat Completions, [DONE], after message_stop",
			Events: wire.AtTheEnd(wire.Event{Lines: []string{"event: done"}, Data: []byte("[DONE]")}),
		},
		wire.Quirk{
			Name: "more-after-done",
			Does: "sends more events after the end mark",
			Events: wire.AtTheEnd(
				event("message_delta", wire.Fields{{Key: "delta", Value: wire.Raw(`{"stop_reason":"end_turn","stop_sequence":null}`)}, {Key: "usage", Value: wire.Raw(`{"output_tokens":1}`)}}),
				event("message_stop", nil)),
		},
	)
}

// longLine sends a ping with 100,000 bytes of padding after the event that begins the message.
func longLine(events []wire.Event) []wire.Event {
	ping := event("ping", wire.Fields{{Key: "padding", Value: strings.Repeat("loopproof ", 10_000)}})
	return slices.Insert(slices.Clone(events), min(1, len(events)), ping)
}
