package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/strictyaml"

	"github.com/loopproof/loopproof/internal/wire"
)

var errAmount = errors.New(`expected a number of events, such as "3 events"`)

const eachEvent = "each event"

// ReadYAML reads an amount such as "3 events".
func (a *Amount) ReadYAML(n *strictyaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		return errAmount
	}
	if n.Value == eachEvent {
		*a = Amount{Unit: "events", Each: true}
		return nil
	}
	var rest string
	if _, err := fmt.Sscanf(n.Value+" .", "%d %s %s", &a.N, &a.Unit, &rest); err != nil || rest != "." || a.N < 0 {
		return errAmount
	}
	if !strings.HasSuffix(a.Unit, "s") {
		a.Unit += "s"
	}
	if a.Unit != "events" {
		return errAmount
	}
	return nil
}

// Keep returns the events that arrive before the break. The one with the finish reason is never
// among them, since with it a loop may take the answer for complete.
func (b *Break) Keep(events []wire.Event) []wire.Event {
	switch {
	case b.Before == "done":
		return events
	case b.Before == "finish":
		for i, e := range events {
			if e.Finish {
				return events[:i]
			}
		}
		return events
	default:
		kept := firstOf(events, b.After.N)
		if finish := slices.IndexFunc(kept, func(e wire.Event) bool { return e.Finish }); finish >= 0 {
			return kept[:finish]
		}
		return kept
	}
}

// firstOf returns so many of some events, and the comments before and between them.
func firstOf(events []wire.Event, n int) []wire.Event {
	for i, e := range events {
		if n == 0 {
			return events[:i]
		}
		if e.Data != nil {
			n--
		}
	}
	return events
}

// WriteYAML returns the amount as a file says it.
func (a Amount) WriteYAML() string {
	if a.Each {
		return eachEvent
	}
	return fmt.Sprintf("%d %s", a.N, a.Unit)
}
