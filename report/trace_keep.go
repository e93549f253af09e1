package report

import (
	"cmp"
	"slices"
)

// The number of exchanges that a report keeps: those of the simplest failing cases of each rule,
// and others up to a size.
const (
	tracesOfRule = 2
	tracesInAll  = 1 << 20 // bytes of bodies
)

// Broken reports whether a must or a should is broken in the case.
func (c *Case) Broken() bool {
	return slices.ContainsFunc(c.Findings, func(f Finding) bool { return f.Level != Info })
}

// boundTraces removes exchanges that would make the report too large. It keeps those of the
// simplest failing cases of each rule, and as many others as fit.
func (r *Report) boundTraces() {
	keep, room := map[string]bool{}, tracesInAll
	take := func(c *Case, always bool) {
		if c.Trace == nil || keep[c.ID] || !always && c.Trace.Size() > room {
			return
		}
		keep[c.ID] = true
		room -= c.Trace.Size()
	}
	for _, rule := range r.With(Failed) {
		for _, c := range r.plainest(rule, tracesOfRule) {
			take(c, true)
		}
	}
	for i := range r.Cases {
		take(&r.Cases[i], false)
	}
	for i := range r.Cases {
		if c := &r.Cases[i]; c.Trace != nil && !keep[c.ID] {
			if c.Trace = nil; c.Broken() {
				r.TracesLeftOut++
			}
		}
	}
}

// plainest returns the best examples of a broken rule.
func (r *Report) plainest(rule Rule, n int) []*Case {
	var broken []*Case
	for i := range r.Cases {
		if r.Cases[i].first(rule.ID) != nil {
			broken = append(broken, &r.Cases[i])
		}
	}
	slices.SortStableFunc(broken, func(a, b *Case) int {
		return cmp.Compare(worth(rule, b, b.first(rule.ID)), worth(rule, a, a.first(rule.ID)))
	})
	return broken[:min(n, len(broken))]
}

// Size returns the size of an exchange in bytes.
func (t *Trace) Size() int {
	n := 0
	for i := range t.Requests {
		request := &t.Requests[i]
		n += 400 + len(request.Body.Text) + len(request.Body.Base64) + len(request.Answer.Body.Text) + len(request.Answer.Body.Base64)
	}
	for i := range t.Tools {
		n += 100 + len(t.Tools[i].Arguments) + len(t.Tools[i].Result)
	}
	for i := range t.Asked {
		n += 150 + len(t.Asked[i].Arguments) + len(t.Asked[i].Reason) + len(t.Asked[i].With)
	}
	return n
}
