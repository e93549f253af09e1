package variations

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// failures says in other words that tools failed.
func failures(change func(message string) string) func() hooks.Mutation {
	return hooks.EachResult(func(x *neutral.Result) {
		if x.Failed {
			x.Text = change(strings.TrimPrefix(x.Text, "Error: "))
		}
	})
}

var results = []hooks.Variation{
	{
		Name:    "results/errors-as-json",
		Does:    "The error of a call is sent as a JSON object.",
		Sources: []string{openaiAPI + " (the content of a tool message is whatever the tool says)"},
		Make:    failures(func(message string) string { return raw.Set("{}", "error", message) }),
	},
	{
		Name:    "results/errors-in-a-tag",
		Does:    "The error of a call is sent in a tag.",
		Sources: []string{"https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/soul/message.py (ERROR:)"},
		Make:    failures(func(message string) string { return "<system>ERROR: " + message + "</system>" }),
	},
	{
		Name:    "results/errors-with-advice",
		Does:    "The error of a call is sent with advice.",
		Sources: []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/tool.py (An error occurred while running the tool. Please try again.)", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/messages.py (Fix the errors and try again.)"},
		Make: failures(func(message string) string {
			return "An error occurred while running the tool.\n\n" + message + "\n\nFix the errors and try again."
		}),
	},
	{
		Name:    "results/wrapped",
		Does:    "The result of a tool is sent as a JSON object.",
		Sources: []string{"https://github.com/google/adk-python/blob/main/src/google/adk/flows/llm_flows/functions.py ({'result': function_result})"},
		Shoulds: []string{"execution/result-not-encoded-again"},
		Why:     "Results that are objects have one form for all tools; the quotes and backslashes are what it costs.",
		Make:    hooks.OnResults(func(said string) string { return raw.Set("{}", "result", said) }),
	},
	{
		Name:    "results/in-quotes",
		Does:    "The result of a tool is sent as a JSON string.",
		Sources: []string{"https://github.com/vercel/ai/blob/main/packages/openai/src/chat/convert-to-openai-chat-messages.ts (JSON.stringify(output.value))"},
		Shoulds: []string{"execution/result-not-encoded-again"},
		Why:     "Whatever a tool returns is written by one function; the quotes and backslashes are what it costs.",
		Make:    hooks.OnResults(func(said string) string { return string(written(said)) }),
	},
	{
		Name:    "results/in-tags",
		Does:    "The result of a tool is sent between tags, after the status of the tool.",
		Sources: []string{"https://github.com/SWE-agent/mini-swe-agent/blob/main/src/minisweagent/config/benchmarks/swebench.yaml (<returncode>)"},
		Make:    hooks.OnResults(func(said string) string { return "<returncode>0</returncode>\n<output>\n" + said + "</output>" }),
	},
	{
		Name:    "results/with-a-reminder",
		Does:    "After the result of a tool is what the loop has to say to the model.",
		Sources: []string{"https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/soul/message.py (tool_result.return_value.message)"},
		Make: hooks.OnResults(func(said string) string {
			return said + "\n<system-reminder>Keep the list of things to do up to date.</system-reminder>"
		}),
	},
	{
		Name:    "results/special-tokens-removed",
		Does:    "The special tokens of models are taken out of results.",
		Sources: []string{"https://github.com/NousResearch/hermes-agent/pull/25593 (strip LLM chat-template tokens from untrusted text)", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/_special_tokens.py (a zero-width joiner inside each token)"},
		Shoulds: []string{"execution/result-reaches-the-model"},
		Why:     "A server with an open model may read them as the end of a message; what is lost is a text about them.",
		Make:    hooks.OnResults(func(said string) string { return specialTokens().ReplaceAllString(said, "") }),
	},
	{
		Name:    "results/nothing-named",
		Does:    "A tool that returned nothing is said to have done so.",
		Sources: []string{"https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/soul/message.py (Tool output is empty.)"},
		Make: hooks.EachResult(func(x *neutral.Result) {
			if x.Text == "" && x.Image == nil {
				x.Text = "Tool output is empty."
			}
		}),
	},
	{
		Name:      "results/a-message-each",
		Does:      "Each result of a turn is a message of the user by itself.",
		Sources:   []string{"https://github.com/langchain-ai/langchainjs/pull/7386"},
		Shoulds:   []string{"pairing/results-in-one-message"},
		Why:       "The API joins neighbouring messages of the user; what suffers is the model's habit of calling several tools at once.",
		Unless:    neutral.ResultMessages | neutral.WholeCalls | neutral.TakesTurns,
		Elsewhere: "each result is a message anyway; where they are counted, or messages take turns, they are in one.",
		Make: hooks.EachRound(func(r *hooks.Round) {
			messages := []neutral.Message{r.Turn}
			for _, x := range r.Results {
				messages = append(messages, hooks.Answering(x))
			}
			r.Become(messages...)
		}),
	},
	{
		Name:      "results/by-the-ids-of-calls",
		Does:      "Calls go back with the ids that they came with, and results name these besides their tools.",
		Sources:   []string{"https://github.com/ollama/ollama/pull/12956", "https://github.com/ollama/ollama/blob/v0.32.10/api/types.go (ToolCall.ID, tool_call_id, which the client for Go sends back)"},
		Only:      neutral.CallsByName,
		Elsewhere: "ids have to go back.",
		Make:      hooks.OnRequest(func(r *hooks.Request) { r.ByIDs = true }),
	},
	{
		Name:    "results/as-the-tools-finish",
		Does:    "Results go back in the order in which the tools were done, here the last call first.",
		Sources: []string{"https://github.com/vercel/ai/issues/16567"},
		Shoulds: []string{"pairing/results-in-call-order"},
		Why:     "Results say by their ids what they belong to; the cache is lost where tools are not always equally fast.",
		Unless:  neutral.CallsByName, Elsewhere: "calls have no ids, and a result is for the first call of its tool.",
		Make: hooks.EachRound(func(r *hooks.Round) { slices.Reverse(r.Results) }),
	},
	{
		Name:    "results/old-ones-cleared",
		Does:    "When the user goes on, a note is in the place of what tools returned before.",
		Sources: []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/extensions/tool_output_trimmer.py (ToolOutputTrimmer)", "https://github.com/langchain-ai/langchainjs/blob/main/libs/langchain/src/agents/middleware/contextEditing.ts (ClearToolUsesEdit)"},
		// A provider that binds thoughts to the conversation before them refuses it.
		Profiles: []string{"anthropic", "anthropic-4.5"},
		Shoulds:  []string{"history/earlier-messages-unchanged"},
		Why:      "It saves tokens in long conversations; the cache is lost once for each prompt.",
		Make: hooks.OnRequest(func(r *hooks.Request) {
			parts := hooks.Conversation(r.Messages)
			before := slices.Concat(parts[:len(parts)-1]...)
			for i, m := range before {
				open := !slices.ContainsFunc(r.Messages[i:], func(m neutral.Message) bool { return m.Role == neutral.Assistant })
				if open {
					break // the model has not seen these yet
				}
				for _, x := range m.Results() {
					x.Text, x.Image = "[cleared to save context]", nil
				}
			}
		}),
	},
	{
		Name:      "results/a-message-for-each-image",
		Does:      "Each image is shown by a message of its own, without a word.",
		Sources:   []string{"https://platform.openai.com/docs/guides/images-vision (a user message is a list of parts)"},
		Unless:    neutral.ImagesInResults,
		Elsewhere: "images are in the results.",
		Make: hooks.OnRequest(func(r *hooks.Request) {
			var messages []neutral.Message
			for _, m := range r.Messages {
				images := neutral.Of[*neutral.Image](m.Parts)
				if len(images) == 0 {
					messages = append(messages, m)
				}
				for _, image := range images {
					messages = append(messages, neutral.Message{Role: neutral.User, Parts: []neutral.Part{image}})
				}
			}
			r.Messages = messages
		}),
	},
	{
		Name:    "results/of-mcp-whole",
		Does:    "Tools are taken from the server of MCP, and all of a result is sent, also what it says twice.",
		Sources: []string{"https://github.com/anthropics/claude-code/issues/89630 (what loops do with both: pi sends them)"},
		Make:    hooks.OverMCP(hooks.MCPResult.Said),
	},
	{
		Name:    "results/of-mcp-without-repetition",
		Does:    "Tools are taken from the server of MCP, and a text that is the same as the structured content is left out.",
		Sources: []string{"https://modelcontextprotocol.io/specification/2025-06-18/server/tools#structured-content (the text is for clients that know no structured content)"},
		Make:    hooks.OverMCP(func(r hooks.MCPResult) []string { return append(r.StructuredText(), r.Besides()...) }),
	},
	{
		Name:    "results/of-mcp-structured-first",
		Does:    "Tools are taken from the server of MCP; of a result with structured content nothing else is sent.",
		Sources: []string{"https://github.com/anthropics/claude-code/issues/89630"},
		Shoulds: []string{"execution/every-block-reaches-the-model"},
		Why:     "MCP wants the texts to say the same; where they say something else, it is lost.",
		Make: hooks.OverMCP(func(r hooks.MCPResult) []string {
			if len(r.Structured) > 0 {
				return r.StructuredText()
			}
			return r.Texts()
		}),
	},
	{
		Name:    "results/of-mcp-texts-first",
		Does:    "Tools are taken from the server of MCP; structured content is sent where a result has no text.",
		Sources: []string{"https://github.com/MoonshotAI/kimi-code/issues/2554"},
		Shoulds: []string{"execution/every-block-reaches-the-model"},
		Why:     "MCP wants the texts to say the same; where they say something else, the rest is lost.",
		Make: hooks.OverMCP(func(r hooks.MCPResult) []string {
			if texts := r.Texts(); len(texts) > 0 {
				return texts
			}
			return r.StructuredText()
		}),
	},
	{
		Name:    "results/long-ones-cut-with-a-note",
		Does:    "A result of more than 20 000 characters is cut, and a note says so.",
		Sources: []string{"https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/tools/shell.ts (the output is truncated, with a note)", "https://github.com/OpenHands/OpenHands (truncate_content)"},
		Make: hooks.OnResults(func(s string) string {
			if len(s) > 20_000 {
				return s[:10_000] + "\n[... the middle of the output was left out ...]\n" + s[len(s)-2_000:]
			}
			return s
		}),
	},
	{
		Name:    "results/long-ones-put-aside",
		Does:    "A result of more than 10 000 characters is stored, and the model is shown how it begins and where to find it.",
		Sources: []string{"https://strandsagents.com/docs/user-guide/concepts/plugins/context-offloader/ (a truncated preview and references)", "https://reference.langchain.com/python/deepagents/middleware/filesystem/FilesystemMiddleware (tool_token_limit_before_evict)"},
		Make: hooks.OnResults(func(s string) string {
			if len(s) > 10_000 {
				return "[Offloaded: 1 block, more than 2 500 tokens]\n" + s[:4_000] + "\n[Stored as block_1. Read it with a tool.]"
			}
			return s
		}),
	},
}

var specialTokens = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<\|[a-z_]+\|>`) })
