package geminirules_test

import (
	_ "embed"
	"testing"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

//go:embed testdata/request.json
var wholeRequest []byte

// TestForm: each node of the form has a request that breaks its rule there, and no other rule.
func TestForm(t *testing.T) {
	CheckForm(t, gemini.Form(), "gemini-3", wholeRequest, map[string][]string{
		// What cannot be read is not there for other rules.
		"request.contents[] type":                                           {"egress/content-present", "egress/messages-given"},
		"request.contents[].role type":                                      {"egress/messages-given"},
		"request.contents[].parts[] type":                                   {"egress/content-is-text-or-parts"},
		"request.contents[].parts[].functionCall type":                      {"pairing/every-call-answered", "pairing/result-names-a-call", "egress/call-has-name"},
		"request.contents[].parts[].functionCall.id type":                   {"pairing/every-call-answered", "pairing/result-names-a-call", "egress/call-has-name"},
		"request.contents[].parts[].functionCall.name type":                 {"egress/call-has-name"},
		"request.contents[].parts[].functionResponse type":                  {"pairing/every-call-answered", "pairing/ids-present"},
		"request.contents[].parts[].functionResponse.id type":               {"pairing/response-has-the-id"},
		"request.contents[].parts[].inlineData.data type":                   {"images/encoded"},
		"request.contents[].parts required":                                 {"egress/content-present"},
		"request.contents[].parts minItems":                                 {"egress/no-blank-user-message"},
		"request.tools[].functionDeclarations[] type":                       {"egress/tool-name"},
		"request.tools[].functionDeclarations[].name type":                  {"egress/tool-name"},
		"request.tools[].functionDeclarations[].parameters.required[] type": {"egress/schema-required-is-defined"},
		"request.toolConfig type":                                           {"egress/own-tools-apart"},
		"request.toolConfig.functionCallingConfig.mode type":                {"egress/allowed-names-declared"},
		"request.toolConfig.functionCallingConfig.mode enum":                {"egress/allowed-names-declared"},
		// A name that is required has to be that of a property, of which there is none.
		"request.tools[].functionDeclarations[].parameters(STRING).required maxItems": {"egress/schema-required-is-defined"},
	})
}

// TestFormTakes: what Google's own clients send, and what its parser was seen to take, has the form.
func TestFormTakes(t *testing.T) {
	CheckTaken(t, gemini.API, wholeRequest, "contents", `
		{"parts":{"text":"So?"}}
		{"role":"user","parts":[{"text":""}]}
		{"role":"user","parts":[{"inline_data":{"mime_type":"image/png","data":"iVBORw0="}}]}
		{"role":"model","parts":[{"text":"So.","thought":"True","thought_signature":"__-_"}]}
		{"role":"model","parts":[{"functionCall":{"name":"get_weather"}}]}
		{"role":"model","parts":[{"function_call":{"name":"get_weather","args":null,"will_continue":false}}]}
		{"role":"user","parts":[{"functionResponse":{"name":"get_weather","response":{"result":[1,2]},"scheduling":2}}]}
		{"role":"user","parts":[{"functionResponse":{"name":"get_weather","response":{},"parts":[{"inline_data":{"mimeType":"image/png","data":"iVBORw0="}}]}}]}
		{"role":"model","parts":[{"toolCall":{"toolType":"GOOGLE_SEARCH_WEB","args":{},"id":"srv_1"}},{"progressUpdate":{"step":1}}]}`, `
		{"systemInstruction":null,"system_instruction":{"role":"user","parts":[{"text":"Be brief."}]}}
		{"systemInstruction":{"parts":{"text":"Be brief."}}}
		{"tools":{"function_declarations":{"name":"_magic","parameters_json_schema":{}}}}
		{"tools":[{"function_declarations":[{"name":"Magic"}]},{"google_search":{}}]}
		{"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":6,"properties":{"a":{"type":1,"enum":["b"]}},"required":["a"]}}]}]}
		{"tools":[{"functionDeclarations":[{"name":"f","description":null,"parameters":{"type":"object","properties":{"a":{"type":"string","enum":"b","nullable":"t"},"b":null}}}]}]}
		{"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT"}}]}]}
		{"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"STRING","format":"date-time","enum":["a",null]}}]}]}
		{"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"INTEGER","format":"int64"}}]}]}
		{"tool_config":{"function_calling_config":{"mode":"none"}},"toolConfig":null}
		{"toolConfig":{"functionCallingConfig":{"mode":1,"allowed_function_names":"f"}}}
		{"generationConfig":null,"safetySettings":[],"tools":null}
		{"generationConfig":{"temperature":"0.5","maxOutputTokens":4096.0,"top_k":"100","responseLogprobs":"False","stopSequences":"<end>"}}
		{"generationConfig":{"temperature":2,"topP":1,"topK":1,"candidateCount":8,"maxOutputTokens":1,"thinkingConfig":{"thinkingBudget":-1}}}
		{"generationConfig":{"temperature":0,"topP":0,"maxOutputTokens":65536,"thinkingConfig":{"thinkingBudget":32768},"responseMimeType":""}}
		{"generationConfig":{"stopSequences":["a","b","c","d","e"],"thinking_config":{"include_thoughts":true,"thinkingLevel":"low"}}}
		{"generationConfig":{"responseMimeType":"text/x.enum","responseSchema":{"type":"STRING","enum":["a"," "]},"_responseJsonSchema":{}}}
		{"generationConfig":{"response_mime_type":"application/json","response_json_schema":{},"response_modalities":"text"}}
		{"safetySettings":{"category":"harm-category-toxicity","threshold":"block_none"}}
		{"safety_settings":[{"category":7,"threshold":"OFF"}]}`)
}
