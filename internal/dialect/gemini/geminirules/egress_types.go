package geminirules

import (
	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// geminiTypes are the rules of the area egress about values of the types that the protos of the API have.
var geminiTypes = []rules.Rule{
	{
		ID:        "egress/value-types",
		Level:     trace.Must,
		Text:      "The values of contents, parts, calls, tools and schemas have the types that the API has for them.",
		Why:       "A list for a text, or a number for a flag, is refused.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources: []rules.Source{
			{URL: "https://protobuf.dev/programming-guides/json/", Says: "which JSON is taken for which type"},
			{URL: "https://github.com/googleapis/googleapis/blob/master/google/ai/generativelanguage/v1beta/content.proto", Says: "the types of the fields"},
		},
		Vars: []string{"at", "type", "found"},
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
	aWord         // of an enum, which may be a number
	aFlag         // true or false
	aNumber       // whole, perhaps written as a text
	anObject      // of a message
	aMapping      // from names to objects of a message
)

// field is a field of a message.
type field struct {
	kind kind
	list bool
	of   message
}

// message are the fields of a message by their names in JSON. What other rules are about is left out.
type message map[string]field

// typeWords are the types in the words of Google's errors.
var typeWords = map[kind]string{aText: "TYPE_STRING", aWord: "TYPE_ENUM", aFlag: "TYPE_BOOL", aNumber: "TYPE_INT32", anObject: "TYPE_MESSAGE", aMapping: "TYPE_MESSAGE"}

// schemaMessage is made first, since it is within itself.
var schemaMessage = newSchemaMessage()

func newSchemaMessage() message {
	m := message{
		"description": {kind: aText}, "title": {kind: aText}, "format": {kind: aText}, "pattern": {kind: aText}, "nullable": {kind: aFlag},
		"minItems": {kind: aNumber}, "maxItems": {kind: aNumber}, "minLength": {kind: aNumber}, "maxLength": {kind: aNumber},
		"minProperties": {kind: aNumber}, "maxProperties": {kind: aNumber},
		"required": {kind: aText, list: true}, "propertyOrdering": {kind: aText, list: true},
	}
	m["items"] = field{kind: anObject, of: m}
	m["anyOf"] = field{kind: anObject, list: true, of: m}
	m["properties"] = field{kind: aMapping, of: m}
	return m
}

var (
	blobMessage    = message{"mimeType": {kind: aText}, "data": {kind: aText}}
	fileMessage    = message{"mimeType": {kind: aText}, "fileUri": {kind: aText}}
	callMessage    = message{"id": {kind: aText}, "name": {kind: aText}}
	codeMessage    = message{"language": {kind: aWord}, "code": {kind: aText}}
	outcomeMessage = message{"outcome": {kind: aWord}, "output": {kind: aText}}
	partMessage    = message{
		"text": {kind: aText}, "thought": {kind: aFlag}, "thoughtSignature": {kind: aText},
		"functionCall": {kind: anObject, of: callMessage}, "functionResponse": {kind: anObject, of: callMessage},
		"inlineData": {kind: anObject, of: blobMessage}, "fileData": {kind: anObject, of: fileMessage},
		"executableCode": {kind: anObject, of: codeMessage}, "codeExecutionResult": {kind: anObject, of: outcomeMessage},
	}
	contentMessage  = message{"role": {kind: aText}, "parts": {kind: anObject, list: true, of: partMessage}}
	functionMessage = message{
		"name": {kind: aText}, "description": {kind: aText}, "behavior": {kind: aWord},
		"parameters": {kind: anObject, of: schemaMessage}, "response": {kind: anObject, of: schemaMessage},
	}
	toolMessage = message{
		"functionDeclarations": {kind: anObject, list: true, of: functionMessage},
		"googleSearch":         {kind: anObject}, "codeExecution": {kind: anObject}, "urlContext": {kind: anObject},
	}
	callingMessage  = message{"mode": {kind: aWord}, "allowedFunctionNames": {kind: aText, list: true}}
	thinkingMessage = message{"includeThoughts": {kind: aFlag}, "thinkingBudget": {kind: aNumber}, "thinkingLevel": {kind: aWord}}
	configMessage   = message{"thinkingConfig": {kind: anObject, of: thinkingMessage}, "responseSchema": {kind: anObject, of: schemaMessage}}
	requestMessage  = message{
		"contents": {kind: anObject, list: true, of: contentMessage}, "tools": {kind: anObject, list: true, of: toolMessage},
		"toolConfig":       {kind: anObject, of: message{"functionCallingConfig": {kind: anObject, of: callingMessage}}},
		"generationConfig": {kind: anObject, of: configMessage},
		"safetySettings":   {kind: anObject, list: true, of: message{"category": {kind: aWord}, "threshold": {kind: aWord}}},
		"cachedContent":    {kind: aText},
	}
)

// typed finds the values in an object that are not of the type of their field. Null stands for a field that is not there.
func typed(n *wire.Node, of message, find func(trace.Finding)) {
	for _, m := range membersOf(n) {
		f, known := of[camel(m.Key)]
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
			field{kind: anObject, of: f.of}.check(m.Value, find)
		}
	}
}

func (f field) takes(n *wire.Node) bool {
	switch f.kind {
	case aText:
		return n.Is(wire.String)
	case aWord:
		return n.Is(wire.String) || n.Is(wire.Number)
	case aFlag:
		return isFlag(n)
	case aNumber:
		return hasType(n, "TYPE_INT32", false)
	default:
		return n.Is(wire.Object)
	}
}

func (f field) wrong(n *wire.Node) trace.Finding {
	return at(n, "", "a value is "+rules.KindOf(n), typeWords[f.kind], map[string]string{"at": gemini.Place(n), "type": typeWords[f.kind], "found": string(n.Raw)})
}
