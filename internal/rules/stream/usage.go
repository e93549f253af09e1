package stream

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/wire"
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
	{
		ID:    "stream/input-tokens-stay",
		Level: trace.Should,
		Text:  "The input tokens at the start of a stream count if there are none at its end.",
		Why:   "Otherwise the prompt is not counted, or the loop crashes at the end of a good answer.",
		Needs: []protocol.Feature{protocol.Streaming, protocol.UsageCounts},
		Where: func(d *wire.Dialect) bool { _, has := d.Quirk("end-usage-null"); return has },
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
		RunQuirks: UsageLastWins,
	},
}
