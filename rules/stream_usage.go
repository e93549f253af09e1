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
		Quirks:   []string{"usage-three-times", "usage-in-every-chunk"},
		Evidence: "token counts in an outcome after a stream that had them several times",
		Sources: []Source{
			{"https://github.com/0xPlaygrounds/rig/tree/main/tests/cassettes/groq", "recorded: the counts in three places"},
			{"https://github.com/openai/openai-go/blob/main/streamaccumulator.go", "an accumulator that adds them up"},
		},
		Run: usageLastWins,
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
