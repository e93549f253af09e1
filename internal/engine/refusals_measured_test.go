package engine_test

import (
	"net/http"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/engine"
)

// measured is a request that was sent to the API itself, by its keys, and what that answered with
// the status 400. Of Anthropic's errors param and code are no part.
type measured struct{ keys, message, param, code string }

// The sources are those of the profiles, in internal/rules/sources.go.
var measuredWords = map[string][]measured{
	"openai": {
		{`"messages":"ping"`, "Invalid type for 'messages': expected an array of objects, but got a string instead.", "messages", "invalid_type"},
		{`"messages":["ping"]`, "Invalid type for 'messages[0]': expected an object, but got a string instead.", "messages[0]", "invalid_type"},
		{`"n":"2"`, "Invalid type for 'n': expected an integer, but got a string instead.", "n", "invalid_type"},
		{`"n":0`, "Invalid 'n': integer below minimum value. Expected a value >= 1, but got 0 instead.", "n", "integer_below_min_value"},
		{`"temperature":"hot"`, "Invalid type for 'temperature': expected a decimal, but got a string instead.", "temperature", "invalid_type"},
		{`"store":"yes"`, "Invalid type for 'store': expected a boolean, but got a string instead.", "store", "invalid_type"},
		{`"seed":1.5`, "Invalid type for 'seed': expected an integer, but got a decimal number instead.", "seed", "invalid_type"},
		{`"user":{"a":1}`, "Invalid type for 'user': expected a string, but got an object instead.", "user", "invalid_type"},
		{`"tool_choice":7,` + measuredTool, "Invalid type for 'tool_choice': expected one of one of 'none', 'auto', or 'required' or object, but got an integer instead.", "tool_choice", "invalid_type"},
		{`"tool_choice":{"type":"bogus"},` + measuredTool, "Missing required parameter: 'tool_choice.function'.", "tool_choice.function", "missing_required_parameter"},
		{`"tool_choice":{"type":"function","function":{"name":"never_declared"}},` + measuredTool, "Invalid value for 'function_call': no function named 'never_declared' was specified in the 'functions' parameter.", "function_call", ""},
		{`"response_format":"json"`, "Invalid type for 'response_format': expected an object, but got a string instead.", "response_format", "invalid_type"},
		{`"response_format":{"type":"json_schema","json_schema":{}}`, "Missing required parameter: 'response_format.json_schema.name'.", "response_format.json_schema.name", "missing_required_parameter"},
		{`"service_tier":{"a":1}`, "Invalid type for 'service_tier': expected one of 'auto', 'default', 'fast', 'flex', or 'priority', but got an object instead.", "service_tier", "invalid_type"},
		{`"top_logprobs":-1,"logprobs":true`, "Invalid 'top_logprobs': integer below minimum value. Expected a value >= 0, but got -1 instead.", "top_logprobs", "integer_below_min_value"},
		{`"presence_penalty":-3`, "Invalid 'presence_penalty': decimal below minimum value. Expected a value >= -2, but got -3 instead.", "presence_penalty", "decimal_below_min_value"},
		{`"reasoning_effort":"none","top_logprobs":1`, "The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.", "top_logprobs", ""},
		{`"metadata":{"k":7}`, "Invalid type for 'metadata.k': expected a string, but got an integer instead.", "metadata.k", "invalid_type"},
		{`"prompt_cache_retention":"x"`, "Invalid prompt_cache_retention argument", "prompt_cache_retention", ""},
		{`"prompt_cache_retention":{"a":1}`, "Invalid type for 'prompt_cache_retention': expected one of 'in_memory' or '24h', but got an object instead.", "prompt_cache_retention", "invalid_type"},
		{`"prompt_cache_options":{"bogus":1}`, "Unknown parameter: 'prompt_cache_options.bogus'.", "prompt_cache_options.bogus", "unknown_parameter"},
		{`"prompt_cache_options":"x"`, "Invalid type for 'prompt_cache_options': expected an object, but got a string instead.", "prompt_cache_options", "invalid_type"},
		{`"stream":true,"stream_options":{"bogus":1}`, "Unknown parameter: 'stream_options.bogus'.", "stream_options.bogus", "unknown_parameter"},
		{`"functions":[{"parameters":{}}]`, "Missing required parameter: 'functions[0].name'.", "functions[0].name", "missing_required_parameter"},
		{`"messages":[{"role":"user","content":7}]`, "Invalid type for 'messages[0].content': expected one of a string or array of objects, but got an integer instead.", "messages[0].content", "invalid_type"},
		{`"tools":[{"type":"function","function":{"name":"","parameters":{}}}]`, "Invalid 'tools[0].function.name': empty string. Expected a string with minimum length 1, but got an empty string instead.", "tools[0].function.name", "empty_string"},
		{`"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"x","tool_calls":"x"}]`, "Invalid type for 'messages[1].tool_calls': expected an array of objects, but got a string instead.", "messages[1].tool_calls", "invalid_type"},
		{`"functions":"x"`, "Invalid type for 'functions': expected an array of function definitions, but got a string instead.", "functions", "invalid_type"},
		{`"functions":[{"name":"f","parameters":{}}],"function_call":{"a":1}`, "Missing required parameter: 'function_call.name'.", "function_call.name", "missing_required_parameter"},
	},
	"openai-responses": {
		{`"input":[{"role":"user"}]`, "Missing required parameter: 'input[0].content'.", "input[0].content", "missing_required_parameter"},
		{`"instructions":"i","input":[{"role":"user","content":"a"},{"role":"developer"}]`, "Missing required parameter: 'input[1].content'.", "input[1].content", "missing_required_parameter"},
		{`"input":""`, "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation' must be provided.", "", "missing_required_parameter"},
		{`"input":[]`, "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation' must be provided.", "", "missing_required_parameter"},
		{`"input":null`, "Invalid type for 'input': expected a string, but got an object instead.", "input", "invalid_type"},
		{`"input":{"a":1}`, "Invalid type for 'input': expected one of a string or array of input items, but got an object instead.", "input", "invalid_type"},
		{`"input":7`, "Invalid type for 'input': expected one of a string or array of input items, but got an integer instead.", "input", "invalid_type"},
		{`"input":[7]`, "Invalid type for 'input[0]': expected an input item, but got an integer instead.", "input[0]", "invalid_type"},
		{`"input":[null]`, "Invalid type for 'input[0]': expected an input item, but got null instead.", "input[0]", "invalid_type"},
		{`"input":[{}]`, "Invalid value: ''. Supported values are: 'assistant', 'system', 'developer', and 'user'.", "input[0]", "invalid_value"},
		{`"tools":[{}]`, "Missing required parameter: 'tools[0].type'.", "tools[0].type", "missing_required_parameter"},
		{`"max_output_tokens":0`, "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 0 instead.", "max_output_tokens", "integer_below_min_value"},
		{`"include":"wrong type"`, "Invalid type for 'include': expected an array of one of 'fil...lts', 'web...lts', 'web...ces', 'mes...url', 'com...url', 'cod...uts', 'rea...ent', or 'mes...obs', but got a string instead.", "include", "invalid_type"},
		{`"tools":"x"`, "Invalid type for 'tools': expected an array of tools, but got a string instead.", "tools", "invalid_type"},
		{`"text":"x"`, "Invalid type for 'text': expected an object, but got a string instead.", "text", "invalid_type"},
		{`"background":"yes"`, "Invalid type for 'background': expected a boolean, but got a string instead.", "background", "invalid_type"},
		{`"reasoning":{"effort":["low"]}`, "Invalid type for 'reasoning.effort': expected one of one of 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', or 'max' or integer, but got an array instead.", "reasoning.effort", "invalid_type"},
		{`"reasoning":{"effort":5}`, "Invalid type for 'reasoning.effort': expected one of 'minimal', 'low', 'medium', or 'high', but got an integer instead.", "reasoning.effort", "invalid_type"},
		{`"reasoning":{"bogus":1}`, "Unknown parameter: 'reasoning.bogus'.", "reasoning.bogus", "unknown_parameter"},
		{`"text":{"zzz":1}`, "Unknown parameter: 'text.zzz'.", "text.zzz", "unknown_parameter"},
		{`"prompt_cache_options":{"bogus":1}`, "Unknown parameter: 'prompt_cache_options.bogus'.", "prompt_cache_options.bogus", "unknown_parameter"},
		{`"truncation":{"a":1}`, "Invalid type for 'truncation': expected one of 'auto' or 'disabled', but got an object instead.", "truncation", "invalid_type"},
		{`"tool_choice":7`, "Invalid type for 'tool_choice': expected one of an object or 'none', 'auto', or 'required', but got an integer instead.", "tool_choice", "invalid_type"},
		{`"tool_choice":"bogus"`, "Invalid value: 'bogus'. Supported values are: 'none', 'auto', and 'required'.", "tool_choice", "invalid_value"},
		{`"presence_penalty":"x"`, "Invalid type for 'presence_penalty': expected a decimal, but got a string instead.", "presence_penalty", "invalid_type"},
		{`"model":null`, "Invalid type for 'model': expected a string, but got an object instead.", "model", "invalid_type"},
		{`"model":""`, "The requested model '' does not exist.", "model", "model_not_found"},
	},
	"anthropic": {
		{`"model":null`, "model: Input should be a valid string", "", ""},
		{`"model":""`, "model: String should have at least 1 character", "", ""},
		{`"max_tokens":"x"`, "max_tokens: Input should be a valid integer", "", ""},
		{`"max_tokens":-1`, "max_tokens: must be greater than or equal to 0", "", ""},
		{`"messages":"x"`, "messages: Input should be a valid array", "", ""},
		{`"messages":[{"role":"user","content":7}]`, "messages.0.content: Input should be a valid array", "", ""},
		{`"messages":[{"role":"user","content":[7]}]`, "messages.0.content.0: Input should be an object", "", ""},
		{`"messages":[{"role":"user","content":[{}]}]`, "messages.0.content.0.type: Field required", "", ""},
		{`"tools":"x"`, "tools: Input should be a valid array", "", ""},
		{`"thinking":null`, "thinking: Input should be an object", "", ""},
		{`"output_config":"x"`, "output_config: Input does not match the expected shape.", "", ""},
		{`"stop_sequences":"ZZ"`, "stop_sequences: Input should be a valid array", "", ""},
		{`"stop_sequences":[1]`, "stop_sequences.0: Input should be a valid string", "", ""},
		{`"temperature":null`, "temperature: Input should be a valid number", "", ""},
		{`"temperature":2`, "temperature: range: 0..1", "", ""},
		{`"top_k":"x"`, "top_k: Input should be a valid integer", "", ""},
		{`"stream":"yes"`, "stream: Input should be a valid boolean", "", ""},
		{`"service_tier":"bogus"`, "service_tier: Input should be 'auto' or 'standard_only'", "", ""},
		{`"tools":null`, "tools: Input should be a valid array", "", ""},
		{`"tools":[7]`, "tools.0: Input should be an object", "", ""},
		{`"service_tier":null`, "service_tier: Input should be 'auto' or 'standard_only'", "", ""},
		{`"messages":[{"role":"user","content":"a"},{"role":"system","content":[]}]`, "messages.1: system content must contain at least one block", "", ""},
		{`"messages":[{"role":"system","content":[]},{"role":"user","content":"ping"}]`, "messages.0: system content must contain at least one block", "", ""},
		{`"messages":[{"role":"user","content":"a"},{"role":"system","content":"  "}]`, "messages.1: system text blocks must contain non-whitespace text", "", ""},
		{`"messages":[{"role":"user","content":"a"},{"role":"system","content":[{"type":"text","text":"x"},{"type":"text","text":""}]}]`, "messages.1: system text blocks must contain non-whitespace text", "", ""},
		{`"messages":[{"role":"user","content":"a"},{"role":"system","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]}]`, "messages.1: role 'system' supports text, tool_addition, and tool_removal blocks only", "", ""},
		{`"messages":[{"role":"user","content":"a"},{"role":"system","content":"s1"},{"role":"system","content":"s2"},{"role":"user","content":"b"}]`, "messages.2: role 'system' must precede an 'assistant' message or end the array; the directive-only form (content: [] with output_config) is accepted at any position", "", ""},
		{`"system":7`, "system: Input should be a valid array", "", ""},
		{`"system":null`, "system: Input should be a valid array", "", ""},
		{`"system":[7]`, "system.0: Input does not match the expected shape.", "", ""},
		{`"system":"s","messages":[{"role":"user"}]`, "messages.0.content: Field required", "", ""},
		{`"messages":[{"role":"user","content":null}]`, "messages.0.content: Input should be a valid array", "", ""},
		{`"messages":[{"role":"user","content":"a"},{"role":"system","content":7}]`, "messages.1.content: Input should be a valid array", "", ""},
		{`"messages":[{"role":"user","content":"a"},{"role":"system","content":[{"text":"x"}]}]`, "messages.1.content.0.type: Field required", "", ""},
		{`"messages":[{"role":"user","content":[]}]`, "messages.0: user messages must have non-empty content", "", ""},
		{`"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"ok"},{"role":"user","content":[]},{"role":"user","content":[]}]`, "messages.2: user messages must have non-empty content", "", ""},
		{`"metadata":{"bogus":"x"}`, "metadata.bogus: Extra inputs are not permitted", "", ""},
		{`"metadata":{"user_id":7}`, "metadata.user_id: Input should be a valid string", "", ""},
		{`"messages":[{"role":"user","content":"ping","bogus":1}],"zzz_unknown":1`, "messages.0.bogus: Extra inputs are not permitted", "", ""},
		{`"container":7`, "container.ContainerParams: Input does not match the expected shape.", "", ""},
		{`"tool_choice":{"type":"any"}`, "tool_choice.any may only be specified while providing tools", "", ""},
		{`"tool_choice":{"type":"tool","name":"get_weather"}`, "Tool 'get_weather' not found in provided tools", "", ""},
	},
}

// measuredTaken are requests to Anthropic's API that it took, by their keys.
var measuredTaken = []string{
	`"tool_choice":{"type":"auto"}`,
	`"tool_choice":{"type":"auto"},"tools":[]`,
	`"messages":[{"role":"user","content":"a"},{"role":"system","content":"sys"}]`,
	`"messages":[{"role":"user","content":"a"},{"role":"system","content":"sys"},{"role":"assistant","content":"ok"},{"role":"user","content":"b"}]`,
	`"messages":[{"role":"user","content":"a"},{"role":"system","content":"s1"},{"role":"system","content":"s2"}]`,
	`"messages":[{"role":"user","content":[]},{"role":"user","content":"a"}]`,
	`"messages":[{"role":"user","content":"a"},{"role":"user","content":[]}]`,
	`"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"ok"},{"role":"user","content":[]},{"role":"user","content":"b"}]`,
	`"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[]}]`,
	`"messages":[{"role":"user","content":"a"},{"role":"system","content":[{"type":"text","text":"x"},{"type":"text","text":"y"}]}]`,
}

// The words of a refusal are worth nothing where the API takes the request.
func TestMeasuredRequestsAreTaken(t *testing.T) {
	srv := start(t, engine.Config{Profile: profile(t, "anthropic"), Scenarios: lookAndTell(t)})
	for _, keys := range measuredTaken {
		body := `{"model":"m","max_tokens":16,` + keys
		if !gjson.Get("{"+keys+"}", "messages").Exists() {
			body += `,"messages":[{"role":"user","content":"ping"}]`
		}
		if got := askMessages(t, srv.URL, body+"}"); got.status != http.StatusOK {
			t.Errorf("%s is answered by %d %s", keys, got.status, got.body)
		}
	}
}

const measuredTool = `"tools":[{"type":"function","function":{"name":"f","parameters":{}}}]`

// Requests that were sent to the APIs themselves get the words of these.
func TestMeasuredRefusals(t *testing.T) {
	usual := map[string]map[string]string{
		"openai":           {"model": `"m"`, "messages": `[{"role":"user","content":"ping"}]`},
		"openai-responses": {"model": `"m"`, "input": `"ping"`},
		"anthropic":        {"model": `"m"`, "max_tokens": "16", "messages": `[{"role":"user","content":"ping"}]`},
	}
	for name, all := range measuredWords {
		srv := start(t, engine.Config{Profile: profile(t, name), Scenarios: lookAndTell(t)})
		for _, m := range all {
			body := "{" + m.keys
			for key, value := range usual[name] {
				if !gjson.Get("{"+m.keys+"}", key).Exists() {
					body += `,"` + key + `":` + value
				}
			}
			got := map[string]func() answer{
				"openai":           func() answer { return ask(t, srv.URL, body+"}") },
				"openai-responses": func() answer { return askResponses(t, srv.URL, body+"}") },
				"anthropic":        func() answer { return askMessages(t, srv.URL, body+"}") },
			}[name]()
			said := measured{m.keys, gjson.Get(got.body, "error.message").String(), gjson.Get(got.body, "error.param").String(), gjson.Get(got.body, "error.code").String()}
			if got.status != http.StatusBadRequest || said != m {
				t.Errorf("%s of %s is answered by %d %s", m.keys, name, got.status, got.body)
			}
		}
	}
}
