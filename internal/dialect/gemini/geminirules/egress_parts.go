package geminirules

import (
	"slices"

	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/form"
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
		ID:        "egress/instruction-of-texts",
		Level:     trace.Should,
		Text:      "The parts of the system instruction are texts.",
		Why:       "The API takes nothing else there.",
		Invariant: true,
		Evidence:  "a request that carries a function response",
		Sources:   []rules.Source{{URL: geminiAPI, Says: "systemInstruction: currently, text only"}},
		Vars:      []string{"at", "found"},
		Request: rules.InBody(func(body *wire.Node) (all []trace.Finding) {
			for _, part := range gemini.Items(under(body, "systemInstruction").Get("parts")) {
				if said := dataIn(part); len(said) > 0 && said[0] != "text" {
					all = append(all, at(part, "", "the system instruction has a part that is no text", "texts alone", placed(part, said[0])))
				}
			}
			return all
		}),
	},
}

// dataIn returns what a part says, by the keys in the spelling of JSON.
func dataIn(part *wire.Node) (said []string) {
	for _, m := range part.Members {
		if isData(m) {
			said = append(said, form.Camel(m.Key))
		}
	}
	return said
}

func isData(m wire.Member) bool {
	return slices.Contains(gemini.Form().Node("Part").OneOf, form.Camel(m.Key)) && isGiven(m.Value)
}

// under returns the value of a key in either spelling.
func under(n *wire.Node, key string) *wire.Node {
	for _, m := range membersOf(n) {
		if form.Camel(m.Key) == key {
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
