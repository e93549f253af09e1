package report

import (
	"slices"
	"strings"
)

// What a stored report keeps.
const (
	storedCases = 4    // of each broken rule
	storedBody  = 2000 // bytes of each body of an exchange
)

// Stored returns the report as it is stored in a repository: a few cases of each broken rule, of
// which the best example has its exchange. The counts of the rules are those of all cases; the
// rulebook has the descriptions of the rules that were kept.
func (r *Report) Stored() *Report {
	stored := *r
	stored.Rules = make([]Rule, len(r.Rules))
	keep := map[string]storing{}
	for i, rule := range r.Rules {
		if rule.Verdict == Failed {
			r.chooseFor(rule, keep)
		} else {
			rule.Description = Description{Sources: []Source{}}
		}
		stored.Rules[i] = rule
	}
	stored.Cases = []Case{}
	for i := range r.Cases {
		if how, kept := keep[r.Cases[i].ID]; kept {
			stored.Cases = append(stored.Cases, r.Cases[i].stored(how))
		}
	}
	if r.Cache != nil {
		cache := *r.Cache
		cache.Example = nil // it may have an agent's own words
		stored.Cache = &cache
	}
	stored.CasesLeftOut += len(r.Cases) - len(stored.Cases)
	for i := range r.Cases {
		if r.Cases[i].Trace != nil && !keep[r.Cases[i].ID].traced {
			stored.TracesLeftOut++
		}
	}
	return &stored
}

// storing says how a case is stored: for which rules it is the example, and whether with its
// exchange.
type storing struct {
	shows  []string
	traced bool
}

// chooseFor notes the cases that are stored as examples of a broken rule.
func (r *Report) chooseFor(rule Rule, keep map[string]storing) {
	best, ok := r.example(rule, nil)
	if !ok {
		return
	}
	how := keep[best.of.ID]
	keep[best.of.ID] = storing{shows: append(how.shows, rule.ID), traced: rule.Level != Info || how.traced}
	left := storedCases - 1
	for _, c := range r.plainest(rule, len(r.Cases)) {
		if left == 0 {
			return
		}
		if c.ID == best.of.ID || rule.own() && c.Because(rule.ID) != "" {
			continue
		}
		if _, chosen := keep[c.ID]; !chosen {
			keep[c.ID] = storing{}
		}
		left--
	}
}

// stored returns a case without the rules that it passed. A finding is told once, and in full where
// the case is the example.
func (c *Case) stored(how storing) Case {
	kept := *c
	kept.Verdicts = map[string]Verdict{}
	for id, v := range c.Verdicts {
		if v == Failed {
			kept.Verdicts[id] = v
		}
	}
	kept.Findings = []Finding{}
	seen := map[string]bool{}
	for _, f := range c.Findings {
		if seen[f.Rule] {
			continue
		}
		seen[f.Rule] = true
		told := *c.first(f.Rule)
		if !slices.Contains(how.shows, f.Rule) {
			told = Finding{Rule: told.Rule, Level: told.Level, Message: told.Message, Because: told.Because}
		}
		kept.Findings = append(kept.Findings, told)
	}
	kept.Trace = nil
	if len(how.shows) == 0 {
		kept.ProviderAnswer, kept.Reproduce = nil, ""
	}
	if how.traced {
		kept.Trace = c.Trace.shortened(storedBody)
	}
	return kept
}

// shortened returns the exchange with the beginnings of long bodies. Only the first request has its
// headers. What the adapter printed is left out: it tells of the folders of a machine, and not of
// the exchange.
func (t *Trace) shortened(limit int) *Trace {
	if t == nil {
		return nil
	}
	short := *t
	short.Note = ""
	short.Requests = slices.Clone(t.Requests)
	for i := range short.Requests {
		x := &short.Requests[i]
		x.Body, x.Answer.Body = x.Body.shortened(limit), x.Answer.Body.shortened(limit)
		if i > 0 {
			x.Headers = map[string]string{}
		}
	}
	return &short
}

func (t TracedBody) shortened(limit int) TracedBody {
	switch {
	case len(t.Text) > limit:
		t.Text, t.Cut = strings.ToValidUTF8(t.Text[:limit], ""), true
	case len(t.Base64) > limit:
		t.Base64, t.Cut = t.Base64[:limit/4*4], true // whole groups of four letters
	}
	return t
}
