package messagesrules_test

import (
	"strings"

	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

// toolsOffered is a round whose second request offers these tools.
func toolsOffered(tools string) string {
	return `asks
		runs oslo
		asks on with {"tools":[` + tools + `]}
			calls oslo
			result oslo
		completed`
}

const (
	lookAtOnce   = `{"name":"look","input_schema":{"type":"object"}}`
	lookDeferred = `{"name":"look","input_schema":{"type":"object"},"defer_loading":true}`
	searchTool   = `{"type":"tool_search_tool_regex_20251119","name":"tool_search_tool_regex"}`
	foundLook    = `{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"tool_search_tool_regex","input":{"pattern":"look"}},{"type":"tool_search_tool_result","tool_use_id":"srvtoolu_1","content":{"type":"tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":"look"}]}}]}
		{"role":"user","content":"Go on."}`
)

// referringTo is a round in whose second request a search has found the tool look, and that offers
// these tools.
func referringTo(tools string) string {
	return `asks
		runs oslo
		asks on with {"tools":[` + tools + `]}
			calls oslo
			result oslo
			` + foundLook + `
		completed`
}

var egressDeferredCases = Cases{
	"egress/deferred-tools-not-cached": {
		Holds("a mark on the tool before it", BlockCity, toolsOffered(`{"name":"see","cache_control":{"type":"ephemeral"}},`+lookDeferred)),
		Holds("a mark on one that is not deferred", BlockCity, toolsOffered(`{"name":"see","defer_loading":false,"cache_control":{"type":"ephemeral"}}`)),
		Holds("a mark that is none", BlockCity, toolsOffered(lookAtOnce+`,{"name":"see","defer_loading":true,"cache_control":null}`)),
		SeesNothing("no tool was used", BlockCity, "asks"),
		Breaks("a mark on the last tool", BlockCity, toolsOffered(lookAtOnce+`,{"name":"see","defer_loading":true,"cache_control":{"type":"ephemeral"}}`),
			Found(2, "/tools/1/cache_control", `the tool "see" is deferred, and marked for the cache`, "the mark on the last tool that is not deferred, or none", `{"type":"ephemeral"}`)),
	},
	"egress/a-tool-is-not-deferred": {
		Holds("a search beside it", BlockCity, toolsOffered(searchTool+`,`+lookDeferred)),
		Holds("another tool beside it", BlockCity, toolsOffered(lookDeferred+`,{"name":"see"}`)),
		Holds("a server of MCP beside it", BlockCity, toolsOffered(lookDeferred+`,{"type":"mcp_toolset","mcp_server_name":"notes"}`)),
		SeesNothing("no tool was used", BlockCity, "asks"),
		Breaks("all", BlockCity, toolsOffered(lookDeferred), Found(2, "/tools", "all tools are deferred", "one with which the model can search, or one that is not deferred", "1 deferred tool")),
	},
	"egress/references-name-tools": {
		Holds("the tool is there", BlockCity, referringTo(searchTool+`,`+lookDeferred)),
		Holds("its server of MCP is there", BlockCity, referringTo(searchTool+`,{"type":"mcp_toolset","mcp_server_name":"notes"}`)),
		SeesNothing("nothing was searched for", BlockCity, OneCityDone),
		Breaks("the tool is gone", BlockCity, referringTo(searchTool),
			Found(2, "/messages/3/content/1/content/tool_references/0", `a reference to the tool "look", which is not offered`, "a tool of the request", `{"type":"tool_reference","tool_name":"look"}`)),
		Holds("nothing is deferred or searched for", BlockCity, referringTo(`{"name":"mcp__look"}`)),
		Breaks("in a result of the loop's own search", BlockCity, strings.Replace(SecondRequest(CalledOslo+`
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"{{oslo}}","content":[{"type":"tool_reference","tool_name":"see"}]}]}`), "asks on", `asks on with {"tools":[{"name":"search"},`+lookDeferred+`]}`, 1),
			Found(2, "/messages/2/content/0/content/0", `a reference to the tool "see", which is not offered`, "a tool of the request", `{"type":"tool_reference","tool_name":"see"}`)),
	},
}
