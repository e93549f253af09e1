package geminirules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var kindCases = Cases{
	"egress/content-keys": contentRule(SecondRequest(`calls oslo
		{"role":"user","content":"","parts":[{"functionResponse":{`+answered+`,"response":{"output":"4 C"}}}]}`),
		Found(2, "/contents/2/content", `a content has the key "content"`, onlyKnown, `""`),
	),
	"egress/function-call-keys": contentRule(callAs(`{"functionCall":{"name":"get_weather","args":{"city":"Oslo"},"id":"{{oslo}}","type":"function"},"thoughtSignature":"{{signature 1}}"}`),
		Found(2, "/contents/1/parts/0/functionCall/type", `a call has the key "type"`, onlyKnown, `"function"`),
		callAs(`{"functionCall":{"name":"get_weather","args":{"city":"Oslo"},"will_continue":false},"thoughtSignature":"{{signature 1}}"}`),
	),
	"egress/function-response-keys": contentRule(responseAs(`{`+answered+`,"response":{"output":"4 C"},"isError":false}`),
		Found(2, "/contents/2/parts/0/functionResponse/isError", `a response has the key "isError"`, onlyKnown, `false`),
		responseAs(`{`+answered+`,"response":{"output":"4 C"},"scheduling":"SILENT"}`),
	),
	"egress/response-parts-are-data": contentRule(responseAs(`{`+answered+`,"response":{"output":"4 C"},"parts":[{"text":"4 C"}]}`),
		Found(2, "/contents/2/parts/0/functionResponse/parts/0/text", `a part of a response has the key "text"`, onlyKnown, `"4 C"`),
		responseAs(`{`+answered+`,"response":{},"parts":[{"inline_data":{"mimeType":"image/png","data":"iVBORw0="}}]}`),
	),
	"egress/tool-kinds": contentRule(AskingWith(`{"tools":[{"type":"function","functionDeclarations":[{"name":"get_weather"}]}]}`),
		Found(2, "/tools/0/type", `a tool has the key "type"`, onlyKnown, `"function"`),
		AskingWith(`{"tools":[{"function_declarations":[{"name":"get_weather"}]},{"google_search":{}}]}`),
	),
	"egress/tool-config-keys": contentRule(AskingWith(`{"toolConfig":{"tool_choice":"auto"}}`),
		Found(2, "/toolConfig/tool_choice", `toolConfig has the key "tool_choice"`, onlyKnown, `"auto"`),
		AskingWith(`{"tool_config":{"function_calling_config":{"mode":"AUTO"}}}`),
	),
	"egress/instruction-of-texts": contentRule(AskingWith(`{"systemInstruction":{"parts":[{"text":"Be brief."},{"inlineData":{"mimeType":"image/png","data":"iVBORw0="}}]}}`),
		Found(2, "/systemInstruction/parts/1", "the system instruction has a part that is no text", "texts alone", `{"inlineData":{"mimeType":"image/png","data":"iVBORw0="}}`),
		AskingWith(`{"systemInstruction":{"parts":[{"text":"Be brief."},{"text":"Be kind."}]}}`),
	),
	"egress/function-name-begins-with-a-letter": contentRule(AskingWith(`{"tools":[{"functionDeclarations":[{"name":"21st_magic"}]}]}`),
		Found(2, "/tools/0/functionDeclarations/0/name", `the name of a function begins with "2"`, "a letter or an underscore", `"21st_magic"`),
		AskingWith(`{"tools":[{"functionDeclarations":[{"name":"_magic"},{"name":"Magic"}]}]}`),
	),
	"egress/signature-is-base64": {
		Holds("as it came", geminiCity, OneCityDone),
		Holds("in the other alphabet", geminiCity, callAs(`{"functionCall":{"name":"get_weather","args":{"city":"Oslo"},"id":"{{oslo}}"},"thoughtSignature":"__-_"}`)),
		SeesNothing("no tool was used", geminiNone, NoToolsDone),
		Breaks("two together", geminiCity, callAs(`{"functionCall":{"name":"get_weather","args":{"city":"Oslo"},"id":"{{oslo}}"},"thoughtSignature":"dTA=dTE="}`),
			Found(2, "/contents/1/parts/0/thoughtSignature", "a thought signature is no base64", "the signature as it was given", `"dTA=dTE="`)),
	},
}
