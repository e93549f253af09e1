package agreement

import "fmt"

// contentOf returns a content.
func contentOf(role string, all ...any) object { return object{"role": role, "parts": listOf(all)} }

func textOf(text string) object { return object{"text": text} }

var (
	askedGemini   = contentOf("user", textOf("What is the weather in Oslo?"))
	calledGemini  = object{"functionCall": object{"name": "get_weather", "args": object{"city": "Oslo"}, "id": "c1"}, "thoughtSignature": "c2lnbmF0dXJl"}
	oslo          = object{"name": "get_weather", "id": "c1", "response": object{"output": "4 C"}}
	weatherSchema = object{"type": "OBJECT", "properties": object{"city": object{"type": "STRING"}}, "required": list{"city"}}
	weatherGemini = object{"name": "get_weather", "description": "The weather of a city", "parameters": weatherSchema}
)

// contents returns a request with these contents and one function.
func contents(all ...any) object {
	return object{"contents": listOf(all), "tools": list{object{"functionDeclarations": list{weatherGemini}}}}
}

// declaring returns a request with one function.
func declaring(f object) object {
	return with(contents(askedGemini), "tools", list{object{"functionDeclarations": list{f}}})
}

// ofCity returns a request whose function has a parameter with this schema.
func ofCity(schema any) object {
	return declaring(with(weatherGemini, "parameters", object{"type": "OBJECT", "properties": object{"city": schema}}))
}

// responded returns a request in which a call is answered by this response.
func responded(response any) object {
	return contents(askedGemini, contentOf("model", calledGemini), contentOf("user", object{"functionResponse": response}))
}

// called returns a request in which a call goes back as this part.
func called(part any) object {
	return contents(askedGemini, contentOf("model", part), contentOf("user", object{"functionResponse": oslo}))
}

// configured returns a request with these keys in generationConfig.
func configured(keysAndValues ...any) object {
	return with(contents(askedGemini), "generationConfig", with(object{}, keysAndValues...))
}

func geminiBodies() []Body {
	c := &corpus{}
	goodGemini(c)
	goodGeminiTools(c)
	goodGeminiConfig(c)
	goodGeminiValues(c)
	geminiContents(c)
	geminiCalls(c)
	geminiTools(c)
	geminiParameters(c)
	geminiValues(c)
	return c.bodies
}

func goodGemini(c *corpus) {
	c.class = "good"
	image := object{"inlineData": object{"mimeType": "image/png", "data": png}}
	round := []any{askedGemini, contentOf("model", calledGemini), contentOf("user", object{"functionResponse": oslo})}
	for name, request := range ordered(
		"a question", contents(askedGemini),
		"a question without tools", without(contents(askedGemini), "tools"),
		"a question without a role", contents(object{"parts": list{textOf("Hello.")}}),
		"a question in two parts", contents(contentOf("user", textOf("Hello."), textOf("How are you?"))),
		"an image", contents(contentOf("user", image, textOf("What is it?"))),
		"an image in snake case", contents(contentOf("user", object{"inline_data": object{"mime_type": "image/png", "data": png}})),
		"a file", contents(contentOf("user", object{"fileData": object{"mimeType": "text/plain", "fileUri": "https://example.com/a.txt"}})),
		"a video with its place", contents(contentOf("user", object{"fileData": object{"fileUri": "https://example.com/v"}, "videoMetadata": object{"startOffset": "1.5s"}})),
		"an instruction", with(contents(askedGemini), "systemInstruction", object{"parts": list{textOf("Be terse.")}}),
		"an instruction with a role", with(contents(askedGemini), "systemInstruction", contentOf("system", textOf("Be terse."))),
		"an instruction in snake case", with(contents(askedGemini), "system_instruction", object{"parts": list{textOf("Be terse.")}}),
		"no instruction, as null", with(contents(askedGemini), "systemInstruction", nil),
		"no tools, as null", with(contents(askedGemini), "tools", nil),
		"no config, as null", with(contents(askedGemini), "generationConfig", nil),
		"the model in the body", with(contents(askedGemini), "model", "models/m"),
		"a round", contents(round...),
		"a round, an answer, a question", contents(append(round[:3:3], contentOf("model", textOf("It is 4 C.")), contentOf("user", textOf("Thank you.")))...),
		"two rounds", contents(append(round[:3:3], round[1:]...)...),
		"a text before a call", contents(askedGemini, contentOf("model", textOf("I look."), calledGemini), round[2]),
		"a thought before a call", contents(askedGemini, contentOf("model", object{"text": "Hm.", "thought": true}, calledGemini), round[2]),
		"thought false", contents(askedGemini, contentOf("model", object{"text": "Hm.", "thought": false}, calledGemini), round[2]),
		"a signature on a text", contents(askedGemini, contentOf("model", object{"text": "Hi.", "thoughtSignature": "c2ln"}), askedGemini),
		"a signature on an empty text", contents(askedGemini, contentOf("model", textOf("Hi."), object{"text": "", "thoughtSignature": "c2ln"}), askedGemini),
		"a signature that stands for none", called(with(calledGemini, "thoughtSignature", "skip_thought_signature_validator")),
		"a signature in snake case", called(object{"functionCall": calledGemini["functionCall"], "thought_signature": "c2lnbmF0dXJl"}),
		"a call in snake case", called(object{"function_call": calledGemini["functionCall"], "thoughtSignature": "c2lnbmF0dXJl"}),
		"a call without args", called(with(calledGemini, "functionCall", object{"name": "get_weather", "id": "c1"})),
		"a call with args null", called(with(calledGemini, "functionCall", object{"name": "get_weather", "id": "c1", "args": nil})),
		"a call with nested args", called(with(calledGemini, "functionCall", object{"name": "get_weather", "id": "c1", "args": object{"a": list{1, object{"b": nil}}, "c": 1.5}})),
		"a call without an id", contents(askedGemini, contentOf("model", with(calledGemini, "functionCall", object{"name": "get_weather", "args": object{}})), contentOf("user", object{"functionResponse": without(oslo, "id")})),
		"a response in snake case", contents(askedGemini, contentOf("model", calledGemini), contentOf("user", object{"function_response": oslo})),
		"a response with an error", responded(with(oslo, "response", object{"error": "no such city"})),
		"a response with any keys", responded(with(oslo, "response", object{"city": "Oslo", "celsius": 4, "rain": nil})),
		"an empty response", responded(with(oslo, "response", object{})),
		"a response with its schedule", responded(with(oslo, "scheduling", "SILENT")),
		"a response that goes on", responded(with(oslo, "willContinue", true)),
		"a program and its result", contents(askedGemini, contentOf("model", object{"executableCode": object{"language": "PYTHON", "code": "print(4)"}}, object{"codeExecutionResult": object{"outcome": "OUTCOME_OK", "output": "4"}}, calledGemini), round[2]),
		"two calls, two responses", contents(askedGemini,
			contentOf("model", calledGemini, object{"functionCall": object{"name": "get_weather", "id": "c2", "args": object{"city": "Lima"}}}),
			contentOf("user", object{"functionResponse": oslo}, object{"functionResponse": with(oslo, "id", "c2")})),
		"a cached content", with(without(contents(askedGemini), "tools"), "cachedContent", "cachedContents/abc"),
		"safety settings", with(contents(askedGemini), "safetySettings", list{object{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"}}),
		"safety settings by numbers", with(contents(askedGemini), "safetySettings", list{object{"category": 7, "threshold": 4}}),
		"no safety settings", with(contents(askedGemini), "safetySettings", list{}),
	) {
		c.add(name, request)
	}
}

func goodGeminiTools(c *corpus) {
	for name, schema := range ordered(
		"a text", object{"type": "STRING"},
		"a text with a description", object{"type": "STRING", "description": "Its name"},
		"a text or null", object{"type": "STRING", "nullable": true},
		"a text of some values", object{"type": "STRING", "enum": list{"Oslo", "Lima"}},
		"a text of some values by format", object{"type": "STRING", "format": "enum", "enum": list{"Oslo"}},
		"a date", object{"type": "STRING", "format": "date-time"},
		"a text of some length", object{"type": "STRING", "minLength": 1, "maxLength": "64"},
		"a text like a pattern", object{"type": "STRING", "pattern": "^[a-z]+$"},
		"a whole number", object{"type": "INTEGER"},
		"a whole number of 64 bits", object{"type": "INTEGER", "format": "int64"},
		"a number", object{"type": "NUMBER", "minimum": 0.5, "maximum": 9},
		"a flag", object{"type": "BOOLEAN"},
		"a list", object{"type": "ARRAY", "items": object{"type": "STRING"}},
		"a list of anything", object{"type": "ARRAY", "items": object{}},
		"a list of some length", object{"type": "ARRAY", "items": object{"type": "STRING"}, "minItems": "1", "maxItems": 3},
		"a list of lists", object{"type": "ARRAY", "items": object{"type": "ARRAY", "items": object{"type": "NUMBER"}}},
		"an object", object{"type": "OBJECT", "properties": object{"a": object{"type": "STRING"}}, "required": list{"a"}},
		"an object in order", object{"type": "OBJECT", "properties": object{"a": object{"type": "STRING"}}, "propertyOrdering": list{"a"}},
		"one of several", object{"anyOf": list{object{"type": "STRING"}, object{"type": "INTEGER"}}},
		"one of several in snake case", object{"any_of": list{object{"type": "STRING"}, object{"type": "INTEGER"}}},
		"a title", object{"type": "STRING", "title": "City"},
		"an example", object{"type": "STRING", "example": "Oslo"},
		"a default", object{"type": "STRING", "default": "Oslo"},
	) {
		c.add("a parameter: "+name, ofCity(schema))
	}
	for name, request := range ordered(
		"a function without parameters", declaring(without(weatherGemini, "parameters")),
		"a function with parameters null", declaring(with(weatherGemini, "parameters", nil)),
		"a function with JSON Schema", declaring(with(without(weatherGemini, "parameters"), "parametersJsonSchema", object{"type": "object", "additionalProperties": false, "$defs": object{}})),
		"a function with JSON Schema in snake case", declaring(with(without(weatherGemini, "parameters"), "parameters_json_schema", object{"type": list{"object", "null"}})),
		"a function with a response", declaring(with(weatherGemini, "response", object{"type": "STRING"})),
		"a function with a behavior", declaring(with(weatherGemini, "behavior", "BLOCKING")),
		"functions in snake case", with(contents(askedGemini), "tools", list{object{"function_declarations": list{weatherGemini}}}),
		"two functions", with(contents(askedGemini), "tools", list{object{"functionDeclarations": list{weatherGemini, with(weatherGemini, "name", "get_time")}}}),
		"two tools of functions", with(contents(askedGemini), "tools", list{object{"functionDeclarations": list{weatherGemini}}, object{"functionDeclarations": list{with(weatherGemini, "name", "get_time")}}}),
		"a name with a dot and a dash", declaring(with(weatherGemini, "name", "a.get-weather")),
		"Google's search", with(contents(askedGemini), "tools", list{object{"googleSearch": object{}}}),
		"Google's search in snake case", with(contents(askedGemini), "tools", list{object{"google_search": object{}}}),
		"programs", with(contents(askedGemini), "tools", list{object{"codeExecution": object{}}}),
		"pages", with(contents(askedGemini), "tools", list{object{"urlContext": object{}}}),
		"mode AUTO", with(contents(askedGemini), "toolConfig", object{"functionCallingConfig": object{"mode": "AUTO"}}),
		"mode ANY with names", with(contents(askedGemini), "toolConfig", object{"functionCallingConfig": object{"mode": "ANY", "allowedFunctionNames": list{"get_weather"}}}),
		"mode NONE in snake case", with(contents(askedGemini), "tool_config", object{"function_calling_config": object{"mode": "NONE"}}),
		"mode VALIDATED", with(contents(askedGemini), "toolConfig", object{"functionCallingConfig": object{"mode": "VALIDATED"}}),
		"an empty tool config", with(contents(askedGemini), "toolConfig", object{}),
	) {
		c.add(name, request)
	}
}

func goodGeminiConfig(c *corpus) {
	for name, config := range ordered(
		"nothing", object{},
		"temperature", object{"temperature": 0.5},
		"temperature as a text", object{"temperature": "0.5"},
		"temperature null", object{"temperature": nil},
		"temperature 0", object{"temperature": 0},
		"topP", object{"topP": 0.9},
		"topP in snake case", object{"top_p": 0.9},
		"topK", object{"topK": 40},
		"topK as a text", object{"topK": "40"},
		"maxOutputTokens", object{"maxOutputTokens": 100},
		"maxOutputTokens in snake case", object{"max_output_tokens": 100},
		"maxOutputTokens with an exponent", object{"maxOutputTokens": 1e3},
		"candidateCount", object{"candidateCount": 1},
		"seed", object{"seed": 7},
		"presencePenalty", object{"presencePenalty": 0.5},
		"frequencyPenalty", object{"frequencyPenalty": 0.5},
		"stopSequences", object{"stopSequences": list{"<end>"}},
		"no stopSequences", object{"stopSequences": list{}},
		"logprobs", object{"responseLogprobs": true, "logprobs": 3},
		"an answer in words", object{"responseMimeType": "text/plain"},
		"modalities", object{"responseModalities": list{"TEXT"}},
		"thoughts", object{"thinkingConfig": object{"includeThoughts": true}},
		"thoughts in snake case", object{"thinking_config": object{"include_thoughts": true}},
		"a budget", object{"thinkingConfig": object{"thinkingBudget": 1024}},
		"a budget of -1", object{"thinkingConfig": object{"thinkingBudget": -1}},
	) {
		c.add("config: "+name, with(contents(askedGemini), "generationConfig", config))
	}
}

// geminiContents are contents and parts that cannot be read.
func geminiContents(c *corpus) {
	c.class = "content"
	part := func(keysAndValues ...any) object {
		return contents(contentOf("user", with(textOf("Hello."), keysAndValues...)))
	}
	for name, request := range ordered(
		"contents a text", with(contents(), "contents", "Hello."),
		"contents of texts", contents("Hello."),
		"parts a text", contents(object{"role": "user", "parts": "Hello."}),
		"parts of texts", contents(contentOf("user", "Hello.")),
		"role a number", contents(object{"role": 1, "parts": list{textOf("Hello.")}}),
		"content beside parts", contents(with(askedGemini, "content", "Hello.")),
		"tool_calls beside parts", contents(with(askedGemini, "tool_calls", list{})),
		"name beside parts", contents(with(askedGemini, "name", "a")),
		"type of a part", part("type", "text"),
		"cache_control of a part", part("cache_control", object{}),
		"text a number", contents(contentOf("user", object{"text": 4})),
		"text a list", contents(contentOf("user", object{"text": list{"Hello."}})),
		"text an object", contents(contentOf("user", object{"text": object{"value": "Hello."}})),
		"thought a number", part("thought", 1),
		"a text and data", part("inlineData", object{"mimeType": "image/png", "data": png}),
		"a text and a call", part("functionCall", object{"name": "a"}),
		"a signature that is no base64", part("thoughtSignature", "no signature"),
		"two signatures together", part("thoughtSignature", "dTA=dTE="),
		"a signature of a number", part("thoughtSignature", 7),
		"data of another API", contents(contentOf("user", object{"inlineData": object{"media_type": "image/png", "data": png}})),
		"data a number", contents(contentOf("user", object{"inlineData": object{"mimeType": "image/png", "data": 1}})),
		"data a text", contents(contentOf("user", object{"inlineData": png})),
		"a file of another API", contents(contentOf("user", object{"fileData": object{"uri": "https://example.com"}})),
		"an image of another API", contents(contentOf("user", object{"image_url": object{"url": "https://example.com"}})),
		"an instruction of a text", with(contents(askedGemini), "systemInstruction", "Be terse."),
		"an instruction of a list", with(contents(askedGemini), "systemInstruction", list{textOf("Be terse.")}),
		"an instruction with content", with(contents(askedGemini), "systemInstruction", object{"content": "Be terse."}),
	) {
		c.add(name, request)
	}
}

// geminiCalls are calls and responses that cannot be read.
func geminiCalls(c *corpus) {
	c.class = "calls"
	call := func(keysAndValues ...any) object {
		return called(with(calledGemini, "functionCall", with(calledGemini["functionCall"].(object), keysAndValues...)))
	}
	for name, request := range ordered(
		"args a text", call("args", `{"city":"Oslo"}`),
		"args a list", call("args", list{"Oslo"}),
		"args a number", call("args", 1),
		"name of a call a number", call("name", 1),
		"id of a call a number", call("id", 1),
		"type of a call", call("type", "function"),
		"arguments of a call", call("arguments", "{}"),
		"index of a call", call("index", 0),
		"a call that is a list", called(object{"functionCall": list{}}),
		"response a text", responded(with(oslo, "response", "4 C")),
		"response a list", responded(with(oslo, "response", list{"4 C"})),
		"response a number", responded(with(oslo, "response", 4)),
		"name of a response a number", responded(with(oslo, "name", 4)),
		"id of a response a number", responded(with(oslo, "id", 4)),
		"is_error of a response", responded(with(oslo, "is_error", true)),
		"isError of a response", responded(with(oslo, "isError", true)),
		"tool_call_id of a response", responded(with(oslo, "tool_call_id", "c1")),
		"content of a response", responded(with(oslo, "content", "4 C")),
		"a response that is a text", responded("4 C"),
	) {
		c.add(name, request)
	}
}

// geminiTools are tools that cannot be read.
func geminiTools(c *corpus) {
	c.class = "tools"
	for _, word := range []string{
		"additionalProperties", "$schema", "$id", "$ref", "$defs", "definitions", "const", "oneOf", "allOf", "not", "if", "exclusiveMinimum",
		"exclusiveMaximum", "multipleOf", "patternProperties", "propertyNames", "uniqueItems", "contains", "prefixItems", "examples", "deprecated",
		"readOnly", "strict",
	} {
		c.add("schema with "+word, ofCity(object{"type": "STRING", word: true}))
	}
	for name, schema := range ordered(
		"a list of types", object{"type": list{"string", "null"}},
		"an enum of numbers", object{"type": "STRING", "enum": list{1, 2}},
		"items a list", object{"type": "ARRAY", "items": list{object{"type": "STRING"}}},
		"required a flag", object{"type": "STRING", "required": true},
		"properties a list", object{"type": "OBJECT", "properties": list{}},
		"description a list", object{"type": "STRING", "description": list{"a"}},
		"minItems a word", object{"type": "ARRAY", "items": object{"type": "STRING"}, "minItems": "one"},
	) {
		c.add(name, ofCity(schema))
	}
	for name, request := range ordered(
		"tools of Chat Completions", with(contents(askedGemini), "tools", list{object{"type": "function", "function": weatherGemini}}),
		"tools of Messages", with(contents(askedGemini), "tools", list{object{"name": "get_weather", "input_schema": object{"type": "object"}}}),
		"a strict function", declaring(with(weatherGemini, "strict", true)),
		"input_schema of a function", declaring(with(weatherGemini, "input_schema", weatherSchema)),
		"name of a function a number", declaring(with(weatherGemini, "name", 1)),
		"parameters a text", declaring(with(weatherGemini, "parameters", "{}")),
		"a small mode", with(contents(askedGemini), "toolConfig", object{"functionCallingConfig": object{"mode": "required"}}),
		"tool_choice in the tool config", with(contents(askedGemini), "toolConfig", object{"tool_choice": "auto"}),
		"Google's search a flag", with(contents(askedGemini), "tools", list{object{"googleSearch": true}}),
	) {
		c.add(name, request)
	}
}

// geminiParameters are other keys that cannot be read.
func geminiParameters(c *corpus) {
	c.class = "parameters"
	for _, key := range []string{"messages", "max_tokens", "temperature", "stream", "tool_choice", "system", "stop", "user", "n", "metadata", "input"} {
		c.add("request with "+key, with(contents(askedGemini), key, 1))
	}
	for _, key := range []string{"max_tokens", "stop", "n", "top_logprobs", "response_format", "reasoning_effort"} {
		c.add("config with "+key, configured(key, 1))
	}
	for name, request := range ordered(
		"temperature a word", configured("temperature", "low"),
		"temperature a flag", configured("temperature", true),
		"topP a list", configured("topP", list{0.5}),
		"topK a fraction", configured("topK", 0.5),
		"maxOutputTokens a word", configured("maxOutputTokens", "many"),
		"maxOutputTokens a fraction", configured("maxOutputTokens", 10.5),
		"candidateCount a flag", configured("candidateCount", true),
		"stopSequences of numbers", configured("stopSequences", list{1}),
		"responseMimeType a number", configured("responseMimeType", 1),
		"responseLogprobs a number", configured("responseLogprobs", 1),
		"thinkingConfig a number", configured("thinkingConfig", 1024),
		"budget_tokens of another API", configured("thinkingConfig", object{"budget_tokens": 1024}),
		"thinkingBudget a word", configured("thinkingConfig", object{"thinkingBudget": "low"}),
		"generationConfig a list", with(contents(askedGemini), "generationConfig", list{}),
		"a safety setting of another key", with(contents(askedGemini), "safetySettings", list{object{"type": "harm"}}),
	) {
		c.add(name, request)
	}
	for n, body := range []object{{"contents": 1}, {"contents": true}} {
		c.add(fmt.Sprintf("contents that are none, %d", n+1), body)
	}
}
