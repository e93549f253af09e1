package messagesrules

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/rules/stream"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// streamUsageRules are the rules about the token counts of streams.
var streamUsageRules = []rules.Rule{
	{
		ID:    "stream/input-tokens-stay",
		Level: trace.Should,
		Text:  "The input tokens at the start of a stream count if there are none at its end.",
		Why:   "Otherwise the prompt is not counted, or the loop crashes at the end of a good answer.",
		Needs: []protocol.Feature{protocol.Streaming, protocol.UsageCounts},
		Quirks: []rules.Quirk{
			{Name: "end-usage-output-only", In: "weather-after-a-text"},
			{Name: "end-usage-null", In: "weather-after-a-text"},
		},
		Evidence: "token counts in an outcome after a stream with input tokens at its start alone",
		Sources: []rules.Source{
			{URL: rules.StreamingDocs, Says: "message_delta with output_tokens alone"},
			{URL: "https://github.com/envoyproxy/ai-gateway/pull/1631", Says: "the input tokens overwritten by those of message_delta"},
			{URL: "https://github.com/langchain-ai/langchain/pull/32518", Says: "input_tokens: null in message_delta"},
		},
		RunQuirks: stream.UsageLastWins,
	},
}
