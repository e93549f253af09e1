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
}
