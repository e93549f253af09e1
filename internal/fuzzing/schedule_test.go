package fuzzing

import "testing"

// TestSchedule: departures come in their shares, evenly, and each kind of one comes before any
// comes again.
func TestSchedule(t *testing.T) {
	drawn := map[string]int{}
	named := func(name string) kind { return func(*drawing, *Conversation) { drawn[name]++ } }
	r := newSchedule([]departure{
		{3, []kind{named("quirk a"), named("quirk b"), named("quirk c"), named("quirk d")}},
		{1, []kind{named("cancel")}},
		{5, nil}, // nothing of this is drawn for the loop
	})
	var cancels []int
	for number := range 16 {
		before := drawn["cancel"]
		r.at(41, number)(nil, nil)
		if drawn["cancel"] > before {
			cancels = append(cancels, number%4)
		}
	}
	for name, want := range map[string]int{"quirk a": 3, "quirk b": 3, "quirk c": 3, "quirk d": 3, "cancel": 4} {
		if drawn[name] != want {
			t.Errorf("%s was drawn %d times, not %d", name, drawn[name], want)
		}
	}
	for _, place := range cancels {
		if place != cancels[0] {
			t.Errorf("a cancel is not every fourth, but at %v", cancels)
		}
	}
}
