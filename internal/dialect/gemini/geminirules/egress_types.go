package geminirules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// geminiTypes are the rules of the area egress about values of the types that the protos of the API
// have.
var geminiTypes = []rules.Rule{
	{
		ID:        "egress/value-types",
		Level:     trace.Must,
		Text:      "The values of contents, parts, calls, tools and schemas have the types that the API defines.",
		Why:       "A list for a text, or a number for a flag, is refused.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources: []rules.Source{
			{URL: "https://protobuf.dev/programming-guides/json/", Says: "which JSON is taken for which type"},
			{URL: "https://github.com/googleapis/googleapis/blob/master/google/ai/generativelanguage/v1beta/content.proto", Says: "the types of the fields"},
		},
		Vars: misreadVars,
		Request: func(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
			j.HasEvidence = rules.CarriesResult(req)
			typed(req.Body, requestMessage, func(f trace.Finding) { j.Find(f) })
			return j
		},
	},
	{
		ID:        "egress/inner-keys",
		Level:     trace.Should,
		Text:      "inlineData, fileData, thinkingConfig and safetySettings have only keys that the API knows.",
		Why:       "Google refuses names that it does not know, such as media_type and budget_tokens of other APIs.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources: []rules.Source{
			{URL: "https://ai.google.dev/api/caching#Blob", Says: "mimeType, data"},
			{URL: "https://ai.google.dev/api/generate-content#ThinkingConfig", Says: "includeThoughts, thinkingBudget, thinkingLevel"},
		},
		Vars: []string{"at", "key", "of"},
		Request: rules.InBody(func(body *wire.Node) (all []trace.Finding) {
			for _, content := range gemini.Items(body.Get("contents")) {
				for _, part := range gemini.Items(content.Get("parts")) {
					all = append(all, unknownKeys("inlineData", "Blob")(under(part, "inlineData"))...)
					all = append(all, unknownKeys("fileData", "FileData")(under(part, "fileData"))...)
				}
			}
			all = append(all, unknownKeys("thinkingConfig", "ThinkingConfig")(under(under(body, "generationConfig"), "thinkingConfig"))...)
			return append(all, inItems("safetySettings", unknownKeys("a safety setting", "SafetySetting"))(body)...)
		}),
	},
}

// kind is what a field takes.
type kind int

const (
	aText    kind = iota
	aCode         // bytes, as a text
	aWord         // of an enum, which may be a number
	aFlag         // true or false
	aNumber       // whole, perhaps written as a text
	aLong         // the same, of 64 bits
	aReal         // with a fraction, perhaps written as a text
	anObject      // of a message
	aMapping      // from names to objects of a message
)

// field is a field of a message. The type is the name of its message or enum.
type field struct {
	kind kind
	list bool
	of   message
	name string
}

// message are the fields of a message by their names in JSON. What other rules are about is left
// out.
type message map[string]field

// typeWords are the types in the terms of Google's errors; messages and enums have names.
var typeWords = map[kind]string{aText: "TYPE_STRING", aCode: "TYPE_BYTES", aFlag: "TYPE_BOOL", aNumber: "TYPE_INT32", aLong: "TYPE_INT64", aReal: "TYPE_DOUBLE"}

func (f field) typeWord() string {
	if word, ok := typeWords[f.kind]; ok {
		return word
	}
	return ownTypes + f.name
}

func objectOf(name string, of message) field { return field{kind: anObject, of: of, name: name} }
func objectsOf(name string, of message) field {
	return field{kind: anObject, list: true, of: of, name: name}
}
func wordOf(name string) field { return field{kind: aWord, name: name} }

// schemaMessage is made first, since it is within itself.
var schemaMessage = newSchemaMessage()

func newSchemaMessage() message {
	m := message{
		"type": wordOf("Type"), "description": {kind: aText}, "title": {kind: aText}, "format": {kind: aText}, "pattern": {kind: aText},
		"nullable": {kind: aFlag}, "minItems": {kind: aLong}, "maxItems": {kind: aLong}, "minLength": {kind: aLong}, "maxLength": {kind: aLong},
		"minProperties": {kind: aLong}, "maxProperties": {kind: aLong}, "minimum": {kind: aReal}, "maximum": {kind: aReal},
		"required": {kind: aText, list: true}, "propertyOrdering": {kind: aText, list: true},
	}
	m["items"] = objectOf("Schema", m)
	m["anyOf"] = objectsOf("Schema", m)
	m["properties"] = field{kind: aMapping, of: m, name: "Schema.PropertiesEntry"}
	return m
}

var (
	blobMessage    = message{"mimeType": {kind: aText}, "data": {kind: aCode}}
	fileMessage    = message{"mimeType": {kind: aText}, "fileUri": {kind: aText}}
	callMessage    = message{"id": {kind: aText}, "name": {kind: aText}}
	replyMessage   = message{"id": {kind: aText}, "name": {kind: aText}, "willContinue": {kind: aFlag}, "scheduling": wordOf("FunctionResponse.Scheduling")}
	codeMessage    = message{"language": wordOf("ExecutableCode.Language"), "code": {kind: aText}}
	outcomeMessage = message{"outcome": wordOf("CodeExecutionResult.Outcome"), "output": {kind: aText}}
	partMessage    = message{
		"text": {kind: aText}, "thought": {kind: aFlag}, "thoughtSignature": {kind: aCode},
		"functionCall": objectOf("FunctionCall", callMessage), "functionResponse": objectOf("FunctionResponse", replyMessage),
		"inlineData": objectOf("Blob", blobMessage), "fileData": objectOf("FileData", fileMessage),
		"executableCode": objectOf("ExecutableCode", codeMessage), "codeExecutionResult": objectOf("CodeExecutionResult", outcomeMessage),
	}
	contentMessage  = message{"role": {kind: aText}, "parts": objectsOf("Part", partMessage)}
	functionMessage = message{
		"name": {kind: aText}, "description": {kind: aText}, "behavior": wordOf("FunctionDeclaration.Behavior"),
		"parameters": objectOf("Schema", schemaMessage), "response": objectOf("Schema", schemaMessage),
	}
	toolMessage = message{
		"functionDeclarations": objectsOf("FunctionDeclaration", functionMessage),
		"googleSearch":         objectOf("Tool.GoogleSearch", nil), "codeExecution": objectOf("CodeExecution", nil), "urlContext": objectOf("UrlContext", nil),
	}
	callingMessage  = message{"mode": wordOf("FunctionCallingConfig.Mode"), "allowedFunctionNames": {kind: aText, list: true}}
	thinkingMessage = message{"includeThoughts": {kind: aFlag}, "thinkingBudget": {kind: aNumber}, "thinkingLevel": wordOf("ThinkingConfig.ThinkingLevel")}
	configMessage   = message{
		"thinkingConfig": objectOf("ThinkingConfig", thinkingMessage), "responseSchema": objectOf("Schema", schemaMessage),
		"responseModalities": {kind: aWord, list: true, name: "GenerationConfig.Modality"},
	}
	requestMessage = message{
		"contents": objectsOf("Content", contentMessage), "tools": objectsOf("Tool", toolMessage),
		"toolConfig":       objectOf("ToolConfig", message{"functionCallingConfig": objectOf("FunctionCallingConfig", callingMessage)}),
		"generationConfig": objectOf("GenerationConfig", configMessage),
		"safetySettings":   objectsOf("SafetySetting", message{"category": wordOf("HarmCategory"), "threshold": wordOf("SafetySetting.HarmBlockThreshold")}),
		"cachedContent":    {kind: aText},
	}
)

// typed finds the values in an object that are not of the type of their field. Null stands for a
// field that is not there.
func typed(n *wire.Node, of message, find func(trace.Finding)) {
	for _, m := range membersOf(n) {
		f, known := of[gemini.Camel(m.Key)]
		if !known || !isGiven(m.Value) {
			continue
		}
		if !f.list {
			f.check(m.Value, find)
			continue
		}
		for _, item := range gemini.Items(m.Value) {
			f.check(item, find)
		}
	}
}

// check finds what is wrong with one value of a field, and within it.
func (f field) check(n *wire.Node, find func(trace.Finding)) {
	if !f.takes(n) {
		find(f.wrong(n))
		return
	}
	switch f.kind {
	case anObject:
		typed(n, f.of, find)
	case aMapping:
		for _, m := range n.Members {
			if isGiven(m.Value) {
				objectOf("Schema", f.of).check(m.Value, find)
			}
		}
	}
}

func (f field) takes(n *wire.Node) bool {
	switch f.kind {
	case aText, aCode:
		return n.Is(wire.String)
	case aWord:
		return n.Is(wire.String) && f.knows(n.Text()) || n.Is(wire.Number) || f.isType() && n.Is(wire.Array) // a list of types has a rule of its own
	case aFlag:
		return isFlag(n)
	case aNumber:
		return hasType(n, "TYPE_INT32")
	case aLong:
		return hasType(n, "TYPE_INT64")
	case aReal:
		return hasType(n, "TYPE_FLOAT")
	default:
		return n.Is(wire.Object)
	}
}

// knows reports whether an enum may have a word. Words of enums that are not listed may be newer
// than a list of them.
func (f field) knows(word string) bool {
	if f.isType() {
		return gemini.IsSchemaType(word)
	}
	words, listed := enumWords[f.name]
	return !listed || slices.Contains(words, gemini.Word(word))
}

// enumWords are the words of enums: HarmCategory, ThinkingLevel, Modality and HarmBlockThreshold of
// google-genai 3.6.1, and of the protos what older models took.
var enumWords = map[string][]string{
	"HarmCategory": {
		"HARM_CATEGORY_UNSPECIFIED", "HARM_CATEGORY_HARASSMENT", "HARM_CATEGORY_HATE_SPEECH", "HARM_CATEGORY_SEXUALLY_EXPLICIT",
		"HARM_CATEGORY_DANGEROUS_CONTENT", "HARM_CATEGORY_CIVIC_INTEGRITY", "HARM_CATEGORY_JAILBREAK", "HARM_CATEGORY_IMAGE_HATE",
		"HARM_CATEGORY_IMAGE_DANGEROUS_CONTENT", "HARM_CATEGORY_IMAGE_HARASSMENT", "HARM_CATEGORY_IMAGE_SEXUALLY_EXPLICIT",
		"HARM_CATEGORY_DEROGATORY", "HARM_CATEGORY_TOXICITY", "HARM_CATEGORY_VIOLENCE", "HARM_CATEGORY_SEXUAL", "HARM_CATEGORY_MEDICAL", "HARM_CATEGORY_DANGEROUS",
	},
	"ThinkingConfig.ThinkingLevel": {"THINKING_LEVEL_UNSPECIFIED", "MINIMAL", "LOW", "MEDIUM", "HIGH", "XHIGH"},
	"GenerationConfig.Modality":    {"MODALITY_UNSPECIFIED", "TEXT", "IMAGE", "AUDIO", "VIDEO"},
	"SafetySetting.HarmBlockThreshold": {
		"HARM_BLOCK_THRESHOLD_UNSPECIFIED", "BLOCK_LOW_AND_ABOVE", "BLOCK_MEDIUM_AND_ABOVE", "BLOCK_ONLY_HIGH", "BLOCK_NONE", "OFF",
	},
}

func (f field) isType() bool { return f.kind == aWord && f.name == "Type" }

func (f field) wrong(n *wire.Node) trace.Finding {
	return at(n, "", "a value is "+rules.KindOf(n), f.typeWord(), misread(n, f.typeWord()))
}
