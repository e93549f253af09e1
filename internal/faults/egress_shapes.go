package faults

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/protocol"
)

// onTools changes every tool that a request offers.
func onTools(change func(r *RawRequest, path string, tool gjson.Result)) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		for i, t := range r.Get("tools").Array() {
			change(r, fmt.Sprintf("tools.%d", i), t)
		}
	})
}

// addTools puts tools of the loop's own behind those of the task.
func addTools(count int, name func(i int) string) func() Changes {
	return onRequest(func(r *Request) {
		if len(r.Tools) == 0 {
			return
		}
		for i := range count {
			r.Tools = append(r.Tools, protocol.Tool{Name: name(i), Description: "Does nothing.", Parameters: []byte(`{"type":"object","properties":{}}`)})
		}
	})
}

// example is a call and its result as a loop shows them to the model in front of a conversation.
var example = []neutral.Message{
	neutral.Says(neutral.User, "What is in notes.txt?"),
	{Role: neutral.Assistant, Parts: []neutral.Part{&neutral.Call{ID: exampleID, Name: "read_file", Arguments: "{}"}}},
	answering(&neutral.Result{CallID: exampleID, Text: "nothing"}),
	neutral.Says(neutral.Assistant, "Nothing is in it."),
}

const exampleID = "call_of_the_example_that_every_conversation_has"

// egressShapes are faults in what messages, tools and parameters look like.
var egressShapes = []Fault{
	{
		Name:   "egress/lets-the-user-say-nothing",
		Does:   "Behind the results of a turn stands a message of the user without a word.",
		Models: []string{"https://github.com/NousResearch/hermes-agent/pull/3322", "https://github.com/router-for-me/CLIProxyAPI/issues/2178"},
		Breaks: []string{"egress/no-blank-user-message"},
		Make:   onRequest(func(r *Request) { behindResults(r, neutral.Message{Role: neutral.User}) }),
	},
	{
		Name:    "egress/offers-tools-without-a-type",
		Does:    "Tools are offered as bare functions, without a type.",
		Dialect: inChat,
		Breaks:  []string{"egress/tool-form"},
		Make:    onTools(func(r *RawRequest, path string, _ gjson.Result) { r.Delete(path + ".type") }),
	},
	{
		Name:   "egress/offers-a-tool-with-a-space-in-its-name",
		Does:   "A tool of the loop's own is called by a sentence.",
		Models: []string{"https://github.com/run-llama/llama_index/issues/16093", "https://github.com/danishjsheikh/swagger-mcp/issues/13"},
		Breaks: []string{"egress/tool-name"},
		Make:   addTools(1, func(int) string { return "give the final answer" }),
	},
	{
		Name:   "egress/offers-a-tool-twice",
		Does:   "A tool of the loop's own is registered twice.",
		Breaks: []string{"egress/tool-names-distinct"},
		Make:   addTools(2, func(int) string { return "final_answer" }),
	},
	{
		Name:   "egress/offers-hundreds-of-tools",
		Does:   "All tools that are known anywhere are offered.",
		Models: []string{"https://github.com/Upsonic/Upsonic/issues/176", "https://github.com/zed-industries/zed/issues/42393", "https://github.com/anomalyco/opencode/issues/4909"},
		Breaks: []string{"egress/tool-count"},
		Make:   addTools(130, func(i int) string { return fmt.Sprintf("tool_%d", i) }),
	},
	{
		Name:   "egress/loses-the-type-of-schemas",
		Does:   "The parameters of tools go out without their type.",
		Models: []string{"https://github.com/browserbase/stagehand/issues/1159"},
		Breaks: []string{"egress/tool-parameters-are-a-schema"},
		Make:   eachTool(func(_ *Request, t *protocol.Tool) { t.Parameters = []byte(remove(string(t.Parameters), "type")) }),
	},
	{
		Name:    "egress/declares-any-schema-strict",
		Does:    "Every tool is sent as strict, whatever its schema allows.",
		Dialect: inChat,
		Breaks:  []string{"egress/strict-schema"},
		Make: onTools(func(r *RawRequest, path string, _ gjson.Result) {
			r.Set(path+".function.strict", true)
			r.Delete(path + ".function.parameters.additionalProperties")
		}),
	},
	{
		Name:    "egress/chooses-in-the-words-of-another-api",
		Does:    "tool_choice is \"any\", as in other APIs.",
		Dialect: inChat,
		Breaks:  []string{"egress/tool-choice"},
		Make: onRawRequest(func(r *RawRequest) {
			if r.Get("tools").Exists() {
				r.Set("tool_choice", "any")
			}
		}),
	},
	{
		Name:    "egress/sends-switches-of-other-providers",
		Does:    "A switch that one provider needs is sent to all.",
		Models:  []string{"https://github.com/FlowiseAI/Flowise/issues/2866"},
		Dialect: inChat,
		Breaks:  []string{"egress/request-keys"},
		Make:    onRawRequest(func(r *RawRequest) { r.Set("enable_thinking", true) }),
	},
	{
		Name:    "egress/asks-for-two-answers",
		Does:    "Two answers are asked for, and one is looked at.",
		Dialect: inChat,
		Breaks:  []string{"egress/one-candidate"},
		Make:    onRawRequest(func(r *RawRequest) { r.Set("n", 2) }),
	},
	{
		Name:    "egress/sends-settings-as-texts",
		Does:    "The temperature comes from the environment and is sent as the text that it is there.",
		Models:  []string{"https://github.com/instructlab/instructlab/issues/3511", "https://github.com/cline/cline/pull/7397"},
		Dialect: inChat,
		Breaks:  []string{"egress/parameter-types"},
		Make:    onRawRequest(func(r *RawRequest) { r.Set("temperature", "0.5") }),
	},
	{
		Name:    "egress/forces-a-tool-of-another-task",
		Does:    "tool_choice forces a tool by a name that none of the tools has, where a tool can be forced by name.",
		Dialect: inChat,
		Breaks:  []string{"egress/chosen-tool-offered"},
		Make: onRawRequest(func(r *RawRequest) {
			p, err := profiles.Get(r.Task.Profile)
			named := err == nil && (len(p.Accepts.ToolChoices) == 0 || slices.Contains(p.Accepts.ToolChoices, "an object"))
			if named && r.Get("tools").Exists() {
				r.SetRaw("tool_choice", `{"type":"function","function":{"name":"final_report"}}`)
			}
		}),
	},
	{
		Name:    "egress/sends-the-old-keys-too",
		Does:    "function_call is sent beside the tools, except to Mistral, which refuses it.",
		Dialect: inChat,
		Breaks:  []string{"egress/no-legacy-functions"},
		Make: onRawRequest(func(r *RawRequest) {
			if !strings.HasPrefix(r.Task.Profile, "mistral") {
				r.Set("function_call", "auto")
			}
		}),
	},
	{
		Name:    "egress/names-the-user",
		Does:    "The user's messages carry a name with a space.",
		Models:  []string{"https://github.com/FlowiseAI/Flowise/issues/2948", "https://github.com/ag2ai/ag2/issues/451"},
		Dialect: inChat,
		Breaks:  []string{"egress/message-name"},
		Make:    addKey("user", "name", "Ada Lovelace"),
	},
	{
		Name:    "egress/sends-empty-names-with-failures",
		Does:    "The result of a tool that failed carries an empty name.",
		Models:  []string{"https://github.com/charmbracelet/crush/issues/659"},
		Dialect: inChat,
		Breaks:  []string{"egress/message-name"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("tool", func(path string, m gjson.Result) {
				if isError(m.Get("content").String()) {
					r.Set(path+".name", "")
				}
			})
		}),
	},
	{
		Name:    "egress/requires-null",
		Does:    "Where a tool requires no parameter, its schema says null in the place of the list.",
		Models:  []string{"https://github.com/mark3labs/mcphost/issues/34"},
		Dialect: inChat,
		Breaks:  []string{"egress/tool-parameters-are-a-schema"},
		Make: onTools(func(r *RawRequest, path string, _ gjson.Result) {
			if len(r.Get(path+".function.parameters.required").Array()) == 0 {
				r.Set(path+".function.parameters.required", nil)
			}
		}),
	},
	{
		Name:    "egress/sends-parts-of-another-api",
		Does:    "A note to the model is a part of a type that only the Responses API knows.",
		Dialect: inChat,
		Breaks:  []string{"egress/part-types"},
		Make:    addMessage(`{"role":"system","content":[{"type":"input_text","text":"Be kind."}]}`),
	},
	{
		Name: "egress/sends-empty-parts",
		Does: "A note to the model has a part without text.",
		Models: []string{
			"https://github.com/MoonshotAI/kimi-cli/issues/2396",
			"https://github.com/dotnet/extensions/issues/6405",
			"https://github.com/strands-agents/sdk-python/issues/1878",
			"https://github.com/0xPlaygrounds/rig/issues/1735",
		},
		Dialect: inChat,
		Breaks:  []string{"egress/no-empty-text-part"},
		Make:    addMessage(`{"role":"system","content":[{"type":"text","text":"Be kind."},{"type":"text","text":""}]}`),
	},
	{
		Name: "egress/sends-results-as-lists",
		Does: "Results go out as lists of parts.",
		Models: []string{
			"https://github.com/tailcallhq/forgecode/issues/2008",
			"https://github.com/QwenLM/qwen-code/issues/2158",
			"https://github.com/strands-agents/sdk-python/issues/1878",
		},
		Dialect: inChat,
		Breaks:  []string{"egress/tool-content-is-one-text"},
		Make:    asParts("tool"),
	},
	{
		Name:    "egress/sends-answers-as-lists",
		Does:    "What the model said goes back as a list of parts.",
		Models:  []string{"https://github.com/vercel/ai/issues/17930"},
		Dialect: inChat,
		Breaks:  []string{"egress/assistant-content-is-one-text"},
		Make:    asParts("assistant"),
	},
	{
		Name:   "egress/ends-with-words-of-its-own",
		Does:   "Behind tool results the loop begins the model's answer for it.",
		Models: []string{"https://github.com/BerriAI/litellm/issues/8090"},
		Breaks: []string{"egress/ends-with-the-user", "egress/last-message"},
		Make:   onRequest(func(r *Request) { behindResults(r, neutral.Says(neutral.Assistant, "I have the results.")) }),
	},
	{
		Name:   "egress/reminds-in-the-middle",
		Does:   "Behind tool results a system message repeats how to behave.",
		Models: []string{"https://github.com/vllm-project/vllm/issues/41114", "https://github.com/ggml-org/llama.cpp/issues/27367"},
		Breaks: []string{"egress/system-messages-first"},
		Make:   onRequest(func(r *Request) { behindResults(r, neutral.Says(neutral.System, "Stay polite.")) }),
	},
	{
		Name:    "egress/cuts-an-emoji-in-two",
		Does:    "A note to the model was cut in the middle of a character.",
		Models:  []string{"https://github.com/anomalyco/opencode/pull/17758", "https://github.com/BYK/loreai/pull/68"},
		Dialect: inChat,
		Breaks:  []string{"egress/valid-unicode"},
		Make:    addMessage(`{"role":"system","content":"Be kind. \ud83d"}`),
	},
	{
		Name: "egress/returns-broken-arguments",
		Does: "Arguments that are no JSON go back as the model wrote them, also to a provider that reads them.",
		Models: []string{
			"https://github.com/HKUDS/nanobot/issues/1487",
			"https://github.com/alibaba/spring-ai-alibaba/issues/4533",
			"https://github.com/trpc-group/trpc-agent-go/issues/1213",
		},
		Only:      neutral.TextArguments,
		Elsewhere: "arguments are objects, which always parse.",
		Breaks:    []string{"egress/arguments-parse"},
		Make: onTask(func(t *protocol.Task) {
			if slices.Contains([]string{"dashscope", "ollama", "sglang", "vllm"}, t.Profile) {
				t.Profile = "openai"
			}
		}),
	},
	{
		Name:   "pairing/makes-up-long-ids",
		Does:   "In front of the conversation stands an example with an id of the loop's own, of 47 characters.",
		Models: []string{"https://github.com/agno-agi/agno/issues/5382", "https://github.com/camel-ai/camel/issues/2215"},
		Breaks: []string{"pairing/id-form"},
		Make:   onRequest(func(r *Request) { r.Begin(example...) }),
	},
}

// asParts sends the content of every message of a role as a list.
func asParts(role string) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		r.Each(role, func(path string, m gjson.Result) {
			if text := content(m.Raw); text != "" {
				r.Set(path+".content", []map[string]string{{"type": "text", "text": text}})
			}
		})
	})
}
