package faults

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
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

var variationsInTurns = []Variation{
	{
		Name:    "turns/null-beside-calls",
		Does:    "A turn of calls alone goes back with the content null.",
		Sources: []string{openaiAPI + " (content is optional beside tool_calls)", "https://github.com/openai/openai-node/blob/master/src/lib/AbstractChatCompletionRunner.ts", "https://github.com/vercel/ai/blob/main/packages/openai/src/chat/convert-to-openai-chat-messages.ts (text || null)"},
		Dialect: inChat,
		Make:    onCallsAlone(func(r *RawRequest, path string) { r.SetRaw(path+".content", "null") }),
	},
	{
		Name:     "turns/empty-text-beside-calls",
		Does:     "A turn of calls alone goes back with an empty text.",
		Sources:  []string{"https://github.com/vercel/ai/blob/main/packages/openai-compatible/src/chat/convert-to-openai-compatible-chat-messages.ts"},
		Profiles: []string{"openai", "deepseek", "groq", "vllm", "openrouter", "mistral"},
		Dialect:  inChat,
		Make:     onCallsAlone(func(r *RawRequest, path string) { r.Set(path+".content", "") }),
	},
	{
		Name:     "turns/null-refusal",
		Does:     "A turn goes back as the SDK read it, with refusal null and no annotations.",
		Sources:  []string{"https://github.com/openai/openai-node/blob/master/src/lib/AbstractChatCompletionRunner.ts (pushes the message that it got)"},
		Profiles: []string{"openai"},
		Dialect:  inChat,
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
		Dialect:  inChat,
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
		Dialect:  inChat,
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("assistant", func(path string, _ gjson.Result) { r.Set(path+".name", "ada") })
		}),
	},
	{
		Name:      "turns/empty-arguments-as-an-object",
		Does:      "A call without arguments goes back with an empty object.",
		Sources:   []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/chatcmpl_converter.py (func_call[\"arguments\"] else \"{}\")"},
		Only:      neutral.TextArguments,
		Elsewhere: "arguments are objects already.",
		Make: eachCall(func(c *neutral.Call) {
			if strings.TrimSpace(c.Arguments) == "" {
				c.Arguments = "{}"
			}
		}),
	},
	{
		Name:    "turns/arguments-parsed-and-written-anew",
		Does:    "The arguments of a call go back as a JavaScript program writes what it parsed: without spaces, and with numbers in floating point.",
		Sources: []string{"https://github.com/vercel/ai/blob/main/packages/openai/src/chat/convert-to-openai-chat-messages.ts (JSON.stringify(input === undefined ? {} : input))"},
		Why:     "Providers take it; what is lost are the cache and the digits of large integers.",
		Shoulds: []string{"arguments/echoed-verbatim", "arguments/big-integers-echoed"},
		Make: eachCall(func(c *neutral.Call) {
			var value any
			if json.Unmarshal([]byte(c.Arguments), &value) == nil {
				c.Arguments = string(written(value))
			}
		}),
	},
	{
		Name:      "turns/arguments-parsed-and-laid-out",
		Does:      "The arguments of a call go back as a Python program writes what it parsed: with a space behind each comma and colon.",
		Sources:   []string{"https://github.com/deepset-ai/haystack/blob/main/haystack/dataclasses/chat_message.py (json.dumps(tc.arguments, ensure_ascii=False))"},
		Only:      neutral.TextArguments,
		Elsewhere: "arguments are objects, in which white space is nothing.",
		Why:       "Providers take it; what is lost is the cache.",
		Shoulds:   []string{"arguments/echoed-verbatim"},
		Make: eachCall(func(c *neutral.Call) {
			if gjson.Valid(c.Arguments) {
				c.Arguments = spaced(c.Arguments)
			}
		}),
	},
	{
		Name:     "turns/refusal-under-its-own-key",
		Does:     "What a model said when it refused goes back as its refusal, and not as its text.",
		Sources:  []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/chatcmpl_converter.py (new_asst[\"refusal\"])"},
		Profiles: []string{"openai"},
		Dialect:  inChat,
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
		Make: eachTurn(func(m *neutral.Message) {
			m.Parts = keepParts(m.Parts, func(p neutral.Part) bool { return !isReasoning(p) })
		}),
	},
	{
		Name:      "turns/reasoning-of-answers-too",
		Does:      "The reasoning of every turn goes back, of those without calls as well.",
		Sources:   []string{"https://github.com/vercel/ai/blob/main/packages/openai-compatible/src/chat/convert-to-openai-compatible-chat-messages.ts (reasoning_content: reasoning)"},
		Profiles:  []string{"llamacpp", "dashscope", "fireworks", "deepseek"},
		Only:      neutral.PlainReasoning,
		Elsewhere: "all of it goes back by itself.",
		Make: func() Changes {
			thoughts := map[string][]neutral.Part{} // by the text that came with them
			return Changes{
				Turn: func(t *neutral.Turn) {
					if len(t.Calls()) == 0 {
						thoughts[t.Said()] = keepParts(t.Parts, isPlain)
					}
				},
				Request: func(r *Request) {
					r.Each(neutral.Assistant, func(m *neutral.Message) {
						if thought := thoughts[m.Text()]; len(m.Calls()) == 0 && len(m.Reasoning()) == 0 {
							m.Parts = slices.Concat(thought, m.Parts)
						}
					})
				},
			}
		},
	},
	{
		Name:      "turns/thinking-of-earlier-prompts-left-out",
		Does:      "When the user goes on, the thinking in the turns before does not go back any more.",
		Sources:   []string{"https://platform.claude.com/docs/en/build-with-claude/context-editing (clear_thinking_20251015)"},
		Unless:    neutral.PlainReasoning,
		Elsewhere: "reasoning of earlier prompts does not go back, or has to.",
		Make: onRequest(func(r *Request) {
			at := lastPrompt(r)
			for i, m := range r.Messages[:at] {
				if kept := keepParts(m.Parts, func(p neutral.Part) bool { return !isReasoning(p) }); len(kept) > 0 {
					r.Messages[i].Parts = kept
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
