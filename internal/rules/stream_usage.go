package rules

import "github.com/loopproof/loopproof/protocol"

// streamUsage are the rules about the token counts of streams.
var streamUsage = []Rule{
	{
		ID:       "stream/usage-last-wins",
		Level:    Should,
		Text:     "Of several token counts in one stream the last one counts.",
		Why:      "Groq sends them three times, others in every chunk: the bill is a multiple of what was used.",
		Needs:    []protocol.Feature{protocol.Streaming, protocol.UsageCounts},
		Quirks:   []string{"usage-three-times", "usage-in-every-chunk", "usage-in-several-deltas"},
		Evidence: "token counts in an outcome after a stream that had them several times",
		Sources: []Source{
			{"https://github.com/0xPlaygrounds/rig/tree/main/tests/cassettes/groq", "recorded: the counts in three places"},
			{"https://github.com/openai/openai-go/blob/main/streamaccumulator.go", "an accumulator that adds them up"},
			{streamingDocs, "one or more message_delta events; the token counts in them are cumulative"},
			{"https://github.com/tensorzero/tensorzero/issues/5481", "the counts of message_start and message_delta added up"},
		},
		Run: usageLastWins("usage-three-times", "usage-in-every-chunk", "usage-in-several-deltas"),
	},
	{
		ID:       "stream/input-tokens-stay",
		Level:    Should,
		Dialect:  onlyMessages,
		Text:     "The input tokens that a stream counts at its start stand where it counts none at its end.",
		Why:      "The prompt costs nothing, or the loop crashes at the end of a good answer.",
		Needs:    []protocol.Feature{protocol.Streaming, protocol.UsageCounts},
		Quirks:   []string{"end-usage-output-only", "end-usage-null"},
		Evidence: "token counts in an outcome after a stream with input tokens at its start alone",
		Sources: []Source{
			{streamingDocs, "message_delta with output_tokens alone"},
			{"https://github.com/envoyproxy/ai-gateway/pull/1631", "the input tokens overwritten by those of message_delta"},
			{"https://github.com/langchain-ai/langchain/pull/32518", "input_tokens: null in message_delta"},
		},
		Run: usageLastWins("end-usage-output-only", "end-usage-null"),
	},
	{
		ID:       "stream/usage-optional",
		Level:    Should,
		Text:     "A stream may come without token counts although they were asked for.",
		Why:      "The loop crashes at the end of a good answer.",
		Needs:    streams,
		Quirks:   []string{"usage-missing"},
		Evidence: "what a loop did after a stream without token counts",
		Sources: []Source{
			{"https://github.com/charmbracelet/fantasy/issues/116", "no counts: a nil pointer"},
		},
	},
}
