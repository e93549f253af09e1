package variations

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// eachArguments changes the arguments of the calls that go back, where they are JSON.
func eachArguments(change func(arguments string) string) func() hooks.Mutation {
	return hooks.EachCall(func(c *neutral.Call) {
		if gjson.Valid(c.Arguments) {
			c.Arguments = change(c.Arguments)
		}
	})
}

// withoutReasoning drops the reasoning of a message that says more than that.
func withoutReasoning(m *neutral.Message) {
	if kept := hooks.KeepParts(m.Parts, func(p neutral.Part) bool { return !hooks.IsReasoning(p) }); len(kept) > 0 {
		m.Parts = kept
	}
}

var turns = []hooks.Variation{
	{
		Name:      "turns/empty-arguments-as-an-object",
		Does:      "A call without arguments goes back with an empty object.",
		Sources:   []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/models/chatcmpl_converter.py (func_call[\"arguments\"] else \"{}\")"},
		Only:      neutral.TextArguments,
		Elsewhere: "arguments are objects anyway.",
		Make: hooks.EachCall(func(c *neutral.Call) {
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
		Profiles:  []string{"groq", "llamacpp", "fireworks", "dashscope", "ollama-messages", "vllm-messages", "bedrock-nova", "cohere"},
		Unless:    neutral.Items | neutral.TextReasoning,
		Elsewhere: "every provider asks for the reasoning that led to a call.",
		Make:      hooks.EachTurn(withoutReasoning),
	},
	{
		Name:      "turns/reasoning-of-answers-too",
		Does:      "The reasoning of every turn goes back, of those without calls as well.",
		Sources:   []string{"https://github.com/vercel/ai/blob/main/packages/openai-compatible/src/chat/convert-to-openai-compatible-chat-messages.ts (reasoning_content: reasoning)"},
		Profiles:  []string{"llamacpp", "dashscope", "fireworks", "deepseek"},
		Only:      neutral.PlainReasoning,
		Elsewhere: "the reasoning of every turn goes back anyway.",
		Make: func() hooks.Mutation {
			thoughts := map[string][]neutral.Part{} // by the text that came with them
			return hooks.Mutation{
				Turn: func(t *neutral.Turn) {
					if len(t.Calls()) == 0 {
						thoughts[t.Text()] = hooks.KeepParts(t.Parts, hooks.IsReasoning)
					}
				},
				Request: func(r *hooks.Request) {
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
		Make: hooks.OnRequest(func(r *hooks.Request) {
			for i := range r.Messages[:hooks.LastPrompt(r)] {
				withoutReasoning(&r.Messages[i])
			}
		}),
	},
	{
		Name:    "turns/in-a-window",
		Does:    "Of a long conversation the last four turns with tools are sent, each with its results.",
		Sources: []string{"https://strandsagents.com/latest/documentation/docs/user-guide/concepts/agents/conversation-management/ (SlidingWindowConversationManager)", "https://docs.langchain4j.dev/tutorials/chat-memory (MessageWindowChatMemory)"},
		Shoulds: []string{"history/only-grows"},
		Why:     "The model's own window is limited, and so is what the caller wants to pay.",
		Unless:  neutral.CallsByName, Elsewhere: "calls have no ids by which what is left can be told from what was changed.",
		Make: hooks.OnRequest(func(r *hooks.Request) {
			left := r.Rounds()
			r.EachRound(func(round *hooks.Round) {
				if left--; len(r.Task.Prompts) == 1 && left >= 4 {
					round.Become()
				}
			})
		}),
	},
	{
		Name:    "turns/summary-in-the-system-prompt",
		Does:    "Of a long conversation the six newest messages are sent, and the system prompt ends with a summary of those before.",
		Sources: []string{"https://docs.letta.com/guides/agents/memory-blocks (what the agent keeps in memory is at the start of its prompt)"},
		Designs: []protocol.Design{protocol.WindowedHistory},
		Unless:  neutral.WholeCalls | neutral.TakesTurns, Elsewhere: "a history that begins with the model is refused.",
		Make: hooks.OnRequest(func(r *hooks.Request) {
			all := len(r.Messages)
			if keepNewest(6)(r); len(r.Messages) < all {
				r.System = strings.TrimSpace(r.System + "\n\n<summary>Tools were called.</summary>")
			}
		}),
	},
	{
		Name:    "turns/ids-of-its-own",
		Does:    "The loop numbers the calls of a conversation itself, and sends them and their results under these numbers.",
		Sources: []string{"https://github.com/earendil-works/pi/blob/main/packages/ai/src/api/transform-messages.ts (normalizeToolCallId: ids of calls of another model are changed for this one)"},
		Shoulds: []string{"pairing/ids-echoed"},
		Why:     "A conversation that moves to another provider has ids in the form that this one takes.",
		Make: hooks.OnRequest(func(r *hooks.Request) {
			n := 0
			r.EachRound(func(round *hooks.Round) {
				given := map[string]string{}
				for _, c := range round.Calls() {
					n++
					given[c.ID] = fmt.Sprintf("call%05d", n) // nine letters and digits, which Mistral wants
				}
				if len(given) < len(round.Calls()) || given[""] != "" { // ids that the provider gave twice, or not at all
					return
				}
				for _, c := range round.Calls() {
					c.ID = given[c.ID]
				}
				for _, res := range round.Results {
					res.CallID = given[res.CallID]
				}
			})
		}),
	},
	{
		Name: "turns/own-model",
		Does: "Every request asks a model that the loop knows by name, and not that of the task, but for those to the second model of one.",
		Sources: []string{
			"https://github.com/vercel/ai/blob/main/packages/deepseek/src/chat/is-deepseek-v4-model.ts (what goes back of the reasoning depends on the name)",
			"https://github.com/langchain-ai/langchainjs/blob/main/libs/providers/langchain-google-genai/src/utils/common.ts (signatures depend on whether the name has gemini-3 in it)",
		},
		Designs: []protocol.Design{protocol.OwnModel},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if r.Model == r.Task.Model {
				r.Model = "gpt-5"
			}
		}),
	},
	{
		Name:      "turns/newest-eight",
		Does:      "Of a long conversation the eight newest messages are sent.",
		Sources:   []string{"https://docs.langchain.com/oss/python/langchain/short-term-memory (trim messages)", "https://docs.spring.io/spring-ai/reference/api/chat-memory.html (MessageWindowChatMemory)"},
		Designs:   []protocol.Design{protocol.WindowedHistory},
		Unless:    neutral.WholeCalls | neutral.TakesTurns,
		Elsewhere: "a history that begins with the model is refused.",
		Make:      hooks.OnRequest(keepNewest(8)),
	},
	{
		Name:      "turns/newest-four",
		Does:      "Of a long conversation the four newest messages are sent, with the call of the first of them where that is a result.",
		Sources:   []string{"https://docs.spring.io/spring-ai/reference/api/chat-memory.html (MessageWindowChatMemory: maxMessages)", "https://docs.langchain4j.dev/tutorials/chat-memory (MessageWindowChatMemory.withMaxMessages)"},
		Designs:   []protocol.Design{protocol.WindowedHistory},
		Unless:    neutral.WholeCalls | neutral.TakesTurns,
		Elsewhere: "a history that begins with the model is refused.",
		Make:      hooks.OnRequest(keepNewest(4)),
	},
	{
		Name:    "turns/newest-two-prompts",
		Does:    "Of a long conversation the last two prompts are sent, with all that was said and done since.",
		Sources: []string{"https://developers.openai.com/cookbook/examples/agents_sdk/session_memory (TrimmingSession: the last turns of the user)", "https://docs.langchain.com/oss/python/langchain/short-term-memory (trim_messages with start_on human)"},
		Designs: []protocol.Design{protocol.WindowedHistory},
		Make:    hooks.OnRequest(keepNewestPrompts(2)),
	},
	{
		Name:    "turns/summary-of-the-oldest",
		Does:    "Of a long conversation the six newest messages are sent, after a summary of those before, in the user's name.",
		Sources: []string{"https://docs.langchain.com/oss/python/langchain/short-term-memory (SummarizationMiddleware)", "https://strandsagents.com/latest/documentation/docs/user-guide/concepts/agents/conversation-management/ (SummarizingConversationManager)"},
		Designs: []protocol.Design{protocol.WindowedHistory},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			all := len(r.Messages)
			if keepNewest(6)(r); len(r.Messages) < all {
				r.Messages = slices.Insert(r.Messages, 0, neutral.Says(neutral.User, "Here is a summary of the conversation to date: tools were called."))
			}
		}),
	},
	{
		Name:      "turns/broken-input-empty",
		Does:      "A call whose input is not JSON goes back with an empty input, alongside a result that says what was wrong.",
		Sources:   []string{"https://github.com/pydantic/pydantic-ai/pull/4431", "https://github.com/anthropics/anthropic-sdk-go/blob/main/messageutil.go (an input that is not JSON becomes {})"},
		Unless:    neutral.TextArguments,
		Elsewhere: "arguments are texts, which go back as they came.",
		Make:      mendsInputs(func(string) string { return `{}` }),
	},
	{
		Name:      "turns/broken-input-as-far-as-it-is-whole",
		Does:      "A call whose input is not JSON goes back with as much of it as can be read, alongside a result that says what was wrong.",
		Sources:   []string{"https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/lib/MessageStream.ts (partialParse)", "https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/lib/streaming/_messages.py (from_json with partial_mode)"},
		Unless:    neutral.TextArguments,
		Elsewhere: "arguments are texts, which go back as they came.",
		Make:      mendsInputs(asFarAsWhole),
	},
	{
		Name:      "turns/broken-input-under-another-key",
		Does:      "A call whose input is not JSON goes back with its text in an object of the loop's own, alongside a result that says what was wrong.",
		Sources:   []string{"https://github.com/pydantic/pydantic-ai/pull/4588"},
		Unless:    neutral.TextArguments,
		Elsewhere: "arguments are texts, which go back as they came.",
		Make:      mendsInputs(func(written string) string { return raw.Set(`{}`, "__malformed_args__", written) }),
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

// mendsInputs makes a loop that sends another object instead of an input that is not JSON.
func mendsInputs(instead func(written string) string) func() hooks.Mutation {
	return hooks.EachCall(func(c *neutral.Call) {
		if written := gjson.Get(c.Arguments, "INVALID_JSON"); written.Exists() {
			c.Arguments = instead(written.String())
		}
	})
}

// asFarAsWhole closes an object after the last of its members that is whole, or returns an empty
// one.
func asFarAsWhole(written string) string {
	for end := len(written); end > 0; end = strings.LastIndexByte(written[:end], ',') {
		if closed := written[:end] + "}"; gjson.Valid(closed) {
			return closed
		}
	}
	return `{}`
}

// keepNewest lets only so many of the newest messages go with a request. What would be a result
// without its call goes, too.
func keepNewest(most int) func(*hooks.Request) {
	return func(r *hooks.Request) {
		from := max(0, len(r.Messages)-most)
		for from > 0 && r.Messages[from].Role == neutral.Tool {
			from--
		}
		r.Messages = r.Messages[from:]
	}
}

// keepNewestPrompts lets only so many of the newest prompts go with a request, with all that is
// after them.
func keepNewestPrompts(most int) func(*hooks.Request) {
	return func(r *hooks.Request) {
		for i := len(r.Messages) - 1; i >= 0 && most > 0; i-- {
			if r.Messages[i].Role != neutral.User {
				continue
			}
			if most--; most == 0 {
				r.Messages = r.Messages[i:]
			}
		}
	}
}
