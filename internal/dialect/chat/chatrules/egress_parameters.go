package chatrules

import (
	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
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
}

func oneCandidate(_ *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	j.HasEvidence = true
	if n := req.Body.Get("n"); n.Is(wire.Number) && string(n.Raw) != "1" {
		j.Find(trace.Finding{Pointer: "/n", Message: "the loop asks for several answers", Expected: "1, or no such key", Actual: rules.Show(n), Vars: map[string]string{"count": string(n.Raw)}})
	}
	return j
}
