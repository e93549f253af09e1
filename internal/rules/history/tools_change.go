package history

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// describeChange says in a finding what has changed in the tools, where all of them have names: a
// loop may offer so many that neither list shows it.
func describeChange(f *trace.Finding, before, after *wire.Request) {
	was, now := rules.ToolNames(before.Tools), rules.ToolNames(after.Tools)
	if len(was) == 0 || len(now) == 0 || slices.Contains(was, "") || slices.Contains(now, "") {
		return
	}
	missing, added := without(was, now), without(now, was)
	switch {
	case len(missing)+len(added) > 0:
		f.Message += ": " + strings.Join(slices.Concat(each(missing, "is missing"), each(added, "is new")), ", ")
		f.Expected, f.Actual = among(was, missing), among(now, added)
	case slices.Equal(was, now):
		describeChangedTool(f, before.Tools, after.Tools)
	default:
		f.Message += ": they are in another order"
		f.Expected, f.Actual = rules.List(was), rules.List(now)
	}
}

// describeChangedTool says which of some tools of the same names is the first that has changed, and
// where.
func describeChangedTool(f *trace.Finding, was, now []wire.ToolDefinition) {
	for i := range was {
		if before, after := was[i].Node, now[i].Node; !wire.SameExactly(before, after) {
			before, after = firstDifference(before, after)
			f.Message += ": " + now[i].Name + " has changed"
			f.Pointer, f.Expected, f.Actual = after.Pointer(), rules.Show(before), rules.Show(after)
			return
		}
	}
}

// firstDifference returns the smallest parts of two values, at the same place, in which their first
// difference is.
func firstDifference(a, b *wire.Node) (was, now *wire.Node) {
	if a.Is(wire.Array) && b.Is(wire.Array) && len(a.Items) == len(b.Items) {
		for i := range a.Items {
			if !wire.SameExactly(a.Items[i], b.Items[i]) {
				return firstDifference(a.Items[i], b.Items[i])
			}
		}
	}
	if !a.Is(wire.Object) || !b.Is(wire.Object) || len(a.Members) != len(b.Members) {
		return a, b
	}
	for _, key := range a.Keys() {
		before, after := a.Get(key), b.Get(key)
		if after == nil {
			return a, b
		}
		if !wire.SameExactly(before, after) {
			return firstDifference(before, after)
		}
	}
	return a, b
}

// without returns the words of a list that are not in another one.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(word string) bool { return slices.Contains(other, word) })
}

// mostChanges is how many tools of each kind a message names.
const mostChanges = 3

// each says something of each of some tools, or of the first of many.
func each(tools []string, what string) (all []string) {
	for _, name := range tools[:min(len(tools), mostChanges)] {
		all = append(all, name+" "+what)
	}
	if more := len(tools) - mostChanges; more > 0 {
		all = append(all, fmt.Sprintf("and %d more", more))
	}
	return all
}

// among says how many tools there are, and that some are among them.
func among(all, some []string) string {
	text := rules.Plural(len(all), "tool")
	if len(some) == 0 {
		return text
	}
	return text + ", " + rules.List(some) + " among them"
}
