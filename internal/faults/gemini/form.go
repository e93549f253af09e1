package gemini

// mutated are nodes of the form, with a keyword, that a fault breaks in each request that has a
// place for it. Those that are not here break more than one rule when a loop breaks them in all of
// its requests, or have a fault in the other files, as they were seen.
var mutated = []string{
	"contents[] keys", "contents[].parts[] keys", "contents[].parts[].functionCall keys",
	"contents[].parts[].functionResponse keys", "contents[].parts[].functionResponse.name required", "contents[].parts[].functionResponse.parts[] keys",
	"contents[].parts[].functionResponse.willContinue type", "contents[].parts[].functionResponse.scheduling type", "system_instruction notWith",
	"tools[] keys", "tools[].functionDeclarations[] keys", "tools[].functionDeclarations[].behavior type",
	"toolConfig keys", "toolConfig.functionCallingConfig.mode enum",
	"generationConfig keys", "generationConfig.temperature type", "generationConfig.temperature minimum", "generationConfig.temperature maximum",
	"generationConfig.topP maximum", "generationConfig.topK type", "generationConfig.topK minimum", "generationConfig.seed type",
	"generationConfig.responseLogprobs type", "generationConfig.stopSequences maxItems", "generationConfig.thinkingConfig type",
	"generationConfig.thinkingConfig keys", "generationConfig.thinkingConfig.thinkingBudget type",
	"generationConfig.thinkingConfig.thinkingBudget minimum", "generationConfig.thinkingConfig.thinkingLevel notWith",
	"generationConfig.responseSchema onlyWith",
}
