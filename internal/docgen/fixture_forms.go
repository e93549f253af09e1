package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/fixtures"
	"github.com/loopproof/loopproof/internal/form"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// formFixtures returns a request for each mutant of the form of a dialect's requests, so that each
// keyword of each node has a request that breaks it alone: where people wrote none.
func formFixtures(d *wire.Dialect, written []fixtures.Request) ([]fixtures.Request, error) {
	if d.Form == nil {
		return nil, nil
	}
	f, is := d.Form().(*form.Form)
	if !is {
		return nil, nil
	}
	folder := filepath.Dir(f.File)
	whole, err := os.ReadFile(filepath.Join(folder, filepath.Base(folder)+"rules", "testdata", "request.json"))
	if err != nil {
		return nil, err
	}
	m := mutator{dialect: d, form: f, whole: whole, takes: map[string]bool{}}
	if m.profile, err = profiles.Get(d.Standard); err != nil {
		return nil, err
	}
	broken := map[string]bool{}
	for _, r := range written {
		switch breaches := m.breaches(r.Body); {
		case r.Class() != "good" && len(breaches) == 1:
			broken[nodeOf(&breaches[0])] = true
		case r.Class() == "good" && len(breaches) == 0:
			m.good = append(m.good, r.Body)
		}
	}
	slices.SortStableFunc(m.good, func(a, b []byte) int { return len(a) - len(b) })
	var all []fixtures.Request
	named := map[string]bool{}
	for _, mutant := range f.Mutants() {
		body, breach, err := m.request(&mutant)
		if err != nil {
			return nil, err
		}
		name := fixtureOf(&mutant)
		if named[name] { // by a node that this one is, too
			_, of, _ := strings.Cut(mutant.Rule, "/")
			name += "-" + of
		}
		named[name] = true
		if !broken[nodeOf(breach)] {
			all = append(all, fixtures.Request{Dialect: d.Name, ID: "form/" + name, Body: body})
		}
	}
	return all, nil
}

// fixtureOf names the fixture of a mutant: tools-item-function-name-required.
func fixtureOf(m *form.Mutant) string {
	name := strings.NewReplacer("[]", " item", ".*", " any key").Replace(strings.TrimPrefix(m.ID(), "request."))
	return strings.Trim(noLetters.ReplaceAllString(strings.ToLower(name), "-"), "-")
}

var noLetters = regexp.MustCompile(`[^a-z0-9]+`)

// nodeOf says what a breach breaks: a keyword, and the way to the value with the kinds of the
// objects on it, but without the indexes of lists.
func nodeOf(b *wire.Breach) string {
	way := []string{b.Rule, b.Keyword, b.Key}
	for in := b.In; in != nil; in = in.Parent() {
		way = append(way, in.Get("type").Text()+in.Get("role").Text(), in.Key())
	}
	return strings.Join(way, " ")
}

// mutator makes requests that break one node of a form.
type mutator struct {
	dialect *wire.Dialect
	form    *form.Form
	profile *profiles.Profile // the standard of the dialect
	good    [][]byte          // requests that people wrote, and that have the form, the shortest first
	whole   []byte            // a request that has all nodes
	takes   map[string]bool   // the requests of which isGood is known
}

func (m *mutator) breaches(body []byte) []wire.Breach {
	req, err := m.dialect.Read(body)
	if err != nil {
		return nil
	}
	return req.Form(nil).Breaches
}

// request returns the mutant of the shortest request that has a place for it, and what that breaks.
func (m *mutator) request(mutant *form.Mutant) ([]byte, *wire.Breach, error) {
	for _, good := range m.good {
		if body, breach := m.mutate(mutant, good); breach != nil {
			return body, breach, nil
		}
	}
	body, breach := m.mutate(mutant, m.shortest(mutant))
	if breach == nil {
		return nil, nil, fmt.Errorf("%s: no request has a place for the mutant %s that breaks nothing else", m.dialect.Name, mutant.ID())
	}
	return body, breach, nil
}

// mutate returns the mutant of a request with its breach, or nil if it breaks another rule, too,
// elsewhere: a key that should not be there at all breaks the form itself, beside what is in it.
func (m *mutator) mutate(mutant *form.Mutant, request []byte) (body []byte, breach *wire.Breach) {
	body, pointer, ok := mutant.Of(request)
	if !ok {
		return nil, nil
	}
	all := m.breaches(body)
	for i := range all {
		switch {
		case all[i].Rule == mutant.Rule && all[i].Keyword == mutant.Keyword && all[i].Pointer() == pointer:
			breach = &all[i]
		case all[i].Rule != mutant.Rule && all[i].Keyword != "deprecated" && all[i].Pointer() != pointer:
			return nil, nil
		}
	}
	return body, breach
}

// shortest returns the whole request without the keys and the entries of lists that the mutant does
// not need.
func (m *mutator) shortest(mutant *form.Mutant) []byte {
	short := m.whole
	leaveOut := func(change func(root *wire.Node)) {
		root := wire.Parsed(short)
		change(root)
		without := root.JSON()
		if _, breach := m.mutate(mutant, without); breach != nil && m.isGood(without) {
			short = without
		}
	}
	for key, list := range wire.Parsed(m.whole).Fields() {
		leaveOut(func(root *wire.Node) { root.Remove(key) })
		for i := len(list.All()) - 1; i >= 0; i-- {
			leaveOut(func(root *wire.Node) {
				if in := root.Get(key); len(in.All()) > i {
					in.SetItems(slices.Delete(slices.Clone(in.Items), i, i+1)...)
				}
			})
		}
	}
	return short
}

// isGood reports whether the provider that is the standard of the dialect takes a request, in which
// nothing but what is for information is found.
func (m *mutator) isGood(body []byte) (good bool) {
	if good, known := m.takes[string(body)]; known {
		return good
	}
	defer func() { m.takes[string(body)] = good }()
	req, err := m.dialect.Read(body)
	if err != nil {
		return false
	}
	found := rulebook.CheckRequest(context.Background(), m.profile, nil, &trace.Exchange{Request: req})
	_, _, refused := rulebook.Refuse(m.profile, req)
	return !refused && !slices.ContainsFunc(found, func(f trace.Finding) bool { return rulebook.Lookup(f.Rule).Level != trace.Info })
}
