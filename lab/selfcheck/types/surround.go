package types

import "strings"

// Each function puts what was written for the request into a conversation in which it can stand.

const weather = "get_weather"

var weatherSchema = object{"type": "object", "properties": object{"city": object{"type": "string"}}, "required": []any{"city"}}

// only is the one entry of a list of a request, and nil if there is another number of them.
func only(request object, key string) object {
	list, _ := request[key].([]any)
	if len(list) != 1 {
		return nil
	}
	o, _ := list[0].(object)
	return o
}

// has reports whether the content of a message has a block of a type.
func has(message object, list, kind string) bool {
	blocks, _ := message[list].([]any)
	for _, b := range blocks {
		if o, _ := b.(object); o["type"] == kind {
			return true
		}
	}
	return false
}

// alsoOffers adds the tool of the conversation to those of a request.
func alsoOffers(request object, tool object) {
	tools, _ := request["tools"].([]any)
	request["tools"] = append([]any{tool}, tools...)
}

func surroundMessages(request object) {
	request["max_tokens"] = 4096
	alsoOffers(request, object{"name": weather, "description": "The weather.", "input_schema": weatherSchema})
	hi, on := object{"role": "user", "content": "Hi."}, object{"role": "user", "content": "Go on."}
	call := object{"role": "assistant", "content": []any{object{"type": "tool_use", "id": "toolu_1", "name": weather, "input": object{"city": "Oslo"}}}}
	result := object{"role": "user", "content": []any{object{"type": "tool_result", "tool_use_id": "toolu_1", "content": "4 C"}}}
	m := only(request, "messages")
	switch {
	case m == nil:
		request["messages"] = []any{hi}
	case m["role"] == "assistant" && has(m, "content", "tool_use"):
		request["messages"] = []any{hi, m, result}
	case m["role"] == "assistant":
		request["messages"] = []any{hi, m, on}
	case m["role"] == "user" && has(m, "content", "tool_result"):
		request["messages"] = []any{hi, call, m}
	case m["role"] == "user":
		request["messages"] = []any{hi, object{"role": "assistant", "content": "Yes?"}, m}
	default:
		request["messages"] = []any{hi, m}
	}
}

// complete adds the stream that options of a stream need. It returns what the user says: JSON has
// to be mentioned where it is wanted.
func complete(request object) (prompt string) {
	if request["stream_options"] != nil {
		request["stream"] = true
	}
	return "Hi. Answer in JSON."
}

func surroundChat(request object) {
	alsoOffers(request, object{"type": "function", "function": object{"name": weather, "description": "The weather.", "parameters": weatherSchema}})
	if request["top_logprobs"] != nil {
		request["logprobs"] = true
	}
	hi, on := object{"role": "user", "content": complete(request)}, object{"role": "user", "content": "Go on."}
	m := only(request, "messages")
	if m == nil || m["role"] == nil {
		request["messages"] = []any{hi}
		return
	}
	calls, _ := m["tool_calls"].([]any)
	switch {
	case calls != nil:
		request["messages"] = []any{hi, m, object{"role": "tool", "tool_call_id": "call_1", "content": "4 C"}}
	case m["role"] == "tool":
		call := object{"type": "function", "id": "call_1", "function": object{"name": weather, "arguments": `{"city":"Oslo"}`}}
		request["messages"] = []any{hi, object{"role": "assistant", "tool_calls": []any{call}}, m}
	case m["role"] == "system", m["role"] == "developer":
		request["messages"] = []any{m, hi}
	default:
		request["messages"] = []any{hi, m, on}
	}
}

func surroundItems(request object) {
	request["model"] = "gpt-5.5"
	alsoOffers(request, object{"type": "function", "name": weather, "description": "The weather.", "parameters": weatherSchema, "strict": false})
	hi, on := object{"role": "user", "content": complete(request)}, object{"role": "user", "content": "Go on."}
	item := only(request, "input")
	kind, _ := item["type"].(string)
	switch {
	case item == nil:
		request["input"] = []any{hi}
	case kind == "function_call":
		request["input"] = []any{hi, item, object{"type": "function_call_output", "call_id": "call_1", "output": "4 C"}, on}
	case kind == "function_call_output":
		call := object{"type": "function_call", "call_id": "call_1", "name": weather, "arguments": `{"city":"Oslo"}`}
		request["input"] = []any{hi, call, item, on}
	case kind == "reasoning":
		request["input"] = []any{hi, item, object{"role": "assistant", "content": "Yes?"}, on}
	default:
		request["input"] = []any{hi, item, on}
	}
}

func surroundContents(request object) {
	if config, _ := request["generationConfig"].(object); config["responseSchema"] != nil || config["responseJsonSchema"] != nil {
		config["responseMimeType"] = "application/json"
	}
	if request["tools"] == nil { // Google's own tools stand alone
		alsoOffers(request, object{"functionDeclarations": []any{object{"name": weather, "description": "The weather.", "parameters": weatherSchema}}})
	}
	hi, on := object{"role": "user", "parts": []any{object{"text": "Hi."}}}, object{"role": "user", "parts": []any{object{"text": "Go on."}}}
	content := only(request, "contents")
	if content == nil {
		request["contents"] = []any{hi}
		return
	}
	part := only(content, "parts")
	call, response := object{"functionCall": object{"name": weather, "args": object{"city": "Oslo"}}, "thoughtSignature": "c2lnbmF0dXJl"}, object{"functionResponse": object{"name": weather, "response": object{"output": "4 C"}}}
	switch {
	case part["functionCall"] != nil:
		content["role"] = "model"
		part["thoughtSignature"] = "c2lnbmF0dXJl"
		request["contents"] = []any{hi, content, object{"role": "user", "parts": []any{response}}}
	case part["functionResponse"] != nil:
		request["contents"] = []any{hi, object{"role": "model", "parts": []any{call}}, content}
	case part["executableCode"] != nil, part["codeExecutionResult"] != nil, part["toolCall"] != nil, part["toolResponse"] != nil:
		content["role"] = "model"
		request["contents"] = []any{hi, content, on}
	case strings.EqualFold("model", toText(content["role"])):
		request["contents"] = []any{hi, content, on}
	default:
		request["contents"] = []any{content}
	}
}

func toText(v any) string { s, _ := v.(string); return s }
