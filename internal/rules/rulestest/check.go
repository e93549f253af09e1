package rulestest

import (
	"maps"
	"slices"
	"testing"

	"github.com/loopproof/loopproof/internal/rules"
)

// CheckRules plays the cases of a package of rules. Each of its rules has a case of every kind, and
// where a provider can see a violation, one whose findings fill the words of its refusal. A rule
// about quirks that has no check of its own needs no table: [EveryQuirkCase] has its cases.
func CheckRules(t *testing.T, all []rules.Rule, tables ...Cases) {
	t.Helper()
	cases := joined(t, tables)
	for i := range all {
		rule := &all[i]
		if _, own := cases[rule.ID]; !own && rule.ComparesQuirks() {
			var names []string
			for _, q := range rule.Quirks {
				names = append(names, q.Name)
			}
			cases[rule.ID] = EveryQuirkCase(names...)
		}
		t.Run(rule.ID, func(t *testing.T) {
			for _, c := range cases[rule.ID] {
				t.Run(string(c.Kind)+"/"+c.Name, func(t *testing.T) { c.Check(t, rule) })
			}
		})
		hasEveryKind(t, rule.ID, cases[rule.ID])
		if rule.Refuser() != nil {
			fillsWords(t, rule, cases[rule.ID])
		}
		delete(cases, rule.ID)
	}
	for _, id := range slices.Sorted(maps.Keys(cases)) {
		t.Errorf("there are cases for %s, which is no rule of this package", id)
	}
}

// joined returns the cases of some tables as one.
func joined(t *testing.T, tables []Cases) Cases {
	all := Cases{}
	for _, table := range tables {
		for id, cases := range table {
			if _, twice := all[id]; twice {
				t.Errorf("%s has cases in two places", id)
			}
			all[id] = cases
		}
	}
	return all
}

// hasEveryKind demands that a rule is shown to break, to be kept, and to see nothing where there is
// nothing.
func hasEveryKind(t *testing.T, id string, cases []Case) {
	shown, names := map[Kind]bool{}, map[string]bool{}
	for _, c := range cases {
		shown[c.Kind] = true
		if names[c.Name] {
			t.Errorf("two cases of %s are called %q", id, c.Name)
		}
		names[c.Name] = true
		if c.Kind == breaking && len(c.finds) == 0 {
			t.Errorf("%s: the case %q breaks the rule and finds nothing", id, c.Name)
		}
	}
	for _, k := range []Kind{breaking, keeping, blind} {
		if !shown[k] {
			t.Errorf("no case shows a run in which %s %s; add one to Cases{%q: {...}} in a test file of this package", id, k, id)
		}
	}
}

// fillsWords demands that every finding in a request offers all that the words of a refusal may
// use.
func fillsWords(t *testing.T, rule *rules.Rule, cases []Case) {
	filled := false
	for _, c := range cases {
		run := c.In.Play(t, c.Dialogue)
		for _, x := range run.Exchanges {
			if x.Request == nil {
				continue
			}
			for _, f := range rule.Refuser()(run.Script.Profile, x.Request).Findings {
				filled = true
				for _, v := range rule.Vars {
					if _, ok := f.Vars[v]; !ok {
						t.Errorf("%s, %s: a finding without {%s}", rule.ID, c.Name, v)
					}
				}
			}
		}
	}
	if !filled {
		t.Errorf("no case of %s has a request in which its check for providers finds something; add one that Breaks the rule", rule.ID)
	}
}

// Found is a finding at a place of a request, 0 for none.
func Found(request int, pointer, message, expected, actual string) Finding {
	return Finding{Request: request, Pointer: pointer, Message: message, Expected: expected, Actual: actual}
}
