package geminirules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var configCases = Cases{
	"egress/own-tools-apart": contentRule(AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather"}]},{"googleSearch":{}}]}`),
		Found(2, "/tools/1/googleSearch", "a tool of Google's beside functions", "functions alone", "{}"),
		AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather"}]},{"google_search":{}}],"toolConfig":{"includeServerSideToolInvocations":true}}`),
		AskingWith(`{"tools":[{"googleSearch":{}}]}`),
	),
	"egress/json-apart-from-functions": contentRule(AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather"}]}],"generationConfig":{"responseMimeType":"application/json"}}`),
		Found(2, "/generationConfig/responseMimeType", "an answer in JSON is asked for beside functions", "text/plain, or no functions", `"application/json"`),
		AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather"}]}],"generationConfig":{"responseMimeType":"text/plain"}}`),
	),
	"egress/thinking-said-once": contentRule(AskingWith(`{"generationConfig":{"thinkingConfig":{"thinkingLevel":"LOW","thinking_budget":9}}}`),
		Found(2, "/generationConfig/thinkingConfig", "how much to think is said twice", "thinkingLevel or thinkingBudget", `{"thinkingLevel":"LOW","thinking_budget":9}`),
		AskingWith(`{"generationConfig":{"thinkingConfig":{"thinkingLevel":"LOW","includeThoughts":true}}}`),
	),
	"egress/stop-sequences-few": contentRule(AskingWith(`{"generationConfig":{"stopSequences":["a","b","c","d","e","f"]}}`),
		Found(2, "/generationConfig/stopSequences", "more stop sequences than the API takes", "at most 5", `["a","b","c","d","e","f"]`),
		AskingWith(`{"generationConfig":{"stopSequences":["a","b","c","d","e"]}}`),
	),
	"egress/response-schema-with-json": contentRule(AskingWith(`{"generationConfig":{"responseMimeType":"application/json","responseSchema":{"type":"STRING"},"responseJsonSchema":{}}}`),
		Found(2, "/generationConfig/responseJsonSchema", "the schema of the answer is given twice", "responseSchema or responseJsonSchema", "{}"),
		AskingWith(`{"generationConfig":{"responseMimeType":"text/x.enum","responseSchema":{"type":"STRING","enum":["a"]}}}`),
	),
	"egress/config-types": contentRule(AskingWith(`{"generationConfig":{"temperature":"low"}}`),
		Found(2, "/generationConfig/temperature", "temperature is a string", "TYPE_FLOAT", `"low"`),
		AskingWith(`{"generationConfig":{"temperature":"0.5","maxOutputTokens":4096.0,"top_k":40,"responseLogprobs":"False","stopSequences":"<end>"}}`),
	),
	"egress/config-ranges": contentRule(AskingWith(`{"generationConfig":{"temperature":5}}`),
		Found(2, "/generationConfig/temperature", "temperature is out of its range", "between 0 and 2", "5"),
		AskingWith(`{"generationConfig":{"temperature":2,"topP":1,"topK":1,"candidateCount":8,"maxOutputTokens":1,"thinkingConfig":{"thinkingBudget":-1}}}`),
		AskingWith(`{"generationConfig":{"temperature":0,"topP":0,"topK":"100","maxOutputTokens":65536,"thinkingConfig":{"thinkingBudget":32768},"responseMimeType":"text/x.enum"}}`),
	),
}
