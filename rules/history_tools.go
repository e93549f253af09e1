package rules

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/wire"
)

// toolsAsGiven looks at the first request; tools-stay looks at the others. A loop may add to a schema
// (additionalProperties, a title, strict mode), but not lose anything of it.
func toolsAsGiven(r *Run) (j Judged) {
	taken := r.Taken()
	if len(r.Task.Tools) == 0 || len(taken) == 0 {
		return j
	}
	j.Seen = r.UsedTools()
	for _, given := range r.Task.Tools {
		at := slices.IndexFunc(taken[0].Request.Tools, func(t wire.ToolDefinition) bool { return t.Name == given.Name })
		if at < 0 {
			j.Find(Finding{
				Request:  taken[0].Number,
				Pointer:  "/tools",
				Message:  fmt.Sprintf("the tool %s is not offered", given.Name),
				Expected: given.Name,
				Actual:   list(toolNames(taken[0].Request)),
			})
			continue
		}
		j.add(parametersAsGiven(taken[0], taken[0].Request.Tools[at], given))
	}
	return j
}

func toolNames(req *wire.Request) []string {
	names := make([]string, len(req.Tools))
	for i, t := range req.Tools {
		names[i] = t.Name
	}
	return names
}

func parametersAsGiven(x *Exchange, offered wire.ToolDefinition, given protocol.Tool) (j Judged) {
	schema, err := wire.ParseNode(given.Parameters)
	if err != nil {
		return j
	}
	properties := schema.Get("properties")
	for _, key := range properties.Keys() {
		want := properties.Get(key)
		now := offered.Parameters.Get("properties").Get(key)
		if !mentions(now, want.Get("type").Text()) {
			j.Find(Finding{
				Request:  x.Number,
				Pointer:  offered.Node.Pointer() + "/function/parameters",
				Message:  fmt.Sprintf("the parameter %s of %s is not offered as it was given", key, given.Name),
				Expected: show(want),
				Actual:   show(now),
			})
		}
	}
	return j
}

// mentions reports whether a schema allows a type, alone or among others: {"type":["string","null"]} allows a string.
func mentions(schema *wire.Node, typ string) bool {
	found := false
	schema.Walk(func(n *wire.Node) {
		found = found || n.Text() == typ
	})
	return found
}

func toolsStay(r *Run) (j Judged) {
	if len(r.Task.Tools) == 0 {
		return j
	}
	r.pairsOfRequests(func(before, after *Exchange) {
		j.Seen = j.Seen || carriesResult(after.Request)
		was, now := before.Request.Body.Get("tools"), after.Request.Body.Get("tools")
		if len(j.Findings) == 0 && !wire.SameExactly(was, now) {
			j.Find(Finding{
				Request:  after.Number,
				Pointer:  "/tools",
				Message:  fmt.Sprintf("the tools are not those of request %d", before.Number),
				Expected: show(was),
				Actual:   show(now),
			})
		}
	})
	return j
}
