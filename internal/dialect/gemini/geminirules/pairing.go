package geminirules

import (
	"github.com/loopproof/loopproof/internal/dialect/gemini"
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/reasoning"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// geminiPairing are the rules of the area pairing about calls and responses in the dialect gemini.
var geminiPairing = []rules.Rule{
	{
		ID:        "pairing/response-has-the-id",
		ShowsTurn: true,
		Level:     trace.Should,
		Text:      "A functionResponse has the id of its call, where the call has one.",
		Why:       "Without it, results of calls of the same function can only be distinguished by their order.",
		Invariant: true,
		Evidence:  "a request that answers a call with an id",
		Sources:   []rules.Source{{URL: geminiCalls, Says: "the id of the call goes back in its response"}},
		Vars:      []string{"at"},
		Request:   responseHasID,
	},
	{
		ID:        "pairing/responses-in-one-content",
		ShowsTurn: true,
		Level:     trace.Must,
		Text:      "The responses to the calls of a turn are in one content, directly after the turn.",
		Why:       "Google counts the responses in the next content, and refuses another number than that of the calls.",
		Invariant: true,
		Evidence:  "a request that answers several calls of a turn",
		Sources: []rules.Source{
			{URL: "https://github.com/google-gemini/gemini-cli/issues/16543", Says: "the 400: the number of function response parts is equal to the number of function call parts"},
			{URL: "https://github.com/cloudwego/eino-ext/issues/571", Says: "the same 400 for each response in a content of its own, and that one content mends it"},
			{URL: "https://github.com/docker/docker-agent/pull/2959", Says: "the same of Vertex AI"},
			{URL: reasoning.GeminiSignatures, Says: "parallel calls go back as FC1, FC2, FR1, FR2"},
		},
		Vars:    []string{"at", "found"},
		Request: responsesInOneContent,
	},
	{
		ID:        "pairing/calls-follow-a-prompt",
		Level:     trace.Must,
		Text:      "Function calls come after a content of the user, and in a content without function responses.",
		Why:       "Google refuses a history that begins with a call, as one that was cut at any place may, and a turn that calls and responds.",
		Invariant: true,
		Evidence:  "a request with a function call in its history",
		Sources: []rules.Source{
			{URL: "https://github.com/google-gemini/gemini-cli/issues/11814", Says: "the 400 when the history starts with a function call"},
			{URL: "https://github.com/continuedev/continue/issues/11164", Says: "the same of Gemini 3.1"},
			{URL: "https://github.com/googleapis/python-genai/issues/81", Says: "the 400 for calls and responses in one content"},
		},
		Vars:    []string{"problem"},
		Request: callsFollowAPrompt,
	},
}

func responseHasID(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	eachAnswer(req, func(call wire.Call, res wire.Result) {
		if under(call.Node, "functionCall").Get("id").Text() == "" {
			return
		}
		j.HasEvidence = true
		if said := under(res.Node, "functionResponse"); said.Get("id").Text() == "" {
			j.Find(inPart(said, "id", "a function response without the id of its call", rules.Quote(call.ID), "nothing"))
		}
	})
	return j
}

func responsesInOneContent(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	for i, m := range req.Messages {
		results, next := req.AnswersTo(i)
		if len(m.Calls) < 2 || len(results) < 2 {
			continue
		}
		j.HasEvidence = true
		if next > i+2 {
			second := req.Messages[i+2].Node
			j.Find(at(second, "", "the responses to the calls of one turn are in several contents", rules.Plural(len(m.Calls), "response")+" in one content", map[string]string{"at": gemini.Place(second), "found": rules.Plural(next-i-1, "content")}))
		}
	}
	return j
}

// hasPart reports whether a content has a part of a kind.
func hasPart(content *wire.Node, kind string) bool {
	for _, part := range gemini.Items(content.Get("parts")) {
		if under(part, kind).Is(wire.Object) {
			return true
		}
	}
	return false
}

func callsFollowAPrompt(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	asked := false
	for _, content := range gemini.Items(req.Body.Get("contents")) {
		asked = asked || content.Get("role").Text() != "model"
		if !hasPart(content, "functionCall") {
			continue
		}
		j.HasEvidence = true
		switch {
		case hasPart(content, "functionResponse"):
			j.Find(at(content, "", "function calls and function responses in one content", "a content of the model with the calls, then one of the user with the responses", map[string]string{"problem": "mixed"}))
		case !asked:
			j.Find(at(content, "", "function calls before anything that the user said", "a content of the user first", map[string]string{"problem": "first"}))
		}
	}
	return j
}
