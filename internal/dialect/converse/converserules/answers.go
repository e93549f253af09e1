package converserules

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// answerRules are the rules about answers that differ from what the service model says.
var answerRules = []rules.Rule{
	{
		ID:       "finish/end-turn-with-calls",
		Level:    trace.Should,
		Text:     "The calls of a turn that ends with end_turn are run.",
		Why:      "Some models, and gateways, end each turn so; the tools never run. Not a must: tool_use is the documented word for a turn with calls.",
		Quirks:   []rules.Quirk{{Name: "finish-stop-with-calls", In: "weather", Case: "finish/end-turn-with-calls"}},
		Evidence: "what a loop did after a turn with calls that ends with end_turn",
		Sources: []rules.Source{
			{URL: "https://github.com/strands-agents/harness-sdk/issues/644", Says: "end_turn with the calls of gpt-oss on Bedrock, which were not run"},
			{URL: "https://github.com/strands-agents/harness-sdk/pull/767", Says: "such a turn has tool_use there since"},
			{URL: "https://github.com/maximhq/bifrost/issues/5206", Says: "the same in every stream of a gateway"},
		},
	},
	{
		ID:       "stream/block-ends-unsaid",
		Level:    trace.Should,
		Text:     "A block of a stream whose contentBlockStop does not come ends with the message.",
		Why:      "Otherwise the text and the calls are lost although all of them came.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "block-stops-missing", In: "two-cities-after-a-text"}},
		Evidence: "what a loop did after a stream without contentBlockStop",
		Sources: []rules.Source{
			{URL: "https://github.com/maximhq/bifrost/issues/4262", Says: "a gateway sent none; the message was empty in Strands"},
			{URL: "https://github.com/maximhq/bifrost/pull/4923", Says: "it does since"},
		},
	},
}
