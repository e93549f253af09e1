package responsesrules_test

import (
	_ "embed"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/responses"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

//go:embed testdata/request.json
var wholeRequest []byte

// TestForm: each node of the form has a request that breaks its rule there, and no other rule.
func TestForm(t *testing.T) {
	CheckForm(t, responses.Form(), "openai-responses", wholeRequest, map[string][]string{
		"request.input[].content[](input_image) anyOf": {"images/encoded"},     // it is the same that is missing
		"request.conversation notWith":                 {"egress/value-forms"}, // the ids are made up
		"request.input[](item_reference).id type":      {"egress/item-id-form"},
		"request.tools[](custom).name required":        {"egress/tool-name"},
		"request.tools[](custom).name type":            {"egress/tool-name"},
		"request.input[].call_id maxLength":            {"pairing/every-call-answered", "pairing/result-names-a-call"},
	})
}

// TestFormTakes: what correct clients were seen to send, and what the reference allows, has the
// form.
func TestFormTakes(t *testing.T) {
	CheckTaken(t, responses.API, wholeRequest, "input", `
		{"type":"message","role":"developer","content":"Be brief."}
		{"role":"user","id":"u-1_A","content":"So?"}
		{"role":"user","id":null,"content":"So?"}
		{"role":"user","content":[{"type":"input_text","text":""},{"type":"input_image","file_id":"f"},{"type":"input_image","image_url":"https://example.com/x.png"}]}
		{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}}]}
		{"role":"user","content":[{"type":"input_image","file_id":"f","detail":null},{"type":"input_file","file_id":"f"}]}
		{"role":"assistant","content":[{"type":"output_text","text":"So."},{"type":"refusal","refusal":"No."}]}
		{"role":"assistant","content":"So.","status":"incomplete","phase":null}
		{"role":"assistant","content":"So.","status":null,"phase":"commentary"}
		{"type":"message","role":"assistant","id":"msg_1","status":"completed","phase":"final_answer","content":"So."}
		{"type":"reasoning","id":"rs_1","summary":[],"content":[],"encrypted_content":"x"}
		{"type":"function_call","call_id":"c1","name":"get_weather","arguments":"","async":true}
		{"type":"function_call_output","call_id":"c1","output":[{"type":"input_text","text":"4 C"},{"type":"input_image","image_url":"data:image/png;base64,eA=="},{"type":"input_file","file_id":"f"}]}
		{"type":"item_reference","id":"msg_1"}
		{"id":"msg_1"}
		{"type":"web_search_call","id":"ws_1","status":"searching","action":{}}
		{"type":"acme:note","id":"n_1"}
		{"type":"compaction","encrypted_content":"x"}
		{"type":"compaction_trigger"}
		{"type":"configuration_update","reasoning":{"effort":"low"}}
		{"type":"program_output","id":"p_1"}`, `
		{"tool_choice":"required"}
		{"tool_choice":null}
		{"tool_choice":{"type":"function","name":"get_weather"}}
		{"tool_choice":{"type":"web_search"}}
		{"tool_choice":{"type":"allowed_tools","mode":"auto","tools":[{"type":"function","name":"get_weather"}]}}
		{"tools":[{"type":"function","name":"get_weather","description":"x","parameters":{},"strict":null,"async":true},{"type":"web_search","filters":{}}]}
		{"max_output_tokens":16}
		{"max_output_tokens":null,"instructions":null,"text":null,"reasoning":null,"truncation":null,"temperature":null,"stream_options":null}
		{"conversation":"conv_1","previous_response_id":null}
		{"conversation":{"id":"conv_1"}}
		{"include":[]}
		{"include":["message.output_text.logprobs"]}
		{"text":{"format":{"type":"json_schema","name":"the_answer","schema":{}},"verbosity":"low"}}
		{"text":{"format":{"type":"json_object"}}}
		{"reasoning":{"effort":"xhigh","summary":"auto","mode":"x"}}
		{"prompt_cache_key":"x","prompt_cache_retention":"24h","service_tier":"ultrafast"}
		{"temperature":0,"top_p":1,"top_logprobs":20,"max_tool_calls":1,"truncation":"auto"}
		{"stream_options":{"include_obfuscation":false}}`)
}
