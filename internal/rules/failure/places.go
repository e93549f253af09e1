package failure

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// placeRules are the rules about the places in which errors come after the status 200.
var placeRules = []rules.Rule{
	{
		ID:    "failure/error-objects",
		Level: trace.Should,
		Text:  "An error after the status 200 is an error wherever it is: alongside an empty answer, in a part of the answer, as a text, as an event of that name, as base_resp, in headers alone, or without a type.",
		Why:   "Otherwise the part of the answer before it is treated as complete.",
		Quirks: []rules.Quirk{
			{Name: "error-beside-choices", In: "error-in-the-stream"},
			{Name: "error-as-text", In: "error-in-the-stream"},
			{Name: "error-named-event", In: "error-in-the-stream"},
			{Name: "error-bare-event", In: "error-in-the-stream"},
			{Name: "error-field", In: "error-in-the-stream"},
			{Name: "error-after-finish-word", In: "error-after-the-answer"},
			{Name: "error-in-choice", In: "error-in-the-stream"},
			{Name: "error-base-resp", In: "error-in-the-stream"},
			{Name: "error-untyped", In: "error-late-in-the-stream"},
			{Name: "error-unmodeled", In: "error-late-in-the-stream"},
		},
		Evidence: "an outcome after an error in an odd place",
		Sources: []rules.Source{
			{URL: "https://openrouter.ai/docs/api-reference/errors", Says: "an error in the choice, and in a chunk of a stream"},
			{URL: "https://github.com/0xPlaygrounds/rig/pull/2258", Says: "an error alongside an empty list of choices"},
			{URL: "https://github.com/pydantic/pydantic-ai/tree/main/tests/models/cassettes/test_groq", Says: "an event of the name error, of Groq"},
			{URL: "https://github.com/ggml-org/llama.cpp/blob/0c1e570/tools/server/server-context.cpp", Says: "an error in a stream of Responses has no type"},
			{URL: "https://github.com/BerriAI/litellm/pull/41826", Says: "the error of a failed stream of Messages, which no client can read"},
			{URL: "https://github.com/RooCodeInc/Roo-Code/blob/main/src/api/providers/base-openai-compatible-provider.ts", Says: "MiniMax's base_resp"},
			{URL: "https://smithy.io/2.0/aws/amazon-eventstream.html#unmodeled-error-events", Says: "errors that have a code and a message as headers"},
		},
	},
	{
		ID:    "failure/no-error-is-none",
		Level: trace.Should,
		Text:  "An error key that is null or empty in a good answer is not an error.",
		Why:   "Otherwise a good answer is lost.",
		Quirks: []rules.Quirk{
			{Name: "error-null", In: "weather"},
			{Name: "error-empty", In: "weather"},
		},
		Evidence: "what a loop did after good answers with an empty error",
		Sources: []rules.Source{
			{URL: "https://github.com/openai/openai-go/blob/main/packages/ssestream/ssestream.go", Says: "any error key is an error, also null"},
			{URL: "https://github.com/0xPlaygrounds/rig/blob/main/crates/rig-core/src/providers/internal/openai_chat_completions_compatible.rs", Says: "some providers send null or an empty text for it"},
		},
	},
	{
		ID:       "failure/error-line-reported",
		Level:    trace.Should,
		Text:     "An error that a stream contains as a line of JSON, without data: before it, is reported as an error.",
		Why:      "A loop that reads only data lines mistakes the beginning of an answer for the whole.",
		Quirks:   []rules.Quirk{{Name: "error-without-data", In: "error-late-in-the-stream"}},
		Evidence: "an outcome after such an error",
		Sources: []rules.Source{
			{URL: "https://github.com/googleapis/go-genai/blob/main/api_client.go", Says: "iterateResponseStream reads an error from a line that is no line of data"},
		},
	},
}
