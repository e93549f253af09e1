package form

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// breach adds a breach of a keyword, if it is judged here.
func (c *checker) breach(n *Node, keyword string, p place, more wire.Breach) {
	rule := n.rules[keyword]
	if rule == "" {
		return
	}
	c.found(rule, func() wire.Breach {
		more.Rule, more.Keyword, more.Weak = rule, keyword, n.Level == "should"
		more.IfRefused = n.Nulls == "refused" && p.value.Is(wire.Null) || slices.Contains(n.Refused, keyword) || slices.Contains(c.form.Shared, rule)
		more.AtObject = n.At == "owner" && p.key != ""
		more.Tagged, more.Tags = c.form.Places == "tagged", slices.Clone(c.tags)
		more.In, more.Key, more.Value = p.in, p.key, p.value
		more.Type = n.typeWord()
		if more.Want == "" {
			more.Want = n.wants(keyword)
		}
		if more.Wants == nil {
			more.Wants = n.wantsOneOf(keyword)
		}
		if more.Limit == "" {
			more.Limit = n.limit(keyword)
		}
		return more
	})
}

// mostKept is how many breaches of one rule are kept: a request may have a hundred thousand unknown
// keys, and a breach takes ten times the memory of one.
const mostKept = 1000

// keep keeps a breach, if there are not yet too many of its rule.
func (c *checker) keep(rule string, breach func() wire.Breach) {
	if c.kept == nil {
		c.kept = map[string]int{}
	}
	if c.kept[rule]++; c.kept[rule] <= mostKept {
		c.result.Breaches = append(c.result.Breaches, breach())
		return
	}
	if c.result.More == nil {
		c.result.More = map[string]bool{}
	}
	c.result.More[rule] = true
}

// again finds the breaches of one rule without keeping them, but for an API that names them in
// another order.
func (f *Form) again(body *wire.Node, of wire.Provider, rule string, found func(*wire.Breach)) {
	var all []wire.Breach
	c := &checker{form: f, of: of, result: &wire.FormResult{}}
	c.found = func(broken string, breach func() wire.Breach) {
		switch {
		case broken != rule:
		case f.protos():
			all = append(all, breach())
		default:
			b := breach()
			found(&b)
		}
	}
	c.node(f.Request, place{value: body}, true)
	inOrder(all)
	for i := range all {
		found(&all[i])
	}
}
