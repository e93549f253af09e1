package faults

import "github.com/loopproof/loopproof/protocol"

var variationsInAnswers = []Variation{
	inBoth(Variation{
		Name:    "answers/never-streamed",
		Does:    "Nothing is streamed, and it is not claimed.",
		Sources: []string{openaiAPI + " (stream is optional)", messagesAPI + " (stream is optional)"},
		Without: []protocol.Feature{protocol.Streaming},
		Make:    func() Changes { return Changes{} },
	}),
	inBoth(Variation{
		Name:    "answers/read-to-the-end",
		Does:    "A stream is read until its connection ends, before any of it is looked at.",
		Sources: []string{"https://www.rfc-editor.org/rfc/rfc9112#section-7.1 (the last chunk ends a body)"},
		Make:    func() Changes { return Changes{Waits: true} },
	}),
}
