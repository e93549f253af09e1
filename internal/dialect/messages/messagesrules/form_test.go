package messagesrules_test

import (
	_ "embed"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/messages"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

//go:embed testdata/request.json
var wholeRequest []byte

// TestForm: each node of the form has a request that breaks its rule there, and no other rule.
func TestForm(t *testing.T) {
	CheckForm(t, messages.Form(), "anthropic", wholeRequest, map[string][]string{
		"request.messages[].content[](image).source": {"images/encoded", "images/media-type-known", "images/media-type-true"},
		"request.messages[].content[](tool_use).id":  {"pairing/every-call-answered", "pairing/result-names-a-call"},
		"request.tool_choice(tool)":                  {"egress/chosen-tool-offered"}, // the tool is made up
		"request.tools type":                         {"egress/tools-stay-defined"},
	})
}

// TestFormTakes: what correct clients were seen to send, and what the reference allows, has the
// form.
func TestFormTakes(t *testing.T) {
	CheckTaken(t, messages.API, wholeRequest, "messages", `
		{"role":"user","content":"So?"}
		{"role":"assistant","content":[{"type":"text","text":"So.","citations":null,"cache_control":{"type":"ephemeral"}}]}
		{"role":"assistant","content":[{"type":"tool_use","id":"","name":"get_weather","input":{"a":{"cache_control":{"type":5}}},"caller":{"type":"direct"}}]}
		{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{},"state":"done"},{"type":"progress_update","step":1}]}
		{"role":"assistant","content":[{"type":"compaction","content":"before"},{"type":"mcp_tool_use","id":"mcptoolu_1","name":"x","server_name":"y","input":{}}]}
		{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"x"}]}
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1"},{"type":"text","text":"Go on."}]}
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":""}]}
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"image"},{"type":"tool_reference","tool_name":"x"}],"is_error":false,"cache_control":null,"toolset_name":"x"}]}
		{"role":"user","content":[{"type":"image","source":{"type":"file","file_id":"f"}},{"type":"document","source":{"type":"content","content":[]},"title":"t","citations":null}]}
		{"role":"system","content":"Be brief.","clear_at":"never"}
		{"role":"system","content":[],"output_config":{"effort":"low"}}`, `
		{"system":"Be brief."}
		{"system":[{"type":"text","text":"a","cache_control":{"type":"ephemeral","ttl":"5m"}},{"type":"text","text":"b","cache_control":null}]}
		{"tools":[{"type":"custom","name":"get_weather","input_schema":{"type":"object","properties":{"a.b-C_1":{}}},"strict":true,"defer_loading":true,"cache_control":{"type":"ephemeral"}}]}
		{"tools":[{"type":"web_search_20280101","name":"web_search"},{"type":"tool_search_tool_regex_20251119","name":"tool_search_tool_regex"},{"type":"mcp_toolset","mcp_server_name":"notes"}]}
		{"tools":[{"type":"web_search_20260209","name":"web_search","max_uses":null,"blocked_domains":["example.com"],"allowed_domains":null}]}
		{"tool_choice":{"type":"tool","name":"get_weather","disable_parallel_tool_use":true}}
		{"tool_choice":{"type":"none"}}
		{"thinking":{"type":"enabled","budget_tokens":1024}}
		{"thinking":{"type":"disabled"}}
		{"temperature":1,"top_p":null}
		{"metadata":{"user_id":null}}
		{"metadata":"ada"}
		{"stop_sequences":["\nHuman:"]}
		{"output_config":{"effort":"low","format":{"type":"json_schema","schema":{}}}}
		{"context_management":{"edits":[{"type":"clear_all_20280101"}]}}
		{"container":{"id":"c"},"cache_control":{"type":"ephemeral"},"service_tier":"standard_only","top_k":0}`)
}
