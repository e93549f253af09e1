package mcp

import (
	"slices"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/protocol"
)

// offers is a loop that offers some of the tools that were there first, and of those that are there
// now. It is told how many requests ago the list has changed, 0 for not at all.
func offers(choose func(first, now []protocol.Tool, since int) []protocol.Tool) func() hooks.Mutation {
	return func() hooks.Mutation {
		var first []protocol.Tool
		since := 0
		return hooks.Mutation{Request: func(r *hooks.Request) {
			if first == nil {
				first = slices.Clone(r.Tools)
			}
			if since > 0 || !slices.EqualFunc(first, r.Tools, sameName) {
				since++
				r.Tools = choose(first, r.Tools, since)
			}
		}}
	}
}

func sameName(a, b protocol.Tool) bool { return a.Name == b.Name }

func isIn(tools []protocol.Tool) func(protocol.Tool) bool {
	return func(t protocol.Tool) bool {
		return slices.ContainsFunc(tools, func(other protocol.Tool) bool { return sameName(t, other) })
	}
}

// except returns the tools that are not among others.
func except(tools, others []protocol.Tool) []protocol.Tool {
	return slices.DeleteFunc(slices.Clone(tools), isIn(others))
}

// lists are loops that do not follow a list of tools that changes.
var lists = []hooks.Fault{
	{
		Name:    "mcp/lists-tools-once",
		Does:    "The tools are those that the server had when the conversation began.",
		Reports: []string{"https://github.com/anthropics/claude-code/issues/33779"},
		Breaks:  []string{"mcp/new-tools-offered", "mcp/gone-tools-not-offered"},
		Make:    offers(func(first, _ []protocol.Tool, _ int) []protocol.Tool { return first }),
	},
	{
		Name:    "mcp/offers-no-new-tool",
		Does:    "Of the tools that were there first those are offered that are left.",
		Reports: []string{"https://github.com/langchain-ai/langchain/issues/40758"},
		Breaks:  []string{"mcp/new-tools-offered"},
		Make: offers(func(first, now []protocol.Tool, _ int) []protocol.Tool {
			return except(now, except(now, first))
		}),
	},
	{
		Name:   "mcp/offers-new-tools-late",
		Does:   "A tool that came is offered in the request behind the next one.",
		Breaks: []string{"mcp/new-tools-offered"},
		Make: offers(func(first, now []protocol.Tool, since int) []protocol.Tool {
			if since == 1 {
				return except(now, except(now, first))
			}
			return now
		}),
	},
	{
		Name:    "mcp/keeps-gone-tools",
		Does:    "A tool that has gone is offered as before, beside those that came.",
		Reports: []string{"https://github.com/anthropics/claude-code/issues/81042"},
		Breaks:  []string{"mcp/gone-tools-not-offered"},
		Make: offers(func(first, now []protocol.Tool, _ int) []protocol.Tool {
			return append(slices.Clone(first), except(now, first)...)
		}),
	},
}
