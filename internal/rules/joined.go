package rules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// Joined returns the rules of several dialects, in which a rule that more than one has, under the
// same id, is one: it is where the first has it, and has the words and the level of the first, the
// sources of all, and in each dialect the check of that dialect, or else that of the first.
func Joined(of ...[]Rule) [][]Rule {
	type place struct{ list, at int }
	places := map[string]place{}
	all := make([][]Rule, len(of))
	for i, list := range of {
		for _, r := range list {
			if first, known := places[r.ID]; known {
				all[first.list][first.at].join(r)
				continue
			}
			places[r.ID] = place{i, len(all[i])}
			all[i] = append(all[i], r)
		}
	}
	return all
}

// join makes the rule one about the dialect of another one with its id, too.
func (r *Rule) join(other Rule) {
	r.Also = append(slices.Clone(r.Also), other.Dialect)
	r.Sources = slices.Concat(r.Sources, other.Sources)
	r.BrokenIn = slices.Concat(r.BrokenIn, other.BrokenIn)
	for _, name := range other.Vars {
		if !slices.Contains(r.Vars, name) {
			r.Vars = append(slices.Clone(r.Vars), name)
		}
	}
	if other.Request == nil {
		return
	}
	first := r.Request
	r.Request = func(p *profiles.Profile, req *wire.Request) CheckResult {
		if req.Dialect == other.Dialect {
			return other.Request(p, req)
		}
		return first(p, req)
	}
}
