package messagesrules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const toolSearchDocs = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool"

// egressDeferredRules are the rules of the area egress about tools that the model sees only after a
// search.
var egressDeferredRules = []rules.Rule{
	{
		ID:        "egress/deferred-tools-not-cached",
		Level:     trace.Should,
		Text:      "A tool with defer_loading has no cache_control.",
		Why:       "Anthropic refuses both on one tool, as of loops that mark the last tool whichever it is: what is deferred is not in the prefix that is cached.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/router-for-me/CLIProxyAPI/issues/4561", Says: "the 400 of Anthropic: Tools with defer_loading cannot use prompt caching"},
			{URL: "https://github.com/decolua/9router/pull/3687", Says: "the same"},
			{URL: "https://github.com/Wei-Shaw/sub2api/pull/5004", Says: "the same, also where tokens are counted"},
		},
		Vars:    []string{"name"},
		Request: deferredNotCached,
	},
	{
		ID:        "egress/a-tool-is-not-deferred",
		Level:     trace.Should,
		Text:      "At least one tool of a request is not deferred.",
		Why:       "Anthropic refuses the request: without any tool, not even one to search with, the model can find none.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []rules.Source{
			{URL: toolSearchDocs, Says: "the 400: At least one tool must have defer_loading=false"},
			{URL: "https://github.com/microsoft/vscode/issues/311946", Says: "the same, where a filter had left the search out"},
		},
		Request: notAllDeferred,
	},
	{
		ID:        "egress/references-name-tools",
		Level:     trace.Should,
		Text:      "Each tool_reference in the history names a tool that the request offers.",
		Why:       "Anthropic refuses the request, and each later one of the session, after a tool that was found is offered no more.",
		Invariant: true,
		Evidence:  "a request whose history has a tool_reference",
		Sources: []rules.Source{
			{URL: toolSearchDocs, Says: "the 400: Tool reference 'unknown_tool' not found in available tools"},
		},
		Vars:    []string{"name"},
		Request: referencesNameTools,
	},
}

func deferredNotCached(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for _, t := range req.Tools {
		j.HasEvidence = true
		if mark := t.Node.Get("cache_control"); t.Deferred && mark.Is(wire.Object) {
			j.Find(trace.Finding{
				Pointer:  mark.Pointer(),
				Message:  fmt.Sprintf("the tool %s is deferred, and marked for the cache", rules.Quote(t.Name)),
				Expected: "the mark on the last tool that is not deferred, or none",
				Actual:   rules.Show(mark),
				Vars:     map[string]string{"name": t.Name},
			})
		}
	}
	return j
}

// notAllDeferred leaves a toolset of a server of MCP out, which says for each of its tools whether
// it is deferred.
func notAllDeferred(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = len(req.Tools) > 0
	atOnce := func(t wire.ToolDefinition) bool { return !t.Deferred }
	if j.HasEvidence && !slices.ContainsFunc(req.Tools, atOnce) {
		j.Find(trace.Finding{
			Pointer: "/tools", Message: "all tools are deferred",
			Expected: "one with which the model can search, or one that is not deferred", Actual: rules.Plural(len(req.Tools), "deferred tool"),
		})
	}
	return j
}

func referencesNameTools(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	known := func(name string) bool {
		return slices.ContainsFunc(req.Tools, func(t wire.ToolDefinition) bool { return t.Name == name })
	}
	elsewhere := !searches(req) || offersToolsElsewhere(req)
	for _, reference := range toolReferences(req) {
		j.HasEvidence = true
		if name := reference.Get("tool_name").Text(); !known(name) && !elsewhere {
			j.Find(trace.Finding{
				Pointer:  reference.Pointer(),
				Message:  fmt.Sprintf("a reference to the tool %s, which is not offered", rules.Quote(name)),
				Expected: "a tool of the request",
				Actual:   rules.Show(reference),
				Vars:     map[string]string{"name": name},
			})
		}
	}
	return j
}

// toolReferences returns the references to tools that searches have found: those of the provider,
// and those of the loop's own tool, which are in its result.
func toolReferences(req *wire.Request) (all []*wire.Node) {
	type noReferences struct{}
	req.Look(noReferences{}, func(_ int, m *wire.Node) bool {
		before := len(all)
		for _, block := range m.Get("content").All() {
			found := block.Get("content").All()
			if block.Get("type").Text() == "tool_search_tool_result" {
				found = block.Get("content").Get("tool_references").All()
			}
			for _, inner := range found {
				if inner.Get("type").Text() == "tool_reference" {
					all = append(all, inner)
				}
			}
		}
		return len(all) > before
	})
	return all
}

// searches reports whether a request defers tools or has the provider search for them. Others have
// references only of a gateway that did, under names of its own.
func searches(req *wire.Request) bool {
	return slices.ContainsFunc(req.Tools, func(t wire.ToolDefinition) bool {
		return t.Deferred || strings.HasPrefix(t.Node.Get("type").Text(), "tool_search_tool_")
	})
}

// offersToolsElsewhere reports whether tools are in other places than the list, where their names
// do not stand: servers of MCP, and additions in the middle of the conversation.
func offersToolsElsewhere(req *wire.Request) bool {
	typed := func(name string) func(*wire.Node) bool {
		return func(n *wire.Node) bool { return n.Get("type").Text() == name }
	}
	return slices.ContainsFunc(req.Body.Get("tools").All(), typed("mcp_toolset")) ||
		slices.ContainsFunc(req.Body.Get("messages").All(), func(m *wire.Node) bool {
			return slices.ContainsFunc(m.Get("content").All(), typed("tool_addition"))
		})
}
