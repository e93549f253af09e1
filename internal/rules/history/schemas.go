package history

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/textlayout"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

var schemaRules = []rules.Rule{
	{
		ID:          "history/schemas-as-given",
		Level:       trace.Should,
		Text:        "Tools are offered with all that is said of them: descriptions, what is in objects and lists, which parameters are required, and enums.",
		Why:         "The model guesses what it is not told, and calls the tool with arguments that the tool does not take.",
		Invariant:   true,
		AnyDelivery: true,
		Needs:       rules.SeesTools,
		Evidence:    "a request of a task that has tools",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/guides/function-calling", Says: "descriptions of functions and parameters, nested objects, required, and enums"},
			{URL: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use", Says: "detailed descriptions are by far the most important factor in tool performance"},
			{URL: "https://github.com/microsoft/agent-framework/issues/2747", Says: "objects without what is in them, calls with empty objects, and the error of the tool"},
			{URL: "https://github.com/OpenHands/software-agent-sdk/issues/3955", Says: "the same in another framework"},
			{URL: "https://github.com/cline/cline/pull/12860", Says: "lists of objects that were offered as texts, in one API of three"},
			{URL: "https://github.com/livekit/agents/issues/4283", Says: "descriptions of parameters that no model saw"},
		},
		Run: schemasAsGiven,
	},
}

// schemasAsGiven leaves the tools, and the names and types of their parameters, to tools-as-given.
func schemasAsGiven(r *rules.Run) (j rules.CheckResult) {
	j.HasEvidence = eachGiven(r, func(first *trace.Exchange, given protocol.Tool, offered *wire.ToolDefinition) {
		if offered == nil {
			return
		}
		schema, err := wire.ParseNode(given.Parameters)
		if err != nil { // the tool takes a free text
			schema = nil
		}
		c := comparison{tool: given.Name}
		c.description("the tool", given.Description, offered.Description)
		c.compare(schemaPart{schema, schema, ""}, schemaPart{offered.Parameters, offered.Parameters, ""})
		for _, l := range c.lost {
			j.FindAt(first, cmp.Or(offered.Parameters.Pointer(), offered.Node.Pointer()), l.message, l.expected, l.actual)
		}
	})
	return j
}

// schemaPart is a part of a schema.
type schemaPart struct {
	root, schema *wire.Node
	path         string // from the root: passengers[].seat
}

// comparison finds what a schema that is offered lost of the one that was given.
type comparison struct {
	tool string
	lost []loss
}

type loss struct{ message, expected, actual string }

func (c *comparison) lose(expected, actual, format string, args ...any) {
	c.lost = append(c.lost, loss{fmt.Sprintf(format, args...), expected, actual})
}

// compare compares parts in the same place. Schemas say the same in several ways: after a
// reference, with null beside it.
func (c *comparison) compare(given, offered schemaPart) {
	want, have := given.variants(), offered.variants()
	if given.path != "" {
		what := "the parameter " + given.path
		c.description(what+" of", described(want), described(have))
		c.enum(given, enumOf(want), enumOf(have))
	}
	for _, variant := range want {
		for key, property := range variant.Get("properties").Fields() {
			path := strings.TrimPrefix(given.path+"."+key, ".")
			now := firstOf(have, func(n *wire.Node) *wire.Node { return n.Get("properties").Get(key) })
			if requires(variant, key) && now != nil && !slices.ContainsFunc(have, func(n *wire.Node) bool { return requires(n, key) }) {
				c.lose("required", rules.Show(firstOf(have, func(n *wire.Node) *wire.Node { return n.Get("required") })), "the parameter %s of %s is not required any more", path, c.tool)
			}
			c.within(schemaPart{given.root, property, path}, schemaPart{offered.root, now, path}, given.path != "")
		}
		if items := variant.Get("items"); len(items.Keys()) > 0 {
			now := firstOf(have, func(n *wire.Node) *wire.Node { return n.Get("items") })
			path := given.path + "[]"
			c.within(schemaPart{given.root, items, path}, schemaPart{offered.root, now, path}, true)
		}
	}
}

// within compares a part that is in another one. Those at the top are for tools-as-given.
func (c *comparison) within(given, offered schemaPart, deep bool) {
	typ := given.schema.Get("type").Text()
	switch {
	case offered.schema == nil && !deep:
	case offered.schema == nil || deep && typ != "" && !allows(offered.root, offered.schema, typ):
		c.lose(rules.Show(given.schema), rules.Show(offered.schema), "the parameter %s of %s is not offered as it was given", given.path, c.tool)
	default:
		c.compare(given, offered)
	}
}

// description leaves it to the loop what it adds, and how it breaks lines.
func (c *comparison) description(what, given, offered string) {
	if given, offered := textlayout.OneLine(given), textlayout.OneLine(offered); !strings.Contains(offered, given) {
		c.lose(rules.Quote(given), rules.Quote(offered), "the description of %s %s is not offered as it was given", what, c.tool)
	}
}

func (c *comparison) enum(given schemaPart, want, have []string) {
	if len(want) > 0 && !slices.Equal(want, have) {
		actual := "any value"
		if len(have) > 0 {
			actual = rules.List(have)
		}
		c.lose(rules.List(want), actual, "the values of the parameter %s of %s are not offered as they were given", given.path, c.tool)
	}
}

// variants returns the schemas that a part consists of, each once: itself, what it refers to, and
// its alternatives.
func (s schemaPart) variants() (all []*wire.Node) {
	add := func(n *wire.Node) {
		if n != nil && !slices.Contains(all, n) { // some refer to themselves
			all = append(all, n)
		}
	}
	add(s.schema)
	for i := 0; i < len(all); i++ {
		add(referredTo(s.root, all[i]))
		for _, key := range []string{"anyOf", "oneOf", "allOf"} {
			for _, n := range all[i].Get(key).All() {
				add(n)
			}
		}
	}
	return all
}

// referredTo returns the part of a root that a schema refers to, or nil.
func referredTo(root, schema *wire.Node) *wire.Node {
	ref, ok := strings.CutPrefix(schema.Get("$ref").Text(), "#/")
	if !ok {
		return nil
	}
	target := root
	for step := range strings.SplitSeq(ref, "/") {
		target = target.Child(step)
	}
	return target
}

func firstOf(variants []*wire.Node, get func(*wire.Node) *wire.Node) *wire.Node {
	for _, n := range variants {
		if found := get(n); found != nil {
			return found
		}
	}
	return nil
}

func described(variants []*wire.Node) string {
	var all []string
	for _, n := range variants {
		all = append(all, n.Get("description").Text())
	}
	return strings.Join(all, " ")
}

func requires(schema *wire.Node, key string) bool {
	return slices.ContainsFunc(schema.Get("required").All(), func(n *wire.Node) bool { return n.Text() == key })
}

// enumOf returns the values that a part may have, in order; none if it may have others. Null is for
// one that may be left out.
func enumOf(variants []*wire.Node) []string {
	var values []string
	for _, n := range variants {
		for _, value := range append(slices.Clip(n.Get("enum").All()), n.Get("const")) {
			if value != nil && !value.Is(wire.Null) {
				values = append(values, cmp.Or(value.Text(), string(value.Raw)))
			}
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}
