package rules

import (
	"math/big"
	"slices"
	"unicode/utf8"

	"github.com/loopproof/loopproof/internal/wire"
)

// refusedBySchema reports whether the schema under which a request offers a tool surely does not
// take the arguments of a call. What the model sees is that schema, so a loop that keeps to it is
// right: some bound integers to what a double holds, for instance.
func refusedBySchema(req *wire.Request, call wire.AnswerCall) bool {
	at := slices.IndexFunc(req.Tools, func(t wire.ToolDefinition) bool { return t.Name == call.Name })
	if at < 0 {
		return false
	}
	args, err := wire.ParseNode([]byte(ArgumentsOrNone(call.Arguments)))
	return err == nil && refuses(req.Tools[at].Parameters, args)
}

// refuses reports whether a schema refuses a value by one of the plain keywords. A schema with
// more, such as a reference or a choice, may refuse the value anyway; then running the call is not
// a violation.
func refuses(schema, value *wire.Node) bool {
	if !schema.Is(wire.Object) || value == nil {
		return false
	}
	if allowed := schema.Get("enum"); allowed.Is(wire.Array) && !slices.ContainsFunc(allowed.Items, func(n *wire.Node) bool { return wire.SameValue(n, value) }) {
		return true
	}
	if only := schema.Get("const"); only != nil && !wire.SameValue(only, value) {
		return true
	}
	switch value.Type() {
	case wire.Number:
		return outOfBounds(schema, value)
	case wire.String:
		return wrongCount(schema, "minLength", "maxLength", utf8.RuneCountInString(value.Text()))
	case wire.Array:
		return wrongCount(schema, "minItems", "maxItems", len(value.Items)) ||
			slices.ContainsFunc(value.Items, func(item *wire.Node) bool { return refuses(schema.Get("items"), item) })
	case wire.Object:
		return slices.ContainsFunc(value.Members, func(m wire.Member) bool { return refuses(schema.Get("properties").Get(m.Key), m.Value) })
	}
	return false
}

func outOfBounds(schema, value *wire.Node) bool {
	n, ok := new(big.Rat).SetString(string(value.Raw))
	if !ok {
		return false
	}
	beyond := func(key string, sign int, itself bool) bool {
		limit, ok := numberOf(schema.Get(key))
		if !ok {
			return false
		}
		c := n.Cmp(limit) * sign
		return c > 0 || c == 0 && itself
	}
	return beyond("maximum", 1, false) || beyond("minimum", -1, false) || beyond("exclusiveMaximum", 1, true) || beyond("exclusiveMinimum", -1, true)
}

func wrongCount(schema *wire.Node, least, most string, count int) bool {
	n := new(big.Rat).SetInt64(int64(count))
	low, hasLow := numberOf(schema.Get(least))
	high, hasHigh := numberOf(schema.Get(most))
	return hasLow && n.Cmp(low) < 0 || hasHigh && n.Cmp(high) > 0
}

func numberOf(n *wire.Node) (*big.Rat, bool) {
	if !n.Is(wire.Number) {
		return nil, false
	}
	return new(big.Rat).SetString(string(n.Raw))
}

// ToolNames returns the names of tools that a request offers, in their order.
func ToolNames(tools []wire.ToolDefinition) []string {
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.Name
	}
	return names
}
