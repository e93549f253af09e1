package agreement

import (
	"encoding/json"
	"fmt"
	"strings"
)

// The parts of which requests to Chat Completions are made.
var (
	question = object{"role": "user", "content": "What is the weather in Oslo?"}
	another  = object{"role": "user", "content": "And in Lima?"}
	answer   = object{"role": "assistant", "content": "It is 4 C."}
	system   = object{"role": "system", "content": "Be terse."}
	weather  = tool("get_weather", object{"type": "object", "properties": object{"city": object{"type": "string"}}, "required": list{"city"}})
)

// callID returns the id of the n-th call: nine letters and digits, which every server takes.
func callID(n int) string { return fmt.Sprintf("abcdefgh%d", n) }

func tool(name string, parameters any) object {
	return object{"type": "function", "function": object{"name": name, "description": "The weather of a city", "parameters": parameters}}
}

func call(n int) object { return callWith(callID(n), `{"city":"Oslo"}`) }

func callWith(id, arguments any) object {
	return object{"id": id, "type": "function", "function": object{"name": "get_weather", "arguments": arguments}}
}

func named(name any) object {
	return object{"id": callID(1), "type": "function", "function": object{"name": name, "arguments": "{}"}}
}

// calls returns the turn of a model that called tools.
func calls(all ...any) object { return object{"role": "assistant", "content": nil, "tool_calls": all} }

func result(n int) object { return resultWith(callID(n), "4 C") }

func resultWith(id, content any) object {
	return object{"role": "tool", "tool_call_id": id, "content": content}
}

// chat returns a request with these messages and one tool.
func chat(messages ...any) object {
	return object{"model": "m", "messages": listOf(messages), "tools": list{weather}}
}

func offering(tools ...any) object { return with(chat(question), "tools", listOf(tools)) }

func asking(content any) object { return chat(object{"role": "user", "content": content}) }

func parts(all ...any) list { return all }

func textPart(text string) object { return object{"type": "text", "text": text} }

func imagePart() object {
	return object{"type": "image_url", "image_url": object{"url": "data:image/png;base64," + png}}
}

// roundWith returns a request in which a call goes back with these arguments.
func roundWith(arguments any) object {
	return chat(question, calls(callWith(callID(1), arguments)), result(1))
}

// idRound returns a request in which two calls go back, in two turns, under ids that are made of a number.
func idRound(id func(n int) string) object {
	turn := func(n int) []any {
		return list{calls(callWith(id(n), "{}")), resultWith(id(n), "4 C")}
	}
	return chat(append(append(list{question}, turn(1)...), turn(2)...)...)
}

func chatBodies() []Body {
	c := &corpus{}
	goodChat(c)
	chatPairing(c)
	chatIDs(c)
	chatRoles(c)
	chatContent(c)
	chatCalls(c)
	chatTools(c)
	chatParameters(c)
	return c.bodies
}

func goodChat(c *corpus) {
	c.class = "good"
	c.add("a question", chat(question))
	c.add("a question without tools", without(chat(question), "tools"))
	c.add("system, question", chat(system, question))
	c.add("a tool round", chat(question, calls(call(1)), result(1)))
	c.add("tool round, answer, question", chat(question, calls(call(1)), result(1), answer, another))
	c.add("text beside the call", chat(question, with(calls(call(1)), "content", "I look."), result(1)))
	c.add("empty text beside the call", chat(question, with(calls(call(1)), "content", ""), result(1)))
	c.add("no content beside the call", chat(question, without(calls(call(1)), "content"), result(1)))
	c.add("two calls, two results", chat(question, calls(call(1), call(2)), result(1), result(2)))
	c.add("two rounds", chat(question, calls(call(1)), result(1), calls(call(2)), result(2)))
	c.add("two questions with rounds", chat(question, calls(call(1)), result(1), answer, another, calls(call(2)), result(2)))
	c.add("results, then a question", chat(question, calls(call(1)), result(1), another))
	c.add("parts in a user message", asking(parts(textPart("Hi"))))
	c.add("an empty result", chat(question, calls(call(1)), resultWith(callID(1), "")))
	c.add("a stream with usage", with(chat(question), "stream", true, "stream_options", object{"include_usage": true}))
	c.add("tool_choice auto", with(chat(question), "tool_choice", "auto"))
	c.add("tool_choice required", with(chat(question), "tool_choice", "required"))
	c.add("tool_choice named", with(chat(question), "tool_choice", object{"type": "function", "function": object{"name": "get_weather"}}))
	c.add("parallel_tool_calls", with(chat(question), "parallel_tool_calls", true))
	c.add("image of the user", asking(parts(textPart("See"), imagePart())))
}

func chatPairing(c *corpus) {
	c.class = "pairing"
	c.add("orphan result", chat(question, result(1)))
	c.add("open call, then a question", chat(question, calls(call(1)), another))
	c.add("open call, answer, question", chat(question, calls(call(1)), answer, another))
	c.add("open call at the end", chat(question, calls(call(1))))
	c.add("open call at the end, with a text", chat(question, with(calls(call(1)), "content", "I look.")))
	c.add("open call behind a round", chat(question, calls(call(1)), result(1), calls(call(2)), another))
	c.add("answer between call and result", chat(question, calls(call(1)), answer, result(1)))
	c.add("orphan result behind a system message", chat(system, result(1), question))
	c.add("results of two turns after both", chat(question, calls(call(1)), calls(call(2)), result(1), result(2)))
	c.add("one of two calls answered", chat(question, calls(call(1), call(2)), result(1)))
	c.add("one of two answered, then an answer", chat(question, calls(call(1), call(2)), result(1), answer, another))
	c.add("result of an unknown call", chat(question, calls(call(1)), result(7)))
	c.add("result twice", chat(question, calls(call(1)), result(1), result(1)))
	c.add("result twice, for one of two calls", chat(question, calls(call(1), call(2)), result(1), result(1)))
	c.add("three results for two calls", chat(question, calls(call(1), call(2)), result(1), result(2), result(2)))
	c.add("question between call and result", chat(question, calls(call(1)), another, result(1)))
	c.add("system message between call and result", chat(question, calls(call(1)), system, result(1)))
	c.add("orphan result at the start", chat(result(1), question))
	c.add("orphan result after an answer", chat(question, answer, result(1)))
	c.add("result of an earlier turn again", chat(question, calls(call(1)), result(1), answer, another, result(1)))
	c.add("results in another order", chat(question, calls(call(1), call(2)), result(2), result(1)))
	c.add("empty list of calls", chat(question, with(answer, "tool_calls", list{}), another))
	c.add("calls null", chat(question, with(answer, "tool_calls", nil), another))
}

func chatIDs(c *corpus) {
	c.class = "ids"
	c.add("24 characters", idRound(func(n int) string { return fmt.Sprintf("call_0123456789abcdef%03d", n) }))
	c.add("7 characters", idRound(func(n int) string { return fmt.Sprintf("abcdef%d", n) }))
	c.add("9 with an underscore", idRound(func(n int) string { return fmt.Sprintf("abcd_fgh%d", n) }))
	c.add("dots and a colon", idRound(func(n int) string { return fmt.Sprintf("functions.get_weather:%d", n) }))
	c.add("60 characters", idRound(func(n int) string { return strings.Repeat("x", 59) + fmt.Sprint(n) }))
	c.add("two calls of 24 characters", chat(question,
		calls(callWith("call_0123456789abcdef001", "{}"), callWith("call_0123456789abcdef002", "{}")),
		resultWith("call_0123456789abcdef001", "4 C"), resultWith("call_0123456789abcdef002", "5 C")))
	c.add("two long ids with one end", chat(question,
		calls(callWith("aaa_012345678", "{}"), callWith("bbb_012345678", "{}")),
		resultWith("aaa_012345678", "4 C"), resultWith("bbb_012345678", "5 C")))
	c.add("repeated in a later turn", chat(question, calls(call(1)), result(1), calls(call(1)), result(1)))
	c.add("one for two calls", chat(question, calls(call(1), call(1)), result(1), result(1)))
	c.add("missing", chat(question, calls(without(call(1), "id")), object{"role": "tool", "content": "4 C"}))
	c.add("empty", chat(question, calls(callWith("", "{}")), resultWith("", "4 C")))
	c.add("null", chat(question, calls(callWith(nil, "{}")), resultWith(nil, "4 C")))
	c.add("result without id", chat(question, calls(call(1)), object{"role": "tool", "content": "4 C"}))
	c.add("result with a null id", chat(question, calls(call(1)), resultWith(nil, "4 C")))
	c.add("a number", chat(question, calls(callWith(7, "{}")), resultWith(7, "4 C")))
	c.add("result with an empty id", chat(question, calls(call(1)), resultWith("", "4 C")))
	c.add("two of one, of another length", chat(question, calls(callWith("x", "{}"), callWith("x", "{}")), resultWith("x", "4 C"), resultWith("x", "5 C")))
	c.add("call without id alone", chat(question, calls(without(call(1), "id")), result(1)))
}

func chatRoles(c *corpus) {
	c.class = "roles"
	c.add("developer", chat(with(system, "role", "developer"), question))
	c.add("unknown role", chat(question, object{"role": "robot", "content": "x"}))
	c.add("function", chat(question, object{"role": "function", "name": "get_weather", "content": "4 C"}))
	c.add("message without role", chat(question, object{"content": "x"}))
	c.add("message is a text", chat("hello"))
	c.add("messages empty", chat())
	c.add("messages missing", without(chat(question), "messages"))
	c.add("messages null", with(chat(), "messages", nil))
	c.add("messages a text", with(chat(), "messages", "hello"))
	c.add("messages an object", with(chat(), "messages", object{"role": "user", "content": "hello"}))
	c.add("message null", chat(question, nil))
	c.add("role null", chat(question, object{"role": nil, "content": "x"}))
	c.add("role a number", chat(question, object{"role": 5, "content": "x"}))
	c.add("two questions in a row", chat(question, another))
	c.add("two answers in a row", chat(question, answer, answer, another))
	c.add("begins with the assistant", chat(answer, another))
	c.add("ends with the assistant", chat(question, answer))
	c.add("ends with the assistant, prefix", chat(question, with(answer, "prefix", true)))
	c.add("ends with two answers", chat(question, answer, answer))
	c.add("two system messages", chat(system, system, question))
	c.add("system message alone", chat(system))
	c.add("system message behind a question", chat(question, system))
	c.add("system message behind an answer", chat(question, answer, system, another))
	c.add("system message behind results", chat(question, calls(call(1)), result(1), system))
	c.add("name of a user with spaces", chat(with(question, "name", "John Doe")))
}

func chatContent(c *corpus) {
	c.class = "content"
	c.add("user, null", asking(nil))
	c.add("user, missing", chat(object{"role": "user"}))
	c.add("user, empty", asking(""))
	c.add("user, a number", asking(5))
	c.add("user, an object", asking(object{"a": 1}))
	c.add("user, an empty list", asking(list{}))
	c.add("user, a boolean", asking(true))
	c.add("user, a list of texts", asking(list{"Hi"}))
	c.add("text part without a text", asking(parts(object{"type": "text"})))
	c.add("developer, null", chat(with(system, "role", "developer", "content", nil), question))
	c.add("assistant, an object", chat(question, with(answer, "content", object{"text": "x"}), another))
	c.add("assistant, a number, calls", chat(question, with(calls(call(1)), "content", 5), result(1)))
	c.add("tool, a boolean", chat(question, calls(call(1)), resultWith(callID(1), true)))
	c.add("tool, a list of texts", chat(question, calls(call(1)), resultWith(callID(1), list{"4 C"})))
	c.add("tool, a part of an unknown type", chat(question, calls(call(1)), resultWith(callID(1), parts(object{"type": "riddle"}))))
	c.add("system, null", chat(with(system, "content", nil), question))
	c.add("system, missing", chat(without(system, "content"), question))
	c.add("assistant, null, no calls", chat(question, with(answer, "content", nil), another))
	c.add("assistant, missing, no calls", chat(question, without(answer, "content"), another))
	c.add("assistant, empty, no calls", chat(question, with(answer, "content", ""), another))
	c.add("assistant, a number", chat(question, with(answer, "content", 5), another))
	c.add("assistant, in parts, calls", chat(question, with(calls(call(1)), "content", parts(textPart("I look."))), result(1)))
	c.add("assistant, an empty list, calls", chat(question, with(calls(call(1)), "content", list{}), result(1)))
	c.add("tool, null", chat(question, calls(call(1)), resultWith(callID(1), nil)))
	c.add("tool, missing", chat(question, calls(call(1)), without(result(1), "content")))
	c.add("tool, an object", chat(question, calls(call(1)), resultWith(callID(1), object{"degrees": 4})))
	c.add("tool, a number", chat(question, calls(call(1)), resultWith(callID(1), 4)))
	c.add("tool, in parts", chat(question, calls(call(1)), resultWith(callID(1), parts(textPart("4 C")))))
	c.add("tool, an empty list", chat(question, calls(call(1)), resultWith(callID(1), list{})))
	c.add("image in a tool message", chat(question, calls(call(1)), resultWith(callID(1), parts(textPart("see"), imagePart()))))
	c.add("part with an empty text", asking(parts(textPart(""))))
	c.add("part of an unknown type", asking(parts(object{"type": "riddle", "riddle": "x"})))
	c.add("part of Responses", asking(parts(object{"type": "input_text", "text": "Hi"})))
	c.add("part without a type", asking(parts(object{"text": "x"})))
	c.add("part of Messages", chat(question, calls(call(1)), object{"role": "user", "content": parts(object{"type": "tool_result", "tool_use_id": callID(1), "content": "4 C"})}))
	c.add("half a surrogate pair", asking(json.RawMessage(`"\ud83d"`)))
}
