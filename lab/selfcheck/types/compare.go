package types

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rulebook"
	"github.com/loopproof/loopproof/internal/trace"
)

// Known is what [Difference.Ours] says of a key or a word that an SDK does not have.
const Known = "known"

// Difference is one thing about which the types of an SDK and Loopproof do not agree.
type Difference struct {
	At   string // PLACE.KEY, and behind it =WORD or :TYPE where it is about that alone; in front OUTER.KEY/ where it is only there
	Ours string // [Known], where the SDK does not have it; otherwise the rule that finds it
	Why  string
}

// comparison holds the types of one SDK against a profile.
type comparison struct {
	writer   writer
	surround func(request object)
	profile  *profiles.Profile
	vertex   *profiles.Profile // for the keys that only Vertex AI takes, or nil if there are none

	paths map[string][][]step            // to each place: one by each key that leads there
	found map[Difference]map[string]bool // where, by the last step

	keys, words, closed int
}

// Compare returns the differences, in order. candidates are keys and words that are tried where not
// every one is taken.
func (c *comparison) compare(keys, words []string) []Difference {
	c.findPaths()
	c.found = map[Difference]map[string]bool{}
	for _, place := range slices.Sorted(maps.Keys(c.paths)) {
		for _, path := range c.paths[place] {
			c.judgePlace(place, path, keys, words)
		}
	}
	var all []Difference
	for d, edges := range c.found {
		if len(edges) == len(c.paths[placeOf(d.At)]) {
			all = append(all, d)
			continue
		}
		for edge := range edges {
			all = append(all, Difference{At: edge + "/" + d.At, Ours: d.Ours})
		}
	}
	slices.SortFunc(all, func(a, b Difference) int { return strings.Compare(a.At+" "+a.Ours, b.At+" "+b.Ours) })
	return all
}

func placeOf(at string) string {
	place, _, _ := strings.Cut(at, ".")
	return place
}

// findPaths finds the ways to each place: by each key that leads there, behind the shortest way to
// the place of that key.
func (c *comparison) findPaths() {
	c.paths = map[string][][]step{root: {nil}}
	for queue := []string{root}; len(queue) > 0; queue = queue[1:] {
		before := c.paths[queue[0]][0]
		for _, k := range c.writer.places[queue[0]] {
			for _, kind := range k.types {
				inner, _ := base(kind)
				if _, is := c.writer.places[inner]; !is || inner == queue[0] {
					continue
				}
				if c.paths[inner] == nil {
					queue = append(queue, inner)
				}
				c.paths[inner] = append(c.paths[inner], append(slices.Clone(before), step{queue[0], k.name, kind}))
			}
		}
	}
}

// judgePlace notes the differences in a place that a path leads to.
func (c *comparison) judgePlace(place string, path []step, keys, words []string) {
	edge, by := "", c.profile
	for _, s := range path {
		edge = s.place + "." + s.key
		if c.isVertex(s.place, s.key) {
			by = c.vertex
		}
	}
	note := func(at, ours string) {
		d := Difference{At: at, Ours: ours}
		if c.found[d] == nil {
			c.found[d] = map[string]bool{}
		}
		c.found[d][edge] = true
	}
	least := c.judge(by, path, c.writer.object(place))
	if len(path) > 0 {
		last := path[len(path)-1]
		outer := c.judge(by, path[:len(path)-1], c.writer.object(last.place))
		for _, rule := range least.beyond(outer) {
			note(place, rule)
		}
	}
	for _, k := range c.writer.places[place] {
		c.keys++
		p, before := by, least
		if k.vertex {
			p = c.vertex
			before = c.judge(p, path, c.writer.object(place))
		}
		c.judgeKey(p, place, k, path, before, note)
		c.judgeWords(p, place, k, path, before, words, note)
	}
	c.judgeOtherKeys(by, place, path, least, keys, note)
}

func (c *comparison) isVertex(place, name string) bool {
	return slices.ContainsFunc(c.writer.places[place], func(k key) bool { return k.name == name && k.vertex })
}

// judgeKey tries each type that a value may have.
func (c *comparison) judgeKey(p *profiles.Profile, place string, k key, path []step, least findings, note func(at, ours string)) {
	byRule := map[string][]string{}
	for _, kind := range k.types {
		if name, _ := base(kind); c.writer.places[name] != nil && len(path) > 0 {
			continue // judged as a place
		}
		for _, rule := range c.judge(p, path, c.with(place, k.name, c.writer.value(place, k.name, kind))).beyond(least) {
			byRule[rule] = append(byRule[rule], kind)
		}
	}
	for rule, kinds := range byRule {
		if len(kinds) == len(k.types) {
			note(place+"."+k.name, rule)
			continue
		}
		for _, kind := range kinds {
			if !strings.HasPrefix(kind, "=") {
				kind = ":" + kind
			}
			note(place+"."+k.name+kind, rule)
		}
	}
}

// judgeWords tries words that the SDK does not have, where another word than those that it has is
// found.
func (c *comparison) judgeWords(p *profiles.Profile, place string, k key, path []step, least findings, candidates []string, note func(at, ours string)) {
	known, only := k.words()
	if !only || slices.Contains(known, "true") || slices.Contains(known, "false") {
		return
	}
	c.words += len(known)
	list := strings.HasSuffix(k.types[0], "[]")
	try := func(word string) []string {
		var value any = word
		if list {
			value = []any{word}
		}
		return c.judge(p, path, c.with(place, k.name, value)).beyond(least)
	}
	if len(try(madeUp)) == 0 {
		return // any word is taken
	}
	c.closed++
	known = append(known, c.siblings(path, k.name)...)
	for _, word := range candidates {
		if !slices.Contains(known, word) && len(try(word)) == 0 {
			note(place+"."+k.name+"="+word, Known)
		}
	}
}

// siblings are the words of a key in all the places that may stand where the path leads: the types
// of the blocks of a content.
func (c *comparison) siblings(path []step, name string) (words []string) {
	if len(path) == 0 {
		return nil
	}
	last := path[len(path)-1]
	for _, k := range c.writer.places[last.place] {
		if k.name != last.key {
			continue
		}
		for _, kind := range k.types {
			inner, _ := base(kind)
			for _, k := range c.writer.places[inner] {
				if k.name == name {
					more, _ := k.words()
					words = append(words, more...)
				}
			}
		}
	}
	return words
}

// madeUp is a key and a word that no API has.
const madeUp = "loopproof_made_up"

// judgeOtherKeys tries keys that the SDK does not have, where a key that nobody has is found.
func (c *comparison) judgeOtherKeys(p *profiles.Profile, place string, path []step, least findings, candidates []string, note func(at, ours string)) {
	closing := c.judge(p, path, c.with(place, madeUp, "x")).beyond(least)
	if len(closing) == 0 {
		return
	}
	c.closed++
	all := c.writer.object(place)
	for _, name := range candidates {
		if _, has := all[name]; !has {
			all[name] = "x"
		}
	}
	named := c.judge(p, path, all).lastSteps(closing)
	for _, name := range candidates {
		known := slices.ContainsFunc(c.writer.places[place], func(k key) bool { return k.name == name })
		if known || named[name] {
			continue
		}
		if _, has := c.writer.object(place)[name]; !has && c.accepts(p, place, path, least, name) {
			note(place+"."+name, Known)
		}
	}
}

// accepts reports whether a key is taken with a value of some type.
func (c *comparison) accepts(p *profiles.Profile, place string, path []step, least findings, name string) bool {
	for _, value := range []any{"x", 1, true, object{}, []any{}} {
		if len(c.judge(p, path, c.with(place, name, value)).beyond(least)) == 0 {
			return true
		}
	}
	return false
}

// with is the least of a place, with one key set.
func (c *comparison) with(place, name string, value any) object {
	o := c.writer.object(place)
	c.writer.set(o, place, name, value)
	return o
}

// findings are what is found in a request: rules, and where.
type findings map[found]bool

type found struct{ rule, pointer string }

// beyond returns the rules that find more than they found in another request.
func (f findings) beyond(other findings) (all []string) {
	for x := range f {
		if !other[x] && !slices.Contains(all, x.rule) {
			all = append(all, x.rule)
		}
	}
	slices.Sort(all)
	return all
}

// lastSteps are the keys at which rules found something.
func (f findings) lastSteps(rules []string) map[string]bool {
	all := map[string]bool{}
	for x := range f {
		if slices.Contains(rules, x.rule) {
			all[x.pointer[strings.LastIndex(x.pointer, "/")+1:]] = true
		}
	}
	return all
}

// judge returns what the rules of the area egress find in a request that has an object at the end
// of a path, but for hints, and what the provider refuses.
func (c *comparison) judge(p *profiles.Profile, path []step, inner object) findings {
	body, _ := c.writer.within(path, inner).(object)
	request := maps.Clone(body)
	c.surround(request)
	text, err := json.Marshal(request)
	if err != nil {
		panic(fmt.Sprintf("a body that was written here is no JSON: %v", err))
	}
	req, err := p.Speaks.Read(text)
	if err != nil {
		panic(fmt.Sprintf("a body that was written here cannot be read: %v", err))
	}
	all := findings{}
	for _, f := range rulebook.CheckRequest(context.Background(), p, nil, &trace.Exchange{Number: 1, Request: req}) {
		if f.Level != trace.Info && strings.HasPrefix(f.Rule, "egress/") {
			all[found{f.Rule, f.Pointer}] = true
		}
	}
	for refused := range rulebook.Refusals(context.Background(), p, req) {
		if strings.HasPrefix(refused.Rule, "egress/") {
			all[found{refused.Rule, refused.Finding.Pointer}] = true
		}
	}
	return all
}
