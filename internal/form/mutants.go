package form

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// Mutant is a request that breaks one keyword of one node.
type Mutant struct {
	Node    string // the way to the node: "request.tools[function].strict"
	Keyword string
	Rule    string

	form  *Form
	steps []step
	node  *Node
	in    *Node // the object that has the node as a property, or nil
}

// step is one step from a request to a node: to a property, to the items of a list, or to the
// objects of one kind.
type step struct {
	key   string
	in    *Node // the object that has the key
	any   bool  // to what an object has under a key that has no node of its own
	kinds []string
	union *Node // the node that tells kinds apart
	node  *Node
}

// ID names the mutant among those of its form.
func (m *Mutant) ID() string { return m.Node + " " + m.Keyword }

// Mutants returns a mutant for each keyword of each node that is judged here, in the order of the
// form. A node that is named in several places is mutated in the first.
func (f *Form) Mutants() (all []Mutant) {
	return f.mutantsBy(func(n *Node) map[string]string { return n.rules })
}

// MutantsElsewhere is Mutants for the keywords that rules about several dialects judge.
func (f *Form) MutantsElsewhere() []Mutant {
	return f.mutantsBy(func(n *Node) map[string]string { return n.elsewhere })
}

func (f *Form) mutantsBy(rules func(*Node) map[string]string) (all []Mutant) {
	f.mutants("request", f.Request, nil, nil, map[*Node]bool{}, func(m Mutant) {
		judged := rules(m.node)
		for _, keyword := range keywords {
			if rule := judged[keyword]; rule != "" {
				m.Keyword, m.Rule = keyword, rule
				all = append(all, m)
			}
		}
	})
	return all
}

// mutants calls found for each node once, with the way to it.
func (f *Form) mutants(path string, n, in *Node, steps []step, done map[*Node]bool, found func(Mutant)) {
	if n == nil || done[n] {
		return
	}
	done[n] = true
	found(Mutant{Node: path, form: f, steps: steps, node: n, in: in})
	further := func(s step) []step { return append(slices.Clone(steps), s) }
	f.mutants(path, n.is, in, steps, done, found)
	for _, p := range n.Properties {
		f.mutants(path+"."+p.Name, p.Node, n, further(step{key: p.Name, in: n, node: p.Node}), done, found)
	}
	f.mutants(path+".*", n.Additional, nil, further(step{any: true, in: n, node: n.Additional}), done, found)
	f.mutants(path+"[]", n.Items, nil, further(step{node: n.Items}), done, found)
	for _, v := range n.Of {
		f.mutants(fmt.Sprintf("%s(%s)", path, v.Name), v.Node, nil, further(step{kinds: wordsOf(v), union: n, node: v.Node}), done, found)
	}
	f.mutants(path+"(other)", n.Else, nil, further(step{union: n, node: n.Else}), done, found)
}

// Of makes the mutant of a request, and returns it with the pointer to what is wrong. It returns
// false where the request has no place for it: objects and options that are missing are made, items
// of a list are not.
func (m *Mutant) Of(request []byte) (body []byte, pointer string, ok bool) {
	root := wire.Parsed(request)
	at := place{value: root}
	found, ok := m.find(at, m.steps, false)
	if !ok {
		if found, ok = m.find(at, m.steps, true); !ok {
			return nil, "", false
		}
	}
	if pointer, ok = m.spoil(found); !ok {
		return nil, "", false
	}
	if m.node.At == "owner" && found.key != "" {
		pointer = found.in.Pointer()
	}
	return root.JSON(), pointer, true
}

// find goes to the first place to which the steps lead. make says that objects and options on the
// way are made, where they are missing.
func (m *Mutant) find(at place, steps []step, make bool) (place, bool) {
	if len(steps) == 0 {
		return at, m.canSpoil(at)
	}
	switch s := steps[0]; {
	case s.union != nil:
		if !s.leads(at.value, m.form) {
			return at, false
		}
		return m.find(at, steps[1:], make)
	case s.any:
		for key, value := range at.value.Fields() {
			if found, ok := m.find(place{at.value, key, value}, steps[1:], make); ok {
				return found, true
			}
		}
		if !make || !at.value.Is(wire.Object) {
			return at, false
		}
		key := s.in.anyKey()
		at.value.Set(key, sample(s.node, steps[1:]))
		return m.find(at.of(key), steps[1:], make)
	case s.key == "":
		for _, item := range at.value.All() {
			if found, ok := m.find(place{in: at.value, value: item}, steps[1:], make); ok {
				return found, true
			}
		}
		return at, false
	default:
		value := at.value.Get(s.key)
		if make && at.value.Is(wire.Object) && !s.isSecond(at.value) && (value == nil || len(steps) > 1 && steps[1].union != nil && !steps[1].leads(value, m.form)) {
			at.value.Set(s.key, sample(s.node, steps[1:]))
		}
		return m.find(at.of(s.key), steps[1:], make)
	}
}

// anyKey returns a key that an object may have and that has no node of its own.
func (n *Node) anyKey() string {
	if wrong, _ := n.PropertyNames.refuses("any_key"); wrong {
		return "1"
	}
	return "any_key"
}

// isSecond reports whether an object has another one of the keys of which it has one.
func (s step) isSecond(value *wire.Node) bool {
	return slices.Contains(s.in.OneOf, s.key) && slices.ContainsFunc(s.in.OneOf, func(key string) bool { return key != s.key && value.Get(key) != nil })
}

// leads reports whether a value is an object of the kind of a step.
func (s step) leads(value *wire.Node, f *Form) bool {
	kind := value.Get(s.union.By).Text()
	if s.union.As != "" {
		kind = f.as[s.union.As](value)
	}
	return slices.Contains(s.kinds, kind) || s.kinds == nil && s.union.variant[kind] == nil
}

// sample returns a value that a node takes, with what the steps lead to.
func sample(n *Node, steps []step) any {
	if n == nil {
		return wire.Fields{}
	}
	if len(steps) > 0 && len(steps[0].kinds) > 0 {
		return object(steps[0].node, wire.Fields{{Key: steps[0].union.By, Value: steps[0].kinds[0]}}, steps[1:])
	}
	for n.is != nil && len(n.AnyOf) == 0 && (len(n.Type) == 0 || n.Type[0] == "object") {
		n = n.is
	}
	switch {
	case len(steps) > 0 && steps[0].any:
		return wire.Fields{{Key: steps[0].in.anyKey(), Value: sample(steps[0].node, steps[1:])}}
	case len(steps) > 0 && steps[0].key == "":
		return []any{sample(steps[0].node, steps[1:])}
	case len(steps) > 0 || n.By == "" && len(n.Properties) > 0:
		return object(n, nil, steps)
	case len(n.AnyOf) > 0:
		return wire.Fields{{Key: n.AnyOf[0], Value: sample(n.property(n.AnyOf[0]), nil)}}
	case len(n.Enum) > 0:
		return n.Enum[0]
	case n.Maximum != nil:
		return *n.Maximum
	case n.Minimum != nil:
		return *n.Minimum
	case n.ExclusiveMinimum != nil:
		return *n.ExclusiveMinimum + 1
	case n.Prefix != "":
		return n.Prefix + "1"
	case slices.Contains(n.Type, "string") || n.Pattern != "":
		return "x"
	case slices.Contains(n.Type, "boolean"):
		return false
	case slices.Contains(n.Type, "array") || n.Items != nil:
		items := []any{}
		for range n.MinItems {
			items = append(items, sample(n.Items, nil))
		}
		return items
	default:
		return wire.Fields{}
	}
}

// object returns an object with what a node requires of it, and with what the steps lead to.
func object(n *Node, known wire.Fields, steps []step) wire.Fields {
	for _, p := range n.Properties {
		onTheWay := len(steps) > 0 && steps[0].key == p.Name
		if (onTheWay || p.Node.Required) && !slices.ContainsFunc(known, func(f wire.Field) bool { return f.Key == p.Name }) {
			var further []step
			if onTheWay {
				further = steps[1:]
			}
			known = known.With(p.Name, sample(p.Node, further))
		}
	}
	return known
}

// canSpoil reports whether the keyword can be broken at a place.
func (m *Mutant) canSpoil(at place) bool {
	switch {
	case m.Keyword == "onlyWith" && !slices.Contains(m.node.OnlyWith[0].Says, "true"):
		return !m.node.OnlyWith[0].fits(at.in.Get(m.node.OnlyWith[0].Name))
	case m.Keyword == "itemsBy":
		return at.value.Is(wire.Array) && len(at.value.Items) > 0
	case m.Keyword == "minLength" && at.value.Is(wire.Array):
		return false
	}
	return at.value != nil
}

// spoil changes what is at a place so that the keyword is broken.
func (m *Mutant) spoil(at place) (pointer string, ok bool) {
	n := m.node
	put := func(value any) (string, bool) {
		if at.key == "" { // an item of a list
			items := slices.Clone(at.in.Items)
			items[slices.Index(items, at.value)] = wire.NewNode(value)
			pointer := at.value.Pointer()
			at.in.SetItems(items...)
			return pointer, true
		}
		at.in.Set(at.key, value)
		return at.in.Get(at.key).Pointer(), true
	}
	switch m.Keyword {
	case "required":
		pointer := at.value.Pointer()
		at.in.Remove(at.key)
		return pointer, true
	case "type":
		return put(m.otherType())
	case "minItems":
		return put([]any{})
	case "maxItems":
		item := wire.JSON("x")
		if n.Items != nil && !n.Items.empty() {
			item = wire.JSON(sample(n.Items, nil))
		}
		if all := at.value.All(); len(all) > 0 {
			item = all[0].JSON()
		}
		items := make([]any, *n.MaxItems+1)
		for i := range items {
			items[i] = wire.Raw(item)
		}
		return put(items)
	case "minProperties":
		return put(wire.Fields{})
	case "oneOf":
		for _, key := range slices.Backward(n.OneOf) {
			if at.value.Get(key) == nil {
				at.value.Set(key, sample(n.property(key), nil))
				break
			}
		}
		return at.value.Pointer(), true
	case "format":
		return put("no base64")
	case "itemsBy":
		at.value.Items[0].Set(n.ItemsBy, 5)
		return at.value.Pointer(), true
	case "deprecated":
		return at.value.Pointer(), true
	case "enum":
		return put(cmp.Or(strings.Join(n.Wrong[:min(1, len(n.Wrong))], ""), "no-such-word"))
	case "minimum":
		return put(*n.Minimum - 1)
	case "exclusiveMinimum":
		return put(*n.ExclusiveMinimum)
	case "maximum":
		return put(*n.Maximum + 1)
	case "minLength":
		return put("")
	case "maxLength":
		return put(strings.Repeat("x", n.MaxLength+1))
	case "pattern":
		text := at.value.Text()
		for _, wrong := range []string{text + " ?", "1" + text, "? " + text, ""} {
			if !n.re.MatchString(wrong) {
				return put(wrong)
			}
		}
	case "prefix":
		return put("x" + n.Prefix)
	case "keys":
		at.value.Set("x_loop_note", true)
		return at.value.Get("x_loop_note").Pointer(), true
	case "forbidden":
		at.value.Set(n.Forbidden[0], true)
		return at.value.Get(n.Forbidden[0]).Pointer(), true
	case "maxProperties":
		for i := range *n.MaxProperties + 1 {
			at.value.Set(fmt.Sprintf("key_%d", i), sample(cmp.Or(n.Additional, &Node{}), nil))
		}
		return at.value.Pointer(), true
	case "propertyNames":
		key := strings.Repeat("k", n.PropertyNames.MaxLength+1)
		if n.PropertyNames.Pattern != "" {
			key = "a key?"
		}
		at.value.Set(key, sample(n.Additional, nil))
		return at.value.Get(key).Pointer(), true
	case "anyOf":
		at.value.Remove(n.AnyOf...)
		if n.At == "key" {
			return at.value.Pointer() + "/" + n.AnyOf[0], true
		}
		return at.value.Pointer(), true
	case "onlyWith":
		if slices.Contains(n.OnlyWith[0].Says, "true") {
			at.in.Set(n.OnlyWith[0].Name, false)
			return at.value.Pointer(), true
		}
		return put(sample(n, nil))
	case "with":
		at.in.Remove(n.With)
		return at.value.Pointer(), true
	case "notWith":
		other := cmp.Or[any](m.other(), "x")
		if at.value.Is(wire.Number) {
			other = wire.Raw(at.value.Raw)
		}
		if !given(at.in.Get(n.NotWith)) {
			at.in.Set(n.NotWith, other)
		}
		for _, with := range n.OnlyWith {
			at.in.Set(with.Name, with.Says[len(with.Says)-1])
		}
		if n.At == "object" {
			return at.in.Pointer(), true
		}
		return at.value.Pointer(), true
	case "insteadOf":
		return put(wire.Fields{})
	case "by":
		at.value.Set(n.By, "no_such_kind")
		if n.At == "key" {
			return at.value.Pointer() + "/" + n.By, true
		}
		return at.value.Pointer(), true
	}
	return "", false
}

// other returns what the object may have under the key that the node does not stand with, or nil.
func (m *Mutant) other() any {
	if m.in == nil || m.in.property(m.node.NotWith).empty() {
		return nil
	}
	return sample(m.in.property(m.node.NotWith), nil)
}

// property returns the node of a key, or one that takes any value.
func (n *Node) property(key string) *Node {
	for ; n != nil; n = n.is {
		for _, p := range n.Properties {
			if p.Name == key {
				return p.Node
			}
		}
	}
	return &Node{}
}

// empty reports whether a node says nothing of a value.
func (n *Node) empty() bool { return n.is == nil && len(n.Type) == 0 && len(n.Enum) == 0 }

// otherType returns a value that is of none of a node's types. Where the node is what another one
// is, too, that one takes the value.
func (m *Mutant) otherType() any {
	var outer *Node
	if len(m.steps) > 0 {
		outer = m.steps[len(m.steps)-1].node
	}
	c := checker{form: m.form}
	of := func(n *Node, value *wire.Node) bool {
		return slices.ContainsFunc(n.Type, func(t string) bool { return c.fits(n, t, value) })
	}
	for _, value := range []any{[]any{wire.Fields{{Key: "type", Value: "text"}}}, "yes", 5, true, 1.5} {
		node := wire.NewNode(value)
		if !of(m.node, node) && (outer == nil || outer == m.node || len(outer.Type) == 0 || of(outer, node)) {
			return value
		}
	}
	return nil
}
