package wire

import (
	"slices"
	"unicode/utf8"
)

// Pauses returns the writes after which a delivery that tears bytes apart pauses, in order. Writes
// that come back to back pile up, and a client that takes what has piled up never sees how they
// were cut. These are few, since they take time: inside of letters, inside of the name of a field,
// and between the two characters of a line end or the two line ends after an event.
func (d Delivery) Pauses(writes [][]byte) []int {
	by, cut := d.parts()
	switch {
	case cut != Bytes && cut != Split:
		return nil
	case by.Binary: // any place is inside an event, or between two
		return spread(numbers(len(writes)-1), 12)
	}
	var letters, names, ends []int
	var before []byte // the last bytes before the cut
	for i, w := range writes[:max(0, len(writes)-1)] {
		before = append(before[max(0, len(before)-len("\ndata")):], w...)
		switch behind := writes[i+1]; {
		case len(behind) == 0 || len(w) == 0:
		case !utf8.RuneStart(behind[0]):
			letters = append(letters, i)
		case hasSuffix(before, "\ndat") && behind[0] == 'a':
			names = append(names, i)
		case isLineEnd(w[len(w)-1]) && isLineEnd(behind[0]):
			ends = append(ends, i)
		}
	}
	if ends = spread(ends, 2); by != SSE { // there is no name of a field
		ends = spread(numbers(len(writes)-1), 4)
	}
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(spread(letters, 8), spread(names, 2), ends))))
}

// numbers returns the numbers from 0, so many of them.
func numbers(n int) []int {
	all := make([]int, max(0, n))
	for i := range all {
		all[i] = i
	}
	return all
}

func hasSuffix(b []byte, suffix string) bool {
	return len(b) >= len(suffix) && string(b[len(b)-len(suffix):]) == suffix
}

func isLineEnd(b byte) bool { return b == '\r' || b == '\n' }

// spread returns so many of some places at most, as evenly as can be.
func spread(places []int, most int) []int {
	if len(places) <= most {
		return places
	}
	some := make([]int, most)
	for i := range some {
		some[i] = places[(2*i+1)*len(places)/(2*most)]
	}
	return some
}
