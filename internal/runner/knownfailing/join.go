package knownfailing

import "strings"

// join replaces entries of the new list for one rule, with one reason and no comments of their own,
// by fewer that cover the same failures.
func (u *updating) join() {
	list, err := parse("", []byte(u.Text), false)
	if err != nil {
		return // reported when the list is read next
	}
	w := &joining{updating: newUpdating(list, u.report, u.plan)}
	for i := range list.Entries {
		w.new[i] = list.comment(i) + list.text(i)
	}
	for _, group := range w.causes() {
		w.joinEntries(group)
	}
	if w.Joined == 0 {
		return
	}
	u.Text = list.header() + strings.Join(w.new, "") + list.footer()
	u.Joined, u.Unreasoned = w.Joined, u.Unreasoned-w.unawaited
}

// joining is a list whose entries are being joined.
type joining struct {
	*updating
	unawaited int // how many entries fewer wait for a reason
}

// causes returns which entries have one rule and one reason.
func (w *joining) causes() [][]int {
	type cause struct{ rule, reason string }
	at := map[cause]int{}
	var groups [][]int
	for i, e := range w.old.Entries {
		if strings.TrimSpace(w.old.comment(i)) != "" {
			continue
		}
		by := cause{e.Rule, strings.TrimSpace(e.Reason)}
		if _, known := at[by]; !known {
			at[by] = len(groups)
			groups = append(groups, nil)
		}
		groups[at[by]] = append(groups[at[by]], i)
	}
	return groups
}

func (w *joining) joinEntries(group []int) {
	first := &w.old.Entries[group[0]]
	failing := map[string]Failure{}
	for _, i := range group {
		those, _ := w.covered(&w.old.Entries[i])
		for _, f := range those {
			if f.Case != "" {
				failing[f.Case] = f.Failure
			}
		}
	}
	list := entries(w.report, w.plan, first.Rule, failing)
	if len(list) == 0 || len(list) >= len(group) {
		return
	}
	for i := range list {
		list[i].Reason = first.Reason
	}
	if !first.hasReason() {
		w.unawaited += len(group) - len(list)
	}
	for _, i := range group {
		w.new[i] = ""
	}
	w.new[group[0]] = w.old.comment(group[0]) + written(list)
	w.Joined += len(group)
}
