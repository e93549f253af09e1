package wire

// OpenCalls are calls of a turn that have no response so far. Each is found by its id and by its
// name without a search, since clients may send thousands, and their responses in any order.
type OpenCalls struct {
	ids      []string // of all calls, in order
	answered []bool   // of each
	byID     map[string][]int
	byName   map[string][]int
}

// Add adds the calls of a turn.
func (o *OpenCalls) Add(calls []Call) {
	if o.byID == nil {
		o.byID, o.byName = map[string][]int{}, map[string][]int{}
	}
	for _, c := range calls {
		n := len(o.ids)
		o.ids, o.answered = append(o.ids, c.ID), append(o.answered, false)
		o.byID[c.ID], o.byName[c.Name] = append(o.byID[c.ID], n), append(o.byName[c.Name], n)
	}
}

// AnsweredID notes that the first open call with an id has its response.
func (o *OpenCalls) AnsweredID(id string) { o.first(o.byID, id) }

// AnsweredName notes that the first open call with a name has its response, and returns the id of
// the call; open is false where there is none.
func (o *OpenCalls) AnsweredName(name string) (id string, open bool) {
	n := o.first(o.byName, name)
	if n < 0 {
		return "", false
	}
	return o.ids[n], true
}

// AnsweredNext notes that the first open call has its response, and returns its id.
func (o *OpenCalls) AnsweredNext() (id string, open bool) {
	for n := range o.ids {
		if !o.answered[n] {
			o.answered[n] = true
			return o.ids[n], true
		}
	}
	return "", false
}

// first answers the first open call of those under a key, and returns which it is; -1: none.
func (o *OpenCalls) first(of map[string][]int, key string) int {
	calls := of[key]
	for len(calls) > 0 && o.answered[calls[0]] {
		calls = calls[1:]
	}
	if len(calls) == 0 {
		delete(of, key)
		return -1
	}
	of[key] = calls[1:]
	o.answered[calls[0]] = true
	return calls[0]
}
