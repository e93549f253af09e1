package rules

// argumentsInStreams are the rules about the odd ways in which arguments come.
var argumentsInStreams = []Rule{
	{
		ID:       "arguments/null-piece",
		Level:    Should,
		Text:     "null or nothing in the place of a piece of arguments adds nothing to them.",
		Why:      "The arguments become \"null{...\", or the loop crashes.",
		Needs:    streams,
		Quirks:   []string{"arguments-null-first", "arguments-missing-first"},
		Evidence: "what a loop did after a stream with calls that begin without arguments",
		Sources: []Source{
			{"https://github.com/simonw/llm/issues/1218", "null in the first piece crashed the loop"},
			{"https://github.com/crmne/ruby_llm/issues/587", "pieces without arguments crashed the loop"},
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
