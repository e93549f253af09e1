package egress_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var valueFormCases = Cases{
	"egress/value-forms": {
		Holds("not said", OneCity, OneCityDone),
		SeesNothing("no tool was used", NoTools, NoToolsDone),
		Holds("at the edges", OneCity, Asking(`"stop":["a","b","c","d"],"logit_bias":{"50256":-100},"n":128,"modalities":["text","audio"],"web_search_options":{"search_context_size":"low"}`)),
		Holds("a stop that is a text, and null", OneCity, Asking(`"stop":"abcdef","audio":null,"prediction":null`)),
		Holds("tools of the provider, in messages", BlockCity, Asking(`"thinking":{"type":"disabled"},"output_config":{"effort":"low","format":{"type":"json_schema","schema":{}}},"mcp_servers":[{"type":"url","url":"https://example.com","name":"a"}]`)),
		Holds("elsewhere five are taken", OneCity.Under("vllm"), Asking(`"stop":["a","b","c","d","e"]`)),
		Breaks("too many, and outside", OneCity, Asking(`"stop":["a","b","c","d","e"],"logit_bias":{"50256":101},"n":129`),
			Found(2, "/logit_bias/50256", "50256 is out of its range", "from -100 to 100", "101"),
			Found(2, "/n", "n is out of its range", "128 or less", "129"),
			Found(2, "/stop", "stop has too many entries", "at most 4", `["a","b","c","d","e"]`)),
		Breaks("beside another, alone, and under another name", OneCity, Asking(`"max_tokens":9,"max_completion_tokens":9,"logit_bias":{"hello":1}`),
			Found(2, "/logit_bias/hello", `logit_bias has the key "hello"`, `a text that matches ^\d+$`, "1"),
			Found(2, "/max_tokens", "max_tokens does not belong here", "no such key beside max_completion_tokens", "9")),
		Holds("newer words", BlockCity, Asking(`"tools":[{"type":"web_search_20280101","name":"web_search"}],"context_management":{"edits":[{"type":"clear_all_20280101"}]}`)),
		Breaks("what is missing or of another type", OneCity, Asking(`"audio":{"voice":"alloy"}`),
			Found(2, "/audio/format", `the key "format" is missing`, "a string", "nothing")),
		Breaks("a server without an address", BlockCity, Asking(`"mcp_servers":[{"type":"url","url":"","name":"a"}]`),
			Found(2, "/mcp_servers/0/url", "url: there is an empty string", "a text that is not empty", `""`)),
		Breaks("keys and words, in messages", BlockCity, Asking(`"output_config":{"schema":{}},"context_management":{"edits":[{"type":"clear_all"}]}`),
			Found(2, "/context_management/edits/0/type", "type has a word that the API does not know", "one of clear_thinking_20251015, clear_tool_uses_20250919, compact_20260112", `"clear_all"`),
			Found(2, "/output_config/schema", `output_config has the key "schema"`, "only task_budget, effort, format", `"schema": {}`)),
	},
}
