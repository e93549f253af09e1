package faults

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

// onCallsAlone changes the turns that go back with calls and without text.
func onCallsAlone(change func(r *Request, path string)) func() Changes {
	return onRequest(func(r *Request) {
		r.Each("assistant", func(path string, m gjson.Result) {
			if m.Get("tool_calls.0").Exists() && m.Get("content").String() == "" {
				change(r, path)
			}
		})
	})
}

// eachArguments changes the arguments of the calls that go back, where they are JSON.
func eachArguments(change func(arguments string) string) func() Changes {
	return onRequest(func(r *Request) {
		r.EachCall(func(path string, c gjson.Result) {
			if arguments := c.Get("function.arguments").String(); gjson.Valid(arguments) {
				r.Set(path+".function.arguments", change(arguments))
			}
		})
	})
}

var variationsInTurns = []Variation{
	{
		Name:    "turns/null-beside-calls",
		Does:    "A turn of calls alone goes back with the content null.",
		Sources: []string{openaiAPI + " (content is optional beside tool_calls)", "https://github.com/openai/openai-node/blob/master/src/lib/AbstractChatCompletionRunner.ts", "https://github.com/vercel/ai/blob/main/packages/openai/src/chat/convert-to-openai-chat-messages.ts (text || null)"},
		Make:    onCallsAlone(func(r *Request, path string) { r.SetRaw(path+".content", "null") }),
	},
	{
		Name:     "turns/empty-text-beside-calls",
		Does:     "A turn of calls alone goes back with an empty text.",
		Sources:  []string{"https://github.com/vercel/ai/blob/main/packages/openai-compatible/src/chat/convert-to-openai-compatible-chat-messages.ts"},
		Profiles: []string{"openai", "deepseek", "groq", "vllm", "openrouter", "mistral"},
		Make:     onCallsAlone(func(r *Request, path string) { r.Set(path+".content", "") }),
	},
	{
		Name:     "turns/null-refusal",
		Does:     "A turn goes back as the SDK read it, with refusal null and no annotations.",
		Sources:  []string{"https://github.com/openai/openai-node/blob/master/src/lib/AbstractChatCompletionRunner.ts (pushes the message that it got)"},
		Profiles: []string{"openai"},
		Make: onRequest(func(r *Request) {
			r.Each("assistant", func(path string, _ gjson.Result) {
				r.SetRaw(path+".refusal", "null")
				r.SetRaw(path+".annotations", "[]")
			})
		}),
	},
	{
		Name:     "turns/in-parts",
		Does:     "The text of a turn goes back as a list of one part.",
		Sources:  []string{"https://github.com/strands-agents/sdk-python/blob/main/src/strands/models/openai.py (format_request_messages)", openaiAPI + " (content of an assistant message is a string or an array)"},
		Profiles: []string{"openai"},
		Make: onRequest(func(r *Request) {
			r.Each("assistant", func(path string, m gjson.Result) {
				if said := m.Get("content"); said.Type == gjson.String {
					r.SetRaw(path+".content", texts(said.String()))
				}
			})
		}),
	},
	{
		Name:    "turns/answer-as-a-string",
		Does:    "A turn that is nothing but a text goes back as a string.",
		Sources: []string{messagesAPI + " (content is a string or an array)", "https://github.com/crmne/ruby_llm/blob/main/lib/ruby_llm/protocols/anthropic/chat.rb"},
		Dialect: inBlocks,
		Make: onRequest(func(r *Request) {
			r.Each("assistant", func(path string, m gjson.Result) {
				if blocks := m.Get("content").Array(); len(blocks) == 1 && isBlock(blocks[0], "text") {
					r.Set(path+".content", blocks[0].Get("text").String())
				}
			})
		}),
	},
	{
		Name:     "turns/named",
		Does:     "A turn goes back under the name of the agent that it came from.",
		Sources:  []string{openaiAPI + " (name, an optional name for the participant)", "https://github.com/deepset-ai/haystack/blob/main/haystack/dataclasses/chat_message.py (openai_msg[\"name\"])"},
		Profiles: []string{"openai"},
		Make: onRequest(func(r *Request) {
			r.Each("assistant", func(path string, _ gjson.Result) { r.Set(path+".name", "ada") })
		}),
	},
	{
		Name:    "turns/empty-arguments-as-an-object",
		Does:    "A call without arguments goes back with an empty object.",
		Sources: []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/chatcmpl_converter.py (func_call[\"arguments\"] else \"{}\")"},
		Make: onRequest(func(r *Request) {
			r.EachCall(func(path string, c gjson.Result) {
				if strings.TrimSpace(c.Get("function.arguments").String()) == "" {
					r.Set(path+".function.arguments", "{}")
				}
			})
		}),
	},
	{
		Name:    "turns/arguments-parsed-and-written-anew",
		Does:    "The arguments of a call go back as a JavaScript program writes what it parsed: without spaces, and with numbers in floating point.",
		Sources: []string{"https://github.com/vercel/ai/blob/main/packages/openai/src/chat/convert-to-openai-chat-messages.ts (JSON.stringify(input"},
		Shoulds: []string{"arguments/echoed-verbatim", "arguments/big-integers-echoed"},
		Why:     "Providers take it; what is lost are the cache and the digits of large integers.",
		Make: eachArguments(func(arguments string) string {
			var value any
			if json.Unmarshal([]byte(arguments), &value) != nil {
				return arguments
			}
			return string(written(value))
		}),
	},
	{
		Name:    "turns/arguments-compacted",
		Does:    "The arguments of a call go back without the white space between their values.",
		Sources: []string{"https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/messages.py (args_as_json_str)"},
		Shoulds: []string{"arguments/echoed-verbatim"},
		Why:     "Providers take it; what is lost is the cache.",
		Make: eachArguments(func(arguments string) string {
			var b bytes.Buffer
			if json.Compact(&b, []byte(arguments)) != nil {
				return arguments
			}
			return b.String()
		}),
	},
}

// written returns a value as JSON without escapes for markup.
func written(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(err) // it was parsed from JSON
	}
	return bytes.TrimSpace(b.Bytes())
}
