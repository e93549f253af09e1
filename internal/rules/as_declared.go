package rules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// takesOf returns the schema of the arguments of a tool, nil where there is none.
func (r *Run) takesOf(tool string) *wire.Node {
	t := r.Script.Scenario.Tool(tool)
	if t == nil || t.FreeText {
		return nil
	}
	schema, err := wire.ParseNode(t.Schema())
	if err != nil {
		return nil
	}
	return schema
}

// sameAsDeclared reports whether an execution got the arguments that the model wrote, as a
// validator hands them over: with the defaults of the schema for those that are not there, and
// without those that the schema does not declare, where it neither allows nor forbids them.
func (c *CallRun) sameAsDeclared(handed string) bool {
	written, isWritten := wire.ParseObject(ArgumentsOrNone(c.Call.Arguments))
	now, is := wire.ParseObject(ArgumentsOrNone(handed))
	if !isWritten || !is {
		return false
	}
	takes := c.takes()
	properties := takes.Get("properties")
	if len(properties.Keys()) == 0 {
		return false
	}
	was, given := *written, *now
	if takes.Get("additionalProperties") == nil && takes.Get("patternProperties") == nil {
		was.Members = slices.DeleteFunc(slices.Clone(was.Members), func(m wire.Member) bool {
			return properties.Get(m.Key) == nil && now.Get(m.Key) == nil
		})
	}
	given.Members = slices.DeleteFunc(slices.Clone(given.Members), func(m wire.Member) bool {
		normal := properties.Get(m.Key).Get("default")
		return written.Get(m.Key) == nil && (m.Value.Is(wire.Null) || normal != nil && wire.SameValue(normal, m.Value))
	})
	return wire.SameValue(&was, &given)
}

// LeavesOut reports whether an execution lacks an argument that the model wrote.
func (c *CallRun) LeavesOut(handed string) bool {
	written, _ := wire.ParseObject(ArgumentsOrNone(c.Call.Arguments))
	now, _ := wire.ParseObject(ArgumentsOrNone(handed))
	return slices.ContainsFunc(written.Keys(), func(key string) bool { return now.Get(key) == nil })
}
