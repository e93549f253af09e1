package interactions

import "github.com/loopproof/loopproof/internal/wire"

// Quirks returns the known ways in which streams differ.
func Quirks() []wire.Quirk {
	status := wire.Fields{{Key: "interaction_id", Value: "v1_a"}, {Key: "status", Value: inProgress}, {Key: "event_type", Value: "interaction.status_update"}}
	return wire.WithNeeds([]wire.Quirk{{
		Name:   "unknown-events",
		Does:   "tells the status of an interaction in an event of its own, behind the first one",
		Events: wire.BehindFirst(wire.Event{Lines: []string{"event: interaction.status_update"}, Data: status.JSON()}),
	}}, nil)
}
