package report

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// Shard says which part of a run a report is about.
type Shard struct {
	Index    int   `json:"index"` // from 1
	Of       int   `json:"of"`
	Places   []int `json:"places"`             // of its cases among those of all shards
	Filtered bool  `json:"filtered,omitempty"` // something that the loop claims is in none of the shards
}

// Merge puts the reports of all shards of a run together: the result is the report that one machine would have
// written, but for its times. The error says what does not fit.
func Merge(parts ...*Report) (*Report, error) {
	if err := fitting(parts); err != nil {
		return nil, err
	}
	first := *parts[0]
	whole := &first
	whole.Shard, whole.Cases, whole.Rules, whole.Stopped, whole.Replayed, whole.Notes, whole.TracesLeftOut = nil, []Case{}, []Rule{}, "", 0, nil, 0
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
		whole.Notes = append(whole.Notes, part.Notes...)
		if part.Started.Before(whole.Started) {
			whole.Started = part.Started
		}
		whole.Replayed += part.Replayed
		whole.TracesLeftOut += part.TracesLeftOut
		whole.DurationMS = max(whole.DurationMS, part.DurationMS)
	}
	slices.SortFunc(all, func(a, b placed) int { return a.place - b.place })
	for _, c := range all {
		whole.Cases = append(whole.Cases, c.Case)
	}
	whole.Stopped = strings.Join(stopped, "; ")
	for _, rule := range rules.Book() {
		if merged, ok := mergeRule(rule, parts); ok {
			whole.Rules = append(whole.Rules, merged)
		}
	}
	whole.Result = whole.verdict(parts[0].Shard.Filtered)
	whole.BoundTraces()
	return whole, nil
}

// mergeRule adds up what the shards say of a rule; false: nothing.
func mergeRule(rule *rules.Rule, parts []*Report) (Rule, bool) {
	merged := Rule{ID: rule.ID, Level: rule.Level, Verdict: trace.Unclaimed}
	said := false
	for _, part := range parts {
		i := slices.IndexFunc(part.Rules, func(r Rule) bool { return r.ID == rule.ID })
		if i < 0 {
			continue
		}
		r := part.Rules[i]
		said = true
		merged.Cases += r.Cases
		merged.Failed += r.Failed
		merged.Follows += r.Follows
		switch {
		case strength(r.Verdict) > strength(merged.Verdict):
			merged.Verdict, merged.Level = r.Verdict, r.Level
		case r.Verdict == merged.Verdict:
			merged.Level = trace.Heavier(merged.Level, r.Level)
		}
	}
	return merged, said
}

// strength orders the verdicts of shards: the strongest is that of the whole.
func strength(v trace.Verdict) int {
	return slices.Index([]trace.Verdict{trace.Unclaimed, trace.Untested, trace.Passed, trace.Failed}, v)
}

// verdict returns the result of a whole run.
func (r *Report) verdict(filtered bool) Result {
	missed := slices.ContainsFunc(r.Rules, func(rule Rule) bool {
		return (rule.Verdict == trace.Failed || rule.Verdict == trace.Untested) && r.fatal(rule.Level)
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

// fitting reports reports that are not the shards of one run, each once.
func fitting(parts []*Report) error {
	if len(parts) == 0 {
		return errors.New("there are no reports to merge")
	}
	var errs []error
	seen := map[int]bool{}
	first := parts[0]
	for i, part := range parts {
		if part.Shard == nil {
			return fmt.Errorf("report %d is no shard: it was written without --shard", i+1)
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
		differs("seed", first.Seed, part.Seed)
		differs("loop", first.Loop, part.Loop)
		differs("strictness", first.Strict, part.Strict)
		differs("selection", first.Shard.Filtered, part.Shard.Filtered)
		if fmt.Sprint(first.Claims) != fmt.Sprint(part.Claims) {
			errs = append(errs, fmt.Errorf("%s is of a loop that claims something else than that of shard %d/%d", name, first.Shard.Index, first.Shard.Of))
		}
		if seen[part.Shard.Index] {
			errs = append(errs, fmt.Errorf("%s is there twice", name))
		}
		if len(part.Shard.Places) < len(part.Cases) {
			errs = append(errs, fmt.Errorf("%s has %d cases and places for %d", name, len(part.Cases), len(part.Shard.Places)))
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
