package fuzzing

// departure is a way in which conversations depart from the plain one: they have failed attempts, a
// quirk, an ending without an answer. It comes in several kinds. So many of a hundred conversations
// depart in this way.
type departure struct {
	share int
	kinds []kind
}

// kind lets a conversation depart from the plain one in one way.
type kind func(*drawing, *Conversation)

// schedule says which conversation departs how. Departures take turns, and so do the kinds of each:
// with a hundred quirks, of which each shows one bug, chance alone would draw some of them often
// before it draws others at all.
type schedule struct {
	departures []departure
	places     []int // the departure at each place, after which they begin again
	earlier    []int // how often the departure has had a place before
}

// newSchedule returns a schedule of departures that have kinds.
func newSchedule(all []departure) *schedule {
	s := &schedule{}
	sum := 0
	for _, d := range all {
		if len(d.kinds) > 0 {
			s.departures = append(s.departures, d)
			sum += d.share
		}
	}
	given := make([]int, len(s.departures))
	for place := range sum {
		next := 0
		for i, d := range s.departures { // the one that is furthest behind its share
			if d.share*(place+1)-sum*given[i] > s.departures[next].share*(place+1)-sum*given[next] {
				next = i
			}
		}
		s.places, s.earlier = append(s.places, next), append(s.earlier, given[next])
		given[next]++
	}
	return s
}

// at returns how the conversation with a number departs. Seeds begin at different kinds, and so do
// departures, since some have the same kinds. Neighbours in a list of kinds are alike, and show the
// same bugs: a stride comes to all parts of the list soon.
func (s *schedule) at(seed uint64, number int) kind {
	place := number % len(s.places)
	i := s.places[place]
	d := s.departures[i]
	turn := number/len(s.places)*d.share + s.earlier[place]
	n := uint64(len(d.kinds))
	return d.kinds[(seed%n+uint64(i)+uint64(turn)*uint64(stride(len(d.kinds))))%n]
}

// stride returns the step by which a list of a length is gone through: about three fifths of it,
// and without a common divisor, so that every element comes once before one comes again.
func stride(length int) int {
	for step := length * 618 / 1000; step > 1; step-- {
		if coprime(step, length) {
			return step
		}
	}
	return 1
}

func coprime(a, b int) bool {
	for b > 0 {
		a, b = b, a%b
	}
	return a == 1
}
