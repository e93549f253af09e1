package form

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/wire"
)

// Lazy returns what reads a file when it is first asked for, and panics where it is wrong: it is part
// of the program, and a test reads it first. as are the functions that say what an object is, by the
// names that the file has for them.
func Lazy(name string, data []byte, as map[string]func(*wire.Node) string) func() *Form {
	return sync.OnceValue(func() *Form {
		f, err := Read(name, data, as)
		if err != nil {
			panic(err)
		}
		return f
	})
}

// Read reads a file. The error joins one for each thing that is wrong, with its line.
func Read(name string, data []byte, as map[string]func(*wire.Node) string) (*Form, error) {
	f := &Form{File: name, as: as, breaks: map[string]map[string]bool{}, parameters: map[string]*wire.Parameters{}}
	doc, err := strictyaml.Read(name, data, f)
	if doc == nil || err != nil {
		return nil, err
	}
	c := compiler{form: f, doc: doc, done: map[*Node]bool{}}
	if f.JSON != "" && f.JSON != protobuf {
		c.fail("/json", "expected %s, or no such key", protobuf)
	}
	for i := range f.Nodes {
		if n := f.Nodes[i].Node; n.Title == "" && len(n.Type) > 0 {
			n.Title = f.Nodes[i].Name
		}
		c.node(f.Nodes[i].Node, "/nodes/"+f.Nodes[i].Name, "")
	}
	if f.Request == nil {
		c.fail("", "there is no request")
	} else {
		c.node(f.Request, "/request", "")
	}
	c.rules()
	if len(c.errs) > 0 {
		return nil, errors.Join(c.errs...)
	}
	for n := range c.done {
		c.kindsOf(n)
		for _, rule := range n.rules {
			if c.needs(rule, "value") && !slices.Contains(n.values, rule) {
				n.values = append(n.values, rule)
			}
		}
	}
	f.keys = f.allKeys()
	for _, rule := range f.Elsewhere {
		f.parameters[rule] = f.parametersFor(rule)
	}
	return f, nil
}

type compiler struct {
	form *Form
	doc  *strictyaml.Document
	done map[*Node]bool
	errs []error
}

func (c *compiler) fail(path, format string, args ...any) {
	c.errs = append(c.errs, c.doc.Errorf(path, format, args...))
}

// node compiles a node and what is in it. types is the rule about its type, if it names none.
func (c *compiler) node(n *Node, path, types string) {
	if n == nil || c.done[n] {
		return
	}
	c.done[n] = true
	types = cmp.Or(types, c.form.Types)
	c.rulesOf(n, path, types)
	if n.Is != "" {
		if i := slices.IndexFunc(c.form.Nodes, func(other Named) bool { return other.Name == n.Is }); i >= 0 {
			n.is = c.form.Nodes[i].Node
		} else {
			c.fail(path+"/is", "there is no node %q", n.Is)
		}
	}
	c.unjudged(n, path)
	n.re, n.like = c.pattern(n.Pattern, path+"/pattern"), c.pattern(n.Like, path+"/like")
	if n.As != "" && c.form.as[n.As] == nil {
		c.fail(path+"/as", "the dialect has no function %q", n.As)
	}
	if n.Keys != nil {
		n.known = slices.Clone(*n.Keys)
	}
	for _, p := range n.Properties {
		n.known = append(n.known, p.Name)
		c.node(p.Node, path+"/properties/"+p.Name, n.Types)
	}
	n.variant, n.tag = map[string]*Node{}, map[string]string{}
	for _, v := range n.Of {
		for i, word := range wordsOf(v) {
			n.variant[word], n.tag[word] = v.Node, cmp.Or(word, wordsOf(v)[max(0, i-1)])
		}
		c.node(v.Node, path+"/of/"+v.Name, "")
	}
	c.node(n.Else, path+"/else", "")
	c.node(n.Items, path+"/items", "")
	c.node(n.Additional, path+"/additionalProperties", "")
	c.names(n.PropertyNames, path+"/propertyNames")
}

// names compiles the node of the keys of an object. What it says is judged by the rule of the
// object, as propertyNames.
func (c *compiler) names(n *Node, path string) {
	if n == nil {
		return
	}
	for _, keyword := range keywords {
		if n.says(keyword) && keyword != "pattern" && keyword != "maxLength" {
			c.fail(path, "expected a pattern or a maxLength, and no %s", keyword)
		}
	}
	n.re = c.pattern(n.Pattern, path+"/pattern")
}

// unjudged checks that each keyword which is said to be judged by no rule is one, and has no
// rule.
func (c *compiler) unjudged(n *Node, path string) {
	for _, u := range n.Unjudged {
		_, own := n.Rule.by[u.Keyword]
		switch at := path + "/unjudged"; {
		case !slices.Contains(keywords, u.Keyword):
			c.fail(at, "%q is none of %v", u.Keyword, keywords)
		case own:
			c.fail(at, "%s: there is a rule for it", u.Keyword)
		}
	}
}

// rulesOf notes which rule judges each keyword of a node. One that no rule judges would be without
// effect, and nobody would see it.
func (c *compiler) rulesOf(n *Node, path, types string) {
	n.rules, n.elsewhere = map[string]string{}, map[string]string{}
	for _, keyword := range keywords {
		rule, why := n.ruleOf(keyword, types)
		switch {
		case !n.says(keyword):
			c.noKeyword(n, path, keyword)
		case why != "":
		case rule == "":
			c.fail(path, "%s: no rule judges %s: name one under rule, which is among elsewhere if it is written in Go, or say under unjudged why there is none", path, keyword)
		default:
			c.judges(n, keyword, rule)
		}
	}
}

// judges notes that a rule judges a keyword of a node.
func (c *compiler) judges(n *Node, keyword, rule string) {
	if c.form.breaks[rule] == nil {
		c.form.breaks[rule] = map[string]bool{}
	}
	c.form.breaks[rule][keyword] = true
	if slices.Contains(c.form.Elsewhere, rule) {
		n.elsewhere[keyword] = rule
		return
	}
	n.rules[keyword] = rule
}

// noKeyword finds what is said of a keyword that the node does not have.
func (c *compiler) noKeyword(n *Node, path, keyword string) {
	if _, own := n.Rule.by[keyword]; own {
		c.fail(path+"/rule", "the node has no %s", keyword)
	}
	if slices.ContainsFunc(n.Unjudged, func(u Unjudged) bool { return u.Keyword == keyword }) {
		c.fail(path+"/unjudged", "the node has no %s", keyword)
	}
}

// pattern compiles a pattern: nil for none.
func (c *compiler) pattern(pattern, path string) *regexp.Regexp {
	if pattern == "" {
		return nil
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		c.fail(path, "%v", err)
	}
	return re
}

// wordsOf returns the words of the objects that a node of a union is for.
func wordsOf(v Named) []string { return strings.Split(v.Name, "|") }

// says reports whether a node has a keyword.
func (n *Node) says(keyword string) bool {
	switch keyword {
	case "required":
		return n.Required
	case "type":
		return len(n.Type) > 0
	case "enum":
		return len(n.Enum) > 0 && n.By == "" || n.Or != ""
	case "exclusiveMinimum":
		return n.ExclusiveMinimum != nil
	case "minimum":
		return n.Minimum != nil
	case "maximum":
		return n.Maximum != nil
	case "deprecated":
		return n.Deprecated
	case "format":
		return n.Format == "byte"
	case "minLength":
		return n.MinLength > 0
	case "maxLength":
		return n.MaxLength > 0
	case "pattern":
		return n.Pattern != ""
	case "prefix":
		return n.Prefix != ""
	case "minItems":
		return n.MinItems > 0
	case "maxItems":
		return n.MaxItems != nil
	case "itemsBy":
		return n.ItemsBy != ""
	case "keys":
		return n.Keys != nil
	case "forbidden":
		return len(n.Forbidden) > 0
	case "minProperties":
		return n.MinProperties > 0
	case "maxProperties":
		return n.MaxProperties != nil
	case "propertyNames":
		return n.PropertyNames != nil
	case "anyOf":
		return len(n.AnyOf) > 0
	case "oneOf":
		return len(n.OneOf) > 0
	case "onlyWith":
		return len(n.OnlyWith) > 0
	case "with":
		return n.With != ""
	case "notWith":
		return n.NotWith != ""
	case "insteadOf":
		return n.InsteadOf != ""
	default:
		return n.By != "" && len(n.Enum) > 0 && n.Or == ""
	}
}

// rules checks that each rule has a node, and each node a rule that is described.
func (c *compiler) rules() {
	described := map[string]bool{}
	for _, r := range c.form.Rules {
		described[r.ID] = true
		if len(c.form.breaks[r.ID]) == 0 {
			c.fail("/rules/"+r.ID, "no node belongs to the rule %s", r.ID)
		}
		if r.About == "" {
			continue
		}
		if i := slices.IndexFunc(c.form.Nodes, func(n Named) bool { return n.Name == r.About }); i >= 0 {
			c.form.Nodes[i].Node.values = append(c.form.Nodes[i].Node.values, r.ID)
		} else {
			c.fail("/rules/"+r.ID+"/about", "there is no node %q", r.About)
		}
	}
	for _, rule := range c.form.Elsewhere {
		if len(c.form.breaks[rule]) == 0 {
			c.fail("/elsewhere", "no node belongs to the rule %s", rule)
		}
	}
	for rule := range c.form.breaks {
		if !described[rule] && !slices.Contains(c.form.Elsewhere, rule) && !slices.Contains(c.form.Shared, rule) {
			c.fail("/request", "the rule %s has nodes, and is not described under rules", rule)
		}
	}
}

// kindsOf notes at the nodes of a union which of the rules that need a kind of object are about
// each; of an object within it that has kinds itself, the nodes of those say it.
func (c *compiler) kindsOf(n *Node) {
	for _, v := range n.variants() {
		v.walk(map[*Node]bool{}, func(inner *Node) {
			for _, rule := range inner.rules {
				if c.needs(rule, "kind") && !slices.Contains(v.kinds, rule) {
					v.kinds = append(v.kinds, rule)
				}
			}
		})
	}
}

// needs reports whether a request is evidence for a rule only where it has an object of a "kind", or
// a "value".
func (c *compiler) needs(rule, what string) bool {
	i := slices.IndexFunc(c.form.Rules, func(r Rule) bool { return r.ID == rule })
	return i >= 0 && slices.Contains(c.form.Rules[i].When, what)
}

func (n *Node) variants() (all []*Node) {
	for _, v := range n.Of {
		all = append(all, v.Node)
	}
	if n.Else != nil {
		all = append(all, n.Else)
	}
	return all
}

// walk calls f for the node and those within it, each once, but for those of the kinds of an object.
func (n *Node) walk(done map[*Node]bool, f func(*Node)) {
	if n == nil || done[n] {
		return
	}
	done[n] = true
	f(n)
	n.is.walk(done, f)
	for _, p := range n.Properties {
		p.Node.walk(done, f)
	}
	n.Items.walk(done, f)
	n.Additional.walk(done, f)
}
