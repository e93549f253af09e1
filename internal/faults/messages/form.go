package messages

// mutated are nodes of the form, with a keyword, that a fault breaks in each request that has a
// place for it. Those that are not here break more than one rule when a loop breaks them in all of
// its requests, or have a fault in the other files, as they were seen.
var mutated = []string{
	"cache_control.type required", "cache_control.type enum", "cache_control(ephemeral).ttl enum",
	"context_management.edits[].type enum",
	"max_tokens required",
	"mcp_servers[].type required", "mcp_servers[](url).url prefix", "mcp_servers[](url).name required",
	"messages[](other) keys", "messages[].content[](tool_use) keys", "messages[].content[](tool_result) keys",
	"metadata keys", "metadata.user_id type", "metadata.user_id maxLength",
	"output_config keys", "output_config.format.type enum", "output_config.format(json_schema).schema required",
	"stop_sequences[] pattern",
	"system[].type enum",
	"thinking.display enum",
	"tools[](custom|) keys", "tools[](custom|).input_schema.type enum",
	"tools[](custom|).input_schema.properties propertyNames",
	"top_k minimum",
}
