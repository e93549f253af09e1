package faults

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

const handleToolCalls = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls"

// failures says in other words that tools failed.
func failures(change func(message string) string) func() Changes {
	return eachResult(func(x *neutral.Result) {
		if x.Failed {
			x.Text = change(strings.TrimPrefix(x.Text, "Error: "))
		}
	})
}

var variationsInResults = []Variation{
	{
		Name:    "results/errors-as-json",
		Does:    "What went wrong with a call is told as a JSON object.",
		Sources: []string{openaiAPI + " (the content of a tool message is whatever the tool says)"},
		Make:    failures(func(message string) string { return set("{}", "error", message) }),
	},
	{
		Name:    "results/errors-in-a-tag",
		Does:    "What went wrong with a call is told in a tag.",
		Sources: []string{"https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/soul/message.py (ERROR:)"},
		Make:    failures(func(message string) string { return "<system>ERROR: " + message + "</system>" }),
	},
	{
		Name:    "results/errors-with-advice",
		Does:    "What went wrong with a call is told with what to do about it.",
		Sources: []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/tool.py (An error occurred while running the tool. Please try again.)", "https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/messages.py (Fix the errors and try again.)"},
		Make: failures(func(message string) string {
			return "An error occurred while running the tool.\n\n" + message + "\n\nFix the errors and try again."
		}),
	},
	{
		Name:     "results/in-parts",
		Does:     "The content of a result is a list of one text.",
		Sources:  []string{handleToolCalls + " (a string, or a list of blocks)", "https://github.com/openai/openai-agents-python/blob/main/src/agents/models/chatcmpl_converter.py (ChatCompletionContentPartTextParam)"},
		Profiles: []string{"openai"},
		Dialect:  inChat,
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("tool", func(path string, m gjson.Result) {
				if said := m.Get("content"); said.Type == gjson.String && said.String() != "" {
					r.SetRaw(path+".content", texts(said.String()))
				}
			})
		}),
	},
	{
		Name:     "results/in-parts",
		Does:     "The content of a result is a list of one text.",
		Sources:  []string{handleToolCalls + " (a string, or a list of blocks)", "https://github.com/openai/openai-agents-python/blob/main/src/agents/models/chatcmpl_converter.py (ChatCompletionContentPartTextParam)"},
		Profiles: []string{"openai"},
		Dialect:  inBlocks,
		Make: onRawRequest(func(r *RawRequest) {
			r.EachBlock("tool_result", func(path string, b gjson.Result) {
				if text := b.Get("content"); text.String() != "" && !text.IsArray() {
					r.SetRaw(path+".content", texts(text.String()))
				}
			})
		}),
	},
	{
		Name:     "results/in-parts-behind-a-note",
		Does:     "The content of a result is a list of two texts: what the loop says of it, and what the tool returned.",
		Sources:  []string{"https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/soul/message.py (content.append(system(tool_result.return_value.message)))"},
		Profiles: []string{"openai"},
		Dialect:  inChat,
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("tool", func(path string, m gjson.Result) {
				if said := m.Get("content"); said.Type == gjson.String && said.String() != "" {
					r.SetRaw(path+".content", texts("<system>The tool has run.</system>", said.String()))
				}
			})
		}),
	},
	{
		Name:     "results/in-parts-behind-a-note",
		Does:     "The content of a result is a list of two texts: what the loop says of it, and what the tool returned.",
		Sources:  []string{"https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/soul/message.py (content.append(system(tool_result.return_value.message)))"},
		Profiles: []string{"openai"},
		Dialect:  inBlocks,
		Make: onRawRequest(func(r *RawRequest) {
			r.EachBlock("tool_result", func(path string, b gjson.Result) {
				if text := b.Get("content"); text.String() != "" && !text.IsArray() {
					r.SetRaw(path+".content", texts("<system>The tool has run.</system>", text.String()))
				}
			})
		}),
	},
	{
		Name:    "results/wrapped",
		Does:    "The result of a tool is told as a JSON object.",
		Sources: []string{"https://github.com/google/adk-python/blob/main/src/google/adk/flows/llm_flows/functions.py ({'result': function_result})"},
		Why:     "Results that are objects have one form for all tools; the quotes and backslashes are what it costs.",
		Shoulds: []string{"execution/result-not-encoded-again"},
		Make:    onResults(func(said string) string { return set("{}", "result", said) }),
	},
	{
		Name:    "results/in-quotes",
		Does:    "The result of a tool is told as a JSON string.",
		Sources: []string{"https://github.com/vercel/ai/blob/main/packages/openai/src/chat/convert-to-openai-chat-messages.ts (JSON.stringify(output.value))"},
		Why:     "Whatever a tool returns is written by one function; the quotes and backslashes are what it costs.",
		Shoulds: []string{"execution/result-not-encoded-again"},
		Make:    onResults(func(said string) string { return string(written(said)) }),
	},
	{
		Name:    "results/in-tags",
		Does:    "The result of a tool is told between tags, behind how the tool ended.",
		Sources: []string{"https://github.com/SWE-agent/mini-swe-agent/blob/main/src/minisweagent/config/benchmarks/swebench.yaml (<returncode>)"},
		Make:    onResults(func(said string) string { return "<returncode>0</returncode>\n<output>\n" + said + "</output>" }),
	},
	{
		Name:    "results/with-a-reminder",
		Does:    "Behind the result of a tool stands what the loop has to say to the model.",
		Sources: []string{"https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/soul/message.py (tool_result.return_value.message)"},
		Make: onResults(func(said string) string {
			return said + "\n<system-reminder>Keep the list of things to do up to date.</system-reminder>"
		}),
	},
	{
		Name:    "results/nothing-named",
		Does:    "A tool that returned nothing is said to have done so.",
		Sources: []string{"https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/soul/message.py (Tool output is empty.)"},
		Make:    eachResult(func(x *neutral.Result) { x.Text = cmp.Or(x.Text, "Tool output is empty.") }),
	},
	{
		Name:     "results/named",
		Does:     "A tool message has the name of the tool.",
		Sources:  []string{"https://github.com/langchain-ai/langchain/blob/master/libs/partners/openai/langchain_openai/chat_models/base.py (message.name)", "https://github.com/agno-agi/agno/blob/main/libs/agno/agno/models/deepseek/deepseek.py (\"name\": message.name)"},
		Profiles: []string{"openai", "groq", "vllm"},
		Dialect:  inChat,
		Make: onRawRequest(func(r *RawRequest) {
			names := map[string]string{}
			r.EachCall(func(_ string, c gjson.Result) { names[c.Get("id").String()] = c.Get("function.name").String() })
			r.Each("tool", func(path string, m gjson.Result) {
				if name := names[m.Get("tool_call_id").String()]; name != "" {
					r.Set(path+".name", name)
				}
			})
		}),
	},
	{
		Name:    "results/flag-on-each",
		Does:    "Results of tools that went well say that they are no error.",
		Sources: []string{handleToolCalls + " (is_error is optional)", "https://github.com/strands-agents/sdk-python/blob/main/src/strands/models/anthropic.py (is_error)"},
		Dialect: inBlocks,
		Make: onRawRequest(func(r *RawRequest) {
			r.EachBlock("tool_result", func(path string, b gjson.Result) {
				if !b.Get("is_error").Exists() {
					r.Set(path+".is_error", false)
				}
			})
		}),
	},
	{
		Name:      "results/a-message-each",
		Does:      "Each result of a turn is a message of the user by itself.",
		Sources:   []string{"https://github.com/langchain-ai/langchainjs/pull/7386"},
		Unless:    neutral.ResultMessages,
		Elsewhere: "every result is a message of its own.",
		Why:       "The API joins neighbouring messages of the user; what suffers is the model's habit of calling several tools at once.",
		Shoulds:   []string{"pairing/results-in-one-message"},
		Make:      spreadResults,
	},
	{
		Name:    "results/as-the-tools-finish",
		Does:    "Results go back in the order in which the tools were done, here the last call first.",
		Sources: []string{"https://github.com/vercel/ai/issues/16567"},
		Why:     "Results say by their ids what they belong to; the cache is lost where tools are not always equally fast.",
		Shoulds: []string{"pairing/results-in-call-order"},
		Make:    eachRound(func(r *Round) { slices.Reverse(r.Results) }),
	},
	{
		Name:    "results/old-ones-cleared",
		Does:    "When the user goes on, a note stands in the place of what tools returned before.",
		Sources: []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/extensions/tool_output_trimmer.py (ToolOutputTrimmer)", "https://github.com/langchain-ai/langchainjs/blob/main/libs/langchain/src/agents/middleware/contextEditing.ts (ClearToolUsesEdit)"},
		Why:     "It saves tokens in long conversations; the cache is lost once for each prompt.",
		Shoulds: []string{"history/earlier-messages-unchanged"},
		Make: onRequest(func(r *Request) {
			parts := conversation(r.Messages)
			for _, part := range parts[:len(parts)-1] {
				for _, m := range part {
					for _, x := range m.Results() {
						x.Text, x.Image = "[cleared to save context]", nil
					}
				}
			}
		}),
	},
	{
		Name:      "results/a-message-for-each-image",
		Does:      "Each image is shown by a message of its own, without a word.",
		Sources:   []string{"https://platform.openai.com/docs/guides/images-vision (a user message is a list of parts)"},
		Unless:    neutral.ImagesInResults,
		Elsewhere: "each image stands in its result.",
		Make: eachShowing(func(s *showing) {
			for _, image := range s.images {
				if image != nil {
					s.behind = append(s.behind, neutral.Message{Role: neutral.User, Parts: []neutral.Part{image}})
				}
			}
			s.shown = nil
		}),
	},
	{
		Name:    "results/images-in-detail",
		Does:    "An image says how closely the model should look at it.",
		Sources: []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/chatcmpl_converter.py (\"detail\": detail)"},
		Dialect: inChat,
		Make: onRawRequest(func(r *RawRequest) {
			for i, m := range r.Get("messages").Array() {
				for n, part := range m.Get("content").Array() {
					if part.Get("type").String() == "image_url" {
						r.Set(fmt.Sprintf("messages.%d.content.%d.image_url.detail", i, n), "auto")
					}
				}
			}
		}),
	},
	{
		Name:    "results/words-before-images",
		Does:    "A result with an image says first what it is.",
		Sources: []string{handleToolCalls + " (a list of blocks, of texts and images)"},
		Dialect: inBlocks,
		Make: onRawRequest(func(r *RawRequest) {
			r.EachBlock("tool_result", func(path string, b gjson.Result) {
				if image := b.Get("content.#(type==image)"); image.Exists() {
					r.SetRaw(path+".content", `[{"type":"text","text":"A picture:"},`+image.Raw+`]`)
				}
			})
		}),
	},
}
