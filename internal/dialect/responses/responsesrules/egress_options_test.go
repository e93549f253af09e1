package responsesrules_test

import (
	. "github.com/loopproof/loopproof/internal/rules/rulestest"
)

var responsesOptionsCases = Cases{
	"egress/image-detail-word": itemRule(
		[]string{`{"role":"user","content":[{"type":"input_image","file_id":"f","detail":"low"}]}`, `{"role":"user","content":[{"type":"input_image","file_id":"f","detail":null}]}`},
		`{"role":"user","content":[{"type":"input_image","file_id":"f","detail":"max"}]}`, "/input/3/content/0/detail", "detail has a word that the API does not know", "one of low, high, auto, original", `"max"`,
	),
	"egress/verbosity-word": keyRule(
		[]string{`{"text":{"verbosity":"low"}}`, `{"text":null}`},
		`{"text":{"verbosity":"short"}}`, "/text/verbosity", "verbosity has a word that the API does not know", "one of low, medium, high", `"short"`,
	),
	"egress/service-tier-word": keyRule(
		[]string{`{"service_tier":"flex"}`, `{"service_tier":"ultrafast"}`},
		`{"service_tier":"express"}`, "/service_tier", "service_tier has a word that the API does not know", "one of auto, default, fast, flex, scale, priority, ultrafast", `"express"`,
	),
	"egress/cache-retention-word": keyRule(
		[]string{`{"prompt_cache_retention":"24h"}`},
		`{"prompt_cache_retention":"1h"}`, "/prompt_cache_retention", "prompt_cache_retention has a word that the API does not know", "one of in_memory, in-memory, 24h", `"1h"`,
	),
	"egress/sampling-range": keyRule(
		[]string{`{"temperature":0,"top_p":1}`, `{"temperature":null}`},
		`{"temperature":-1}`, "/temperature", "temperature is out of its range", "from 0 to 2", "-1",
	),
	"egress/top-logprobs-range": keyRule(
		[]string{`{"top_logprobs":20}`},
		`{"top_logprobs":50}`, "/top_logprobs", "top_logprobs is out of its range", "from 0 to 20", "50",
	),
	"egress/tool-calls-allowed": keyRule(
		[]string{`{"max_tool_calls":1}`},
		`{"max_tool_calls":0}`, "/max_tool_calls", "max_tool_calls is out of its range", "1 or more", "0",
	),
	"egress/stream-option-keys": keyRule(
		[]string{`{"stream_options":{"include_obfuscation":false}}`, `{"stream_options":null}`},
		`{"stream_options":{"include_usage":true}}`, "/stream_options/include_usage", `stream_options have the key "include_usage"`, "include_obfuscation alone", "true",
	),
	"egress/allowed-tools-form": keyRule(
		[]string{`{"tool_choice":{"type":"allowed_tools","mode":"auto","tools":[{"type":"function","name":"get_weather"}]}}`},
		`{"tool_choice":{"type":"allowed_tools","mode":"auto","tools":["get_weather"]}}`, "/tool_choice/tools/0", "an allowed tool without a type", "an object with a type and a name", `"get_weather"`,
	),
	"egress/conversation-form": keyRule(
		[]string{`{"conversation":"conv_1"}`, `{"conversation":{"id":"conv_1"}}`},
		`{"conversation":{"name":"x"}}`, "/conversation", "the conversation has no id", "an id, or an object with one", `{"name":"x"}`,
	),
	"egress/format-type": keyRule(
		[]string{`{"text":{"format":{"type":"json_object"}}}`},
		`{"text":{"format":{"type":"json"}}}`, "/text/format/type", "type has a word that the API does not know", "one of text, json_object, json_schema", `"json"`,
	),
	"egress/format-name": keyRule(
		[]string{`{"text":{"format":{"type":"json_schema","name":"the_answer","schema":{}}}}`},
		`{"text":{"format":{"type":"json_schema","name":"the answer","schema":{}}}}`, "/text/format/name", "the name of a schema is none", "1 to 64 letters, digits, underscores and dashes", `"the answer"`,
	),
	"egress/strict-is-flag": keyRule(
		[]string{`{"tools":[{"type":"function","name":"get_weather","strict":null}]}`},
		`{"tools":[{"type":"function","name":"get_weather","strict":"yes"}]}`, "/tools/0/strict", "strict is no flag", "true, false or null", `"yes"`,
	),
	"egress/file-part-form": itemRule(
		[]string{`{"role":"user","content":[{"type":"input_file","file_id":"f"}]}`},
		`{"role":"user","content":[{"type":"input_file","filename":"x.pdf"}]}`, "/input/3/content/0", "a file without anything in it", "file_data, file_id or file_url", `{"type":"input_file","filename":"x.pdf"}`,
	),
	"egress/encrypted-asked-for": {
		Holds("asked for", thoughtfulItems, AskingWith(`{"store":false,"include":["reasoning.encrypted_content"]}`)),
		Breaks("not asked for", thoughtfulItems, AskingWith(`{"store":false,"include":[]}`),
			Found(2, "/include", "nothing is stored, and the encrypted reasoning is not asked for", `["reasoning.encrypted_content"]`, "[]")),
		SeesNothing("stored", thoughtfulItems, AskingWith(`{"store":true,"include":[]}`)),
		SeesNothing("a model that does not reason", itemCity, AskingWith(`{"store":false,"include":[]}`)),
	},
}
