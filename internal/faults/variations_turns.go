package faults

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// onCallsAlone changes the turns that go back with calls and without text.
func onCallsAlone(change func(r *RawRequest, path string)) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		r.Each("assistant", func(path string, m gjson.Result) {
			if m.Get("tool_calls.0").Exists() && m.Get("content").String() == "" {
				change(r, path)
			}
		})
	})
}

// eachArguments changes the arguments of the calls that go back, where they are JSON.
func eachArguments(change func(arguments string) string) func() Changes {
	return onRawRequest(func(r *RawRequest) {
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
		Make:    onCallsAlone(func(r *RawRequest, path string) { r.SetRaw(path+".content", "null") }),
	},
	{
		Name:     "turns/empty-text-beside-calls",
		Does:     "A turn of calls alone goes back with an empty text.",
		Sources:  []string{"https://github.com/vercel/ai/blob/main/packages/openai-compatible/src/chat/convert-to-openai-compatible-chat-messages.ts"},
		Profiles: []string{"openai", "deepseek", "groq", "vllm", "openrouter", "mistral"},
		Make:     onCallsAlone(func(r *RawRequest, path string) { r.Set(path+".content", "") }),
	},
	{
		Name:     "turns/null-refusal",
		Does:     "A turn goes back as the SDK read it, with refusal null and no annotations.",
		Sources:  []string{"https://github.com/openai/openai-node/blob/master/src/lib/AbstractChatCompletionRunner.ts (pushes the message that it got)"},
		Profiles: []string{"openai"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("assistant", func(path string, _ gjson.Result) {
				r.SetRaw(path+".refusal", "null")
				r.SetRaw(path+".annotations", "[]")
			})
		}),
	},
	{
		Name:     "turns/in-parts",
		Does:     "The text of a turn goes back as a list of one part.",
		Sources:  []string{"https://github.com/strands-agents/sdk-python/blob/main/src/strands/models/openai.py (formatted_contents)", openaiAPI + " (content of an assistant message is a string or an array)"},
		Profiles: []string{"openai"},
		Make: onRawRequest(func(r *RawRequest) {
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
		Sources: []string{messagesAPI + " (content is a string or an array)", "https://github.com/langchain-ai/langchainjs/blob/main/libs/providers/langchain-anthropic/src/utils/message_inputs.ts (content: message.content)"},
		Dialect: inBlocks,
		Make: onRawRequest(func(r *RawRequest) {
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
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("assistant", func(path string, _ gjson.Result) { r.Set(path+".name", "ada") })
		}),
	},
	{
		Name:    "turns/empty-arguments-as-an-object",
		Does:    "A call without arguments goes back with an empty object.",
		Sources: []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/chatcmpl_converter.py (func_call[\"arguments\"] else \"{}\")"},
		Make: onRawRequest(func(r *RawRequest) {
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
		Sources: []string{"https://github.com/vercel/ai/blob/main/packages/openai/src/chat/convert-to-openai-chat-messages.ts (JSON.stringify(input === undefined ? {} : input))"},
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
		Name:    "turns/arguments-parsed-and-laid-out",
		Does:    "The arguments of a call go back as a Python program writes what it parsed: with a space behind each comma and colon.",
		Sources: []string{"https://github.com/deepset-ai/haystack/blob/main/haystack/dataclasses/chat_message.py (json.dumps(tc.arguments, ensure_ascii=False))"},
		Shoulds: []string{"arguments/echoed-verbatim"},
		Why:     "Providers take it; what is lost is the cache.",
		Make:    eachArguments(spaced),
	},
	{
		Name:     "turns/refusal-under-its-own-key",
		Does:     "What a model said when it refused goes back as its refusal, and not as its text.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/chatcmpl_converter.py (new_asst[\"refusal\"])"},
		Profiles: []string{"openai"},
		Make: func() Changes {
			refusals := map[string]bool{}
			return Changes{
				RawAnswer: func(a *RawAnswer) { refusals[a.joined("refusal")] = true },
				RawRequest: func(r *RawRequest) {
					r.Each("assistant", func(path string, m gjson.Result) {
						if said := m.Get("content").String(); said != "" && refusals[said] {
							r.Set(path+".refusal", said)
							r.Delete(path + ".content")
						}
					})
				},
			}
		},
	},
	{
		Name:     "turns/reasoning-left-out",
		Does:     "The reasoning of a turn does not go back where the provider does not ask for it.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/reasoning_content_replay.py (default_should_replay_reasoning_content)"},
		Profiles: []string{"groq", "llamacpp", "fireworks", "dashscope", "ollama-messages"},
		Both:     true,
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("assistant", func(path string, _ gjson.Result) {
				for _, key := range []string{".reasoning", ".reasoning_content", ".reasoning_details"} {
					r.Delete(path + key)
				}
			})
		}),
		InBlocks: onRawRequest(func(r *RawRequest) {
			r.EachContent("assistant", func(blocks []gjson.Result) []string {
				return raws(slices.DeleteFunc(blocks, func(b gjson.Result) bool { return isBlock(b, "thinking", "redacted_thinking") }))
			})
		}),
	},
	{
		Name:     "turns/reasoning-of-answers-too",
		Does:     "The reasoning of every turn goes back, of those without calls as well.",
		Sources:  []string{"https://github.com/vercel/ai/blob/main/packages/openai-compatible/src/chat/convert-to-openai-compatible-chat-messages.ts (reasoning_content: reasoning)"},
		Profiles: []string{"llamacpp", "dashscope", "fireworks", "deepseek"},
		Make: func() Changes {
			thoughts := map[string]string{} // by the text that came with them
			return Changes{
				RawAnswer: func(a *RawAnswer) {
					if thought := a.joined("reasoning_content"); thought != "" && len(a.Calls()) == 0 {
						thoughts[a.Text()] = thought
					}
				},
				RawRequest: func(r *RawRequest) {
					r.Each("assistant", func(path string, m gjson.Result) {
						if thought := thoughts[m.Get("content").String()]; thought != "" && !m.Get("tool_calls.0").Exists() {
							r.Set(path+".reasoning_content", thought)
						}
					})
				},
			}
		},
	},
	{
		Name:    "turns/thinking-of-earlier-prompts-left-out",
		Does:    "When the user goes on, the thinking in the turns before does not go back any more.",
		Sources: []string{"https://platform.claude.com/docs/en/build-with-claude/context-editing (clear_thinking_20251015)"},
		Dialect: inBlocks,
		Make: onRawRequest(func(r *RawRequest) {
			last := -1
			for i, m := range r.Get("messages").Array() {
				if m.Get("role").String() == "user" && m.Get("content.#(type==text)").Exists() {
					last = i
				}
			}
			for i, m := range r.Get("messages").Array() {
				if i > last || m.Get("role").String() != "assistant" {
					continue
				}
				if kept := slices.DeleteFunc(m.Get("content").Array(), func(b gjson.Result) bool { return isBlock(b, "thinking", "redacted_thinking") }); len(kept) > 0 {
					r.SetRaw(fmt.Sprintf("messages.%d.content", i), list(raws(kept)))
				}
			}
		}),
	},
}

// spaced returns a JSON text with a space behind each comma and colon between its values.
func spaced(document string) string {
	value := gjson.Parse(document)
	var items []string
	switch {
	case value.IsArray():
		for _, item := range value.Array() {
			items = append(items, spaced(item.Raw))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case value.IsObject():
		value.ForEach(func(key, item gjson.Result) bool {
			items = append(items, key.Raw+": "+spaced(item.Raw))
			return true
		})
		return "{" + strings.Join(items, ", ") + "}"
	}
	return value.Raw
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
