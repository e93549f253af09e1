package responses

import "github.com/loopproof/loopproof/internal/wire"

// departed returns events with the quirks that every stream of the provider has.
func (s *Shape) departed(events []wire.Event) []wire.Event {
	for _, name := range s.Streams {
		quirk, _ := API.Quirk(name)
		events = quirk.Events(events)
	}
	return events
}

// streamQuirks are the names of the quirks that a shape may have in every stream.
func streamQuirks() (names []string) {
	for _, q := range Quirks() {
		if q.Events != nil {
			names = append(names, q.Name)
		}
	}
	return names
}
