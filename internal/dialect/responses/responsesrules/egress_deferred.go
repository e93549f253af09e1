package responsesrules

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const (
	toolSearchGuide = "https://developers.openai.com/api/docs/guides/tools-tool-search"
	toolSearch      = "tool_search"
)

// egressDeferred are the rules about tools that the model sees only after a search.
var egressDeferred = []rules.Rule{
	{
		ID:        "egress/deferred-tools-need-a-search",
		Level:     trace.Should,
		Text:      "A request with tools that are deferred has the tool tool_search.",
		Why:       "OpenAI refuses the request, as of gateways that rename the search and leave the marks.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []rules.Source{
			{URL: toolSearchGuide, Says: "to activate tool search, add tool_search, and mark functions with defer_loading"},
			{URL: "https://github.com/Wei-Shaw/sub2api/issues/5942", Says: "the 400 of OpenAI: Deferred tools require tools.tool_search"},
			{URL: "https://github.com/openai/codex/issues/19486", Says: "the same, of a compaction"},
		},
		Request: deferredNeedSearch,
	},
	{
		ID:        "egress/search-has-deferred-tools",
		Level:     trace.Should,
		Text:      "A request with the tool tool_search has tools that are deferred, unless the client carries out the search.",
		Why:       "OpenAI refuses a search among nothing.",
		Invariant: true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []rules.Source{
			{URL: toolSearchGuide, Says: "to activate tool search, add tool_search, and mark functions with defer_loading"},
			{URL: "https://github.com/justrach/codegraff/issues/746", Says: "the 400 of OpenAI: tools.tool_search requires at least one deferred tool"},
		},
		Request: searchHasDeferred,
	},
	{
		ID:        "egress/searches-answered",
		Level:     trace.Should,
		Text:      "A search for tools that the client carries out, a tool_search_call with execution: client, is answered by a tool_search_output of the same call_id.",
		Why:       "OpenAI refuses the request, and every later one with the same history: as of sessions that ended in the search, or were cut between the two.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []rules.Source{
			{URL: toolSearchGuide, Says: "client-executed tool search: tool_search_output with the call_id of the call"},
			{URL: "https://github.com/openai/codex/issues/31053", Says: "the 400 of OpenAI: No tool output found for tool search call"},
			{URL: "https://github.com/Soju06/codex-lb/pull/1531", Says: "the same, beside those for functions and custom tools"},
		},
		Vars:    []string{"ids"},
		Request: searchesAnswered,
	},
	{
		ID:        "egress/calls-in-their-namespace",
		Level:     trace.Must,
		Text:      "A call goes back with the namespace with which it came: that of the tools in a namespace, and that of a deferred tool, which has its own name.",
		Why:       "OpenAI searches for the tool among those without a namespace, and refuses every further request of the conversation.",
		Invariant: true,
		ByTurn:    true,
		Evidence:  "a request with tools that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/vercel/ai/pull/15193", Says: "the 400 of OpenAI: Missing namespace for function_call"},
			{URL: "https://github.com/openai/codex/issues/23839", Says: "the same, of tools of a server of MCP that a search had found"},
			{URL: "https://github.com/earendil-works/pi/issues/7709", Says: "the same: the item is read without its namespace"},
		},
		Vars:    []string{"name", "index"},
		Request: callsInNamespace,
	},
}

// callsInNamespace looks at calls of tools that a request offers only in a namespace.
func callsInNamespace(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = len(req.Tools) > 0 && rules.CarriesResult(req)
	inDefault, elsewhere := map[string]bool{}, map[string]string{}
	for _, t := range req.Offered() {
		space, name, inside := strings.Cut(t.Name, ".")
		switch {
		case inside:
			elsewhere[name] = space
		case t.OwnNamespace:
			elsewhere[t.Name] = t.Name
		default:
			inDefault[t.Name] = true
		}
	}
	eachItem(req, func(item *wire.Node, kind string) {
		name := item.Get("name").Text()
		if kind != "function_call" || item.Get("namespace").Text() != "" || inDefault[name] || elsewhere[name] == "" {
			return
		}
		j.Find(trace.Finding{
			Pointer: item.Pointer(), Message: "the call of " + name + " came with a namespace, and goes back without it",
			Expected: "the namespace " + rules.Quote(elsewhere[name]), Actual: rules.Show(item),
			Vars: map[string]string{"name": name, "index": rules.LastStep(item)},
		})
	})
	return j
}

func searchesAnswered(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = len(req.Tools) > 0 && rules.CarriesResult(req)
	answered := map[string]bool{}
	eachItem(req, func(item *wire.Node, kind string) {
		if strings.HasSuffix(kind, "_output") { // whether that of a function does is not known
			answered[item.Get("call_id").Text()] = true
		}
	})
	eachItem(req, func(item *wire.Node, kind string) {
		id := item.Get("call_id").Text()
		if kind != "tool_search_call" || item.Get("execution").Text() != "client" || answered[id] {
			return
		}
		j.HasEvidence = true
		j.Find(trace.Finding{
			Pointer: item.Pointer(), Message: "a search for tools that the client carries out has no output",
			Expected: "a tool_search_output with the call_id " + rules.Quote(id), Actual: rules.Show(item),
			Vars: map[string]string{"ids": id},
		})
	})
	return j
}

func isDeferred(t wire.ToolDefinition) bool { return t.Deferred }

func deferredNeedSearch(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = len(req.Tools) > 0 && rules.CarriesResult(req)
	searches := func(t wire.ToolDefinition) bool { return t.Node.Get("type").Text() == toolSearch }
	if at := slices.IndexFunc(req.Tools, isDeferred); at >= 0 && !slices.ContainsFunc(req.Tools, searches) {
		j.Find(trace.Finding{
			Pointer: req.Tools[at].Node.Pointer() + "/defer_loading", Message: "a tool is deferred, and nothing searches for it",
			Expected: `a tool of the type "tool_search", or no defer_loading`, Actual: rules.Show(req.Tools[at].Node),
		})
	}
	return j
}

func searchHasDeferred(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = len(req.Tools) > 0 && rules.CarriesResult(req)
	if slices.ContainsFunc(req.Tools, isDeferred) {
		return j
	}
	for _, t := range req.Tools {
		if t.Node.Get("type").Text() == toolSearch && t.Node.Get("execution").Text() != "client" {
			j.Find(trace.Finding{
				Pointer: t.Node.Pointer(), Message: "a search for tools, and no tool is deferred",
				Expected: "a tool with defer_loading, or no search", Actual: rules.Show(t.Node),
			})
		}
	}
	return j
}
