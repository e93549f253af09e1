package agreement

import (
	"fmt"
	"strings"
)

// toolUse returns the n-th call as a block, with other values for some keys.
func toolUse(n int, keysAndValues ...any) object {
	return with(object{"type": "tool_use", "id": fmt.Sprintf("toolu_%02d", n), "name": "get_weather", "input": object{"city": "Oslo"}}, keysAndValues...)
}

// toolResult returns its result as a block.
func toolResult(n int, keysAndValues ...any) object {
	return with(object{"type": "tool_result", "tool_use_id": fmt.Sprintf("toolu_%02d", n), "content": "4 C"}, keysAndValues...)
}

func turnOf(role string, blocks []any) object { return object{"role": role, "content": listOf(blocks)} }

func assistantBlocks(blocks ...any) object { return turnOf("assistant", blocks) }

func userBlocks(blocks ...any) object { return turnOf("user", blocks) }

var (
	weatherInMessages = object{"name": "get_weather", "description": "The weather of a city",
		"input_schema": object{"type": "object", "properties": object{"city": object{"type": "string"}}, "required": list{"city"}}}
	signedThinking = object{"type": "thinking", "thinking": "hm", "signature": "c2ln"}
	pngBlock       = object{"type": "image", "source": object{"type": "base64", "media_type": "image/png", "data": png}}
)

// messages returns a request with these messages and one tool.
func messages(all ...any) object {
	return object{"model": "m", "max_tokens": 100, "messages": listOf(all), "tools": list{weatherInMessages}}
}

// usingWith returns a request in which a call goes back as this block.
func usingWith(use object) object {
	return messages(question, assistantBlocks(use), userBlocks(toolResult(1)))
}

// answeringWith returns a request in which a call is answered by this block.
func answeringWith(block object) object {
	return messages(question, assistantBlocks(toolUse(1)), userBlocks(block))
}

func messagesBodies() []Body {
	c := &corpus{}
	goodMessages(c)
	messagesPairing(c)
	messagesIDs(c)
	messagesRoles(c)
	messagesContent(c)
	messagesCalls(c)
	messagesTools(c)
	messagesParameters(c)
	return c.bodies
}

func goodMessages(c *corpus) {
	c.class = "good"
	use, res := toolUse(1), toolResult(1)
	c.add("a question", messages(question))
	c.add("a question without tools", without(messages(question), "tools"))
	c.add("system a text", with(messages(question), "system", "Be terse."))
	c.add("system in blocks", with(messages(question), "system", list{textPart("Be terse.")}))
	c.add("a tool round", usingWith(use))
	c.add("text, tool round", messages(question, assistantBlocks(textPart("I look."), use), userBlocks(res)))
	c.add("two calls, two results", messages(question, assistantBlocks(use, toolUse(2)), userBlocks(res, toolResult(2))))
	c.add("two rounds", messages(question, assistantBlocks(use), userBlocks(res), assistantBlocks(toolUse(2)), userBlocks(toolResult(2))))
	c.add("tool round, answer, question", messages(question, assistantBlocks(use), userBlocks(res), answer, another))
	c.add("results, then a text", messages(question, assistantBlocks(use), userBlocks(res, textPart("And in Lima?"))))
	c.add("result in blocks", answeringWith(toolResult(1, "content", list{textPart("4 C")})))
	c.add("result without content", answeringWith(without(res, "content")))
	c.add("result is_error", answeringWith(toolResult(1, "is_error", true)))
	c.add("thinking comes back", messages(question, assistantBlocks(signedThinking, use), userBlocks(res)))
	c.add("redacted thinking comes back", messages(question, assistantBlocks(object{"type": "redacted_thinking", "data": "c2ln"}, use), userBlocks(res)))
	c.add("image in a result", answeringWith(toolResult(1, "content", list{pngBlock})))
	c.add("image of the user", messages(userBlocks(pngBlock, textPart("see"))))
	c.add("tool_choice auto", with(messages(question), "tool_choice", object{"type": "auto"}))
	c.add("tool_choice any", with(messages(question), "tool_choice", object{"type": "any"}))
	c.add("tool_choice tool", with(messages(question), "tool_choice", object{"type": "tool", "name": "get_weather"}))
	c.add("stream", with(messages(question), "stream", true))
	c.add("cache_control", messages(userBlocks(with(textPart("hi"), "cache_control", object{"type": "ephemeral"}))))
	c.add("thinking enabled", with(messages(question), "thinking", object{"type": "enabled", "budget_tokens": 1024}, "max_tokens", 4096))
	c.add("thinking adaptive", with(messages(question), "thinking", object{"type": "adaptive"}))
}

func messagesPairing(c *corpus) {
	c.class = "pairing"
	use, res := toolUse(1), toolResult(1)
	c.add("open call, then a question", messages(question, assistantBlocks(use), another))
	c.add("open call at the end", messages(question, assistantBlocks(use)))
	c.add("one of two calls answered", messages(question, assistantBlocks(use, toolUse(2)), userBlocks(res)))
	c.add("orphan result", messages(userBlocks(res)))
	c.add("orphan result behind an answer", messages(question, answer, userBlocks(res)))
	c.add("result of an unknown call", answeringWith(toolResult(7)))
	c.add("result twice", messages(question, assistantBlocks(use), userBlocks(res, res)))
	c.add("text before the result", messages(question, assistantBlocks(use), userBlocks(textPart("so"), res)))
	c.add("results in two messages", messages(question, assistantBlocks(use, toolUse(2)), userBlocks(res), userBlocks(toolResult(2))))
	c.add("question between call and result", messages(question, assistantBlocks(use), another, userBlocks(res)))
	c.add("tool_use of the user", messages(userBlocks(use)))
	c.add("tool_result of the assistant", messages(question, assistantBlocks(use), assistantBlocks(res)))
}

func messagesIDs(c *corpus) {
	c.class = "ids"
	c.add("one for two calls", messages(question, assistantBlocks(toolUse(1), toolUse(1)), userBlocks(toolResult(1), toolResult(1))))
	c.add("missing", usingWith(without(toolUse(1), "id")))
	c.add("a number", usingWith(toolUse(1, "id", 5)))
	c.add("empty", usingWith(toolUse(1, "id", "")))
	c.add("null", usingWith(toolUse(1, "id", nil)))
	c.add("dots and a colon", messages(question, assistantBlocks(toolUse(1, "id", "a.b:1")), userBlocks(toolResult(1, "tool_use_id", "a.b:1"))))
	c.add("result without id", answeringWith(without(toolResult(1), "tool_use_id")))
	c.add("result with a null id", answeringWith(toolResult(1, "tool_use_id", nil)))
}

func messagesRoles(c *corpus) {
	c.class = "roles"
	c.add("messages missing", without(messages(question), "messages"))
	c.add("messages null", with(messages(), "messages", nil))
	c.add("messages a text", with(messages(), "messages", "hello"))
	c.add("messages empty", messages())
	c.add("message is a text", messages("hello"))
	c.add("message without role", messages(object{"content": "x"}))
	c.add("messages an object", with(messages(), "messages", question))
	c.add("message null", messages(question, nil))
	c.add("role null", messages(object{"role": nil, "content": "x"}))
	c.add("role a number", messages(object{"role": 5, "content": "x"}))
	c.add("unknown role", messages(question, object{"role": "robot", "content": "x"}))
	c.add("tool", messages(question, object{"role": "tool", "content": "x"}))
	c.add("system first", messages(system, question))
	c.add("system behind a question", messages(question, system))
	c.add("begins with the assistant", messages(answer, question))
	c.add("ends with the assistant", messages(question, answer))
	c.add("ends with two answers", messages(question, answer, answer))
	c.add("two questions in a row", messages(question, another))
}

func messagesContent(c *corpus) {
	c.class = "content"
	c.add("missing", messages(object{"role": "user"}))
	c.add("null", messages(with(question, "content", nil)))
	c.add("empty", messages(with(question, "content", "")))
	c.add("an empty list", messages(userBlocks()))
	c.add("a number", messages(with(question, "content", 5)))
	c.add("an object", messages(with(question, "content", object{"type": "text", "text": "x"})))
	c.add("a boolean", messages(with(question, "content", true)))
	c.add("a list of texts", messages(userBlocks("Hi")))
	c.add("assistant, missing", messages(question, without(answer, "content"), another))
	c.add("system a number", with(messages(question), "system", 5))
	c.add("text null", messages(userBlocks(object{"type": "text", "text": nil})))
	c.add("assistant, null", messages(question, with(answer, "content", nil), another))
	c.add("assistant, an empty list", messages(question, assistantBlocks(), another))
	c.add("block of an unknown type", messages(userBlocks(object{"type": "riddle", "riddle": "x"})))
	c.add("block without a type", messages(userBlocks(object{"text": "x"})))
	c.add("empty text block", messages(userBlocks(textPart(""))))
	c.add("blank text block", messages(userBlocks(textPart(" \n"))))
	c.add("text block without text", messages(userBlocks(object{"type": "text"})))
	c.add("thinking without a signature", messages(question, assistantBlocks(without(signedThinking, "signature"), toolUse(1)), userBlocks(toolResult(1))))
	c.add("thinking behind a text", messages(question, assistantBlocks(textPart("x"), signedThinking, toolUse(1)), userBlocks(toolResult(1))))
	c.add("ends with thinking", messages(question, assistantBlocks(signedThinking)))
	c.add("five marks for the cache", messages(userBlocks(marked(5)...)))
	c.add("image of an unknown media type", messages(userBlocks(imageOf("image/bmp", png))))
	c.add("image that is no base64", messages(userBlocks(imageOf("image/png", "!!!"))))
	c.add("image with a data URL as its data", messages(userBlocks(imageOf("image/png", "data:image/png;base64,"+png))))
}

func marked(n int) (blocks list) {
	for range n {
		blocks = append(blocks, with(textPart("hi"), "cache_control", object{"type": "ephemeral"}))
	}
	return blocks
}

func imageOf(mediaType, data string) object {
	return object{"type": "image", "source": object{"type": "base64", "media_type": mediaType, "data": data}}
}

func messagesCalls(c *corpus) {
	c.class = "calls"
	c.add("no name", usingWith(without(toolUse(1), "name")))
	c.add("name empty", usingWith(toolUse(1, "name", "")))
	c.add("name of a tool that is not there", usingWith(toolUse(1, "name", "made_up")))
	c.add("input missing", usingWith(without(toolUse(1), "input")))
	c.add("input null", usingWith(toolUse(1, "input", nil)))
	c.add("input a number", usingWith(toolUse(1, "input", 5)))
	c.add("name null", usingWith(toolUse(1, "name", nil)))
	c.add("result content a boolean", answeringWith(toolResult(1, "content", true)))
	c.add("result content a list of texts", answeringWith(toolResult(1, "content", list{"4 C"})))
	c.add("result is_error null", answeringWith(toolResult(1, "is_error", nil)))
	c.add("result is_error a number", answeringWith(toolResult(1, "is_error", 1)))
	c.add("input a text", usingWith(toolUse(1, "input", `{"city":"Oslo"}`)))
	c.add("input a list", usingWith(toolUse(1, "input", list{"Oslo"})))
	c.add("result content an object", answeringWith(toolResult(1, "content", object{"degrees": 4})))
	c.add("result content a number", answeringWith(toolResult(1, "content", 4)))
	c.add("result content null", answeringWith(toolResult(1, "content", nil)))
	c.add("result is_error a text", answeringWith(toolResult(1, "is_error", "yes")))
	c.add("result with an unknown key", answeringWith(toolResult(1, "colour", "red")))
	c.add("result block of an unknown type", answeringWith(toolResult(1, "content", list{object{"type": "riddle"}})))
}

func messagesTools(c *corpus) {
	c.class = "tools"
	offering := func(tools ...any) object { return with(messages(question), "tools", listOf(tools)) }
	choosing := func(choice any) object { return with(messages(question), "tool_choice", choice) }
	c.add("empty list", offering())
	c.add("gone with calls in the history", without(usingWith(toolUse(1)), "tools"))
	c.add("no name", offering(without(weatherInMessages, "name")))
	c.add("name empty", offering(with(weatherInMessages, "name", "")))
	c.add("name with a dot", offering(with(weatherInMessages, "name", "a.b")))
	c.add("name of 129 characters", offering(with(weatherInMessages, "name", strings.Repeat("a", 129))))
	c.add("two of one name", offering(weatherInMessages, weatherInMessages))
	c.add("no input_schema", offering(without(weatherInMessages, "input_schema")))
	c.add("input_schema without a type", offering(with(weatherInMessages, "input_schema", object{"properties": object{}})))
	c.add("input_schema a text", offering(with(weatherInMessages, "input_schema", "{}")))
	c.add("of the form of Chat Completions", offering(weather))
	c.add("of the provider", offering(object{"type": "web_search_20250305", "name": "web_search"}))
	c.add("choice a word", choosing("auto"))
	c.add("choice null", choosing(nil))
	c.add("choice an empty object", choosing(object{}))
	c.add("an object", with(messages(question), "tools", weatherInMessages))
	c.add("name null", offering(with(weatherInMessages, "name", nil)))
	c.add("input_schema null", offering(with(weatherInMessages, "input_schema", nil)))
	c.add("input_schema a list", offering(with(weatherInMessages, "input_schema", list{})))
	c.add("choice of an unknown type", choosing(object{"type": "required"}))
	c.add("choice without a type", choosing(object{"name": "get_weather"}))
	c.add("choice auto without tools", without(choosing(object{"type": "auto"}), "tools"))
	c.add("choice any without tools", without(choosing(object{"type": "any"}), "tools"))
	c.add("choice of a tool that is not there", choosing(object{"type": "tool", "name": "made_up"}))
	c.add("choice tool without a name", choosing(object{"type": "tool"}))
}

func messagesParameters(c *corpus) {
	c.class = "parameters"
	setting := func(key string, value any) object { return with(messages(question), key, value) }
	c.add("model missing", without(messages(question), "model"))
	c.add("model null", setting("model", nil))
	c.add("model empty", setting("model", ""))
	c.add("max_tokens missing", without(messages(question), "max_tokens"))
	c.add("max_tokens null", setting("max_tokens", nil))
	c.add("max_tokens 0", setting("max_tokens", 0))
	c.add("max_tokens negative", setting("max_tokens", -1))
	c.add("max_tokens a text", setting("max_tokens", "100"))
	c.add("max_tokens a word", setting("max_tokens", "many"))
	c.add("stream a text", setting("stream", "yes"))
	c.add("temperature 3", setting("temperature", 3))
	c.add("temperature a word", setting("temperature", "low"))
	c.add("top_p a word", setting("top_p", "low"))
	c.add("top_k a word", setting("top_k", "few"))
	c.add("top_k a fraction", setting("top_k", 1.5))
	c.add("max_tokens a fraction", setting("max_tokens", 1.5))
	c.add("stop_sequences a text", setting("stop_sequences", "END"))
	c.add("stream null", setting("stream", nil))
	c.add("temperature null", setting("temperature", nil))
	c.add("thinking budget 10", setting("thinking", object{"type": "enabled", "budget_tokens": 10}))
	c.add("unknown key of the request", setting("colour", "red"))
	c.add("unknown key of a message", messages(with(question, "colour", "red")))
}
