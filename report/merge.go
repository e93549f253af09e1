package report

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Shard identifies the part of a run that a report covers.
type Shard struct {
	Index      int   `json:"index"`              // from 1
	Of         int   `json:"of"`                 // the number of shards
	Places     []int `json:"places"`             // position of each case among the cases of all shards
	RulePlaces []int `json:"rule_places"`        // position of each rule in the rulebook
	Filtered   bool  `json:"filtered,omitempty"` // the selection leaves out something that the loop claims
}

// Merge combines the reports of all shards of a run. The result is the report that one machine
// would have written, except for the times. The error says which reports do not belong together.
func Merge(parts ...*Report) (*Report, error) {
	if err := fitting(parts); err != nil {
		return nil, err
	}
	first := *parts[0]
	whole := &first
	whole.Shard, whole.Cases, whole.Stopped, whole.Replayed, whole.Notes, whole.TracesLeftOut = nil, []Case{}, "", nil, nil, 0
	whole.Filtered = parts[0].Shard.Filtered
	type placed struct {
		place int
		Case
	}
	var all []placed
	var stopped []string
	for _, part := range parts {
		for i, c := range part.Cases {
			all = append(all, placed{part.Shard.Places[i], c})
		}
		if part.Stopped != "" {
			stopped = append(stopped, fmt.Sprintf("in shard %d/%d %s", part.Shard.Index, part.Shard.Of, part.Stopped))
		}
		whole.Notes = addNew(whole.Notes, part.Notes)
		if part.Started.Before(whole.Started) {
			whole.Started = part.Started
		}
		whole.Replayed = append(whole.Replayed, part.Replayed...)
		whole.TracesLeftOut += part.TracesLeftOut
		whole.DurationMS = max(whole.DurationMS, part.DurationMS)
	}
	slices.SortFunc(all, func(a, b placed) int { return a.place - b.place })
	for _, c := range all {
		whole.Cases = append(whole.Cases, c.Case)
	}
	whole.Cache = mergeCaches(parts, whole.Cases)
	whole.Stopped = strings.Join(stopped, "; ")
	whole.Rules = mergeRules(parts)
	whole.Result = whole.verdict(parts[0].Shard.Filtered)
	whole.Complete()
	return whole, nil
}

// mergeRules adds up the results of each rule in the shards.
func mergeRules(parts []*Report) []Rule {
	at := map[int]Rule{} // by place
	for _, part := range parts {
		for i, rule := range part.Rules {
			place := part.Shard.RulePlaces[i]
			if known, ok := at[place]; ok {
				rule = known.merged(rule)
			}
			at[place] = rule
		}
	}
	all := []Rule{}
	for _, place := range slices.Sorted(maps.Keys(at)) {
		all = append(all, at[place])
	}
	return all
}

// mergeCaches adds up what the shards say. The example is that of the first case that has one.
func mergeCaches(parts []*Report, cases []Case) (all *Cache) {
	place := func(r *Report) int {
		if r.Cache == nil || r.Cache.Example == nil {
			return len(cases)
		}
		return slices.IndexFunc(cases, func(c Case) bool { return c.ID == r.Cache.Example.Case })
	}
	for _, part := range slices.SortedStableFunc(slices.Values(parts), func(a, b *Report) int { return place(a) - place(b) }) {
		all = all.Add(part.Cache)
	}
	return all
}

// merged adds up the results of a rule in two shards.
func (r Rule) merged(other Rule) Rule {
	switch {
	case strength(other.Verdict) > strength(r.Verdict):
		r.Verdict, r.Level = other.Verdict, other.Level
	case r.Verdict == other.Verdict:
		if other.Level.Outweighs(r.Level) {
			r.Level = other.Level
		}
	}
	r.Cases += other.Cases
	r.Failed += other.Failed
	r.Follows += other.Follows
	return r
}

// strength orders the verdicts of shards: the strongest is that of the whole.
func strength(v Verdict) int {
	return slices.Index([]Verdict{Unclaimed, Untested, Passed, Failed}, v)
}

// verdict returns the result of a whole run.
func (r *Report) verdict(filtered bool) Result {
	missed := slices.ContainsFunc(r.Rules, func(rule Rule) bool {
		return (rule.Verdict == Failed || rule.Verdict == Untested) && r.fatal(rule.Level)
	})
	switch {
	case missed || r.Stopped != "":
		return NotConformant
	case filtered:
		return Partial
	default:
		return Conformant
	}
}

// fitting checks that the reports are those of all shards of one run, without duplicates.
func fitting(parts []*Report) error {
	if len(parts) == 0 {
		return errors.New("there are no reports to merge")
	}
	var errs []error
	seen := map[int]bool{}
	first := parts[0]
	for i, part := range parts {
		if part.Shard == nil {
			return fmt.Errorf("report %d is not of a shard: it was written without --shard", i+1)
		}
		name := fmt.Sprintf("shard %d/%d", part.Shard.Index, part.Shard.Of)
		differs := func(what string, a, b any) {
			if a != b {
				errs = append(errs, fmt.Errorf("%s has the %s %v, and shard %d/%d has %v", name, what, b, first.Shard.Index, first.Shard.Of, a))
			}
		}
		differs("number of shards", first.Shard.Of, part.Shard.Of)
		differs("schema", first.Schema, part.Schema)
		differs("version", first.Version, part.Version)
		differs("rulebook", first.Rulebook, part.Rulebook)
		differs("number of the rulebook", first.RulebookNumber, part.RulebookNumber)
		differs("seed", first.Seed, part.Seed)
		differs("loop", first.Loop, part.Loop)
		differs("strictness", first.Strict, part.Strict)
		differs("selection", first.Shard.Filtered, part.Shard.Filtered)
		differs("levels", strings.Join(first.OnlyLevels, ", "), strings.Join(part.OnlyLevels, ", "))
		if fmt.Sprint(first.Claims) != fmt.Sprint(part.Claims) {
			errs = append(errs, fmt.Errorf("%s has other claims than shard %d/%d", name, first.Shard.Index, first.Shard.Of))
		}
		if seen[part.Shard.Index] {
			errs = append(errs, fmt.Errorf("%s occurs twice", name))
		}
		if len(part.Shard.Places) < len(part.Cases) {
			errs = append(errs, fmt.Errorf("%s has %d cases, but positions for %d", name, len(part.Cases), len(part.Shard.Places)))
		}
		if len(part.Shard.RulePlaces) < len(part.Rules) {
			errs = append(errs, fmt.Errorf("%s has %d rules, but positions for %d", name, len(part.Rules), len(part.Shard.RulePlaces)))
		}
		seen[part.Shard.Index] = true
	}
	for i := 1; i <= first.Shard.Of; i++ {
		if !seen[i] {
			errs = append(errs, fmt.Errorf("shard %d/%d is missing", i, first.Shard.Of))
		}
	}
	return errors.Join(errs...)
}

// addNew adds to notes those that are not among them: parts may say the same of the loop.
func addNew(notes, more []string) []string {
	known := map[string]bool{}
	for _, note := range notes {
		known[note] = true
	}
	for _, note := range more {
		if !known[note] {
			known[note] = true
			notes = append(notes, note)
		}
	}
	return notes
}
