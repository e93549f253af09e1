package rules

// argumentsInStreams are the rules about the odd ways in which arguments come.
var argumentsInStreams = []Rule{
	{
		ID:       "arguments/null-piece",
		Level:    Should,
		Text:     "null, an empty text or nothing in the place of a piece of arguments adds nothing to them.",
		Why:      "The arguments become \"null{...\", or end there, or the loop crashes.",
		Needs:    streams,
		Quirks:   []string{"arguments-null-first", "arguments-missing-first", "arguments-empty-pieces"},
		Evidence: "what a loop did after a stream with pieces of calls that bring no arguments",
		Sources: []Source{
			{"https://github.com/simonw/llm/issues/1218", "null in the first piece crashed the loop"},
			{"https://github.com/crmne/ruby_llm/issues/587", "pieces without arguments crashed the loop"},
			{"https://github.com/charmbracelet/fantasy/tree/main/providertests/testdata/TestOpenRouterCommon/anthropic", "recorded: empty pieces before the first letter"},
		},
	},
	{
		ID:       "arguments/no-piece-means-none",
		Level:    Should,
		Text:     "A streamed call without any piece of its input is run with none.",
		Why:      "The loop parses an empty text, or drops the call.",
		Needs:    streams,
		Quirks:   []string{"fragments-none"},
		Evidence: "what a loop did after a stream with a call without input",
		Sources: []Source{
			{"https://github.com/vercel/ai/tree/main/packages/anthropic/src/__fixtures__", "recorded: a call without arguments"},
			{"https://github.com/activeagents/activeagent/pull/299", "no input: a JSON.parse error"},
			{"https://github.com/BerriAI/litellm/issues/5063", "no arguments, and a parse error"},
		},
	},
	{
		ID:       "arguments/in-the-start",
		Level:    Should,
		Text:     "An input that comes whole in the start of its block is the input, where no piece follows.",
		Why:      "Servers that call themselves compatible send it so; the tool is run with {}.",
		Needs:    streams,
		Quirks:   []string{"input-in-the-start"},
		Evidence: "what a loop did after a stream with inputs in the starts of their blocks",
		Sources: []Source{
			{"https://github.com/Yeachan-Heo/gajae-code/pull/1895", "the input of the start was overwritten by {}"},
			{"https://github.com/earendil-works/pi/pull/7358", "what stood in the start of a block was lost"},
		},
	},
	{
		ID:       "arguments/as-object",
		Level:    Should,
		Text:     "Arguments that come as an object are run, and go back as a text.",
		Why:      "Some servers send objects; the loop crashes, or the provider refuses its history.",
		Needs:    streams,
		Quirks:   []string{"arguments-object"},
		Evidence: "what a loop did after calls whose arguments are an object",
		Sources: []Source{
			{"https://github.com/mistralai/platform-docs-public/blob/main/openapi.yaml", "arguments are an object or a string"},
			{"https://github.com/microsoft/autogen/issues/5260", "arguments that are no string"},
			{"https://github.com/badlogic/pi-mono/issues/1259", "an object crashed the loop"},
		},
	},
	{
		ID:       "arguments/empty-braces-first",
		Level:    Should,
		Text:     "Arguments that begin with {} and go on with an object are that object.",
		Why:      "{}{\"city\":\"Oslo\"} is not JSON.",
		Needs:    streams,
		Quirks:   []string{"arguments-braces-first"},
		Evidence: "what a loop did after a stream with arguments that begin with {}",
		Sources: []Source{
			{"https://github.com/brainlid/langchain/issues/551", "{} in the first piece, then the real arguments"},
		},
	},
	{
		ID:       "arguments/cut-anywhere",
		Level:    Must,
		Text:     "The pieces of streamed arguments are joined as they come, wherever they are cut.",
		Why:      "A piece that is 0, or half an escape, is lost or decoded for itself.",
		Needs:    streams,
		Quirks:   []string{"arguments-by-letter"},
		Evidence: "what a loop did after a stream with arguments in single letters",
		Sources: []Source{
			{"https://platform.openai.com/docs/api-reference/chat-streaming", "arguments are a text that comes in pieces"},
			{"https://github.com/prism-php/prism/issues/374", "the piece 0 was taken for nothing"},
			{"https://github.com/danny-avila/LibreChat/issues/14926", "many small pieces put together wrongly"},
		},
	},
	{
		ID:       "arguments/read-to-the-end",
		Level:    Should,
		Text:     "A streamed call is run when the turn is over, not when its arguments happen to be whole JSON.",
		Why:      "What comes behind is lost, or the call is run twice.",
		Needs:    streams,
		Quirks:   []string{"arguments-parse-early"},
		Evidence: "what a loop did after a stream with arguments that are whole JSON early",
		Sources: []Source{
			{"https://github.com/vercel/ai/blob/main/packages/provider-utils/src/streaming-tool-call-tracker.ts", "what parses may still be the beginning of more"},
			{"https://github.com/RooCodeInc/Roo-Code/pull/10415", "a file was written while its arguments came"},
		},
	},
}
