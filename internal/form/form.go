package form

import (
	"cmp"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/wire"
)

// Form is what the requests of a dialect look like.
type Form struct {
	File      string   `yaml:"-"` // that it was read from
	Loopproof int      `yaml:"loopproof"`
	JSON      string   `yaml:"json"`      // "protobuf" where requests are read as protobuf reads JSON
	Types     string   `yaml:"types"`     // the rule about the types that name no other
	Sources   []Source `yaml:"sources"`   // the names that rules have for them
	Elsewhere []string `yaml:"elsewhere"` // rules about several dialects, which are not judged here
	Shared    []string `yaml:"shared"`    // rules about several dialects, which are where the provider is known to refuse a breach
	Places    string   `yaml:"places"`    // "tagged", as in tools.0.custom.name, or "" for tools[0].name
	Request   *Node    `yaml:"request"`
	Nodes     []Named  `yaml:"nodes"`
	Rules     []Rule   `yaml:"rules"`

	as     map[string]func(*wire.Node) string
	breaks map[string]map[string]bool // the keywords that each rule is about

	keys       []string                    // of a request
	parameters map[string]*wire.Parameters // for each rule of elsewhere
}

// Source is a source by its name or URL, with what is there.
type Source struct {
	Name string `yaml:"~key"`
	Says string `yaml:"~value"`
}

// Rule is a rule about the form of requests. Its fields are those of a rule in package rules.
type Rule struct {
	ID       string   `yaml:"~key"`
	Level    string   `yaml:"level"` // must where none is said
	Text     string   `yaml:"text"`
	Why      string   `yaml:"why"`
	Returned bool     `yaml:"returned"`
	Turn     bool     `yaml:"shows-turn"`
	Evidence string   `yaml:"evidence"`
	BrokenIn []string `yaml:"broken-in"`
	Sources  []Source `yaml:"sources"`

	// About is the node of whose objects a request needs one to be evidence.
	About string `yaml:"about"`

	// When says what makes a request evidence: that it carries a tool "result", which is meant
	// where nothing is said, that it has an object of the "kind" that the rule is about, or a
	// "value" at a node of the rule, or both.
	When []string `yaml:"when"`
}

// Named is a node that others name.
type Named struct {
	Name string `yaml:"~key"`
	Node *Node  `yaml:"~value"`
}

// Node says what a value looks like. The package comment says what its words mean.
type Node struct {
	Is       string   `yaml:"is"`
	Required bool     `yaml:"required"`
	Nulls    string   `yaml:"nulls"` // "wrong", or "refused"
	Refused  []string `yaml:"refused"`

	Type             words    `yaml:"type"`
	Format           string   `yaml:"format"`
	Title            string   `yaml:"title"` // what the API calls the type; that of an object is the name of its node
	Enum             []string `yaml:"enum"`
	Wrong            []string `yaml:"wrong"`
	Or               string   `yaml:"or"`
	Own              string   `yaml:"own"`
	Minimum          *int     `yaml:"minimum"`
	Maximum          *int     `yaml:"maximum"`
	ExclusiveMinimum *int     `yaml:"exclusiveMinimum"`
	MinLength        int      `yaml:"minLength"`
	MaxLength        int      `yaml:"maxLength"`
	Pattern          string   `yaml:"pattern"`
	Prefix           string   `yaml:"prefix"`
	MinItems         int      `yaml:"minItems"`
	MaxItems         *int     `yaml:"maxItems"`
	Items            *Node    `yaml:"items"`
	ItemsBy          string   `yaml:"itemsBy"`

	Keys          *[]string `yaml:"keys"` // nil if others are taken, too
	Also          string    `yaml:"also"`
	Forbidden     []string  `yaml:"forbidden"`
	Properties    []Named   `yaml:"properties"`
	Additional    *Node     `yaml:"additionalProperties"`
	MinProperties int       `yaml:"minProperties"`
	MaxProperties *int      `yaml:"maxProperties"`
	PropertyNames *Node     `yaml:"propertyNames"`
	AnyOf         []string  `yaml:"anyOf"`
	OneOf         []string  `yaml:"oneOf"`
	OnlyWith      []With    `yaml:"onlyWith"`
	With          string    `yaml:"with"`
	NotWith       string    `yaml:"notWith"`
	InsteadOf     string    `yaml:"insteadOf"`
	Deprecated    bool      `yaml:"deprecated"`

	By   string  `yaml:"by"`
	As   string  `yaml:"as"`
	Of   []Named `yaml:"of"`
	Else *Node   `yaml:"else"`
	Like string  `yaml:"like"`

	At       string     `yaml:"at"`       // "key", "object" or "owner"
	Evidence []string   `yaml:"evidence"` // the rules that an object is evidence for
	Rule     ruleOf     `yaml:"rule"`     // that the node belongs to
	Types    string     `yaml:"types"`    // the rule about the types of the properties that name no other
	Unjudged []Unjudged `yaml:"unjudged"` // the keywords that no rule judges
	Level    string     `yaml:"level"`    // of a breach that the provider is not known to refuse
	Expected string     `yaml:"expected"` // in words, where those that are made are not good

	is      *Node
	re      *regexp.Regexp
	like    *regexp.Regexp
	known   []string          // all keys, in the order of the file
	kinds   []string          // the rules that an object is of a kind for, if the node is one of a union
	values  []string          // the rules that a value is evidence for
	variant map[string]*Node  // of a union, by each of its words
	tag     map[string]string // the words by which those are named in places
	rules   map[string]string // by keyword: those that are judged here

	elsewhere map[string]string // by keyword: the rules written in Go that judge it
}

// Unjudged is a keyword of a node that no rule judges, and the reason.
type Unjudged struct {
	Keyword string `yaml:"~key"`
	Why     string `yaml:"~value"`
}

// With is a key of an object, with the words that it may have.
type With struct {
	Name string `yaml:"~key"`
	Says said   `yaml:"~value"`
}

// said are one text or several.
type said []string

// ReadYAML reads a text, or a list of texts.
func (s *said) ReadYAML(n *strictyaml.Node) error {
	for _, node := range oneOrMore(n) {
		*s = append(*s, node.Value)
	}
	return nil
}

func oneOrMore(n *strictyaml.Node) []*strictyaml.Node {
	if n.Kind == yaml.SequenceNode {
		return n.Content
	}
	return []*strictyaml.Node{n}
}

// words are one type or several.
type words []string

// ReadYAML reads a type, or a list of types.
func (w *words) ReadYAML(n *strictyaml.Node) error {
	for _, node := range oneOrMore(n) {
		if _, known := kinds[node.Value]; !known {
			return strictyaml.At(node, "expected a type: string, integer, number, boolean, object, array or null")
		}
		*w = append(*w, node.Value)
	}
	return nil
}

// kinds are the types of JSON Schema.
var kinds = map[string]wire.Kind{
	"string": wire.String, "integer": wire.Number, "number": wire.Number, "boolean": wire.Bool, "object": wire.Object, "array": wire.Array, "null": wire.Null,
}

// ruleOf is the rule of a node, and of some of its keywords another.
type ruleOf struct {
	all string
	by  map[string]string
}

// ReadYAML reads the id of a rule, or those of keywords.
func (r *ruleOf) ReadYAML(n *strictyaml.Node) error {
	if n.Kind != yaml.MappingNode {
		r.all = n.Value
		return nil
	}
	r.by = map[string]string{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !slices.Contains(keywords, n.Content[i].Value) {
			return strictyaml.At(n.Content[i], "%q can have no rule of its own; those that can are %v", n.Content[i].Value, keywords)
		}
		r.by[n.Content[i].Value] = n.Content[i+1].Value
	}
	return nil
}

// keywords are those that can be broken.
var keywords = []string{
	"required", "deprecated", "type", "format", "enum", "exclusiveMinimum", "minimum", "maximum", "minLength", "pattern", "maxLength", "prefix",
	"minItems", "maxItems", "itemsBy", "keys", "forbidden", "minProperties", "maxProperties", "propertyNames", "anyOf", "oneOf", "onlyWith", "with",
	"notWith", "insteadOf", "by",
}

// of returns the rule of a keyword of a property, whose object says which rule types belong to.
func (r ruleOf) of(keyword, types string) string {
	switch rule, own := r.by[keyword]; {
	case own:
		return rule
	case keyword == "type" && types != "":
		return types
	default:
		return r.all
	}
}

// ruleOf returns the rule of a keyword, or the reason why there is none.
func (n *Node) ruleOf(keyword, types string) (rule, why string) {
	if i := slices.IndexFunc(n.Unjudged, func(u Unjudged) bool { return u.Keyword == keyword }); i >= 0 {
		return "", n.Unjudged[i].Why
	}
	return n.Rule.of(keyword, types), ""
}

// LevelOr returns the level of the rule, or what is usual.
func (r *Rule) LevelOr(usual string) string { return cmp.Or(r.Level, usual) }

// EvidenceOr returns what the rule is judged by, or what is usual.
func (r *Rule) EvidenceOr(usual string) string { return cmp.Or(r.Evidence, usual) }

// URL returns the URL of a source by its name, or the name, which is a URL then.
func (f *Form) URL(name string) string {
	for _, s := range f.Sources {
		if s.Name == name {
			return s.Says
		}
	}
	return name
}

// Judges reports whether a keyword of the node is judged by a rule of the form.
func (n *Node) Judges(keyword string) bool { return n.rules[keyword] != "" }
