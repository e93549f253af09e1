package geminirules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

const (
	geminiAPI   = "https://ai.google.dev/api/generate-content"
	geminiParts = "https://ai.google.dev/api/caching#Part"
	geminiCalls = "https://ai.google.dev/gemini-api/docs/function-calling"
)

// geminiContents are the rules of the area egress about the parts of contents in the dialect
// gemini.
var geminiContents = []rules.Rule{
	{
		ID:        "egress/part-says-one-thing",
		Level:     trace.Must,
		Text:      "A part has exactly one kind of content: a text, a call, a response, or data.",
		Why:       "A part with several kinds is refused.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources:   []rules.Source{{URL: geminiParts, Says: "the field data is a union: a part has one of them"}},
		Vars:      []string{"at", "found"},
		Request: inParts(func(part *wire.Node) []trace.Finding {
			if countData(part) < 2 { // what says nothing is for content-is-text-or-parts
				return nil
			}
			said := dataIn(part)
			return []trace.Finding{at(part, "", "a part says "+rules.Plural(len(said), "thing"), "one of text, functionCall, functionResponse, inlineData and their like", map[string]string{"at": gemini.Field(part), "found": gemini.FieldName(under(part, said[1]))})}
		}),
	},
	{
		ID:        "egress/contents-have-parts",
		Level:     trace.Must,
		Text:      "Each content has at least one part.",
		Why:       "One content without parts, such as an answer that said nothing, makes Google refuse every request that has it in its history.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources: []rules.Source{
			{URL: "https://github.com/vercel/ai/issues/3775", Says: "the 400: contents.parts must not be empty"},
			{URL: "https://github.com/langchain-ai/langchain-google/issues/691", Says: "the same, for a message without content in a history"},
		},
		Vars: []string{"at"},
		Request: rules.InBody(inItems("contents", func(content *wire.Node) []trace.Finding {
			if !content.Is(wire.Object) || len(gemini.Items(content.Get("parts"))) > 0 { // what is no content is for messages-given
				return nil
			}
			return []trace.Finding{at(content, "parts", "a content has no parts", "a part at least", map[string]string{"at": gemini.Place(content)})}
		})),
	},
	{
		ID:        "egress/part-keys",
		Level:     trace.Should,
		Text:      "A part has only the keys that the API knows.",
		Why:       "Google refuses names that it does not know.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources:   []rules.Source{{URL: geminiParts, Says: "the keys of Part"}},
		Vars:      []string{"at", "key", "of"},
		Request:   inParts(unknownKeys("a part", "Part")),
	},
	{
		ID:        "egress/response-is-object",
		Level:     trace.Must,
		Text:      "The response of a functionResponse is an object, whatever the tool returned.",
		Why:       "It is a Struct; a text or a list in its place is refused.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources:   []rules.Source{{URL: "https://ai.google.dev/api/caching#FunctionResponse", Says: "response: object (Struct format), required"}},
		Vars:      misreadVars,
		Request: inData("functionResponse", func(said *wire.Node) []trace.Finding {
			if !said.Is(wire.Object) || said.Get("response").Is(wire.Object) { // what is no response is for value-types
				return nil
			}
			return []trace.Finding{at(said, "response", "what a tool returned is not an object", `an object, such as {"output": ...}`, noStruct(said, "response"))}
		}),
	},
	{
		ID:        "egress/response-named",
		Level:     trace.Must,
		Text:      "A functionResponse has the name of the function.",
		Why:       "A response without a name is refused.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources:   []rules.Source{{URL: "https://ai.google.dev/api/caching#FunctionResponse", Says: "name: required"}},
		Vars:      []string{"at", "found"},
		Request: inData("functionResponse", func(said *wire.Node) []trace.Finding {
			if said.Get("name").Text() != "" {
				return nil
			}
			return []trace.Finding{inPart(said, "name", "a function response without a name", "the name of the function", rules.KindOf(said.Get("name")))}
		}),
	},
	{
		ID:        "egress/response-named-as-its-call",
		Level:     trace.Should,
		Text:      "A functionResponse has the name of the call that it answers, and not its id or another name.",
		Why:       "Without ids, responses are matched by their names.",
		Invariant: true,
		Evidence:  "a request with a function response to a call of its id",
		Sources:   []rules.Source{{URL: "https://ai.google.dev/api/caching#FunctionResponse", Says: "name: matches the name of the function call"}},
		Vars:      []string{"at", "found"},
		Request:   responseNamedAsCall,
	},
	{
		ID:        "egress/args-are-object",
		Level:     trace.Must,
		Text:      "The args of a functionCall, if it has any, are an object, not a string with JSON.",
		Why:       "They are a Struct; a text in its place is refused.",
		Invariant: true,
		Evidence:  "a request with a function call in its history",
		Sources:   []rules.Source{{URL: "https://ai.google.dev/api/caching#FunctionCall", Says: "args: object (Struct format)"}},
		Vars:      misreadVars,
		Request: inData("functionCall", func(said *wire.Node) []trace.Finding {
			if args := said.Get("args"); isGiven(args) && !args.Is(wire.Object) {
				return []trace.Finding{at(said, "args", "the args of a call are no object", "an object", noStruct(said, "args"))}
			}
			return nil
		}),
	},
}

// dataIn returns what a part says, by the keys in the spelling of JSON.
func dataIn(part *wire.Node) (said []string) {
	for _, m := range part.Members {
		if isData(m) {
			said = append(said, gemini.Camel(m.Key))
		}
	}
	return said
}

// countData returns how many things a part says.
func countData(part *wire.Node) (count int) {
	for _, m := range part.Members {
		if isData(m) {
			count++
		}
	}
	return count
}

func isData(m wire.Member) bool {
	return slices.Contains(dataKeys, gemini.Camel(m.Key)) && isGiven(m.Value)
}

// under returns the value of a key in either spelling.
func under(n *wire.Node, key string) *wire.Node {
	for _, m := range membersOf(n) {
		if gemini.Camel(m.Key) == key {
			return m.Value
		}
	}
	return nil
}

// inParts judges the parts of all contents of a request that carries a response.
func inParts(wrong func(part *wire.Node) []trace.Finding) func(*profiles.Profile, *wire.Request) rules.CheckResult {
	return func(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
		j.HasEvidence = rules.CarriesResult(req)
		eachPart(req, func(part *wire.Node) {
			j.Find(wrong(part)...)
		})
		return j
	}
}

// inData judges the calls or the responses of a request.
func inData(kind string, wrong func(said *wire.Node) []trace.Finding) func(*profiles.Profile, *wire.Request) rules.CheckResult {
	return func(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
		eachPart(req, func(part *wire.Node) {
			said := under(part, kind)
			if said == nil {
				return
			}
			j.HasEvidence = true
			j.Find(wrong(said)...)
		})
		return j
	}
}

func eachPart(req *wire.Request, f func(part *wire.Node)) {
	for _, m := range req.Messages {
		if m.Role == wire.System {
			continue
		}
		for _, p := range m.Content.Parts {
			f(p.Node)
		}
	}
}

// noStruct returns what the parser of the API says of a value that is no object. It says nothing of
// one that is not given.
func noStruct(said *wire.Node, key string) map[string]string {
	if n := said.Get(key); isGiven(n) {
		return misread(n, structType)
	}
	place := gemini.Field(said) + "." + key
	return map[string]string{"at": place, "in": inPlace(place), "key": key, "type": structType, "found": "null", "what": "nothing"}
}

// inPart returns a finding at a key of what a part says.
func inPart(said *wire.Node, key, message, expected, found string) trace.Finding {
	return at(said, key, message, expected, map[string]string{"at": gemini.Place(said) + "." + key, "found": found})
}

func responseNamedAsCall(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	eachAnswer(req, func(call wire.Call, res wire.Result) {
		said := under(res.Node, "functionResponse")
		name := said.Get("name").Text()
		j.HasEvidence = true
		if name != "" && call.Name != "" && name != call.Name {
			j.Find(inPart(said, "name", "a function response has another name than its call", rules.Quote(call.Name), name))
		}
	})
	return j
}

// eachAnswer calls f for the calls of each turn and their responses.
func eachAnswer(req *wire.Request, f func(wire.Call, wire.Result)) {
	var last []wire.Result // which several messages of a turn have
	var byID map[string][]wire.Result
	for i, m := range req.Messages {
		if len(m.Calls) == 0 {
			continue
		}
		results, _ := req.AnswersTo(i)
		if len(results) == 0 {
			continue
		}
		if len(last) != len(results) || &last[0] != &results[0] {
			last, byID = results, make(map[string][]wire.Result, len(results))
			for _, res := range results {
				byID[res.CallID] = append(byID[res.CallID], res)
			}
		}
		for _, call := range m.Calls {
			for _, res := range byID[call.ID] {
				f(call, res)
			}
		}
	}
}
