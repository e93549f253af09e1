package agreement

import (
	"fmt"
	"strings"
)

// callItem returns the n-th call as an item, with other values for some keys.
func callItem(n int, keysAndValues ...any) object {
	return with(object{"type": "function_call", "id": fmt.Sprintf("fc_%02d", n), "call_id": fmt.Sprintf("call_%02d", n), "name": "get_weather",
		"arguments": `{"city":"Oslo"}`, "status": "completed"}, keysAndValues...)
}

// outputItem returns its output as an item.
func outputItem(n int, keysAndValues ...any) object {
	return with(object{"type": "function_call_output", "call_id": fmt.Sprintf("call_%02d", n), "output": "4 C"}, keysAndValues...)
}

func inputText(text string) object { return object{"type": "input_text", "text": text} }

func userParts(parts ...any) object { return object{"role": "user", "content": listOf(parts)} }

// messageItem returns an answer of the model as the item that it came as.
func messageItem(keysAndValues ...any) object {
	return with(object{"type": "message", "id": "msg_01", "role": "assistant", "status": "completed",
		"content": list{object{"type": "output_text", "text": "I look it up.", "annotations": list{}}}}, keysAndValues...)
}

func reasoningItem(keysAndValues ...any) object {
	return with(object{"type": "reasoning", "id": "rs_01", "summary": list{object{"type": "summary_text", "text": "hm"}}}, keysAndValues...)
}

var (
	weatherInResponses = object{"type": "function", "name": "get_weather", "description": "The weather of a city", "strict": false,
		"parameters": object{"type": "object", "properties": object{"city": object{"type": "string"}}, "required": list{"city"}}}
	inputImage = object{"type": "input_image", "image_url": "data:image/png;base64," + png}
)

// responses returns a request with these items and one tool.
func responses(items ...any) object {
	return object{"model": "m", "store": false, "input": listOf(items), "tools": list{weatherInResponses}}
}

// callingWith returns a request in which a call goes back as this item, and answeredWith one in which it has this output.
func callingWith(call object) object { return responses(question, call, outputItem(1)) }

func answeredWith(output object) object { return responses(question, callItem(1), output) }

func responsesBodies() []Body {
	c := &corpus{}
	goodResponses(c)
	responsesPairing(c)
	responsesIDs(c)
	responsesRoles(c)
	responsesContent(c)
	responsesCalls(c)
	responsesTools(c)
	responsesParameters(c)
	return c.bodies
}

func goodResponses(c *corpus) {
	c.class = "good"
	call, output := callItem(1), outputItem(1)
	c.add("a text", with(responses(), "input", "Hello"))
	c.add("a question", responses(question))
	c.add("a question without tools", without(responses(question), "tools"))
	c.add("a question with an empty list of tools", with(responses(question), "tools", list{}))
	c.add("a typed question", responses(with(question, "type", "message")))
	c.add("a question in parts", responses(userParts(inputText("hi"))))
	c.add("instructions", with(responses(question), "instructions", "Be terse."))
	c.add("system", responses(system, question))
	c.add("developer", responses(object{"role": "developer", "content": "Be terse."}, question))
	c.add("a tool round", callingWith(call))
	c.add("text, tool round", responses(question, messageItem(), call, output))
	c.add("call without id and status", callingWith(without(call, "id", "status")))
	c.add("two calls, two outputs", responses(question, call, callItem(2), output, outputItem(2)))
	c.add("two rounds", responses(question, call, output, callItem(2), outputItem(2)))
	c.add("tool round, answer, question", responses(question, call, output, answer, another))
	c.add("tool round, answer as an item, question", responses(question, call, output, messageItem(), another))
	c.add("outputs in another order", responses(question, call, callItem(2), outputItem(2), output))
	c.add("output in parts", answeredWith(outputItem(1, "output", list{inputText("4 C")})))
	c.add("output with a status", answeredWith(outputItem(1, "status", "completed")))
	c.add("reasoning comes back", responses(question, reasoningItem(), call, output))
	c.add("reasoning as a text comes back", responses(question, reasoningItem("summary", list{}, "content", list{object{"type": "reasoning_text", "text": "hm"}}), call, output))
	c.add("image of the user", responses(userParts(inputImage, inputText("see"))))
	c.add("tool_choice auto", with(responses(question), "tool_choice", "auto"))
	c.add("tool_choice function", with(responses(question), "tool_choice", object{"type": "function", "name": "get_weather"}))
	c.add("stream", with(responses(question), "stream", true))
	c.add("store left out", without(responses(question), "store"))
	c.add("limit", with(responses(question), "max_output_tokens", 100))
	c.add("reasoning effort", with(responses(question), "reasoning", object{"effort": "low"}))
	c.add("include encrypted reasoning", with(responses(question), "include", list{"reasoning.encrypted_content"}))
	c.add("metadata", with(responses(question), "metadata", object{"a": "b"}))
}

func responsesPairing(c *corpus) {
	c.class = "pairing"
	call, output := callItem(1), outputItem(1)
	c.add("open call, then a question", responses(question, call, another))
	c.add("open call at the end", responses(question, call))
	c.add("one of two calls answered", responses(question, call, callItem(2), output))
	c.add("orphan output", responses(output))
	c.add("output of an unknown call", answeredWith(outputItem(7)))
	c.add("output by the id of the item", answeredWith(outputItem(1, "call_id", "fc_01")))
	c.add("output twice", responses(question, call, output, output))
	c.add("question between call and output", responses(question, call, another, output))
	c.add("output before its call", responses(question, output, call))
}

func responsesIDs(c *corpus) {
	c.class = "ids"
	c.add("one for two calls", responses(question, callItem(1), callItem(1), outputItem(1), outputItem(1)))
	c.add("missing", callingWith(without(callItem(1), "call_id")))
	c.add("null", callingWith(callItem(1, "call_id", nil)))
	c.add("output without id", answeredWith(without(outputItem(1), "call_id")))
	c.add("output with a null id", answeredWith(outputItem(1, "call_id", nil)))
	c.add("an item that is not stored", responses(question, object{"type": "item_reference", "id": "msg_01"}, another))
	c.add("a response that is not stored", with(responses(another), "previous_response_id", "resp_of_nobody"))
}

func responsesRoles(c *corpus) {
	c.class = "roles"
	c.add("input missing", without(responses(), "input"))
	c.add("input null", with(responses(), "input", nil))
	c.add("input a number", with(responses(), "input", 5))
	c.add("input an object", with(responses(), "input", question))
	c.add("item a text", responses("hello"))
	c.add("item null", responses(question, nil))
	c.add("role missing", responses(object{"content": "x"}))
	c.add("role a number", responses(object{"role": 5, "content": "x"}))
	c.add("unknown role", responses(question, object{"role": "robot", "content": "x"}))
	c.add("tool", responses(question, object{"role": "tool", "content": "x"}))
	c.add("unknown type of item", responses(question, object{"type": "memory", "text": "x"}))
	c.add("begins with the assistant", responses(answer, question))
	c.add("two questions in a row", responses(question, another))
}

func responsesContent(c *corpus) {
	c.class = "content"
	c.add("user, missing", responses(object{"role": "user"}))
	c.add("user, null", responses(object{"role": "user", "content": nil}))
	c.add("user, a number", responses(object{"role": "user", "content": 5}))
	c.add("part of chat", responses(userParts(textPart("hi"))))
	c.add("part of an unknown type", responses(userParts(object{"type": "smell", "text": "x"})))
	c.add("part without a type", responses(userParts(object{"text": "x"})))
	c.add("output missing", answeredWith(without(outputItem(1), "output")))
	c.add("output null", answeredWith(outputItem(1, "output", nil)))
	c.add("output a number", answeredWith(outputItem(1, "output", 4)))
	c.add("output an object", answeredWith(outputItem(1, "output", object{"city": "Oslo"})))
	c.add("encrypted reasoning of another", responses(question, reasoningItem("encrypted_content", "c2ln"), callItem(1), outputItem(1)))
	c.add("reasoning without a summary", responses(question, without(reasoningItem(), "summary"), callItem(1), outputItem(1)))
	c.add("refusal comes back", responses(question, messageItem("content", list{object{"type": "refusal", "refusal": "No."}}), another))
}

func responsesCalls(c *corpus) {
	c.class = "calls"
	c.add("name missing", callingWith(without(callItem(1), "name")))
	c.add("name null", callingWith(callItem(1, "name", nil)))
	c.add("arguments missing", callingWith(without(callItem(1), "arguments")))
	c.add("arguments an object", callingWith(callItem(1, "arguments", object{"city": "Oslo"})))
	c.add("arguments null", callingWith(callItem(1, "arguments", nil)))
	c.add("arguments empty", callingWith(callItem(1, "arguments", "")))
	c.add("arguments that are no JSON", callingWith(callItem(1, "arguments", `{"city":`)))
	c.add("a call as chat has it", responses(question, object{"role": "assistant", "content": "", "tool_calls": list{object{"id": "c", "type": "function", "function": object{"name": "get_weather", "arguments": "{}"}}}}))
}

func responsesTools(c *corpus) {
	c.class = "tools"
	tool := func(t object) object { return with(responses(question), "tools", list{t}) }
	c.add("as chat has them", tool(object{"type": "function", "function": without(weatherInResponses, "type", "strict")}))
	c.add("name missing", tool(without(weatherInResponses, "name")))
	c.add("parameters missing", tool(without(weatherInResponses, "parameters")))
	c.add("strict missing", tool(without(weatherInResponses, "strict")))
	c.add("long name", tool(with(weatherInResponses, "name", strings.Repeat("a", 65))))
	c.add("name with a dot", tool(with(weatherInResponses, "name", "get.weather")))
	c.add("choice of a tool that there is not", with(responses(question), "tool_choice", object{"type": "function", "name": "sing"}))
	c.add("choice required without tools", with(without(responses(question), "tools"), "tool_choice", "required"))
	c.add("unknown choice", with(responses(question), "tool_choice", "perhaps"))
}

func responsesParameters(c *corpus) {
	c.class = "parameters"
	c.add("model missing", without(responses(question), "model"))
	c.add("unknown key", with(responses(question), "enable_thinking", true))
	c.add("messages as chat has them", with(without(responses(), "input"), "messages", list{question}))
	for _, p := range []struct {
		key   string
		value any
	}{
		{"temperature", "hot"}, {"top_p", "x"}, {"max_output_tokens", "many"}, {"max_output_tokens", 1.5}, {"stream", "yes"}, {"store", "yes"},
		{"include", "reasoning.encrypted_content"}, {"include", list{"everything"}}, {"parallel_tool_calls", "no"},
	} {
		c.add(fmt.Sprintf("%s %v", p.key, p.value), with(responses(question), p.key, p.value))
	}
}
