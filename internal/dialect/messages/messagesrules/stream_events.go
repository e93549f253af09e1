package messagesrules

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// streamEventRules are the rules of the area stream about the events of the dialect messages.
var streamEventRules = []rules.Rule{
	{
		ID:    "stream/message-start-again",
		Level: trace.Should,
		Text:  "If a message begins again in the same stream, the last one counts, or the stream is reported as broken; two messages are never mixed.",
		Why:   "Otherwise the blocks of two messages become one turn that the model did not write, and its signatures are refused.",
		Needs: rules.Streams,
		Quirks: []rules.Quirk{
			{Name: "message-start-twice", In: "weather-after-a-text"},
			{Name: "message-start-spliced", In: "weather-after-a-text"},
		},
		Evidence: "what a loop did after a stream with two events message_start",
		Sources: []rules.Source{
			{URL: "https://github.com/vercel/ai/pull/18332", Says: "both kinds, seen behind gateways; merged, and the 400 for the thinking blocks"},
			{URL: "https://github.com/BerriAI/litellm/issues/32478", Says: "every stream began twice"},
			{URL: "https://github.com/MoonshotAI/Kimi-K2.5/issues/33", Says: "29 starts in a second; the SDK throws"},
		},
		RunQuirks: lastOrReported,
	},
}
