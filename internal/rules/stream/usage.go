package stream

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

// usageRules are the rules about the token counts of streams.
var usageRules = []rules.Rule{
	{
		ID:    "stream/usage-last-wins",
		Level: trace.Should,
		Text:  "Of several token counts in one stream the last one counts.",
		Why:   "Groq sends them three times, others in every chunk; otherwise usage is counted several times.",
		Needs: []protocol.Feature{protocol.Streaming, protocol.UsageCounts},
		Quirks: []rules.Quirk{
			{Name: "usage-three-times", In: "weather"},
			{Name: "usage-in-every-chunk", In: "weather"},
			{Name: "usage-in-several-deltas", In: "weather-after-a-text"},
		},
		Evidence: "token counts in an outcome after a stream that had them several times",
		Sources: []rules.Source{
			{URL: "https://github.com/0xPlaygrounds/rig/tree/main/tests/cassettes/groq", Says: "recorded: the counts in three places"},
			{URL: "https://github.com/openai/openai-go/blob/main/streamaccumulator.go", Says: "an accumulator that adds them up"},
			{URL: rules.StreamingDocs, Says: "one or more message_delta events; the token counts in them are cumulative"},
			{URL: "https://github.com/tensorzero/tensorzero/issues/5481", Says: "the counts of message_start and message_delta added up"},
		},
		RunQuirks: UsageLastWins,
	},
	{
		ID:       "stream/usage-optional",
		Level:    trace.Should,
		Text:     "A stream may have no token counts although they were requested.",
		Why:      "Some loops crash at the end of a good answer.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "usage-missing", In: "weather"}},
		Evidence: "what a loop did after a stream without token counts",
		Sources: []rules.Source{
			{URL: "https://github.com/charmbracelet/fantasy/issues/116", Says: "no counts: a nil pointer"},
		},
	},
}
