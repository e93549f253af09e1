package faults

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// addKey adds a key to every message of a role.
func addKey(role, key string, value any) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		r.Each(role, func(path string, _ gjson.Result) { r.Set(path+"."+key, value) })
	})
}

// addMessage puts a message in front of all others.
func addMessage(message string) func() Changes {
	return onRawRequest(func(r *RawRequest) { r.SetMessages(slices.Insert(r.Messages(), 0, message)) })
}

// beforeLaterPrompts puts a message in front of every message of the user but the first.
func beforeLaterPrompts(r *Request, m neutral.Message) {
	var messages []neutral.Message
	prompts := 0
	for _, each := range r.Messages {
		if each.Role == neutral.User {
			if prompts++; prompts > 1 {
				messages = append(messages, m)
			}
		}
		messages = append(messages, each)
	}
	r.Messages = messages
}

var egress = []Fault{
	{
		Name:    "egress/sends-message-ids",
		Does:    "Assistant messages carry an id of the loop's own.",
		Models:  []string{"https://github.com/openai/openai-agents-js/pull/1064"},
		Dialect: inChat,
		Breaks:  []string{"egress/assistant-message-keys"},
		Make:    addKey("assistant", "id", "msg_1"),
	},
	{
		Name:    "egress/echoes-a-null-refusal",
		Does:    "What came in the answer goes back as it is, a refusal of null included, which some providers refuse.",
		Models:  []string{"https://github.com/partITech/php-mistral/issues/76"},
		Dialect: inChat,
		Breaks:  []string{"egress/assistant-message-keys"},
		Make:    addKey("assistant", "refusal", nil),
	},
	{
		Name:    "egress/types-its-tool-messages",
		Does:    "Tool messages carry the type that the loop stores them under.",
		Dialect: inChat,
		Breaks:  []string{"egress/tool-message-keys"},
		Make:    addKey("tool", "type", "function_result"),
	},
	{
		Name:    "egress/echoes-the-stream-index",
		Does:    "The index of a streamed call goes back with it.",
		Models:  []string{"https://github.com/labring/FastGPT/issues/1253"},
		Dialect: inChat,
		Breaks:  []string{"egress/call-keys"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachCall(func(path string, _ gjson.Result) { r.Set(path+".index", 0) })
		}),
	},
	{
		Name:    "egress/sends-is-error",
		Does:    "Tool messages carry the loop's own flag isError.",
		Dialect: inChat,
		Breaks:  []string{"egress/no-private-fields"},
		Make:    addKey("tool", "isError", false),
	},
	{
		Name:    "egress/sends-parsed-arguments",
		Does:    "Calls go back with the arguments as the loop parsed them beside the string.",
		Models:  []string{"https://github.com/openai/openai-node/pull/1990"},
		Dialect: inChat,
		Breaks:  []string{"egress/no-private-fields"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachCall(func(path string, c gjson.Result) {
				r.Set(path+".function.parsed_arguments", map[string]any{})
			})
		}),
	},
	{
		Name: "egress/sends-null-for-an-empty-result",
		Does: "A tool that returned nothing is answered with a content of null.",
		Models: []string{
			"https://github.com/docker/cagent/issues/333",
			"https://github.com/cline/cline/pull/7247",
			"https://github.com/crmne/ruby_llm/commit/4371a1b2",
		},
		Dialect: inChat,
		Breaks:  []string{"egress/tool-content-is-text"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("tool", func(path string, m gjson.Result) {
				if m.Get("content").String() == "" {
					r.Set(path+".content", nil)
				}
			})
		}),
	},
	{
		Name: "egress/sends-null-without-calls",
		Does: "A turn that came to nothing goes back with a content of null.",
		Models: []string{
			"https://github.com/vercel/ai/pull/14950",
			"https://github.com/danny-avila/LibreChat/issues/4811",
			"https://github.com/mastra-ai/mastra/issues/2667",
		},
		Breaks: []string{"egress/content-present"},
		Make:   onRequest(func(r *Request) { beforeLaterPrompts(r, neutral.Message{Role: neutral.Assistant}) }),
	},
	{
		Name:    "egress/sends-an-empty-list-beside-calls",
		Does:    "A turn with calls and no text goes back with an empty list of parts.",
		Models:  []string{"https://github.com/langchain-ai/langchainjs/pull/11419"},
		Dialect: inChat,
		Breaks:  []string{"egress/no-empty-content-list"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("assistant", func(path string, m gjson.Result) {
				if len(m.Get("tool_calls").Array()) > 0 && m.Get("content").String() == "" {
					r.SetRaw(path+".content", "[]")
				}
			})
		}),
	},
	{
		Name: "egress/sends-blank-turns",
		Does: "A turn that came to nothing goes back as an empty message.",
		Models: []string{
			"https://github.com/vercel/ai/pull/15040",
			"https://github.com/charmbracelet/fantasy/pull/79",
			"https://github.com/trpc-group/trpc-agent-go/issues/1740",
			"https://github.com/trpc-group/trpc-agent-go/issues/1186",
			"https://github.com/pydantic/pydantic-ai/issues/6302",
		},
		Breaks: []string{"egress/no-blank-assistant-message", "egress/no-empty-text"},
		Make:   onRequest(func(r *Request) { beforeLaterPrompts(r, neutral.Says(neutral.Assistant, "")) }),
	},
	{
		Name:    "egress/sends-arguments-as-object",
		Does:    "The arguments of calls go back as objects.",
		Models:  []string{"https://github.com/badlogic/pi-mono/issues/1259"},
		Dialect: inChat,
		Breaks:  []string{"egress/arguments-are-text"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachCall(func(path string, c gjson.Result) {
				if args := c.Get("function.arguments").String(); gjson.Valid(args) {
					r.SetRaw(path+".function.arguments", args)
				}
			})
		}),
	},
	{
		Name:    "egress/drops-the-call-type",
		Does:    "Calls go back without a type.",
		Models:  []string{"https://github.com/vercel/ai/issues/12770"},
		Dialect: inChat,
		Breaks:  []string{"egress/call-type"},
		Make: onRawRequest(func(r *RawRequest) {
			r.EachCall(func(path string, _ gjson.Result) { r.Delete(path + ".type") })
		}),
	},
	{
		Name:   "egress/drops-the-call-name",
		Does:   "Calls go back without the name of their function.",
		Models: []string{"https://github.com/agno-agi/agno/issues/7132"},
		Breaks: []string{"egress/call-has-name"},
		Make:   eachCall(func(c *neutral.Call) { c.Name = "" }),
	},
	{
		Name:   "egress/names-no-model",
		Does:   "Requests name no model.",
		Breaks: []string{"egress/model-named"},
		Make:   onRequest(func(r *Request) { r.Model = "" }),
	},
	{
		Name:    "egress/sends-a-message-without-role",
		Does:    "A message has lost its role.",
		Models:  []string{"https://github.com/trpc-group/trpc-agent-go/issues/2228"},
		Dialect: inChat,
		Breaks:  []string{"egress/messages-given"},
		Make:    addMessage(`{"content":"Be kind."}`),
	},
	{
		Name:    "egress/says-developer-everywhere",
		Does:    "The system prompt is sent as developer, which only OpenAI knows.",
		Models:  []string{"https://github.com/decolua/9router/issues/773"},
		Dialect: inChat,
		Breaks:  []string{"egress/known-roles"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("system", func(path string, _ gjson.Result) { r.Set(path+".role", "developer") })
		}),
	},
	{
		Name:    "egress/sends-a-number-as-content",
		Does:    "A note to the model is sent as a bare number.",
		Dialect: inChat,
		Breaks:  []string{"egress/content-is-text-or-parts"},
		Make:    addMessage(`{"role":"system","content":42}`),
	},
	{
		Name:   "egress/sends-an-empty-tool-list",
		Does:   "A task without tools is sent with an empty list of them.",
		Models: []string{"https://github.com/openai/openai-agents-js/pull/53", "https://github.com/svilupp/PromptingTools.jl/pull/221"},
		Breaks: []string{"egress/no-empty-tool-list"},
		Make: onRequest(func(r *Request) {
			if len(r.Tools) == 0 {
				r.Tools = []protocol.Tool{}
			}
		}),
	},
	{
		Name:    "egress/always-forbids-parallel-calls",
		Does:    "parallel_tool_calls is false in all requests, whether there are tools or not.",
		Models:  []string{"https://github.com/openai/openai-agents-js/pull/1637", "https://github.com/openai/openai-agents-python/pull/4359"},
		Dialect: inChat,
		Breaks:  []string{"egress/tool-options-need-tools"},
		Make:    onRawRequest(func(r *RawRequest) { r.Set("parallel_tool_calls", false) }),
	},
	{
		Name:    "egress/always-asks-for-usage",
		Does:    "stream_options are sent whether a stream is asked for or not.",
		Dialect: inChat,
		Breaks:  []string{"egress/stream-options-need-stream"},
		Make:    onRawRequest(func(r *RawRequest) { r.Set("stream_options.include_usage", true) }),
	},
}
