package agreement

// inlineImage returns a request with an image of some data.
func inlineImage(data any) object {
	return contents(contentOf("user", object{"inlineData": object{"mimeType": "image/png", "data": data}}))
}

// calling returns a request with a configuration of how functions are called.
func calling(keysAndValues ...any) object {
	return with(contents(askedGemini), "toolConfig", object{"functionCallingConfig": with(object{}, keysAndValues...)})
}

func safety(category, threshold any) object {
	return with(contents(askedGemini), "safetySettings", list{object{"category": category, "threshold": threshold}})
}

func program(language any) object {
	return contents(askedGemini, contentOf("model", object{"executableCode": object{"language": language, "code": "print(4)"}}), askedGemini)
}

// goodGeminiValues are values in a form that is not the usual one, which can be read all the same.
func goodGeminiValues(c *corpus) {
	c.class = "good"
	for name, request := range ordered(
		"contents an object alone", with(contents(), "contents", askedGemini),
		"parts an object alone", contents(object{"role": "user", "parts": textOf("Hello.")}),
		"tools an object alone", with(contents(askedGemini), "tools", object{"functionDeclarations": list{weatherGemini}}),
		"functions an object alone", with(contents(askedGemini), "tools", list{object{"functionDeclarations": weatherGemini}}),
		"one stop sequence alone", configured("stopSequences", "<end>"),
		"one allowed name alone", calling("mode", "ANY", "allowedFunctionNames", "get_weather"),
		"one modality alone", configured("responseModalities", "TEXT"),
		"one safety setting alone", with(contents(askedGemini), "safetySettings", object{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"}),
		"anyOf an object alone", ofCity(object{"anyOf": object{"type": "STRING"}}),
		"nullable in a word", ofCity(object{"type": "STRING", "nullable": "yes"}),
		"includeThoughts in a word", configured("thinkingConfig", object{"includeThoughts": "yes"}),
		"thought in a word", contents(contentOf("user", object{"text": "Hm.", "thought": "true"})),
		"a flag in a capital", configured("responseLogprobs", "True"),
		"a type in small letters", ofCity(object{"type": "string"}),
		"a type by its number", ofCity(object{"type": 1}),
		"a mode in small letters", calling("mode", "any"),
		"a mode by its number", calling("mode", 2),
		"a modality in small letters", configured("responseModalities", list{"text"}),
		"a language in small letters", program("python"),
		"an enum with null", ofCity(object{"type": "STRING", "enum": list{"a", nil}}),
		"a property of null", declaring(with(weatherGemini, "parameters", object{"type": "OBJECT", "properties": object{"city": object{"type": "STRING"}, "none": nil}})),
		"a property called properties", declaring(with(weatherGemini, "parameters", object{"type": "OBJECT", "properties": object{"properties": object{"type": "STRING"}}})),
		"a role of null", contents(object{"role": nil, "parts": list{textOf("Hello.")}}),
		"a text beside data of null", contents(contentOf("user", object{"text": "Hello.", "inlineData": nil})),
		"a call beside a text of null", called(with(calledGemini, "text", nil)),
		"Google's search as null", with(contents(askedGemini), "tools", list{object{"functionDeclarations": list{weatherGemini}, "googleSearch": nil}}),
		"data in the alphabet of URLs", inlineImage("-_8="),
		"data without padding", inlineImage("-_8"),
		"a seed with a fraction of none", configured("seed", 1.0),
		"the largest seed", configured("seed", 1<<31-1),
		"the least seed", configured("seed", -1<<31),
		"a seed in a text", configured("seed", "7"),
		"a length of 64 bits", ofCity(object{"type": "STRING", "maxLength": "9007199254740993"}),
	) {
		c.add(name, request)
	}
}

// geminiValues are values that cannot be read, whatever the field.
func geminiValues(c *corpus) {
	c.class = "content"
	for name, request := range ordered(
		"an image with a prefix", inlineImage("data:image/png;base64,"+png),
		"an image by its URL", inlineImage("https://example.com/a.png"),
		"an image in lines", inlineImage(png[:40]+"\n"+png[40:]),
		"an image in both alphabets", inlineImage("-/8="),
		"an image of one letter", inlineImage("A"),
		"mimeType a list", contents(contentOf("user", object{"inlineData": object{"mimeType": list{"image/png"}, "data": png}})),
		"role an object", contents(object{"role": object{"name": "user"}, "parts": list{textOf("Hello.")}}),
		"role a list", contents(object{"role": list{"user"}, "parts": list{textOf("Hello.")}}),
		"contents of numbers", contents(askedGemini, 7),
		"a text in a capital", contents(contentOf("user", object{"Text": "Hello."})),
		"thought a word", contents(contentOf("user", object{"text": "Hm.", "thought": "maybe"})),
		"thought an object", contents(contentOf("user", object{"text": "Hm.", "thought": object{}})),
		"a text and a file", contents(contentOf("user", object{"text": "Hello.", "file_data": object{"fileUri": "https://example.com/a"}})),
		"a call and a response", contents(contentOf("user", object{"functionCall": object{"name": "a"}, "functionResponse": oslo})),
		"a program in an unknown language", program("COBOL"),
		"a program in a list", program(list{"PYTHON"}),
		"the instruction in both spellings", with(contents(askedGemini), "systemInstruction", object{"parts": list{textOf("Be terse.")}}, "system_instruction", object{"parts": list{textOf("Be kind.")}}),
		"an instruction with a text", with(contents(askedGemini), "systemInstruction", object{"text": "Be terse."}),
		"an instruction of texts", with(contents(askedGemini), "systemInstruction", object{"parts": list{"Be terse."}}),
	) {
		c.add(name, request)
	}
	c.class = "calls"
	call := func(value any) object { return called(object{"functionCall": value, "thoughtSignature": "c2ln"}) }
	for name, request := range ordered(
		"a call of a text", call("get_weather()"),
		"a call of a number", call(7),
		"name of a call an object", call(object{"name": object{}, "args": object{}}),
		"name of a call a list", call(object{"name": list{"get_weather"}, "args": object{}}),
		"args a flag", call(object{"name": "get_weather", "args": true}),
		"input of a call", call(object{"name": "get_weather", "input": object{}}),
		"response a flag", responded(with(oslo, "response", true)),
		"response of texts", responded(with(oslo, "response", list{textOf("4 C")})),
		"output of a response", responded(with(oslo, "output", "4 C")),
		"a response of responses", responded(list{oslo}),
		"name of a response an object", responded(with(oslo, "name", object{})),
		"willContinue a word", responded(with(oslo, "willContinue", "maybe")),
		"scheduling a word of nobody", responded(with(oslo, "scheduling", "LATER")),
	) {
		c.add(name, request)
	}
	geminiToolValues(c)
	geminiConfigValues(c)
}

func geminiToolValues(c *corpus) {
	c.class = "tools"
	for _, word := range []string{"str", "int", "float", "dict", "list", "any", "", "undefined", "date"} {
		c.add("the type "+word, ofCity(object{"type": word}))
	}
	for name, schema := range ordered(
		"type an object", object{"type": object{}},
		"type a flag", object{"type": true},
		"a list in anyOf", object{"anyOf": list{object{"type": list{"string", "null"}}}},
		"a constant in anyOf", object{"anyOf": list{object{"type": "STRING", "const": "a"}}},
		"an unknown word in items", object{"type": "ARRAY", "items": object{"type": "STRING", "uniqueItems": true}},
		"an unknown word in a property", object{"type": "OBJECT", "properties": object{"a": object{"type": "STRING", "oneOf": list{}}}},
		"anyOf of words", object{"anyOf": list{"string"}},
		"items a word", object{"type": "ARRAY", "items": "string"},
		"items a flag", object{"type": "ARRAY", "items": true},
		"properties a word", object{"type": "OBJECT", "properties": "none"},
		"a property of a word", object{"type": "OBJECT", "properties": object{"a": "string"}},
		"an enum of objects", object{"type": "STRING", "enum": list{object{}}},
		"an enum with a flag", object{"type": "STRING", "enum": list{"a", true}},
		"an enum an object", object{"type": "STRING", "enum": object{"a": 1}},
		"required of numbers", object{"type": "OBJECT", "properties": object{"a": object{"type": "STRING"}}, "required": list{1}},
		"required an object", object{"type": "OBJECT", "properties": object{"a": object{"type": "STRING"}}, "required": object{}},
		"maxLength a fraction", object{"type": "STRING", "maxLength": 1.5},
		"minLength a list", object{"type": "STRING", "minLength": list{1}},
		"title a number", object{"type": "STRING", "title": 7},
		"pattern an object", object{"type": "STRING", "pattern": object{}},
		"format a flag", object{"type": "STRING", "format": true},
		"nullable a number", object{"type": "STRING", "nullable": 1},
		"nullable a list", object{"type": "STRING", "nullable": list{true}},
	) {
		c.add(name, ofCity(schema))
	}
	for name, request := range ordered(
		"tools of texts", with(contents(askedGemini), "tools", list{"get_weather"}),
		"functions of texts", with(contents(askedGemini), "tools", list{object{"functionDeclarations": list{"get_weather"}}}),
		"parameters a list", declaring(with(weatherGemini, "parameters", list{weatherSchema})),
		"description an object", declaring(with(weatherGemini, "description", object{})),
		"behavior of nobody", declaring(with(weatherGemini, "behavior", "LAZY")),
		"a mode of nobody", calling("mode", "SOMETIMES"),
		"a mode in a list", calling("mode", list{"ANY"}),
		"a mode of a flag", calling("mode", true),
		"allowed names of numbers", calling("mode", "ANY", "allowedFunctionNames", list{1}),
		"the tool config a text", with(contents(askedGemini), "toolConfig", "auto"),
		"Google's search a list", with(contents(askedGemini), "tools", list{object{"googleSearch": list{}}}),
	) {
		c.add(name, request)
	}
}

func geminiConfigValues(c *corpus) {
	c.class = "parameters"
	for name, request := range ordered(
		"a category of nobody", safety("RUDENESS", "BLOCK_NONE"),
		"a threshold of nobody", safety("HARM_CATEGORY_HARASSMENT", "NEVER"),
		"a category in a list", safety(list{"HARM_CATEGORY_HARASSMENT"}, "BLOCK_NONE"),
		"a threshold of a flag", safety("HARM_CATEGORY_HARASSMENT", false),
		"a seed beyond 32 bits", configured("seed", 1<<31),
		"a seed beyond 32 bits in a text", configured("seed", "2147483648"),
		"an empty text for topK", configured("topK", ""),
		"a blank before topK", configured("topK", " 7"),
		"an empty text for temperature", configured("temperature", ""),
		"temperature an object", configured("temperature", object{"value": 1}),
		"maxOutputTokens an object", configured("maxOutputTokens", object{}),
		"maxOutputTokens in an exponent's text", configured("maxOutputTokens", "1e3"),
		"stopSequences of objects", configured("stopSequences", list{object{}}),
		"stopSequences an object", configured("stopSequences", object{"a": 1}),
		"topK in both spellings", configured("topK", 1, "top_k", 2),
		"a modality of nobody", configured("responseModalities", list{"SMELL"}),
		"thinkingConfig a list", configured("thinkingConfig", list{}),
		"thinkingBudget a flag", configured("thinkingConfig", object{"thinkingBudget": true}),
		"includeThoughts a number", configured("thinkingConfig", object{"includeThoughts": 1}),
		"effort of another API", configured("thinkingConfig", object{"effort": "low"}),
		"responseSchema a text", configured("responseMimeType", "application/json", "responseSchema", "{}"),
		"cachedContent an object", with(contents(askedGemini), "cachedContent", object{}),
		"generationConfig a text", with(contents(askedGemini), "generationConfig", "creative"),
	) {
		c.add(name, request)
	}
}
