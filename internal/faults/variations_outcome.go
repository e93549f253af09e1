package faults

import "github.com/loopproof/loopproof/protocol"

var variationsInOutcomes = []Variation{
	inBoth(Variation{
		Name:    "outcome/claims-little",
		Does:    "Only answers, tools and streams are claimed.",
		Sources: []string{openaiAPI},
		Without: []protocol.Feature{protocol.ParallelCalls, protocol.Reasoning, protocol.MultiPrompt, protocol.Retries, protocol.TurnLimit, protocol.UsageCounts, protocol.Cancel, protocol.Images},
		Make:    func() Changes { return Changes{} },
	}),
	inBoth(Variation{
		Name:    "outcome/tells-little",
		Does:    "The outcome has neither a finish reason nor counts of tokens, and they are not claimed.",
		Sources: []string{openaiAPI},
		Without: []protocol.Feature{protocol.UsageCounts},
		Make:    onOutcome(func(o *protocol.Outcome) { o.FinishReason, o.Usage = "", nil }),
	}),
}
