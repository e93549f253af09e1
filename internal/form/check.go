package form

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/loopproof/loopproof/internal/wire"
)

// Check finds where a request does not have the form, in one walk. Where a value breaks what its
// node says, what is in it is not looked at.
func (f *Form) Check(body *wire.Node) *wire.FormResult {
	c := &checker{form: f, result: &wire.FormResult{}}
	c.node(f.Request, place{value: body}, true)
	return c.result
}

type checker struct {
	form   *Form
	result *wire.FormResult
}

// place is where a value is, or would be.
type place struct {
	in    *wire.Node
	key   string // "" in a list
	value *wire.Node
}

// of returns the place of a key of the value.
func (p place) of(key string) place { return place{p.value, key, p.value.Get(key)} }

// breach adds a breach of a keyword, if it is judged here.
func (c *checker) breach(n *Node, keyword string, p place, more wire.Breach) {
	rule := n.rules[keyword]
	if rule == "" {
		return
	}
	more.Rule, more.Keyword, more.Weak = rule, keyword, n.Level == "should"
	more.In, more.Key, more.Value = p.in, p.key, p.value
	if more.Want == "" {
		more.Want = n.wants(keyword)
	}
	more.Wants = n.wantsOneOf(keyword)
	if more.Limit == "" {
		more.Limit = n.limit(keyword)
	}
	c.result.Breaches = append(c.result.Breaches, more)
}

// node checks a value by a node. must says that null is not as good as nothing: in a list, or where
// the value is required.
func (c *checker) node(n *Node, p place, must bool) {
	must = must || n.Required
	switch {
	case p.value == nil && n.Required:
		c.breach(n, "required", p, wire.Breach{})
		return
	case p.value == nil:
		return
	case n.InsteadOf != "":
		c.insteadOf(n, p)
		return
	case p.value.Is(wire.Null) && !must:
		return
	}
	if !c.value(n, p) {
		return
	}
	if n.is != nil {
		c.node(n.is, p, must)
	}
	switch p.value.Kind {
	case wire.Object:
		c.object(n, p)
	case wire.Array:
		for _, item := range p.value.Items {
			if n.Items != nil {
				c.node(n.Items, place{in: p.value, value: item}, true)
			}
		}
	}
	if n.By != "" {
		c.union(n, p)
	}
}

// insteadOf finds a key that is none. Where the one that it stands for is missing, the provider
// misses that first.
func (c *checker) insteadOf(n *Node, p place) {
	b := wire.Breach{Word: p.in.Get("type").Text()}
	if p.in.Get(n.InsteadOf) == nil {
		b.Missed = n.InsteadOf
	}
	c.breach(n, "insteadOf", p, b)
}

// value checks what a node says of the value itself, and reports whether what is in it can be
// looked at.
func (c *checker) value(n *Node, p place) bool {
	v := p.value
	if n.NotWith != "" && given(p.in.Get(n.NotWith)) {
		c.breach(n, "notWith", p, wire.Breach{})
	}
	if len(n.Type) > 0 && !slices.ContainsFunc(n.Type, func(t string) bool { return fits(t, v) }) {
		c.breach(n, "type", p, wire.Breach{})
		return false
	}
	for _, with := range n.OnlyWith {
		if p.in.Get(with.Name).Text() != with.Says {
			c.breach(n, "onlyWith", p, wire.Breach{})
			return false
		}
	}
	if n.says("enum") && !(v.Is(wire.String) && slices.Contains(n.Enum, v.Text())) && !(n.Or == "object" && v.Is(wire.Object)) {
		c.breach(n, "enum", p, wire.Breach{})
		return false
	}
	if n.MinItems > 0 && v.Is(wire.Array) && len(v.Items) < n.MinItems {
		c.breach(n, "minItems", p, wire.Breach{})
		return false
	}
	return c.number(n, p) && c.text(n, p)
}

// number checks the range of a number.
func (c *checker) number(n *Node, p place) bool {
	if !p.value.Is(wire.Number) {
		return true
	}
	value, _ := strconv.ParseFloat(string(p.value.Raw), 64) // 1e999 is infinite, and so above any edge
	edge := func(keyword, side string, limit int) bool {
		c.breach(n, keyword, p, wire.Breach{Limit: strconv.Itoa(limit), Side: side})
		return false
	}
	switch {
	case n.ExclusiveMinimum != nil && value <= float64(*n.ExclusiveMinimum):
		return edge("exclusiveMinimum", "below", *n.ExclusiveMinimum)
	case n.Minimum != nil && value < float64(*n.Minimum):
		return edge("minimum", "below", *n.Minimum)
	case n.Maximum != nil && value > float64(*n.Maximum):
		return edge("maximum", "above", *n.Maximum)
	default:
		return true
	}
}

// text checks the length and the letters of a text. A pattern wants one.
func (c *checker) text(n *Node, p place) bool {
	v := p.value
	switch {
	case n.MaxLength > 0 && v.Is(wire.String) && len(v.Raw) > n.MaxLength && utf8.RuneCountInString(v.Text()) > n.MaxLength:
		c.breach(n, "maxLength", p, wire.Breach{})
		return false
	case n.Pattern != "" && !(v.Is(wire.String) && n.re.MatchString(v.Text())):
		c.breach(n, "pattern", p, wire.Breach{})
		return false
	case n.Prefix != "" && v.Text() != "" && !strings.HasPrefix(v.Text(), n.Prefix):
		c.breach(n, "prefix", p, wire.Breach{Limit: strings.TrimSuffix(n.Prefix, "_")})
		return false
	default:
		return true
	}
}

// object checks the keys of an object, and what is under them.
func (c *checker) object(n *Node, p place) {
	if len(n.AnyOf) > 0 && !slices.ContainsFunc(n.AnyOf, func(key string) bool { return n.has(key, p.value) }) {
		at := p
		if n.At == "key" {
			at = p.of(n.AnyOf[0])
		}
		c.breach(n, "anyOf", at, wire.Breach{})
	}
	for _, property := range n.Properties {
		c.node(property.Node, p.of(property.Name), false)
	}
	if n.Keys == nil || n.rules["keys"] == "" {
		return
	}
	kind := p.value.Get("type").Text()
	for _, m := range p.value.Members {
		if !slices.Contains(n.known, m.Key) {
			c.breach(n, "keys", place{p.value, m.Key, m.Value}, wire.Breach{Word: kind})
		}
	}
}

// has reports whether an object has a key, of the type that its property has.
func (n *Node) has(key string, in *wire.Node) bool {
	value := in.Get(key)
	i := slices.IndexFunc(n.Properties, func(p Named) bool { return p.Name == key })
	return given(value) && (i < 0 || len(n.Properties[i].Node.Type) == 0 || fits(n.Properties[i].Node.Type[0], value))
}

// union checks an object by the node for objects of its kind.
func (c *checker) union(n *Node, p place) {
	kind := p.value.Get(n.By).Text()
	if n.As != "" {
		kind = c.form.as[n.As](p.value)
	}
	of := n.variant[kind]
	if of == nil {
		of = n.Else
	}
	if of != nil {
		for _, rule := range of.kinds {
			if c.result.Kinds == nil {
				c.result.Kinds = map[string]bool{}
			}
			c.result.Kinds[rule] = true
		}
		c.node(of, p, true)
	}
	if !n.says("by") || n.variant[kind] != nil || slices.Contains(n.Enum, kind) || n.Like != "" && strings.Contains(kind, n.Like) {
		return
	}
	at := p
	if n.At == "key" {
		at = p.of(n.By)
	}
	c.breach(n, "by", at, wire.Breach{Whole: p.value, Word: kind})
}

func given(v *wire.Node) bool { return v != nil && !v.Is(wire.Null) }

// fits reports whether a value is of a type of JSON Schema. A number that is too large for a float
// is as good as any.
func fits(t string, v *wire.Node) bool {
	if !v.Is(kinds[t]) {
		return false
	}
	value, is := v.Float()
	return t != "integer" || !is || value == math.Trunc(value)
}
