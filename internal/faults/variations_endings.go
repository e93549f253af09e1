package faults

import "github.com/loopproof/loopproof/protocol"

var variationsInEndings = []Variation{
	inBoth(Variation{
		Name:    "endings/stops-as-failures",
		Does:    "A loop that gives up by itself reports an error to its caller.",
		Sources: []string{"https://github.com/openai/openai-python/blob/main/src/openai/lib/_parsing/_completions.py (LengthFinishReasonError, ContentFilterFinishReasonError)", "https://github.com/openai/openai-agents-js/blob/main/packages/agents-core/src/errors.ts (MaxTurnsExceededError)"},
		Make: onOutcome(func(o *protocol.Outcome) {
			if o.Status == protocol.Stopped {
				o.Status, o.Error, o.Reason = protocol.Failed, o.Reason, ""
			}
		}),
	}),
}
