package responses

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// The types of items of which a loop has to know more than that they are there.
const (
	messageItem      = "message"
	callItem         = "function_call"
	resultItem       = "function_call_output"
	customItem       = "custom_tool_call"
	customResultItem = "custom_tool_call_output"
	reasoningItem    = "reasoning"
	referenceItem    = "item_reference"
	approvalItem     = "mcp_approval_response"
	webSearchItem    = "web_search_call"
	fileSearchItem   = "file_search_call"
	codeItem         = "code_interpreter_call"
	mcpToolsItem     = "mcp_list_tools"
	mcpCallItem      = "mcp_call"
	compactionItem   = "compaction"

	// toolSearchItem is a search for tools. OpenAI was recorded to take the output of a function
	// for its result, too: github.com/pydantic/pydantic-ai,
	// tests/cassettes/test_tool_availability_portability.
	toolSearchItem = "tool_search_call"
	toolsFoundItem = "tool_search_output"

	additionalToolsItem = "additional_tools"

	programItem       = "program"
	programOutputItem = "program_output"
)

// modelItems are the other items that are the model's or the provider's own: the members of the
// output of a response in openai-openapi at f85dbe2.
var modelItems = map[string]bool{
	callItem: true, customItem: true, reasoningItem: true, referenceItem: true, webSearchItem: true, fileSearchItem: true,
	"computer_call": true, "image_generation_call": true, codeItem: true, "local_shell_call": true, "shell_call": true,
	"apply_patch_call": true, mcpToolsItem: true, wire.ApprovalRequest: true, mcpCallItem: true, toolSearchItem: true,
	toolsFoundItem: true, compactionItem: true, "compaction_summary": true, programItem: true, programOutputItem: true,
}

// TypeOf returns the type of an item; a message may leave it out, and so may a reference, of which
// the API requires the id alone.
func TypeOf(item *wire.Node) string {
	kind := item.Get("type")
	switch {
	case kind == nil && item.Get("role") != nil:
		return messageItem
	case (kind == nil || kind.Is(wire.Null)) && item.Get("id").Is(wire.String) && !slices.ContainsFunc(item.Keys(), func(key string) bool { return key != "id" && key != "type" }):
		return referenceItem
	}
	return kind.Text()
}

// isModels reports whether an item is the model's or the provider's own. One with the prefix of a
// vendor is an extension of Open Responses, which only answers bring.
func isModels(item *wire.Node) bool {
	kind := TypeOf(item)
	if kind == messageItem {
		return item.Get("role").Text() == "assistant"
	}
	return modelItems[kind] || strings.Contains(kind, ":") && !strings.HasSuffix(kind, "_output")
}
