package wire

import "slices"

// History is a conversation as a provider keeps it: what its latest turn adds to the history before
// it. It is never changed, so that conversations which begin alike share their beginning, and a
// turn takes the memory of what is new in it.
type History struct {
	Before *History // nil if it begins with this turn
	Items  []Raw    // that the turn adds
	Output int      // how many of them, the last ones, are the model's
	About  Raw      // what is kept besides items, as a JSON object

	count int // of all items
}

// Then returns the history with items behind it, of which the last ones are the model's, and with
// what is kept besides. Without items it differs from h only in that. h may be nil if nothing was
// before. The items are copied, for they are kept longer than the documents in which they are.
func (h *History) Then(items []Raw, output int, about Raw) *History {
	items = copied(items)
	switch {
	case h == nil:
		return &History{Items: items, Output: output, About: about, count: len(items)}
	case len(items) == 0:
		same := *h
		same.About = about
		return &same
	default:
		return &History{Before: h, Items: items, Output: output, About: about, count: h.count + len(items)}
	}
}

func copied(items []Raw) []Raw {
	all := make([]Raw, len(items))
	for i, item := range items {
		all[i] = slices.Clone(item)
	}
	return all
}

// Len returns how many items a history has; of nil, 0.
func (h *History) Len() int {
	if h == nil {
		return 0
	}
	return h.count
}

// All returns all items, from the first.
func (h *History) All() []Raw {
	all := make([]Raw, h.Len())
	for end := len(all); h != nil; h = h.Before {
		end -= copy(all[end-len(h.Items):end], h.Items)
	}
	return all
}

// Input returns all items but those that the model added in the latest turn.
func (h *History) Input() []Raw { return h.All()[:h.Len()-h.Output] }

// Differs returns what a history adds to an earlier one: the items behind it; continues is false
// where it does not go on from that.
func (h *History) Differs(earlier *History) (added []Raw, continues bool) {
	switch {
	case earlier == nil:
		return nil, false
	case h.Before == earlier:
		return h.Items, true
	default: // what is kept besides items is another
		return nil, h.Before == earlier.Before && slices.EqualFunc(h.Items, earlier.Items, isSame)
	}
}

// isSame reports whether two values are the same bytes in memory.
func isSame(a, b Raw) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }
