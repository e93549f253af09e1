package scenarios

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/loopproof/loopproof/internal/strictyaml"
	"github.com/loopproof/loopproof/internal/suggest"
)

// When is a list of conditions for requests, for a scenario or a step. All of them have to match;
// without any, every request matches.
type When struct {
	// User is what the user said last, and FirstUser what the user said first.
	User      *Text `yaml:"user"`
	FirstUser *Text `yaml:"first-user"`

	// System is the system prompt, and Model the model that is asked for.
	System *Text `yaml:"system"`
	Model  *Text `yaml:"model"`

	// Result is a tool result that answers the last turn of the model; {} is any.
	Result *ResultText `yaml:"result"`

	// Tools are names of tools that are all offered. OffersTools is whether any tool is.
	Tools       []string `yaml:"tools"`
	OffersTools *bool    `yaml:"offers-tools"`

	// WantsJSON is whether the request asks for JSON as the text of the answer, by a schema or
	// without.
	WantsJSON *bool `yaml:"wants-json"`

	// WantsSchema is the name of the JSON Schema to which the request wants the text to conform, or
	// its title where the dialect has no names for schemas.
	WantsSchema *Text `yaml:"wants-schema"`

	// Body is the body of the HTTP request as it was sent.
	Body *Text `yaml:"body"`

	// Headers of the HTTP request, and Fields of its body by their JSON pointers.
	Headers []NamedText `yaml:"headers"`
	Fields  []NamedText `yaml:"fields"`

	// State is what earlier answers of the run have set by [Step.State]; what none has set is "".
	State []NamedText `yaml:"state"`

	// Turn counts the turns of the model in the conversation, the one that is asked for included;
	// Round counts them since the user spoke last. TurnFrom is the least Turn.
	Turn     *int `yaml:"turn"`
	TurnFrom *int `yaml:"turn-from"`
	Round    *int `yaml:"round"`

	// Not is one condition that must not hold.
	Not *When `yaml:"not"`

	// AnyOf are alternatives, of which one has to match.
	AnyOf []*When `yaml:"any-of"`
}

// Text is a condition for a text. In a file, a text alone means that it has to be equal.
type Text struct {
	Equals   *string  `yaml:"equals"`
	Contains *string  `yaml:"contains"`
	Matches  *Pattern `yaml:"matches"` // anywhere in the text
}

// ResultText is a condition for a tool result: its text, its tool and its call.
type ResultText struct {
	Tool     string   `yaml:"tool"`
	Call     string   `yaml:"call"` // the id of the call
	Equals   *string  `yaml:"equals"`
	Contains *string  `yaml:"contains"`
	Matches  *Pattern `yaml:"matches"`
}

// NamedText is a condition for the text under a name, such as a header or a JSON pointer.
type NamedText struct {
	Name string `yaml:"~key"`
	Text Text   `yaml:"~value"`
}

// Pattern is a regular expression in the syntax of Go.
type Pattern struct{ *regexp.Regexp }

// ReadYAML reads a regular expression.
func (p *Pattern) ReadYAML(n *strictyaml.Node) (err error) {
	if n.Kind != yaml.ScalarNode {
		return fmt.Errorf("expected a regular expression")
	}
	if p.Regexp, err = regexp.Compile(n.Value); err != nil {
		return fmt.Errorf("this is no regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return nil
}

var textKeys = []string{"contains", "equals", "matches"}

// ReadYAML reads a text that has to be equal, or a mapping with another condition.
func (t *Text) ReadYAML(n *strictyaml.Node) error {
	switch {
	case n.Kind == yaml.ScalarNode && n.Tag != "!!null":
		t.Equals = &n.Value
		return nil
	case n.Kind != yaml.MappingNode:
		return fmt.Errorf("expected a text, or a mapping with the keys %s", strings.Join(textKeys, ", "))
	case len(n.Content) == 0:
		return fmt.Errorf("say what the text has to be like: %s", strings.Join(textKeys, ", "))
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if err := t.readKey(n.Content[i], n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (t *Text) readKey(key, value *strictyaml.Node) error {
	if value.Kind != yaml.ScalarNode || value.Tag == "!!null" {
		return strictyaml.At(value, "expected a text")
	}
	var taken bool
	switch key.Value {
	case "equals":
		taken, t.Equals = t.Equals != nil, &value.Value
	case "contains":
		taken, t.Contains = t.Contains != nil, &value.Value
	case "matches":
		taken, t.Matches = t.Matches != nil, &Pattern{}
		if err := t.Matches.ReadYAML(value); err != nil {
			return strictyaml.At(value, "%v", err)
		}
	default:
		return strictyaml.At(key, "unknown key %q%s; the keys here are %s", key.Value, suggest.Hint(key.Value, textKeys), strings.Join(textKeys, ", "))
	}
	if taken {
		return strictyaml.At(key, "the key %q is here twice", key.Value)
	}
	return nil
}

// Text returns the condition for the text alone.
func (r *ResultText) Text() Text {
	return Text{Equals: r.Equals, Contains: r.Contains, Matches: r.Matches}
}

// Conditions returns how many conditions there are.
func (w *When) Conditions() int { return len(w.keys()) }

// AsksState reports whether a condition asks for what earlier answers have set.
func (w *When) AsksState() bool {
	return w != nil && (len(w.State) > 0 || w.Not.AsksState() || slices.ContainsFunc(w.AnyOf, (*When).AsksState))
}

// keys returns the keys of the conditions, as a [Miss] names them.
func (w *When) keys() []string {
	if w == nil {
		return nil
	}
	var keys []string
	for _, condition := range []struct {
		key string
		set bool
	}{
		{"user", w.User != nil}, {"first-user", w.FirstUser != nil}, {"system", w.System != nil}, {"model", w.Model != nil}, {"body", w.Body != nil},
		{"result", w.Result != nil}, {"tools", len(w.Tools) > 0}, {"offers-tools", w.OffersTools != nil}, {"wants-json", w.WantsJSON != nil}, {"wants-schema", w.WantsSchema != nil}, {"turn", w.Turn != nil}, {"turn-from", w.TurnFrom != nil}, {"round", w.Round != nil}, {"not", w.Not != nil}, {"any-of", len(w.AnyOf) > 0},
	} {
		if condition.set {
			keys = append(keys, condition.key)
		}
	}
	for _, h := range w.Headers {
		keys = append(keys, "headers/"+h.Name)
	}
	for _, f := range w.Fields {
		keys = append(keys, "fields"+f.Name)
	}
	for _, s := range w.State {
		keys = append(keys, "state/"+s.Name)
	}
	return keys
}

// blanks reports keys without a value, which are probably mistakes.
func (c *checker) blanks(here string) {
	for _, key := range c.s.doc.Blanks(here) {
		c.fail(here+"/"+key, key+" has no value; give it one, or leave the key away")
	}
}

// when checks the conditions of a scenario or a step.
func (c *checker) when(here string, w *When) {
	if w == nil {
		return
	}
	c.blanks(here)
	for _, count := range []struct {
		key string
		n   *int
	}{{"turn", w.Turn}, {"turn-from", w.TurnFrom}, {"round", w.Round}} {
		c.expect(count.n == nil || *count.n > 0, here+"/"+count.key, "%s counts from 1", count.key)
	}
	for _, h := range w.Headers {
		c.expect(headerName().MatchString(h.Name), here+"/headers/"+h.Name, "%q is no name of a header", h.Name)
	}
	for _, f := range w.Fields {
		// A path of the document cannot name a key with slashes in it, so the error is at the
		// mapping.
		c.expect(strings.HasPrefix(f.Name, "/"), here+"/fields", "a field is named by a JSON pointer such as /metadata/tenant, not %q", f.Name)
	}
	for _, s := range w.State {
		c.expect(s.Name != "", here+"/state", "a state has a name")
	}
	for i, t := range w.Tools {
		c.expect(t != "", here+at("tools", i), "a tool has a name")
	}
	c.expect(len(w.Tools) > 0 || !c.s.doc.Has(here+"/tools"), here+"/tools", "no tool is named; `offers-tools: false` is for requests that offer none")
	c.expect(len(w.AnyOf) > 0 || !c.s.doc.Has(here+"/any-of"), here+"/any-of", "there is no alternative in the list, so no request fits")
	for i, alternative := range w.AnyOf {
		place := here + at("any-of", i)
		c.expect(alternative.Conditions() > 0, place, "an alternative without conditions is every request; leave `any-of` away")
		c.when(place, alternative)
		c.impossible(place, alternative, nil)
	}
	if w.Not != nil {
		c.expect(w.Not.Conditions() == 1 && w.Not.Not == nil, here+"/not", "`not` takes one condition")
		c.when(here+"/not", w.Not)
	}
}
