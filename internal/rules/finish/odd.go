package finish

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// oddFinishRules are the rules about odd finish reasons.
var oddFinishRules = []rules.Rule{
	{
		ID:       "finish/unknown-word",
		Level:    trace.Should,
		Text:     "A turn with a finish reason that the loop does not know is handled normally.",
		Why:      "Servers have their own finish reasons; some loops crash, or retry forever.",
		Quirks:   []string{"finish-unknown"},
		Evidence: "what a loop did after answers with an unknown finish reason",
		Sources: []rules.Source{
			{URL: "https://github.com/badlogic/pi-mono/issues/2142", Says: "the word end, of Ollama and LM Studio, threw"},
			{URL: "https://github.com/anomalyco/opencode/issues/49414", Says: "an unknown word: a hundred requests in ten seconds"},
		},
	},
	{
		ID:       "finish/no-word",
		Level:    trace.Should,
		Text:     "An answer that is complete except for its finish reason is accepted or reported as a failure.",
		Why:      "Otherwise the text is lost, or the loop retries forever.",
		Quirks:   []string{"finish-null", "finish-empty", "finish-missing"},
		Evidence: "an outcome after an answer without a finish reason",
		Sources: []rules.Source{
			{URL: "https://github.com/vercel/ai/issues/19165", Says: "a stream without a finish reason passed for a whole one"},
			{URL: "https://github.com/brainlid/langchain/issues/367", Says: "a missing finish reason crashed the loop"},
		},
		Run: TakenOrReported("finish-null", "finish-empty", "finish-missing"),
	},
	{
		ID:       "finish/empty-word-is-none",
		Level:    trace.Should,
		Text:     "An empty finish reason in a chunk does not end the answer.",
		Why:      "Otherwise the rest is lost.",
		Needs:    rules.Streams,
		Quirks:   []string{"finish-empty-before-the-end"},
		Evidence: "what a loop did after a stream with empty finish reasons",
		Sources: []rules.Source{
			{URL: "https://github.com/brainlid/langchain/issues/314", Says: "streams with odd finish reasons"},
		},
	},
	{
		ID:       "finish/twice",
		Level:    trace.Should,
		Text:     "A finish reason that comes twice ends the turn once.",
		Why:      "The tools are run twice.",
		Needs:    rules.Streams,
		Quirks:   []string{"finish-twice"},
		Evidence: "what a loop did after a stream with two finish reasons",
		Sources: []rules.Source{
			{URL: "https://github.com/charmbracelet/fantasy/tree/main/providertests/testdata/TestOpenRouterThinking", Says: "recorded: the finish reason in two chunks"},
		},
	},
	{
		ID:       "finish/calls-without-call",
		Level:    trace.Should,
		Text:     "A text without calls that ends with the finish reason for calls is the answer, or is reported as a failure.",
		Why:      "Otherwise the loop waits for results that do not exist, or sends the same request again with an empty message.",
		Quirks:   []string{"finish-calls-without-call"},
		Evidence: "an outcome after a text with the finish reason tool_calls, or tool_use",
		Sources: []rules.Source{
			{URL: "https://github.com/anomalyco/opencode/pull/5139", Says: "a turn without calls that said tool_calls hung the loop"},
			{URL: "https://github.com/rescrv/claudius/pull/106", Says: "tool_use without a call: a user message without content, which is refused"},
			{URL: "https://github.com/earendil-works/pi/issues/9681", Says: "the run ended without a word"},
		},
		Run: TakenOrReported("finish-calls-without-call"),
	},
}
