package rulebook_test

import (
	"testing"

	"github.com/loopproof/loopproof/internal/rulebook"
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
	"github.com/loopproof/loopproof/internal/trace"
)

// TestRequestsThatWereTaken: requests that a provider answered with 200 when they were recorded, or
// that its reference allows, break no must and are not refused.
func TestRequestsThatWereTaken(t *testing.T) {
	const (
		typedTool = `{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}`
		round     = `{"role":"user","content":"hi"},{"role":"assistant","content":"","tool_calls":[{"id":"abcdefghi","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"abcdefghi","content":"1"}`
		declared  = `"tools":[{"functionDeclarations":[{"name":"f"}]}]`
		blockTool = `{"name":"f","input_schema":{"type":"object"}}`
	)
	for _, test := range []struct {
		name, profile, body string
	}{
		{"mistral: a tool without type, which is function by default", "mistral",
			`{"model":"m","messages":[` + round + `],"tools":[{"function":{"name":"f","parameters":{"type":"object","properties":{}}}}]}`},
		{"mistral: the URL of an image as a string", "mistral",
			`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"see"},{"type":"image_url","image_url":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}]}]}`},
		{"mistral: a document", "mistral",
			`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"see"},{"type":"document_url","document_url":"https://example.org/a.pdf"}]}]}`},
		{"mistral: thinking sent back", "mistral",
			`{"model":"m","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"so"}]},{"type":"text","text":"144"}]},{"role":"user","content":"more"}]}`},
		{"moonshot: files that it keeps", "moonshot",
			`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"ms://d0abc"}},{"type":"video_url","video_url":{"url":"ms://d0abd"}}]}]}`},
		{"dashscope: a video in pictures", "dashscope",
			`{"model":"m","messages":[{"role":"user","content":[{"type":"video","video":["https://example.org/1.jpg","https://example.org/2.jpg"]},{"type":"text","text":"see"}]}]}`},
		{"together: a video", "together",
			`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"see"},{"type":"video_url","video_url":{"url":"https://example.org/a.mp4"}}]}]}`},
		{"zai: a video", "zai",
			`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"see"},{"type":"video_url","video_url":{"url":"https://example.org/a.mp4"}}]}]}`},
		{"xai-responses: words of its own in include", "xai-responses",
			`{"model":"grok-4.3","include":["no_inline_citations"],"input":[{"role":"user","content":"hi"}]}`},
		{"openrouter: a video", "openrouter",
			`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"see"},{"type":"video_url","video_url":{"url":"https://example.org/a.mp4"}}]}]}`},
		{"cerebras: the reasoning that it gave", "cerebras",
			`{"model":"gpt-oss-120b","messages":[{"role":"user","content":"2+2?"},{"role":"assistant","content":"4.","reasoning":"User asks simple."},{"role":"user","content":"add 3"}]}`},
		{"deepseek: no reasoning to send back, since thinking is disabled", "deepseek",
			`{"model":"deepseek-v4-flash","thinking":{"type":"disabled"},"messages":[` + round + `],"tools":[` + typedTool + `]}`},
		{"deepseek: a forced tool while thinking is disabled", "deepseek",
			`{"model":"deepseek-v4-flash","thinking":{"type":"disabled"},"messages":[{"role":"user","content":"hi"}],"tools":[` + typedTool + `],"tool_choice":"required"}`},
		{"anthropic: a turn that thought after its first tool, adaptive", "anthropic",
			`{"model":"claude-sonnet-5","max_tokens":4096,"thinking":{"type":"adaptive"},"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"bash_code_execution","input":{"command":"ls"}},{"type":"bash_code_execution_tool_result","tool_use_id":"srvtoolu_1","content":{"type":"bash_code_execution_result","stdout":"a","stderr":"","return_code":0,"content":[]}},{"type":"thinking","thinking":"","signature":"EqwC"},{"type":"text","text":"It is a."}]},{"role":"user","content":"more"}],"tools":[{"type":"code_execution_20250825","name":"code_execution"}]}`},
		{"anthropic: the same of a request that does not ask for thinking", "anthropic",
			`{"model":"claude-sonnet-5","max_tokens":4096,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"thinking","thinking":"","signature":"EqwC"},{"type":"text","text":"It is a."}]},{"role":"user","content":"more"}]}`},
		{"anthropic: two messages of the assistant in a row, which are one turn", "anthropic",
			`{"model":"claude-sonnet-4-5","max_tokens":4096,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"},{"type":"tool_result","tool_use_id":"b","content":"2"}]}],"tools":[` + blockTool + `]}`},
		{"gemini-3: a thought of which only the signature is known", "gemini-3",
			`{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"thought":true,"thoughtSignature":"ErcGCrQGARFNMg=="},{"text":"{}"}]},{"role":"user","parts":[{"text":"more"}]}]}`},
		{"gemini-2.5: each response in a content of its own", "gemini-2.5",
			`{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{"n":1}}},{"functionCall":{"name":"f","args":{"n":2}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"result":"1"}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"result":"2"}}}]},{"role":"user","parts":[{"text":"go on"}]}],` + declared + `}`},
		{"gemini-2.5: empty lists and mappings in the schema of a string", "gemini-2.5",
			`{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT","properties":{"a":{"type":"STRING","properties":{},"required":[]}}}}]}]}`},
		{"vertex: an enum of whole numbers, as its reference shows", "vertex",
			`{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT","properties":{"apartment":{"type":"INTEGER","format":"enum","enum":["101","201","301"]}}}}]}]}`},
		{"gemini-2.5: responses in the role tool, as the readme of Google's SDK for Python has them", "gemini-2.5",
			`{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"tool","parts":[{"functionResponse":{"name":"f","response":{"result":"1"}}}]}],` + declared + `}`},
		{"gemini-2.5: the contents as one content, as in samples of curl", "gemini-2.5",
			`{"system_instruction":{"parts":{"text":"You are a cat."}},"contents":{"parts":{"text":"Hello there"}}}`},
		{"vllm-responses: a short answer", "vllm-responses",
			`{"model":"m","input":[{"role":"user","content":"hi"}],"max_output_tokens":8}`},
		{"xai-responses: items of xAI as they came", "xai-responses",
			`{"model":"grok-4.3","store":false,"include":["reasoning.encrypted_content"],"input":[{"role":"user","content":"hi"},{"id":"rs_fe1da043-2876-9377-ba15-75b595faacba","summary":[],"type":"reasoning","status":"completed","encrypted_content":"x"},{"id":"ws_fe1da043-2876-9377-ba15-75b595faacba_call-38b07eab-5a84-4867-be70-d3b4ea0b0d87-0","type":"web_search_call","status":"completed","action":{"type":"search","query":"q","sources":[]}},{"id":"tco_fe1da043-2876-9377-ba15-75b595faacba_call-38b07eab-5a84-4867-be70-d3b4ea0b0d87-0","summary":[],"type":"reasoning","status":"completed","encrypted_content":"y"},{"id":"rs_fe1da043-2876-9377-ba15-75b595faacba","summary":[],"type":"reasoning","status":"completed","encrypted_content":"z"},{"id":"msg_fe1da043","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"3.4","annotations":[]}]},{"role":"user","content":"more"}]}`},
		{"openai-responses: a reference to an item by its id alone, as the schema allows", "openai-responses",
			`{"model":"gpt-5","input":[{"id":"msg_1"},{"id":"rs_1","type":null},{"role":"user","content":"hi"}]}`},
		{"openai-responses: a template in place of the input", "openai-responses",
			`{"model":"gpt-5","prompt":{"id":"pmpt_1"}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := Profile(t, test.profile)
			req, err := p.Speaks.Read([]byte(test.body))
			if err != nil {
				t.Fatal(err)
			}
			if _, words, refused := rulebook.Refuse(p, req); refused {
				t.Errorf("it is refused: %+v", words)
			}
			for _, f := range rulebook.CheckRequest(t.Context(), p, nil, &trace.Exchange{Number: 1, Request: req}) {
				if f.Level == trace.Must {
					t.Errorf("it breaks the %s %s at %s: %s (expected %s, actual %s)", f.Level, f.Rule, f.Pointer, f.Message, f.Expected, f.Actual)
				}
			}
		})
	}
}

// recordedLoops do what requests do that were recorded with the answer 200, or what the
// documentation of a provider shows.
var recordedLoops = []correctLoop{
	{"mistral: tools without type, as Mistral's SDK for Python sends them", OneCity.Under("mistral"), `
		asks with {"tools":[{"function":{"name":"get_weather","description":"The weather in a city.","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}]}
		runs oslo
		asks on with {"tools":[{"function":{"name":"get_weather","description":"The weather in a city.","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}]}
			calls oslo
			result oslo
		completed`, nil},
	{"mistral: the image of a tool as a string, as the AI SDK and RubyLLM send it", Seeing.Under("mistral"),
		Looked(FromTheUser(`{"type":"text","text":"From the tool:"},{"type":"image_url","image_url":"data:image/png;base64,{{picture harbour}}"}`)), nil},
	{"anthropic: a message for each call, and all results in one", BlockCities, `
		asks
		runs oslo
		runs lima
		asks on
			{"role":"assistant","content":[{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo"}}]}
			{"role":"assistant","content":[{"type":"tool_use","id":"{{lima}}","name":"get_weather","input":{"city":"Lima"}}]}
			results oslo, lima
		completed`, []string{"history/turn-in-one-message"}},
	{"anthropic: a turn that paused and its continuation in one message, adaptive thinking", Scene(WeatherTool + `
needs: [reasoning]
prompt: What is the weather in Oslo?
model:
  - blocks: ['{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"Oslo"}}']
    finish: pause
  - reasoning-details: [{type: text, text: I need the weather.}]
    calls: [{as: oslo, tool: get_weather, arguments: '{"city":"Oslo"}'}]
  - text: It is 4 C in Oslo.
`).Under("anthropic"), `
		asks with {"thinking":{"type":"adaptive"}}
		asks on with {"thinking":{"type":"adaptive"}}
			{{message 1}}
		runs oslo
		asks with {"thinking":{"type":"adaptive"}}
			prompt 1
			{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"Oslo"}},{"type":"thinking","thinking":"I need the weather.","signature":"{{signature 2}}"},{"type":"tool_use","id":"{{oslo}}","name":"get_weather","input":{"city":"Oslo"}}]}
			` + GotOslo + `
		completed`, []string{"history/earlier-messages-unchanged"}},
	{"gemini-2.5: a content for each response", TwoCities.Under("gemini-2.5"), `
		asks
		runs oslo
		runs lima
		asks on
			calls oslo, lima
			results oslo
			results lima
		completed`, []string{"pairing/responses-in-one-content"}},
}
