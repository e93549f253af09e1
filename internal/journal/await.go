package journal

// Await follows an expectation over many requests. It looks at every request once, and again only
// when something of it changes, so that hundreds may wait at a time.
type Await struct {
	expectation Expectation
	changes     *Changes
	journals    func() []*Journal
	seen        int             // changes
	begun       bool            // all requests were looked at once
	taken       map[Change]bool // requests that the filter selects
	looked      int             // requests that were compared with the filter
}

// Await begins to follow an expectation over the requests of some journals, which report their
// changes. The caller has to call Close.
func (x Expectation) Await(c *Changes, journals func() []*Journal) *Await {
	return &Await{expectation: x, changes: c, journals: journals, seen: c.follow()}
}

// Close ends it.
func (a *Await) Close() { a.changes.leave() }

// May reports whether the expectation may hold by now, though it did not when this was asked
// before. Whether it does is said by [Expectation.Of], which looks at all requests.
func (a *Await) May() bool {
	changed, seen, known := a.changes.since(a.seen)
	a.seen = seen
	concerned := false
	if !a.begun || !known {
		a.begun, a.taken, concerned, changed = true, map[Change]bool{}, true, nil
		for _, j := range a.journals() {
			a.addAll(j)
		}
	}
	looked := map[Change]bool{}
	for _, c := range changed {
		if looked[c] {
			continue
		}
		looked[c] = true
		concerned = a.look(c) || concerned
	}
	return concerned && (len(a.expectation.InOrder) > 0 || a.expectation.takes(len(a.taken)))
}

// look looks at what changed, and reports whether that concerns the expectation.
func (a *Await) look(c Change) bool {
	if c.Number > 0 {
		e, there := c.Journal.entry(c.Number, a.expectation.ReadsRequests())
		return a.note(c, e, there)
	}
	for known := range a.taken {
		if known.Journal == c.Journal {
			delete(a.taken, known)
		}
	}
	if !c.Journal.isReleased() {
		a.addAll(c.Journal)
	}
	return true
}

func (a *Await) addAll(j *Journal) {
	all := j.Outlines()
	if a.expectation.ReadsRequests() && Short(all) {
		all = j.Entries()
	}
	for _, e := range all {
		a.note(Change{j, e.Number}, e, true)
	}
}

// note counts a request or does not, and reports whether it does now or did before.
func (a *Await) note(c Change, e Entry, there bool) bool {
	before := a.taken[c]
	if there {
		a.looked++
		there = a.expectation.Takes(e)
	}
	if there {
		a.taken[c] = true
	} else {
		delete(a.taken, c)
	}
	return there || before
}
