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
		Text:     "A turn that ended for a reason which the loop does not know is handled normally.",
		Why:      "Servers have words of their own for why the model stopped; some loops crash, or retry forever.",
		Quirks:   []rules.Quirk{{Name: "finish-unknown", In: "weather", Case: "finish/unknown-word"}},
		Evidence: "what a loop did after answers with an unknown word for why the model stopped",
		Sources: []rules.Source{
			{URL: "https://github.com/badlogic/pi-mono/issues/2142", Says: "the word end, of Ollama and LM Studio, threw"},
			{URL: "https://github.com/anomalyco/opencode/issues/49414", Says: "an unknown word: a hundred requests in ten seconds"},
		},
	},
	{
		ID:    "finish/no-word",
		Level: trace.Should,
		Text:  "An answer that is complete but does not say why the model stopped is accepted or reported as a failure.",
		Why:   "Otherwise the text is lost, or the loop retries forever.",
		Quirks: []rules.Quirk{
			{Name: "finish-null", In: "answer-each-time", Case: "finish/word-null"},
			{Name: "finish-empty", In: "answer-each-time", Case: "finish/word-empty"},
			{Name: "finish-missing", In: "answer-each-time", Case: "finish/word-missing"},
		},
		Evidence: "an outcome after an answer that does not say why the model stopped, of a loop that used tools",
		Sources: []rules.Source{
			{URL: "https://github.com/vercel/ai/issues/19165", Says: "a stream without a finish reason passed for a whole one"},
			{URL: "https://github.com/brainlid/langchain/issues/367", Says: "a missing finish reason crashed the loop"},
		},
		RunQuirks: TakenOrReported,
	},
	{
		ID:       "finish/empty-word-is-none",
		Level:    trace.Should,
		Text:     "An empty word for why the model stopped, in the middle of a stream, does not end the answer.",
		Why:      "Otherwise the rest is lost.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "finish-empty-before-the-end", In: "weather"}},
		Evidence: "what a loop did after a stream with such empty words",
		Sources: []rules.Source{
			{URL: "https://github.com/brainlid/langchain/issues/314", Says: "streams with odd finish reasons"},
		},
	},
	{
		ID:       "finish/twice",
		Level:    trace.Should,
		Text:     "A turn whose stream says twice why the model stopped ends once.",
		Why:      "The tools are run twice.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "finish-twice", In: "weather"}},
		Evidence: "what a loop did after a stream that says twice why the model stopped",
		Sources: []rules.Source{
			{URL: "https://github.com/charmbracelet/fantasy/tree/main/providertests/testdata/TestOpenRouterThinking", Says: "recorded: the finish reason in two chunks"},
		},
	},
	{
		ID:       "finish/calls-without-call",
		Level:    trace.Should,
		Text:     "A text without calls that ends with the word for calls is the answer, or is reported as a failure.",
		Why:      "Otherwise the loop waits for results that do not exist, or sends the same request again with an empty message.",
		Quirks:   []rules.Quirk{{Name: "finish-calls-without-call", In: "answer"}},
		Evidence: "an outcome after a text that ends with the word for calls, of a loop that used tools",
		Sources: []rules.Source{
			{URL: "https://github.com/anomalyco/opencode/pull/5139", Says: "a turn without calls that said tool_calls hung the loop"},
			{URL: "https://github.com/rescrv/claudius/pull/106", Says: "tool_use without a call: a user message without content, which is refused"},
			{URL: "https://github.com/earendil-works/pi/issues/9681", Says: "the run ended without a word"},
			{URL: "https://github.com/strands-rl/strands-env/pull/252", Says: "tool_use without a call, on Bedrock: a user message without content, and the model asked again"},
		},
		RunQuirks: TakenOrReported,
	},
}
