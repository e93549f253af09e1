package rules

import (
	"fmt"

	"github.com/loopproof/loopproof/internal/profiles"
	"github.com/loopproof/loopproof/internal/wire"
)

// pairingIDForm are rules about the form of ids that some providers ask for.
var pairingIDForm = []Rule{
	{
		ID:       "pairing/id-form",
		Dialect:  onlyChat,
		Level:    Info,
		Text:     "The ids of calls have a form that the provider takes.",
		Why:      "A library that expects nine characters, or at most forty, refuses ids that the loop made up or brought from elsewhere.",
		Evidence: "a request that carries a tool result",
		Sources: []Source{
			{"https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py", "ids: a-z, A-Z, 0-9, with a length of 9"},
			{"https://github.com/agno-agi/agno/issues/5382", "the 400 of OpenAI for 53 characters, in 2025"},
			{"https://github.com/vercel/ai/pull/17233", "51 characters were taken in July 2026"},
		},
		Vars:    []string{"index", "id"},
		Request: idForm,
	},
}

func idForm(p *profiles.Profile, req *wire.Request) (j Judged) {
	form := p.Accepts.CallID
	if form.Any() {
		return j
	}
	check := func(index int, id string, n *wire.Node, pointer string) {
		j.Seen = true
		if id == "" || form.Takes(id) {
			return // ids-present looks at missing ones
		}
		j.Find(Finding{
			Pointer:  pointer,
			Message:  "an id that the provider does not take",
			Expected: "an id of the form " + form.String(),
			Actual:   show(n),
			Vars:     map[string]string{"index": fmt.Sprint(index), "id": endOf(id, p.Accepts.CallIDEnd)},
		})
	}
	for i, m := range req.Messages {
		for _, c := range m.Calls {
			check(i, c.ID, c.Node.Get("id"), c.Node.Pointer()+"/id") // its result has the same, or names no call
		}
	}
	return j
}
