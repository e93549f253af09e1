package scenarios

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
)

// demand is a condition that has to hold, and whether the scenario has it rather than the step.
type demand[T any] struct {
	value T
	outer bool
}

// of says whose condition it is.
func (d demand[T]) of() string {
	if d.outer {
		return " of the scenario"
	}
	return ""
}

func (d demand[T]) wanted() string {
	if d.outer {
		return ", as the scenario wants it,"
	}
	return ""
}

// impossible reports conditions of which one excludes the other, so that no request fits: those of
// a step, together with those of its scenario. outer is nil for those of a scenario. It returns
// whether there are any.
func (c *checker) impossible(here string, w, outer *When) bool {
	if w == nil {
		return false
	}
	p := &possibility{checker: c, here: here, outer: outer, w: w}
	return p.numbers() || p.texts() || p.excluded()
}

// possibility looks for conditions that exclude each other. Each method reports the first that it
// finds.
type possibility struct {
	*checker
	here     string
	w, outer *When
}

// never reports that no request fits, at a key of the conditions.
func (p *possibility) never(key, format string, args ...any) bool {
	p.fail(p.here+"/"+key, "no request fits: "+fmt.Sprintf(format, args...))
	return true
}

// demands returns what a condition has to be like by the scenario and by the step.
func demands[T any](p *possibility, of func(*When) *T) (all []demand[T]) {
	if p.outer != nil {
		if v := of(p.outer); v != nil {
			all = append(all, demand[T]{*v, true})
		}
	}
	if v := of(p.w); v != nil {
		all = append(all, demand[T]{*v, false})
	}
	return all
}

func turnOf(w *When) *int       { return w.Turn }
func turnFromOf(w *When) *int   { return w.TurnFrom }
func roundOf(w *When) *int      { return w.Round }
func wantsJSONOf(w *When) *bool { return w.WantsJSON }
func offersOf(w *When) *bool    { return w.OffersTools }

// numbers compares the counts, and what the request asks for.
func (p *possibility) numbers() bool {
	turns, from, rounds, json := demands(p, turnOf), demands(p, turnFromOf), demands(p, roundOf), demands(p, wantsJSONOf)
	if differ(turns) {
		return p.never("turn", "`turn` is %d, and `turn` of the scenario is %d", turns[1].value, turns[0].value)
	}
	if differ(rounds) {
		return p.never("round", "`round` is %d, and `round` of the scenario is %d", rounds[1].value, rounds[0].value)
	}
	if differ(json) {
		return p.never("wants-json", "`wants-json` is %t, and `wants-json` of the scenario is %t", json[1].value, json[0].value)
	}
	offers := demands(p, offersOf)
	if differ(offers) {
		return p.never("offers-tools", "`offers-tools` is %t, and `offers-tools` of the scenario is %t", offers[1].value, offers[0].value)
	}
	for _, offer := range offers {
		if names := slices.Concat(demandedTools(p.w), demandedTools(p.outer)); !offer.value && len(names) > 0 {
			p.fail(p.here, "no request fits: `offers-tools`"+offer.of()+" is false, and the tool "+names[0]+" is to be offered")
			return true
		}
	}
	for _, turn := range turns {
		for _, least := range from {
			switch {
			case turn.value >= least.value, turn.outer && least.outer:
			case least.outer:
				return p.never("turn", "`turn` is %d, and `turn-from` of the scenario is %d", turn.value, least.value)
			default:
				return p.never("turn-from", "`turn-from` is %d, and `turn`%s is %d; leave one of them away", least.value, turn.of(), turn.value)
			}
		}
		for _, round := range rounds {
			switch {
			case turn.value >= round.value, turn.outer && round.outer:
			case round.outer:
				return p.never("turn", "`turn` is %d, and `round` of the scenario is %d: no round has more turns than the conversation", turn.value, round.value)
			default:
				return p.never("round", "`round` is %d, and `turn`%s is %d: no round has more turns than the conversation", round.value, turn.of(), turn.value)
			}
		}
	}
	return false
}

// differ reports whether a step wants something else than its scenario.
func differ[T comparable](all []demand[T]) bool {
	return len(all) == 2 && all[0].value != all[1].value
}

// namedTexts are the conditions about one text.
type namedTexts struct {
	key   string // of the condition in the file, as a path
	what  string // "user text"
	texts []demand[Text]
}

// texts compares a text that is known with all else that it has to be like.
func (p *possibility) texts() bool {
	for _, n := range p.allTexts() {
		for _, known := range n.texts {
			for _, other := range n.texts {
				if known.value.Equals == nil || known.outer && other.outer || other.value.fits(*known.value.Equals) {
					continue
				}
				return p.never(n.key, "a %s that is %s%s is none that %s%s", n.what, quoted(*known.value.Equals), known.wanted(), other.value.besides(known.value), strings.TrimSuffix(other.wanted(), ","))
			}
		}
	}
	return false
}

// besides says what a text has to be like, without what another one says, too.
func (t Text) besides(known Text) string {
	if t.Equals != nil && known.Equals != nil && *t.Equals == *known.Equals {
		t.Equals = nil
	}
	if t.Equals != nil || t.Contains != nil && !strings.Contains(*known.Equals, *t.Contains) {
		t.Matches = nil
	} else {
		t.Contains = nil
	}
	return t.String()
}

// plainTexts are the conditions about texts that have a key of their own.
var plainTexts = []struct {
	key, what string
	of        func(*When) *Text
}{
	{"user", "user text", func(w *When) *Text { return w.User }},
	{"first-user", "first user text", func(w *When) *Text { return w.FirstUser }},
	{"system", "system prompt", func(w *When) *Text { return w.System }},
	{"model", "model", func(w *When) *Text { return w.Model }},
	{"wants-schema", "schema name", func(w *When) *Text { return w.WantsSchema }},
	{"body", "body", func(w *When) *Text { return w.Body }},
}

func (p *possibility) allTexts() (all []namedTexts) {
	for _, plain := range plainTexts {
		all = append(all, namedTexts{plain.key, plain.what, demands(p, plain.of)})
	}
	add := func(key, what string, name func(string) string, of func(*When) []NamedText) {
		for _, at := range of(p.w) {
			n := namedTexts{key: key, what: what + " " + name(at.Name)}
			for _, w := range []*When{p.outer, p.w} {
				if w == nil {
					continue
				}
				for _, other := range of(w) {
					if name(other.Name) == name(at.Name) {
						n.texts = append(n.texts, demand[Text]{other.Text, w == p.outer})
					}
				}
			}
			all = append(all, n)
		}
	}
	add("headers", "header", http.CanonicalHeaderKey, func(w *When) []NamedText { return w.Headers })
	same := func(name string) string { return name }
	add("fields", "field", same, func(w *When) []NamedText { return w.Fields })
	add("state", "state", same, func(w *When) []NamedText { return w.State })
	if p.w.Result != nil { // each by itself: there may be several results
		all = append(all, namedTexts{"result", "result", []demand[Text]{{p.w.Result.Text(), false}}})
	}
	return all
}

// excluded looks for a condition that must not hold and holds whenever the others do.
func (p *possibility) excluded() bool {
	for _, not := range demands(p, func(w *When) *When { return w.Not }) {
		if !p.follows(&not.value) {
			continue
		}
		if not.outer {
			p.fail(p.here, "no request fits: `not` of the scenario excludes "+not.value.String())
			return true
		}
		return p.never("not", "`not` excludes %s", not.value.String())
	}
	return false
}

// follows reports whether a condition holds for all requests that fit the others.
func (p *possibility) follows(not *When) bool {
	has := func(n int, all []demand[int]) bool {
		return slices.ContainsFunc(all, func(d demand[int]) bool { return d.value == n })
	}
	switch {
	case not.Turn != nil:
		return has(*not.Turn, demands(p, turnOf))
	case not.TurnFrom != nil:
		return *not.TurnFrom <= 1 || slices.ContainsFunc(append(demands(p, turnOf), demands(p, turnFromOf)...), func(d demand[int]) bool { return d.value >= *not.TurnFrom })
	case not.Round != nil:
		return has(*not.Round, demands(p, roundOf))
	case not.OffersTools != nil:
		return slices.ContainsFunc(demands(p, offersOf), func(d demand[bool]) bool { return d.value == *not.OffersTools })
	case not.WantsJSON != nil:
		return slices.ContainsFunc(demands(p, wantsJSONOf), func(d demand[bool]) bool { return d.value == *not.WantsJSON })
	case len(not.Tools) > 0:
		offered := slices.Concat(demandedTools(p.w), demandedTools(p.outer))
		return !slices.ContainsFunc(not.Tools, func(name string) bool { return !slices.Contains(offered, name) })
	case not.Result != nil:
		return slices.ContainsFunc(demands(p, func(w *When) *ResultText { return w.Result }), func(d demand[ResultText]) bool {
			return *not.Result == (ResultText{}) || reflect.DeepEqual(d.value, *not.Result)
		})
	default:
		return p.textFollows(not)
	}
}

func demandedTools(w *When) []string {
	if w == nil {
		return nil
	}
	return w.Tools
}

// textFollows is follows for a condition about a text.
func (p *possibility) textFollows(not *When) bool {
	excluded := (&possibility{w: not}).allTexts()
	for _, n := range p.allTexts() {
		for _, other := range excluded {
			if other.what != n.what || len(other.texts) == 0 {
				continue
			}
			if slices.ContainsFunc(n.texts, func(known demand[Text]) bool { return known.value.implies(other.texts[0].value) }) {
				return true
			}
		}
	}
	return slices.ContainsFunc(excluded, func(n namedTexts) bool { return len(n.texts) > 0 && n.texts[0].value.isAny() })
}

// isAny reports whether every text is like this.
func (t Text) isAny() bool {
	return t.Equals == nil && t.Matches == nil && t.Contains != nil && *t.Contains == ""
}

// implies reports whether every text that is like t is like another one, as far as can be said.
func (t Text) implies(other Text) bool {
	if t.Equals != nil {
		return other.fits(*t.Equals)
	}
	contains := other.Contains == nil || t.Contains != nil && strings.Contains(*t.Contains, *other.Contains)
	matches := other.Matches == nil || t.Matches != nil && t.Matches.String() == other.Matches.String()
	return other.Equals == nil && contains && matches
}
