package rulestest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/loopproof/loopproof/internal/form"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// CheckForm plays the mutants of a form: of a request that breaks no rule of the book under a
// profile, and is evidence for all rules of the form, each breaks the rule of its node, at its
// place, and no other rule but those that are known to say the same of one, by how the names of
// their mutants begin; "taken" says that the provider takes it. What rules say of the request itself
// that is for information is left out.
func CheckForm(t *testing.T, f *form.Form, profile string, request []byte, known map[string][]string) {
	t.Helper()
	p := Profile(t, profile)
	findings := func(body []byte) (all []string) {
		req, err := p.Speaks.Read(body)
		if err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		for _, found := range rulebook.CheckRequest(t.Context(), p, nil, &trace.Exchange{Request: req}) {
			all = append(all, found.Rule+" at "+found.Pointer)
		}
		return all
	}
	usual := findings(request)
	if found := slices.DeleteFunc(slices.Clone(usual), func(f string) bool {
		rule, _, _ := strings.Cut(f, " ")
		return rulebook.Lookup(rule).Level == trace.Info
	}); len(found) > 0 {
		t.Fatalf("the request breaks %q", found)
	}
	for _, m := range f.Mutants() {
		t.Run(m.ID(), func(t *testing.T) {
			body, pointer, ok := m.Of(request)
			if !ok {
				t.Fatal("the request has no place for it")
			}
			found, want := findings(body), []string{fmt.Sprintf("%s at %s", m.Rule, pointer)}
			if isKnown(known, m.ID(), "taken") {
				found = append(found, want...)
			}
			found = slices.DeleteFunc(found, func(f string) bool {
				rule, _, _ := strings.Cut(f, " ")
				return f != want[0] && (slices.Contains(usual, f) || isKnown(known, m.ID(), rule))
			})
			if !slices.Equal(found, want) {
				t.Errorf("it breaks %q, want %q\n%s", found, want, body)
			}
		})
	}
	checkElsewhere(t, f, request, findings)
}

// checkElsewhere plays the mutants of the keywords that a form leaves to rules about several dialects:
// each breaks the rule that the form names, and perhaps others.
func checkElsewhere(t *testing.T, f *form.Form, request []byte, findings func([]byte) []string) {
	for _, m := range f.MutantsElsewhere() {
		t.Run(m.ID(), func(t *testing.T) {
			body, _, ok := m.Of(request)
			if !ok {
				t.Fatal("the request has no place for it")
			}
			if found := findings(body); !slices.ContainsFunc(found, func(f string) bool { return strings.HasPrefix(f, m.Rule+" ") }) {
				t.Errorf("it breaks %q, want %s\n%s", found, m.Rule, body)
			}
		})
	}
}

// isKnown reports whether a rule is known to say the same of a mutant.
func isKnown(known map[string][]string, mutant, rule string) bool {
	for name, rules := range known {
		if strings.HasPrefix(mutant, name) && slices.Contains(rules, rule) {
			return true
		}
	}
	return false
}

// CheckTaken demands that a request has the form of its dialect also with each of some entries in its list of that
// name, and with each of some options, one a line.
func CheckTaken(t *testing.T, d *wire.Dialect, request []byte, list, entries, options string) {
	t.Helper()
	check := func(line string, change func(body, add *wire.Node)) {
		body, add := wire.Parsed(request), wire.Parsed([]byte(line))
		if add == nil {
			t.Fatalf("no JSON: %s", line)
		}
		change(body, add)
		req, err := d.Read(body.JSON())
		if err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		for _, b := range req.Form(nil).Breaches {
			t.Errorf("%s breaks %s at %s: %s, want %s", line, b.Rule, b.Pointer(), b.Keyword, b.Want)
		}
	}
	for line := range strings.Lines(strings.TrimSpace(entries)) {
		check(line, func(body, add *wire.Node) {
			body.Get(list).SetItems(append(slices.Clone(body.Get(list).Items), add)...)
		})
	}
	for line := range strings.Lines(strings.TrimSpace(options)) {
		check(line, func(body, add *wire.Node) {
			for _, m := range add.Members {
				body.Set(m.Key, m.Value)
			}
		})
	}
}

// WithoutForm returns the rules that are not about the form of requests, which have mutants in
// place of cases.
func WithoutForm(all []rules.Rule, f *form.Form) []rules.Rule {
	return slices.DeleteFunc(slices.Clone(all), func(r rules.Rule) bool {
		return slices.ContainsFunc(f.Rules, func(of form.Rule) bool { return of.ID == r.ID })
	})
}
