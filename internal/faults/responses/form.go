package responses

// mutated are nodes of the form, with a keyword, that a fault breaks in each request that has a
// place for it. Those that are not here break more than one rule when a loop breaks them in all of
// its requests, or have a fault in the other files, as they were seen.
var mutated = []string{
	"conversation.id required", "input[].phase onlyWith",
	"input[](function_call) keys", "input[](function_call_output) keys",
	"max_output_tokens minimum", "max_tool_calls minimum", "prompt_cache_key maxLength", "safety_identifier maxLength", "prompt_cache_retention enum",
	"reasoning type", "reasoning.effort enum", "reasoning.summary enum", "service_tier enum", "temperature minimum", "temperature maximum",
	"text.verbosity enum", "text.format.type enum", "text.format(json_schema).name required", "text.format(json_schema).name pattern",
	"tools[](function) keys", "tools[](function).strict type", "tools[](function).function insteadOf",
	"top_logprobs minimum", "top_logprobs maximum", "top_p minimum", "top_p maximum", "truncation enum",
}
