package responsesrules

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// responsesFailed are the rules of the area failure about responses that fail.
var responsesFailed = []rules.Rule{
	{
		ID:    "failure/failed-responses",
		Level: trace.Should,
		Text:  "A response with the status failed is an error, even without an event of the type error, and so is one whose message is a key of the event.",
		Why:   "A loop that waits for the event treats the part of the answer before it as complete, or ends without an answer and without an error.",
		Quirks: []rules.Quirk{
			{Name: "failed-alone", In: "error-late-in-the-stream", Case: "failure/failed-response"},
			{Name: "error-flat", In: "error-late-in-the-stream"},
		},
		Evidence: "an outcome after a response that failed",
		Sources: []rules.Source{
			{URL: responsesStreaming, Says: "response.failed: the response has the error"},
			{URL: "https://github.com/langchain-ai/langchain/issues/39039", Says: "response.failed was dropped: a part of an answer looked like a good one"},
			{URL: "https://github.com/microsoft/agent-framework-go/pull/546", Says: "the same; the event of the type error was read"},
			{URL: "https://github.com/openai/openai-agents-python/issues/3106", Says: "a failed response ended a run as a good one"},
			{URL: "https://github.com/Menci/Floway/pull/330", Says: "an event error without the key error was dropped by the clients, which took what came before it for the answer"},
		},
	},
}
