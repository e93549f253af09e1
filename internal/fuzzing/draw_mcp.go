package fuzzing

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// toolServers let the loop take its tools from a server of MCP, which returns several blocks, and
// changes the list of its tools.
func (g *Grammar) toolServers() []kind {
	if !g.claims(protocol.MCPTools) {
		return nil
	}
	kinds := []kind{func(_ *drawing, c *Conversation) { c.MCP = true }}
	for _, blocks := range blocksOfResults {
		kinds = append(kinds, func(d *drawing, c *Conversation) {
			tool := &toolbox[d.upTo(len(toolbox)-1, "tool")]
			d.callServer(c, Call{Tool: tool.Name, Arguments: d.arguments(tool), Result: blocks(d)})
		})
	}
	if g.claims(protocol.ChangingTools) {
		kinds = append(kinds, (*drawing).changeTools)
		if g.claims(protocol.MultiPrompt) {
			kinds = append(kinds, func(d *drawing, c *Conversation) {
				d.severalPrompts(c)
				d.changeTools(c)
			})
		}
	}
	return kinds
}

// callServer adds a turn with a call of a tool of a server of MCP, and others beside it.
func (d *drawing) callServer(c *Conversation, call Call) {
	c.MCP = true
	t := Turn{Calls: []Call{call}}
	if d.grammar.claims(protocol.ParallelCalls) && d.chance(40, "call beside it") {
		t.Calls = append(t.Calls, d.call(true))
	}
	p := &c.Prompts[d.upTo(len(c.Prompts)-1, "prompt with the call")]
	p.Turns = slices.Insert(p.Turns, d.upTo(len(p.Turns)-1, "turn with the call"), t)
}

// blocksOfResults are results of several blocks, or of blocks that are no texts.
var blocksOfResults = []func(*drawing) scenarios.Result{
	func(d *drawing) scenarios.Result {
		return scenarios.Result{Text: d.text("result"), More: []scenarios.ResultBlock{{Text: d.text("further text")}}}
	},
	func(d *drawing) scenarios.Result {
		return scenarios.Result{Text: d.text("result"), More: []scenarios.ResultBlock{{Resource: d.text("resource")}}}
	},
	func(d *drawing) scenarios.Result {
		return scenarios.Result{More: []scenarios.ResultBlock{{Resource: d.text("resource")}, {Resource: d.text("further resource")}}}
	},
	func(d *drawing) scenarios.Result {
		return scenarios.Result{Text: d.text("result"), Structured: wire.Fields{{Key: "number", Value: d.number()}}}
	},
	func(d *drawing) scenarios.Result {
		return scenarios.Result{Fail: new(fmt.Sprintf("failure %d", d.number())), More: []scenarios.ResultBlock{{Resource: d.text("resource")}}, Structured: wire.Fields{{Key: "retry_after", Value: d.number()}}}
	},
	func(d *drawing) scenarios.Result {
		return scenarios.Result{Text: d.text("result"), More: []scenarios.ResultBlock{{Link: d.text("linked resource")}}}
	},
	func(d *drawing) scenarios.Result {
		d.only = isStandard
		return scenarios.Result{Text: d.text("result"), More: []scenarios.ResultBlock{{Media: d.pick("media", []string{"pdf", "wav"})}}}
	},
	func(d *drawing) scenarios.Result {
		d.only = isStandard
		return scenarios.Result{More: []scenarios.ResultBlock{{Media: d.pick("media", []string{"pdf", "wav"})}}}
	},
}

// isStandard reports whether a profile is that of the dialect's own provider.
func isStandard(p *profiles.Profile) bool { return p.Name == p.Speaks.Standard }

// changeTools lets the server change the list of its tools: one that is not called any more goes, and
// one comes that is called in a later turn.
func (d *drawing) changeTools(c *Conversation) {
	c.MCP = true
	opens, comes, goes := &lateTools[0], &lateTools[1], &lateTools[2]
	calls := func(tool *scenarios.Tool) Turn {
		return Turn{Calls: []Call{{Tool: tool.Name, Arguments: d.arguments(tool), Result: scenarios.Result{Text: d.text("result")}}}}
	}
	before := []Turn{calls(opens)}
	if d.chance(60, "call of the tool that goes") {
		before = slices.Insert(before, 0, calls(goes))
	} else {
		c.SpareTools = append(c.SpareTools, goes.Name)
	}
	if d.grammar.claims(protocol.ParallelCalls) && d.chance(30, "call beside it") {
		last := &before[len(before)-1]
		last.Calls = append(last.Calls, d.call(true))
	}
	at := d.upTo(len(c.Prompts)-1, "prompt in which the list changes")
	p := &c.Prompts[at]
	p.Turns = slices.Insert(p.Turns, 0, before...)
	later := d.upTo(len(c.Prompts)-1-at, "prompt of the new tool")
	p, first := &c.Prompts[at+later], 0
	if later == 0 {
		first = len(before)
	}
	p.Turns = slices.Insert(p.Turns, first+d.upTo(len(p.Turns)-1-first, "turn of the new tool"), calls(comes))
}

// changesTools reports whether a call is of a tool with which the list of the tools changes, or that
// comes or goes then.
func changesTools(call *Call) bool {
	return slices.ContainsFunc(lateTools, func(t scenarios.Tool) bool { return t.Name == call.Tool })
}
