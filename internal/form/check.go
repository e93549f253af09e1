package form

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/loopproof/loopproof/internal/wire"
)

// Check finds where a request does not have the form, in one walk, as a provider has it; nil: as the
// reference has it. Where a value breaks what its node says, what is in it is not looked at.
func (f *Form) Check(r *wire.Request, of wire.Provider) *wire.FormResult {
	c := &checker{form: f, of: of, result: &wire.FormResult{}, request: r, list: r.MessageList()}
	c.found = c.keep
	c.node(f.Request, place{value: r.Body}, true)
	if f.protos() && len(c.result.Breaches) > 1 {
		inOrder(c.result.Breaches)
	}
	c.result.Again = func(rule string, found func(*wire.Breach)) { f.again(r.Body, of, rule, found) }
	return c.result
}

type checker struct {
	form   *Form
	of     wire.Provider // nil: the reference
	found  func(rule string, breach func() wire.Breach)
	result *wire.FormResult
	kept   map[string]int // how many breaches were found of each rule
	tags   []wire.Tag     // of the objects on the way

	request *wire.Request // nil: unknown
	list    *wire.Node    // of its messages
}

// own returns what the provider takes in place of the words or keys of the reference.
func (c *checker) own(list string, reference []string) []string {
	if list == "" || c.of == nil {
		return reference
	}
	if own := c.of.Accepted(list); len(own) > 0 {
		return own
	}
	return reference
}

// place is where a value is, or would be.
type place struct {
	in    *wire.Node
	key   string // "" in a list
	value *wire.Node
}

// of returns the place of a key of the value.
func (p place) of(key string) place { return place{p.value, key, p.value.Get(key)} }

// node checks a value by a node. must says that null is not as good as nothing: in a list, or where
// the value is required.
func (c *checker) node(n *Node, p place, must bool) {
	must = must || n.Required || n.Nulls != ""
	switch {
	case (p.value == nil || c.isNothing(p)) && n.Required:
		c.breach(n, "required", p, wire.Breach{})
		return
	case n.InsteadOf != "" && p.value != nil:
		c.insteadOf(n, p)
		return
	case p.value == nil || c.isNothing(p) || p.value.Is(wire.Null) && !must:
		return
	}
	if !c.value(n, p) {
		return
	}
	c.seen(n.values)
	if n.is != nil {
		c.node(n.is, p, must)
	}
	if p.value.Is(wire.Object) {
		c.seen(n.Evidence)
		c.object(n, p)
	}
	switch {
	case n.Items == nil:
	case p.value.Is(wire.Array):
		c.items(n, p.value)
	case c.form.protos():
		c.node(n.Items, p, true)
	}
	if n.By != "" {
		c.union(n, p)
	}
}

// seen notes that the request has what rules are about.
func (c *checker) seen(rules []string) {
	for _, rule := range rules {
		if c.result.Kinds == nil {
			c.result.Kinds = map[string]bool{}
		}
		c.result.Kinds[rule] = true
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
	if n.Deprecated {
		c.breach(n, "deprecated", p, wire.Breach{})
	}
	if n.NotWith != "" && given(c.beside(p, n.NotWith)) {
		at := p
		if n.At == "object" {
			at = place{in: p.in.Parent(), key: p.in.Key(), value: p.in}
		}
		c.breach(n, "notWith", at, wire.Breach{})
	}
	if n.With != "" && !given(c.beside(p, n.With)) {
		c.breach(n, "with", p, wire.Breach{})
		return false
	}
	for _, with := range n.OnlyWith {
		if said := c.beside(p, with.Name); !with.fits(said) {
			c.breach(n, "onlyWith", p, wire.Breach{Word: said.Text()})
			return true
		}
	}
	if len(n.Type) > 0 && !slices.ContainsFunc(n.Type, func(t string) bool { return c.fits(n, t, v) }) {
		c.breach(n, "type", p, wire.Breach{})
		return false
	}
	if n.MinLength > 0 && v.Is(wire.String) && utf8.RuneCountInString(v.Text()) < n.MinLength {
		c.breach(n, "minLength", p, wire.Breach{})
		return false
	}
	if n.says("enum") && c.isNoWord(n, v) {
		words := c.own(n.Own, n.Enum)
		c.breach(n, "enum", p, wire.Breach{Wants: words, Want: n.wantsWord(words)})
		return false
	}
	return c.length(n, p) && c.number(n, p) && c.text(n, p)
}

// fits reports whether a value is one of the words, or true where that is meant.
func (w *With) fits(v *wire.Node) bool {
	return slices.Contains(w.Says, "true") && v.True() || v.Is(wire.String) && slices.Contains(w.Says, v.Text())
}

// isNoWord reports whether a value is none of the words of a node.
func (c *checker) isNoWord(n *Node, v *wire.Node) bool {
	switch {
	case n.Or != "" && fits(n.Or, v):
		return false
	case len(n.Wrong) > 0:
		return v.Is(wire.String) && slices.Contains(n.Wrong, v.Text())
	case n.like != nil && v.Is(wire.String) && n.like.MatchString(v.Text()):
		return false
	default:
		words := c.own(n.Own, n.Enum)
		return !v.Is(wire.String) || !slices.Contains(words, v.Text()) && !(c.form.protos() && slices.Contains(words, Word(v.Text())))
	}
}

// length checks how many items a list has. One that is too long may be looked at.
func (c *checker) length(n *Node, p place) bool {
	items := len(p.value.Items)
	if !p.value.Is(wire.Array) {
		if !c.form.protos() || n.Items == nil {
			return true
		}
		items = 1
	}
	switch {
	case items < n.MinItems:
		c.breach(n, "minItems", p, wire.Breach{})
		return false
	case n.MaxItems != nil && items > *n.MaxItems:
		c.breach(n, "maxItems", p, wire.Breach{})
	}
	if n.ItemsBy != "" && slices.ContainsFunc(p.value.Items, func(item *wire.Node) bool { return item.Get(n.ItemsBy).Text() == "" }) {
		c.breach(n, "itemsBy", p, wire.Breach{})
	}
	return true
}

// number checks the range of a number.
func (c *checker) number(n *Node, p place) bool {
	if n.Minimum == nil && n.Maximum == nil && n.ExclusiveMinimum == nil {
		return true
	}
	value, is := Number(p.value) // 1e999 is infinite, and so above any edge
	if !p.value.Is(wire.Number) && !(is && c.form.protos()) {
		return true
	}
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

// text checks the letters and the length of a text. A pattern wants one.
func (c *checker) text(n *Node, p place) bool {
	v := p.value
	switch {
	case n.rules["format"] != "" && n.Format == "byte" && v.Is(wire.String) && !IsBase64(v.Text()):
		c.breach(n, "format", p, wire.Breach{})
		return false
	case n.re != nil && !(v.Is(wire.String) && n.re.MatchString(v.Text())):
		c.breach(n, "pattern", p, wire.Breach{})
		return false
	case n.MaxLength > 0 && v.Is(wire.String) && isLonger(v.Raw, v.Text, n.MaxLength):
		c.breach(n, "maxLength", p, wire.Breach{})
		return false
	case n.Prefix != "" && v.Text() != "" && !strings.HasPrefix(v.Text(), n.Prefix):
		c.breach(n, "prefix", p, wire.Breach{Limit: strings.TrimSuffix(n.Prefix, "_")})
		return false
	default:
		return true
	}
}

// isLonger reports whether a text has more characters than a limit. Most are shorter in bytes.
func isLonger(raw []byte, text func() string, limit int) bool {
	return len(raw) > limit && utf8.RuneCountInString(text()) > limit
}

// object checks the keys of an object, and what is under them.
func (c *checker) object(n *Node, p place) {
	switch count := len(p.value.Members); {
	case count < n.MinProperties:
		c.breach(n, "minProperties", p, wire.Breach{})
	case n.MaxProperties != nil && count > *n.MaxProperties:
		c.breach(n, "maxProperties", p, wire.Breach{})
		return
	}
	if len(n.AnyOf) > 0 && !slices.ContainsFunc(n.AnyOf, func(key string) bool { return c.has(n, key, p.value) }) {
		at := p
		if n.At == "key" {
			at = p.of(n.AnyOf[0])
		}
		c.breach(n, "anyOf", at, wire.Breach{})
	}
	c.oneOf(n, p)
	for _, property := range n.Properties {
		if !c.form.protos() {
			c.node(property.Node, p.of(property.Name), false)
			continue
		}
		for _, at := range c.places(p, n, property.Name) {
			c.node(property.Node, at, false)
		}
	}
	if n.Additional != nil || n.PropertyNames != nil {
		c.additional(n, p)
	}
	if n.rules["keys"] != "" || n.rules["forbidden"] != "" {
		c.keys(n, p)
	}
}

// additional checks the values under the keys that have no node of their own, and all keys.
func (c *checker) additional(n *Node, p place) {
	for _, m := range p.value.Members {
		at := place{p.value, m.Key, m.Value}
		if wrong, limit := n.PropertyNames.refuses(m.Key); wrong {
			c.breach(n, "propertyNames", at, wire.Breach{Limit: limit})
			continue
		}
		if n.Additional != nil && !slices.ContainsFunc(n.Properties, func(p Named) bool { return p.Name == m.Key }) {
			c.node(n.Additional, at, true)
		}
	}
}

// refuses says what a key breaks that is to have the form of a node.
func (n *Node) refuses(key string) (wrong bool, limit string) {
	switch {
	case n == nil:
		return false, ""
	case n.MaxLength > 0 && utf8.RuneCountInString(key) > n.MaxLength:
		return true, strconv.Itoa(n.MaxLength)
	default:
		return n.re != nil && !n.re.MatchString(key), n.Pattern
	}
}

// keys checks which keys an object has.
func (c *checker) keys(n *Node, p place) {
	known := c.own(n.Own, n.known)
	var also []string
	if n.Also != "" && c.of != nil {
		also = c.of.Accepted(n.Also)
	}
	b := wire.Breach{Word: p.value.Get("type").Text(), Wants: known}
	want := "" // which is the same of all keys
	forbidden := n.Forbidden
	if n.is != nil {
		forbidden = n.is.Forbidden // which that node finds
	}
	for _, m := range p.value.Members {
		at := place{p.value, m.Key, m.Value}
		switch {
		case slices.Contains(forbidden, m.Key):
			c.breach(n, "forbidden", at, b)
		case n.Keys != nil && !c.contains(known, m.Key) && !slices.Contains(also, m.Key):
			if want == "" {
				want = "only " + strings.Join(slices.Concat(known, also), ", ")
			}
			more := b
			more.Want = want
			c.breach(n, "keys", at, more)
		}
	}
}

// oneOf finds a second key of those of which an object has one.
func (c *checker) oneOf(n *Node, p place) {
	if len(n.OneOf) == 0 {
		return
	}
	first := true
	for _, m := range p.value.Members {
		switch {
		case m.Value.Is(wire.Null) || !c.contains(n.OneOf, m.Key):
		case first:
			first = false
		default:
			c.breach(n, "oneOf", p, wire.Breach{Word: m.Key})
			return
		}
	}
}

// has reports whether an object has a key, of the type that its property has.
func (c *checker) has(n *Node, key string, in *wire.Node) bool {
	value := c.beside(place{in: in}, key)
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
	takes := !n.says("by") || c.takesKind(n, kind)
	if of != nil && (takes || n.Own == "") {
		c.seen(of.kinds)
		before := len(c.tags)
		if tag := n.tag[kind]; tag != "" && n.By == "type" {
			c.tags = append(c.tags, wire.Tag{Node: p.value, Word: tag})
		}
		c.node(of, p, true)
		c.tags = c.tags[:before]
	}
	if takes {
		return
	}
	at := p
	if n.At == "key" {
		at = p.of(n.By)
	}
	words := c.own(n.Own, n.Enum)
	c.breach(n, "by", at, wire.Breach{Whole: p.value, Word: kind, Wants: words, Want: n.wantsWord(words)})
}

// takesKind reports whether there is such a kind of object.
func (c *checker) takesKind(n *Node, kind string) bool {
	if own := c.own(n.Own, nil); own != nil && kind != "" {
		return slices.Contains(own, kind)
	}
	return n.variant[kind] != nil || slices.Contains(n.Enum, kind) || n.like != nil && n.like.MatchString(kind)
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

// fits reports whether a value is of one of the types of a node. Protobuf reads other types for one
// only where that is the only one: a word of an enum, or its number, is what it is.
func (c *checker) fits(n *Node, t string, v *wire.Node) bool {
	if c.form.protos() && len(n.Type) == 1 {
		return fitsProto(t, n.Format, v)
	}
	return fits(t, v)
}

// typeWord returns what the API calls the type of the node, or else the words of the description:
// string, or integer/int32.
func (n *Node) typeWord() string {
	if n.Title != "" || len(n.Type) == 0 {
		return n.Title
	}
	return strings.TrimSuffix(n.Type[0]+"/"+n.Format, "/")
}
