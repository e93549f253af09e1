package rules

// oddFinishes are the rules about odd finish words.
var oddFinishes = []Rule{
	{
		ID:       "finish/unknown-word",
		Level:    Should,
		Text:     "A finish word that the loop does not know does not make a good turn a bad one.",
		Why:      "Servers have words of their own; the loop crashes, or asks again without end.",
		Quirks:   []string{"finish-unknown"},
		Evidence: "what a loop did after answers with an unknown finish word",
		Sources: []Source{
			{"https://github.com/badlogic/pi-mono/issues/2142", "the word end, of Ollama and LM Studio, threw"},
			{"https://github.com/anomalyco/opencode/issues/49414", "an unknown word: a hundred requests in ten seconds"},
		},
	},
	{
		ID:       "finish/no-word",
		Level:    Should,
		Text:     "An answer that is complete but for its finish word is taken or reported as a failure, and nothing else.",
		Why:      "The text is lost, or the loop asks again without end.",
		Quirks:   []string{"finish-null", "finish-empty", "finish-missing"},
		Evidence: "an outcome after an answer without a finish word",
		Sources: []Source{
			{"https://github.com/vercel/ai/issues/19165", "a stream without a finish word passed for a whole one"},
			{"https://github.com/brainlid/langchain/issues/367", "a missing finish word crashed the loop"},
		},
		Run: takenOrReported("finish-null", "finish-empty", "finish-missing"),
	},
	{
		ID:       "finish/unknown-stop-reason",
		Level:    Should,
		Dialect:  onlyMessages,
		Text:     "An answer that ended for a reason which the loop does not know is taken or reported as a failure, and nothing else.",
		Why:      "The provider adds reasons; the loop crashes, or asks again without end.",
		Quirks:   []string{"stop-reason-unknown"},
		Evidence: "an outcome after an answer with an unknown reason to stop",
		Sources: []Source{
			{stopDocs, "handle the reasons to stop, also those that are added"},
			{"https://github.com/earendil-works/pi/pull/1868", "a reason that was new: Unhandled stop reason, and the end of the loop"},
		},
		Run: takenOrReported("stop-reason-unknown"),
	},
	{
		ID:       "finish/empty-word-is-none",
		Level:    Should,
		Text:     "An empty finish word in a chunk does not end the answer.",
		Why:      "What comes behind it is lost.",
		Needs:    streams,
		Quirks:   []string{"finish-empty-before-the-end"},
		Evidence: "what a loop did after a stream with empty finish words",
		Sources: []Source{
			{"https://github.com/brainlid/langchain/issues/314", "streams with odd finish words"},
		},
	},
	{
		ID:       "finish/twice",
		Level:    Should,
		Text:     "A finish word that comes twice ends the turn once.",
		Why:      "The tools are run twice.",
		Needs:    streams,
		Quirks:   []string{"finish-twice"},
		Evidence: "what a loop did after a stream with two finish words",
		Sources: []Source{
			{"https://github.com/charmbracelet/fantasy/tree/main/providertests/testdata/TestOpenRouterThinking", "recorded: the finish word in two chunks"},
		},
	},
	{
		ID:       "finish/calls-without-call",
		Level:    Should,
		Text:     "A text that ends with the word for a turn with calls, and calls nothing, is the answer, or a failure that is reported.",
		Why:      "The loop waits for results that nobody has, or sends a message without content and asks the same again.",
		Quirks:   []string{"finish-calls-without-call"},
		Evidence: "an outcome after a text with the finish word tool_calls, or tool_use",
		Sources: []Source{
			{"https://github.com/anomalyco/opencode/pull/5139", "a turn without calls that said tool_calls hung the loop"},
			{"https://github.com/rescrv/claudius/pull/106", "tool_use without a call: a user message without content, which is refused"},
			{"https://github.com/earendil-works/pi/issues/9681", "the run ended without a word"},
		},
		Run: takenOrReported("finish-calls-without-call"),
	},
}
