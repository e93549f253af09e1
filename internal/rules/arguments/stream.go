package arguments

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// streamRules are the rules about the odd ways in which arguments come.
var streamRules = []rules.Rule{
	{
		ID:    "arguments/null-piece",
		Level: trace.Should,
		Text:  "A piece of arguments that is null, empty or missing adds nothing to them.",
		Why:   "The arguments become \"null{...\", or are cut there, or the loop crashes.",
		Needs: rules.Streams,
		Quirks: []rules.Quirk{
			{Name: "arguments-null-first", In: "two-cities"},
			{Name: "arguments-missing-first", In: "two-cities"},
			{Name: "arguments-empty-pieces", In: "call"},
		},
		Evidence: "what a loop did after a stream with pieces of calls that bring no arguments",
		Sources: []rules.Source{
			{URL: "https://github.com/simonw/llm/issues/1218", Says: "null in the first piece crashed the loop"},
			{URL: "https://github.com/crmne/ruby_llm/issues/587", Says: "pieces without arguments crashed the loop"},
			{URL: "https://github.com/charmbracelet/fantasy/tree/main/providertests/testdata/TestOpenRouterCommon/anthropic", Says: "recorded: empty pieces before the first letter"},
		},
	},
	{
		ID:       "arguments/no-piece-means-none",
		Level:    trace.Should,
		Text:     "A streamed call without any piece of its input is run without arguments.",
		Why:      "The loop parses an empty text, or drops the call.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "fragments-none", In: "no-arguments", Case: "arguments/no-pieces"}},
		Evidence: "what a loop did after a stream with a call without input",
		Sources: []rules.Source{
			{URL: "https://github.com/vercel/ai/tree/main/packages/anthropic/src/__fixtures__", Says: "recorded: a call without arguments"},
			{URL: "https://github.com/activeagents/activeagent/pull/299", Says: "no input: a JSON.parse error"},
			{URL: "https://github.com/BerriAI/litellm/issues/5063", Says: "no arguments, and a parse error"},
		},
	},
	{
		ID:       "arguments/in-the-start",
		Level:    trace.Should,
		Text:     "An input that is complete at the start of its block is read, if no pieces follow.",
		Why:      "Compatible servers send it this way; otherwise the tool is run with {}.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "input-in-the-start", In: "two-cities", Case: "arguments/in-the-start"}},
		Evidence: "what a loop did after a stream with inputs in the starts of their blocks",
		Sources: []rules.Source{
			{URL: "https://github.com/Yeachan-Heo/gajae-code/pull/1895", Says: "the input of the start was overwritten by {}"},
			{URL: "https://github.com/earendil-works/pi/pull/7358", Says: "what was in the start of a block was lost"},
		},
	},
	{
		ID:       "arguments/as-object",
		Level:    trace.Should,
		Text:     "A call whose arguments come as an object is run, and its arguments are sent back as a string.",
		Why:      "Some servers send objects; the loop crashes, or the provider refuses its history.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "arguments-object", In: "two-cities", Case: "arguments/as-object"}},
		Evidence: "what a loop did after calls whose arguments are an object",
		Sources: []rules.Source{
			{URL: "https://github.com/mistralai/platform-docs-public/blob/main/openapi.yaml", Says: "arguments are an object or a string"},
			{URL: "https://github.com/microsoft/autogen/issues/5260", Says: "arguments that are no string"},
			{URL: "https://github.com/badlogic/pi-mono/issues/1259", Says: "an object crashed the loop"},
		},
	},
	{
		ID:       "arguments/empty-braces-first",
		Level:    trace.Should,
		Text:     "If arguments begin with {} followed by an object, the object counts.",
		Why:      "{}{\"city\":\"Oslo\"} is not JSON.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "arguments-braces-first", In: "two-cities"}},
		Evidence: "what a loop did after a stream with arguments that begin with {}",
		Sources: []rules.Source{
			{URL: "https://github.com/brainlid/langchain/issues/551", Says: "{} in the first piece, then the real arguments"},
		},
	},
	{
		ID:       "arguments/cut-anywhere",
		Level:    trace.Must,
		Text:     "The pieces of streamed arguments are joined as they come, wherever they are cut.",
		Why:      "Otherwise a piece that is 0, or half an escape, is lost or decoded separately.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "arguments-by-letter", In: "odd-arguments"}},
		Evidence: "what a loop did after a stream with arguments in single letters",
		Sources: []rules.Source{
			{URL: "https://platform.openai.com/docs/api-reference/chat-streaming", Says: "arguments are a text that comes in pieces"},
			{URL: "https://github.com/prism-php/prism/issues/374", Says: "the piece 0 was treated as nothing"},
			{URL: "https://github.com/danny-avila/LibreChat/issues/14926", Says: "many small pieces put together wrongly"},
		},
	},
	{
		ID:       "arguments/read-to-the-end",
		Level:    trace.Should,
		Text:     "A streamed call is run when the turn is complete, not as soon as its arguments are valid JSON.",
		Why:      "Otherwise the rest is lost, or the call is run twice.",
		Needs:    rules.Streams,
		Quirks:   []rules.Quirk{{Name: "arguments-parse-early", In: "arguments-with-spaces", Case: "arguments/whole-early"}},
		Evidence: "what a loop did after a stream with arguments that are whole JSON early",
		Sources: []rules.Source{
			{URL: "https://github.com/vercel/ai/blob/main/packages/provider-utils/src/streaming-tool-call-tracker.ts", Says: "what parses may still be the beginning of more"},
			{URL: "https://github.com/RooCodeInc/Roo-Code/pull/10415", Says: "a file was written while its arguments came"},
		},
	},
}
