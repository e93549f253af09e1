package chatrules

import (
	"fmt"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/pairing"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
)

// pairingIDFormRules are rules about the form of ids that some providers ask for.
var pairingIDFormRules = []rules.Rule{
	{
		ID:        "pairing/id-form",
		ShowsTurn: true,
		Level:     trace.Info,
		Text:      "The ids of calls have a form that the provider takes.",
		Why:       "Some servers expect nine characters, or at most forty, and refuse ids that the loop made up or took from another provider.",
		Evidence:  "a request that carries a tool result",
		Sources: []rules.Source{
			{URL: "https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py", Says: "ids: a-z, A-Z, 0-9, with a length of 9"},
			{URL: "https://github.com/agno-agi/agno/issues/5382", Says: "the 400 of OpenAI for 53 characters, in 2025"},
			{URL: "https://github.com/vercel/ai/pull/17233", Says: "51 characters were taken in July 2026"},
		},
		Vars:    []string{"index", "id"},
		Request: idForm,
	},
}

func idForm(p *profiles.Profile, req *wire.Request) (j rules.CheckResult) {
	form := p.Accepts.CallID
	if form.Any() {
		return j
	}
	check := func(index int, id string, n *wire.Node, pointer string) {
		j.HasEvidence = true
		if id == "" || form.Takes(id) {
			return // ids-present looks at missing ones
		}
		j.Find(trace.Finding{
			Pointer:  pointer,
			Message:  "an id that the provider does not take",
			Expected: "an id of the form " + form.String(),
			Actual:   rules.Show(n),
			Vars:     map[string]string{"index": fmt.Sprint(index), "id": pairing.EndOf(id, p.Accepts.CallIDEnd)},
		})
	}
	for i, m := range req.Messages {
		for _, c := range m.Calls {
			check(i, c.ID, c.Node.Get("id"), c.Node.Pointer()+"/id") // its result has the same, or names no call
		}
	}
	return j
}
