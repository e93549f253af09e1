package agreement

import (
	"fmt"
	"strings"
)

func chatCalls(c *corpus) {
	c.class = "calls"
	function := func(keys object) object { return object{"id": callID(1), "type": "function", "function": keys} }
	round := func(call object) object { return chat(question, calls(call), result(1)) }
	c.add("no type", round(without(call(1), "type")))
	c.add("type null", round(with(call(1), "type", nil)))
	c.add("unknown type", round(with(call(1), "type", "tool")))
	c.add("no function", round(without(call(1), "function")))
	c.add("no name", round(function(object{"arguments": "{}"})))
	c.add("name null", round(named(nil)))
	c.add("name empty", round(named("")))
	c.add("name with a dot", round(named("a.b")))
	c.add("name of a tool that is not there", round(named("made_up")))
	c.add("index beside the keys", round(with(call(1), "index", 0)))
	c.add("unknown key", round(with(call(1), "colour", "red")))
	c.add("arguments missing", round(function(object{"name": "get_weather"})))
	c.add("arguments null", roundWith(nil))
	c.add("arguments an object", roundWith(object{"city": "Oslo"}))
	c.add("arguments empty", roundWith(""))
	c.add("arguments blank", roundWith("  "))
	c.add("arguments cut", roundWith(`{"city":"Os`))
	c.add("arguments no JSON", roundWith("Oslo please"))
	c.add("arguments a list", roundWith(`["Oslo"]`))
	c.add("arguments a number", roundWith("5"))
	c.add("arguments a quoted text", roundWith(`"Oslo"`))
	c.add("arguments the word null", roundWith("null"))
	c.add("arguments with more behind", roundWith(`{"city":"Oslo"}{"city":"Lima"}`))
	c.add("arguments NaN", roundWith(`{"x":NaN}`))
	c.add("arguments with a key twice", roundWith(`{"x":1,"x":2}`))
	c.add("arguments with a control character", roundWith("{\"x\":\"a\nb\"}"))
	c.add("broken arguments in an earlier turn", chat(question, calls(callWith(callID(1), `{"city":"Os`)), result(1), answer, another))
}

func chatTools(c *corpus) {
	c.class = "tools"
	none := object{"type": "object", "properties": object{}}
	choosing := func(choice any) object { return with(chat(question), "tool_choice", choice) }
	c.add("empty list", offering())
	c.add("null", with(chat(question), "tools", nil))
	c.add("empty list, tool_choice auto", with(offering(), "tool_choice", "auto"))
	c.add("gone with calls in the history", without(chat(question, calls(call(1)), result(1)), "tools"))
	c.add("choice auto without tools", without(choosing("auto"), "tools"))
	c.add("choice required without tools", without(choosing("required"), "tools"))
	c.add("choice none without tools", without(choosing("none"), "tools"))
	c.add("choice named without tools", without(choosing(object{"type": "function", "function": object{"name": "get_weather"}}), "tools"))
	c.add("choice null", choosing(nil))
	c.add("choice any", choosing("any"))
	c.add("choice an unknown word", choosing("perhaps"))
	c.add("choice of a tool that is not there", choosing(object{"type": "function", "function": object{"name": "made_up"}}))
	c.add("choice of Messages", choosing(object{"type": "auto"}))
	c.add("parallel_tool_calls without tools", with(without(chat(question), "tools"), "parallel_tool_calls", true))
	c.add("name with a dot", offering(tool("a.b", none)))
	c.add("name with a space", offering(tool("a b", none)))
	c.add("name of 65 characters", offering(tool(strings.Repeat("a", 65), none)))
	c.add("name empty", offering(tool("", none)))
	c.add("no name", offering(object{"type": "function", "function": object{"parameters": none}}))
	c.add("no function", offering(object{"type": "function"}))
	c.add("no parameters", offering(object{"type": "function", "function": object{"name": "now"}}))
	c.add("no type", offering(object{"function": object{"name": "now", "parameters": none}}))
	c.add("another type", offering(object{"type": "web_search"}))
	c.add("flat, as in Responses", offering(object{"type": "function", "name": "now", "parameters": none}))
	c.add("two of one name", offering(weather, weather))
	c.add("parameters of an unknown type", offering(tool("now", object{"type": "thing"})))
	c.add("parameters null", offering(tool("now", nil)))
	c.add("parameters a list", offering(tool("now", list{})))
	c.add("parameters a text", offering(tool("now", "{}")))
	c.add("strict, but not closed", offering(object{"type": "function", "function": object{"name": "now", "strict": true,
		"parameters": object{"type": "object", "properties": object{"a": object{"type": "string"}}}}}))
	var many list
	for i := range 129 {
		many = append(many, tool(fmt.Sprintf("t%d", i), none))
	}
	c.add("129", offering(many...))
}

func chatParameters(c *corpus) {
	c.class = "parameters"
	setting := func(key string, value any) object { return with(chat(question), key, value) }
	c.add("model missing", without(chat(question), "model"))
	c.add("model null", setting("model", nil))
	c.add("model empty", setting("model", ""))
	c.add("stream_options without a stream", setting("stream_options", object{"include_usage": true}))
	c.add("stream_options empty without a stream", setting("stream_options", object{}))
	c.add("stream_options, stream false", with(setting("stream", false), "stream_options", object{"include_usage": true}))
	c.add("unknown key of the request", setting("colour", "red"))
	c.add("unknown key of a user message", chat(with(question, "colour", "red")))
	c.add("unknown key of an assistant message", chat(question, with(answer, "colour", "red"), another))
	c.add("unknown key of a tool message", chat(question, calls(call(1)), with(result(1), "colour", "red")))
	c.add("name on a tool message", chat(question, calls(call(1)), with(result(1), "name", "get_weather")))
	c.add("reasoning_content on the assistant", chat(question, with(calls(call(1)), "reasoning_content", "hm"), result(1)))
	c.add("reasoning on the assistant", chat(question, with(calls(call(1)), "reasoning", "hm"), result(1)))
	c.add("null keys of an answer", chat(question, with(answer, "refusal", nil, "annotations", list{}, "audio", nil, "function_call", nil), another))
	c.add("thinking, and no reasoning_content", with(chat(question, calls(call(1)), result(1)), "thinking", object{"type": "enabled"}))
	c.add("n is 2", setting("n", 2))
	c.add("n a text", setting("n", "1"))
	c.add("stream a text", setting("stream", "yes"))
	c.add("temperature 3", setting("temperature", 3))
	c.add("temperature a text", setting("temperature", "0.5"))
	c.add("temperature a word", setting("temperature", "low"))
	c.add("max_tokens 0", setting("max_tokens", 0))
	c.add("max_tokens a text", setting("max_tokens", "100"))
	c.add("max_tokens a word", setting("max_tokens", "many"))
	c.add("stop a number", setting("stop", 5))
}
