package fuzzing

// departure is a way in which conversations depart from the plain one: they have failed attempts, a quirk, an ending without an
// answer. It comes in several kinds. So many of a hundred conversations depart in this way.
type departure struct {
	share int
	kinds []kind
}

// kind lets a conversation depart from the plain one in one way.
type kind func(*drawing, *Conversation)

// rota says which conversation departs how. Departures take turns, and so do the kinds of each: with a hundred quirks, of which
// each shows one bug, chance alone would draw some of them often before it draws others at all.
type rota struct {
	departures []departure
	places     []int // the departure at each place, after which they begin again
	earlier    []int // how often the departure has had a place before
}

// newRota returns a rota of departures that have kinds.
func newRota(all []departure) *rota {
	r := &rota{}
	sum := 0
	for _, d := range all {
		if len(d.kinds) > 0 {
			r.departures = append(r.departures, d)
			sum += d.share
		}
	}
	given := make([]int, len(r.departures))
	for place := range sum {
		next := 0
		for i, d := range r.departures { // the one that is furthest behind its share
			if d.share*(place+1)-sum*given[i] > r.departures[next].share*(place+1)-sum*given[next] {
				next = i
			}
		}
		r.places, r.earlier = append(r.places, next), append(r.earlier, given[next])
		given[next]++
	}
	return r
}

// at returns how the conversation with a number departs. Seeds begin at different kinds, and so do departures, since some have
// the same kinds. Neighbours in a list of kinds are alike, and show the same bugs: a stride comes to all parts of the list soon.
func (r *rota) at(seed uint64, number int) kind {
	place := number % len(r.places)
	i := r.places[place]
	d := r.departures[i]
	turn := number/len(r.places)*d.share + r.earlier[place]
	n := uint64(len(d.kinds))
	return d.kinds[(seed%n+uint64(i)+uint64(turn)*uint64(stride(len(d.kinds))))%n]
}

// stride returns the step by which a list of a length is gone through: about three fifths of it, and without a common divisor,
// so that every element comes once before one comes again.
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
