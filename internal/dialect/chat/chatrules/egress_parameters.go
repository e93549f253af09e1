package chatrules

import (
	"fmt"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/egress"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// egressParameterRules are the rules of the area egress about the keys of a request besides
// messages and tools.
var egressParameterRules = []rules.Rule{
	{
		ID:        "egress/one-candidate",
		Level:     trace.Should,
		Text:      "A loop asks for one answer, not for several.",
		Why:       "It can follow only one of them; the others are paid for, and in a stream they come mixed.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "n: you are charged for the tokens of all choices; keep it at 1"},
			{URL: "https://api-docs.deepseek.com/api/create-chat-completion", Says: "a reference without n"},
		},
		Vars:    []string{"count"},
		Request: oneCandidate,
	},
	{
		ID:        "egress/no-legacy-functions",
		Level:     trace.Should,
		Text:      "Tools are sent as tools, not as functions and function_call.",
		Why:       "The old keys are deprecated, and most providers never had them.",
		Invariant: true,
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: rules.ChatDocs, Says: "functions, function_call: deprecated in favour of tools and tool_choice"},
			{URL: rules.MeasuredChat, Says: "the 400 of OpenAI for one without a name"},
		},
		Vars:    []string{"key", "at", "problem"},
		Request: noLegacyFunctions,
	},
}

func oneCandidate(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	if n := req.Body.Get("n"); n.Is(wire.Number) && string(n.Raw) != "1" {
		j.Find(trace.Finding{Pointer: "/n", Message: "the loop asks for several answers", Expected: "1, or no such key", Actual: rules.Show(n), Vars: map[string]string{"count": string(n.Raw)}})
	}
	return j
}

func noLegacyFunctions(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	for _, key := range []string{"functions", "function_call"} {
		if v := req.Body.Get(key); v != nil && !v.Is(wire.Null) {
			at, problem := nameless(key, v), ""
			if at != "" {
				problem = "no name"
			}
			egress.FindUnwantedKey(&j, v, "the deprecated key "+key, "tools and tool_choice", map[string]string{"at": at, "problem": problem})
		}
	}
	return j
}

// nameless returns where a function under one of the old keys has no name, as OpenAI writes it, or
// "".
func nameless(key string, v *wire.Node) string {
	if v.Is(wire.Object) && v.Get("name") == nil {
		return key + ".name"
	}
	for i, function := range v.All() {
		if function.Is(wire.Object) && function.Get("name") == nil {
			return fmt.Sprintf("%s[%d].name", key, i)
		}
	}
	return ""
}
