package faults

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// eachArguments changes the arguments of the calls that go back, where they are JSON.
func eachArguments(change func(arguments string) string) func() Mutation {
	return eachCall(func(c *neutral.Call) {
		if gjson.Valid(c.Arguments) {
			c.Arguments = change(c.Arguments)
		}
	})
}

// withoutReasoning drops the reasoning of a message that says more than that.
func withoutReasoning(m *neutral.Message) {
	if kept := keepParts(m.Parts, func(p neutral.Part) bool { return !isReasoning(p) }); len(kept) > 0 {
		m.Parts = kept
	}
}

var variationsInTurns = []Variation{
	{
		Name:      "turns/empty-arguments-as-an-object",
		Does:      "A call without arguments goes back with an empty object.",
		Sources:   []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/chatcmpl_converter.py (func_call[\"arguments\"] else \"{}\")"},
		Only:      neutral.TextArguments,
		Elsewhere: "arguments are objects anyway.",
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
		Name:      "turns/arguments-parsed-and-laid-out",
		Does:      "The arguments of a call go back as a Python program writes what it parsed: with a space after each comma and colon.",
		Sources:   []string{"https://github.com/deepset-ai/haystack/blob/main/haystack/dataclasses/chat_message.py (json.dumps(tc.arguments, ensure_ascii=False))"},
		Shoulds:   []string{"arguments/echoed-verbatim"},
		Why:       "Providers take it; what is lost is the cache.",
		Only:      neutral.TextArguments,
		Elsewhere: "arguments are objects, whose white space is that of the request.",
		Make:      eachArguments(spaced),
	},
	{
		Name:      "turns/reasoning-left-out",
		Does:      "The reasoning of a turn does not go back where the provider does not ask for it.",
		Sources:   []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/reasoning_content_replay.py (default_should_replay_reasoning_content)", "https://platform.claude.com/docs/en/build-with-claude/thinking (the signature is required)", "https://github.com/ollama/ollama/blob/main/anthropic/anthropic.go (the block is not asked for)"},
		Profiles:  []string{"groq", "llamacpp", "fireworks", "dashscope", "ollama-messages", "vllm-messages"},
		Unless:    neutral.Items,
		Elsewhere: "every provider asks for the reasoning that led to a call.",
		Make:      eachTurn(withoutReasoning),
	},
	{
		Name:      "turns/reasoning-of-answers-too",
		Does:      "The reasoning of every turn goes back, of those without calls as well.",
		Sources:   []string{"https://github.com/vercel/ai/blob/main/packages/openai-compatible/src/chat/convert-to-openai-compatible-chat-messages.ts (reasoning_content: reasoning)"},
		Profiles:  []string{"llamacpp", "dashscope", "fireworks", "deepseek"},
		Only:      neutral.PlainReasoning,
		Elsewhere: "the reasoning of every turn goes back anyway.",
		Make: func() Mutation {
			thoughts := map[string][]neutral.Part{} // by the text that came with them
			return Mutation{
				Turn: func(t *neutral.Turn) {
					if len(t.Calls()) == 0 {
						thoughts[t.Text()] = keepParts(t.Parts, isReasoning)
					}
				},
				Request: func(r *Request) {
					r.Each(neutral.Assistant, func(m *neutral.Message) {
						if len(m.Calls()) == 0 && len(m.Reasoning()) == 0 {
							m.Parts = slices.Concat(thoughts[m.Text()], m.Parts)
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
		Shoulds:   []string{"history/earlier-messages-unchanged"},
		Why:       "A prompt that ended without an answer leaves a turn of tools open, whose thinking should stay; the loop does not tell it apart.",
		Unless:    neutral.PlainReasoning,
		Elsewhere: "a provider may want the reasoning of all turns back.",
		Make: onRequest(func(r *Request) {
			for i := range r.Messages[:lastPrompt(r)] {
				withoutReasoning(&r.Messages[i])
			}
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
