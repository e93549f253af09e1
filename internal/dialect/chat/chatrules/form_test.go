package chatrules_test

import (
	_ "embed"
	"slices"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/chat"
	"github.com/loopproof/loopproof/internal/form"
	"github.com/loopproof/loopproof/internal/rulebook"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
)

//go:embed testdata/request.json
var wholeRequest []byte

// TestForm: each node of the form has a request that breaks its rule there, and no other rule.
func TestForm(t *testing.T) {
	const calls = "request.messages[](calling assistant).tool_calls"
	CheckForm(t, chat.Form(), "openai", wholeRequest, map[string][]string{
		// What is missing, or is of another type, is so for other rules, too.
		calls + " type":                                    {"pairing/no-orphan-result"},
		calls + " minItems":                                {"pairing/no-orphan-result"},
		calls + "[](function) type":                        {"pairing/result-names-a-call", "pairing/ids-present", "egress/call-has-name"},
		calls + "[](function).function required":           {"egress/call-has-name"},
		calls + "[](function).function type":               {"egress/call-has-name"},
		calls + "[](function).type enum":                   {"taken"}, // by OpenAI, which has other types
		"request.messages[].content[](text).text type":     {"egress/no-empty-text-part"},
		"request.messages[].content[](text).text required": {"egress/no-empty-text-part"},
		"request.functions minItems":                       {"egress/no-legacy-functions"},
		"request.function_call.name required":              {"egress/no-legacy-functions"},
		"request.n maximum":                                {"egress/one-candidate"},
		"request.stop[] type":                              {"egress/parameter-types"},
		"request.tools maxItems":                           {"egress/tool-names-distinct"},
	})
}

// TestFormTakes: what correct clients were seen to send, and what the reference allows, has the
// form.
func TestFormTakes(t *testing.T) {
	CheckTaken(t, chat.API, wholeRequest, "messages", `
		{"role":"developer","content":[{"type":"text","text":"Be brief."}]}
		{"role":"user","name":"J.Ødegård","content":"hi"}
		{"role":"user","name":null,"content":"hi"}
		{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://example.com/x.png"}},{"type":"file","file":{"file_id":"f"}}]}
		{"role":"assistant","content":"So.","refusal":null,"annotations":[],"audio":{"id":"a"},"function_call":null}
		{"role":"assistant","content":null,"tool_calls":null}
		{"role":"assistant","content":"","tool_calls":[{"id":"call_9","type":"function","function":{"name":"get_weather","arguments":""}}]}
		{"role":"assistant","tool_calls":[{"id":"call_9","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}
		{"role":"tool","tool_call_id":"call_1","content":""}
		{"role":"tool","tool_call_id":"call_1","name":"get weather","content":[{"type":"text","text":"4 C"},{"type":"image_url","image_url":{"url":"x"}}]}
		{"role":"function","name":"f","content":"x"}`, `
		{"metadata":{"run":"1"}}
		{"metadata":null,"response_format":null,"stream_options":null,"functions":null,"function_call":null,"top_logprobs":null,"stop":null}
		{"response_format":{"type":"json_object"}}
		{"response_format":{"type":"json_schema","json_schema":{"name":"the_answer","schema":{},"strict":null}}}
		{"stream":true,"stream_options":{"include_usage":true,"include_obfuscation":false}}
		{"stream":false,"stream_options":null}
		{"logprobs":true,"top_logprobs":2}
		{"stop":["a","b","c","d"],"logit_bias":{"50256":-100},"modalities":["text","audio"],"audio":{"voice":{"id":"v"},"format":"mp3"}}
		{"stop":"a","n":1,"prediction":{"type":"content","content":"x"},"web_search_options":{"search_context_size":"low"}}
		{"max_tokens":5,"max_completion_tokens":null,"prompt_cache_key":"x","safety_identifier":"y"}
		{"tools":[{"type":"function","function":{"name":"a","strict":null}},{"type":"custom","custom":{"name":"sql"}}]}`)
}

// TestFormOfProviders: what one provider takes, another does not.
func TestFormOfProviders(t *testing.T) {
	const (
		ask     = `{"model":"m","messages":[{"role":"user","content":"hi"}`
		calling = ask + `,{"role":"assistant","content":"","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"},`
		result  = `}]},{"role":"tool","tool_call_id":"c","content":"x"}]}`
	)
	for _, c := range []struct{ profile, body, want string }{
		{"groq", ask + `],"tools":[{"type":"browser_search"}]}`, ""},
		{"openrouter", ask + `],"tools":[{"type":"openrouter:web_search","parameters":{"max_results":3}}]}`, ""},
		{"openai", ask + `],"tools":[{"type":"web_search"}]}`, "egress/tool-form at /tools/0/function"},
		{"groq", ask + `],"tools":[{"type":"function","name":"b"}]}`, "egress/tool-form at /tools/0/function"},
		{"zai", ask + `],"tools":[{"function":{"name":"b"}}]}`, "egress/tool-form at /tools/0/type"},
		{"mistral", ask + `],"tools":[{"function":{"name":"b"}}]}`, ""},
		{"openai", calling + `"type":"own"` + result, ""},
		{"vllm", calling + `"type":"own"` + result, "egress/call-type at /messages/1/tool_calls/0/type"},
		{"dashscope", calling + `"type":"function","index":0` + result, ""},
		{"openai", calling + `"type":"function","index":0` + result, "egress/call-keys at /messages/1/tool_calls/0/index"},
		{"minimax", ask + `,{"role":"assistant","name":"MiniMax AI","content":"x"}]}`, ""},
		{"openai", ask + `,{"role":"assistant","name":"MiniMax AI","content":"x"}]}`, "egress/message-name at /messages/1/name"},
		{"groq", ask + `,{"role":"assistant","refusal":null,"content":"x"}]}`, "egress/assistant-message-keys at /messages/1/refusal"},
		{"deepseek", ask + `,{"role":"assistant","reasoning_content":"r","content":"x"}]}`, ""},
		{"openai", ask + `,{"role":"assistant","reasoning_content":"r","content":"x"}]}`, "egress/assistant-message-keys at /messages/1/reasoning_content"},
		{"deepseek", ask + `,{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://example.com/x.png"}}]}]}`, "egress/part-types at /messages/1/content/0/type"},
		{"mistral", ask + `,{"role":"user","content":[{"type":"document_url","document_url":"https://example.com/x.pdf"}]}]}`, ""},
		{"deepseek", ask + `],"response_format":{"type":"json_schema","json_schema":{"name":"x"}}}`, "egress/response-format-form at /response_format/type"},
		{"openai", ask + `],"top_logprobs":0}`, ""},
	} {
		req, err := chat.Read([]byte(c.body))
		if err != nil {
			t.Fatal(c.body, err)
		}
		found := ""
		for _, f := range rulebook.CheckRequest(t.Context(), Profile(t, c.profile), nil, &trace.Exchange{Request: req}) {
			if slices.ContainsFunc(chat.Form().Rules, func(r form.Rule) bool { return r.ID == f.Rule }) {
				found += f.Rule + " at " + f.Pointer
			}
		}
		if found != c.want {
			t.Errorf("%s: %s breaks %q, want %q", c.profile, c.body, found, c.want)
		}
	}
}
