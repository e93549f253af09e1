package geminirules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var modelCases = Cases{
	"egress/model-takes-config": contentRule(AskingWith(`{"generationConfig":{"frequencyPenalty":0.5}}`),
		Found(2, "/generationConfig/frequencyPenalty", "a penalty, which models do not take", "0, or no such key", "0.5"),
		AskingWith(`{"generationConfig":{"frequencyPenalty":0,"presence_penalty":0.0,"thinkingConfig":{"thinkingLevel":"LOW"},"responseLogprobs":false}}`),
		AskingWith(`{"tools":[{"googleSearch":{}}]}`),
	),
	"egress/cached-content-alone": contentRule(AskingWith(`{"cachedContent":"cachedContents/1","tools":[{"functionDeclarations":[{"name":"get_weather"}]}]}`),
		Found(2, "/tools", "tools is sent beside cached content", "no such key", `[{"functionDeclarations":[{"name":"get_weather"}]}]`),
		AskingWith(`{"cachedContent":"","tools":[{"functionDeclarations":[{"name":"get_weather"}]}]}`),
		AskingWith(`{"cachedContent":"cachedContents/1","tools":[]}`),
	),
	"egress/media-types": contentRule(partBefore(`{"inlineData":{"mimeType":"image/svg+xml","data":"PHN2Zy8+"}}`),
		Found(2, "/contents/0/parts/1/inlineData/mimeType", "data of a type that Google does not take", "a media type, such as image/png", `"image/svg+xml"`),
		partBefore(`{"inlineData":{"mimeType":"image/gif","data":"R0lGODlhAQABAAAAACw="}}`),
		partBefore(`{"fileData":{"mimeType":"text/csv","fileUri":"https://example.com/a.csv"}}`),
	),
}
