package geminirules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var typeCases = Cases{
	"egress/value-types": contentRule(AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"OBJECT","properties":{"city":{"type":"STRING","nullable":"maybe"}}}}]}]}`),
		Found(2, "/tools/0/functionDeclarations/0/parameters/properties/city/nullable", "a value is a string", "TYPE_BOOL", `"maybe"`),
		AskingWith(`{"tools":[{"functionDeclarations":[{"name":"get_weather","description":null,"parameters":{"type":["object","null"],"minProperties":"1","properties":{"city":{"type":"STRING","nullable":true}}}}]}]}`),
		AskingWith(`{"safetySettings":[],"generationConfig":null}`)),
	"egress/inner-keys": contentRule(AskingWith(`{"generationConfig":{"thinkingConfig":{"budget_tokens":1024}}}`),
		Found(2, "/generationConfig/thinkingConfig/budget_tokens", `thinkingConfig has the key "budget_tokens"`, onlyKnown, "1024"),
		AskingWith(`{"generationConfig":{"thinking_config":{"include_thoughts":true,"thinkingLevel":"LOW"}},"safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"OFF"}]}`)),
}
