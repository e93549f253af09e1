package form

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// Keys returns the keys of a request, sorted, and of an API of protobuf in both spellings.
func (f *Form) Keys() []string { return f.keys }

func (f *Form) allKeys() []string {
	keys := slices.Clone(f.Request.known)
	if f.protos() {
		for _, key := range f.Request.known {
			keys = append(keys, Snake(key))
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// Parameters returns what the form says of the keys of a request for a rule about several dialects,
// which is one of elsewhere: nothing for others.
func (f *Form) Parameters(rule string) *wire.Parameters {
	if known := f.parameters[rule]; known != nil {
		return known
	}
	return &wire.Parameters{}
}

func (f *Form) parametersFor(rule string) *wire.Parameters {
	return &wire.Parameters{Types: f.types(rule), Ranges: f.ranges(rule), Words: f.words(rule), OptionKeys: f.optionKeys(rule)}
}

// types returns the types of the keys of a request that a rule judges.
func (f *Form) types(rule string) map[string]wire.ParameterType {
	all := map[string]wire.ParameterType{}
	for _, p := range f.Request.Properties {
		types := f.Request.Types
		for n := p.Node; n != nil; n, types = n.is, "" {
			if len(n.Type) > 0 && n.isJudgedBy(rule, "type", types) {
				all[p.Name] = n.parameter()
			}
		}
	}
	return all
}

// isJudgedBy reports whether a rule judges a keyword of the node.
func (n *Node) isJudgedBy(rule, keyword, types string) bool {
	judge, _ := n.ruleOf(keyword, types)
	return judge == rule
}

// parameter returns the type of a parameter as rules about several dialects name it.
func (n *Node) parameter() wire.ParameterType {
	switch n.Type[0] {
	case "integer":
		if n.ExclusiveMinimum != nil {
			return wire.APositive
		}
		return wire.AWholeNumber
	case "number":
		return wire.ANumber
	case "boolean":
		return wire.AFlag
	case "object":
		return wire.AnObject
	case "array":
		if n.Items != nil && n.Items.is != nil && n.Items.is.isText() {
			return wire.AList
		}
		return wire.AnyList
	}
	switch {
	case slices.Contains(n.Type, "array"):
		return wire.Texts
	case slices.Contains(n.Type, "object"):
		return wire.TextOrObject
	default:
		return wire.AText
	}
}

// isText reports whether a node takes texts alone.
func (n *Node) isText() bool {
	return len(n.Enum) > 0 && n.By == "" || slices.Equal(n.Type, words{"string"})
}

// ranges returns where the numbers among the keys of a request may be of which a rule judges.
func (f *Form) ranges(rule string) map[string]wire.Range {
	all := map[string]wire.Range{}
	for _, p := range f.Request.Properties {
		n, between := p.Node, wire.Range{Low: math.Inf(-1), High: math.Inf(1)}
		if n.Minimum != nil && n.isJudgedBy(rule, "minimum", "") {
			between.Low = float64(*n.Minimum)
		}
		if n.Maximum != nil && n.isJudgedBy(rule, "maximum", "") {
			between.High = float64(*n.Maximum)
		}
		if !math.IsInf(between.Low, -1) || !math.IsInf(between.High, 1) {
			all[p.Name] = between
		}
	}
	return all
}

// words returns the words that keys of a request may have of which a rule judges, by their names,
// which are written with dots where they are within others.
func (f *Form) words(rule string) map[string][]string {
	all := map[string][]string{}
	if f.breaks[rule]["enum"] {
		f.Request.words(rule, "", nil, all)
	}
	return all
}

// words does not enter a node again that it is within: a schema may have schemas.
func (n *Node) words(rule, path string, within []*Node, all map[string][]string) {
	for ; n != nil && !slices.Contains(within, n); n = n.is {
		if len(n.Enum) > 0 && n.isJudgedBy(rule, "enum", "") {
			all[path] = n.Enum
		}
		within = append(slices.Clip(within), n)
		for _, p := range n.Properties {
			p.Node.words(rule, strings.TrimPrefix(path+"."+p.Name, "."), within, all)
		}
	}
}

// optionKeys returns the keys of those objects among the keys of a request of whose keys a rule
// judges.
func (f *Form) optionKeys(rule string) map[string][]string {
	all := map[string][]string{}
	for _, p := range f.Request.Properties {
		for n := p.Node; n != nil; n = n.is {
			if n.Keys != nil && n.isJudgedBy(rule, "keys", "") {
				all[p.Name] = slices.Sorted(slices.Values(n.known))
			}
		}
	}
	return all
}

// Breaks returns the keywords whose breach is one of a rule that is judged by nodes of the form,
// sorted.
func (f *Form) Breaks(rule string) []string {
	if slices.Contains(f.Elsewhere, rule) {
		return nil
	}
	return slices.Sorted(maps.Keys(f.breaks[rule]))
}

// Node returns the node of a name. It panics where there is none: it is part of the program.
func (f *Form) Node(name string) *Node {
	for _, n := range f.Nodes {
		if n.Name == name {
			return n.Node
		}
	}
	panic("form: there is no node " + name)
}

// KnownKeys returns the keys of the objects that have no others, by the names of their nodes.
func (f *Form) KnownKeys() map[string][]string {
	all := map[string][]string{}
	for _, n := range f.Nodes {
		if n.Node.Keys != nil {
			all[n.Name] = slices.Clone(n.Node.known)
		}
	}
	return all
}
