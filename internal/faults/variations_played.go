package faults

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// variationsPlayed are correct loops that are played otherwise than the reference loop: by what
// they offer, ask again and remember.
var variationsPlayed = []Variation{
	{
		Name:    "retries/answer-that-was-lost",
		Does:    "The first answer with calls is lost on its way, and the request is sent again.",
		Sources: []string{"https://github.com/openai/openai-python/blob/main/src/openai/_base_client.py (a connection that breaks is tried again)"},
		Shoulds: []string{"limits/answer-asked-for-once"},
		Why:     "Only the loop knows that the answer did not arrive.",
		Make:    losesOneAnswer,
	},
	{
		Name:    "tools/of-a-plugin",
		Does:    "Tools are offered in the namespace of a plugin.",
		Sources: []string{"https://learn.microsoft.com/en-us/semantic-kernel/concepts/ai-services/chat-completion/function-calling/ (plugin-function)"},
		Make:    offeredIn("weather-"),
	},
	{
		Name:    "tools/of-a-server",
		Does:    "Tools are offered in the namespace of an MCP server.",
		Sources: []string{"https://docs.claude.com/en/docs/claude-code/sdk/custom-tools (mcp__server__tool)"},
		Make:    offeredIn("mcp__loopproof__"),
	},
	{
		Name:    "tools/in-small-letters-and-underscores",
		Does:    "Tools are offered under their names in small letters, with underscores, which the loop knows to be theirs in calls.",
		Sources: []string{"https://github.com/Hmbown/Codewhale/issues/4729 (sanitize_component)", "https://github.com/openai/codex/blob/main/codex-rs/codex-mcp/src/mcp/mod.rs (sanitize_responses_api_tool_name)"},
		Make: spelledAs(func(name string, _ int) string {
			return strings.ToLower(strings.ReplaceAll(name, "-", "_"))
		}),
	},
	{
		Name:    "tools/without-separators",
		Does:    "Tools are offered under the letters of their names, which the loop knows to be theirs in calls.",
		Sources: []string{"https://github.com/Hmbown/Codewhale/issues/4729 (names are made such as all providers take them, and mapped back)"},
		Make: spelledAs(func(name string, _ int) string {
			return strings.NewReplacer("-", "", "_", "").Replace(name)
		}),
	},
	{
		Name:    "tools/cut-and-numbered",
		Does:    "Tools are offered under the first letters of their names and a number, which the loop knows to be theirs in calls.",
		Sources: []string{"https://github.com/openai/codex/blob/main/codex-rs/codex-mcp/src/tools.rs (unique_callable_parts: names that are too long, or equal once they are sanitized, are cut and get a hash)"},
		Make: spelledAs(func(name string, number int) string {
			return fmt.Sprintf("%s_%d", name[:min(len(name), 24)], number)
		}),
	},
	{
		Name:    "tools/of-two-servers",
		Does:    "Tools are offered in the namespaces of two MCP servers by turns, and called by their own names.",
		Sources: []string{"https://docs.claude.com/en/docs/claude-code/sdk/custom-tools (mcp__server__tool)"},
		Make: spelledAs(func(name string, number int) string {
			return fmt.Sprintf("mcp__server%d__%s", number%2, name)
		}),
	},
	{
		Name:    "turns/summary-in-the-system-prompt",
		Does:    "Of a long conversation the six newest messages are sent, and the system prompt ends with a summary of those before.",
		Sources: []string{"https://docs.letta.com/guides/agents/memory-blocks (what the agent keeps in memory is at the start of its prompt)"},
		Designs: []protocol.Design{protocol.WindowedHistory},
		Unless:  neutral.WholeCalls, Elsewhere: "a history that begins with a call is refused.",
		Make: onRequest(func(r *Request) {
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
		Make: onRequest(func(r *Request) {
			n := 0
			r.EachRound(func(round *Round) {
				given := map[string]string{}
				for _, c := range round.Calls() {
					n++
					given[c.ID] = fmt.Sprintf("call_%04d", n)
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
		Name:    "execution/integers-of-a-double",
		Does:    "Integers are offered with the bounds of a double, and a call beyond them is answered with an error.",
		Sources: []string{"https://zod.dev/json-schema (z.int() becomes an integer between -9007199254740991 and 9007199254740991)"},
		Make:    boundsIntegers,
	},
	{
		Name: "turns/own-model",
		Does: "Every request asks a model that the loop knows by name, and not that of the task.",
		Sources: []string{
			"https://github.com/vercel/ai/blob/main/packages/deepseek/src/chat/is-deepseek-v4-model.ts (what goes back of the reasoning depends on the name)",
			"https://github.com/langchain-ai/langchainjs/blob/main/libs/providers/langchain-google-genai/src/utils/common.ts (signatures depend on whether the name has gemini-3 in it)",
		},
		Designs: []protocol.Design{protocol.OwnModel},
		Make:    onRequest(func(r *Request) { r.Model = "gpt-5" }),
	},
	{
		Name:      "turns/newest-eight",
		Does:      "Of a long conversation the eight newest messages are sent.",
		Sources:   []string{"https://docs.langchain.com/oss/python/langchain/short-term-memory (trim messages)", "https://docs.spring.io/spring-ai/reference/api/chat-memory.html (MessageWindowChatMemory)"},
		Designs:   []protocol.Design{protocol.WindowedHistory},
		Unless:    neutral.WholeCalls,
		Elsewhere: "a history that begins with a call is refused.",
		Make:      onRequest(keepNewest(8)),
	},
	{
		Name:      "turns/newest-four",
		Does:      "Of a long conversation the four newest messages are sent, with the call of the first of them where that is a result.",
		Sources:   []string{"https://docs.spring.io/spring-ai/reference/api/chat-memory.html (MessageWindowChatMemory: maxMessages)", "https://docs.langchain4j.dev/tutorials/chat-memory (MessageWindowChatMemory.withMaxMessages)"},
		Designs:   []protocol.Design{protocol.WindowedHistory},
		Unless:    neutral.WholeCalls,
		Elsewhere: "a history that begins with a call is refused.",
		Make:      onRequest(keepNewest(4)),
	},
	{
		Name:    "turns/newest-two-prompts",
		Does:    "Of a long conversation the last two prompts are sent, with all that was said and done since.",
		Sources: []string{"https://developers.openai.com/cookbook/examples/agents_sdk/session_memory (TrimmingSession: the last turns of the user)", "https://docs.langchain.com/oss/python/langchain/short-term-memory (trim_messages with start_on human)"},
		Designs: []protocol.Design{protocol.WindowedHistory},
		Make:    onRequest(keepNewestPrompts(2)),
	},
	{
		Name:    "turns/summary-of-the-oldest",
		Does:    "Of a long conversation the six newest messages are sent, after a summary of those before, in the user's name.",
		Sources: []string{"https://docs.langchain.com/oss/python/langchain/short-term-memory (SummarizationMiddleware)", "https://strandsagents.com/latest/documentation/docs/user-guide/concepts/agents/conversation-management/ (SummarizingConversationManager)"},
		Designs: []protocol.Design{protocol.WindowedHistory},
		Make: onRequest(func(r *Request) {
			all := len(r.Messages)
			if keepNewest(6)(r); len(r.Messages) < all {
				r.Messages = slices.Insert(r.Messages, 0, neutral.Says(neutral.User, "Here is a summary of the conversation to date: tools were called."))
			}
		}),
	},
	{
		Name:    "endings/answers-by-a-tool",
		Does:    "The model ends a conversation by a call of the tool final_answer.",
		Sources: []string{"https://huggingface.co/docs/smolagents/reference/default_tools (FinalAnswerTool)"},
		Designs: []protocol.Design{protocol.AnswersByTool},
		Make:    answersByTool,
	},
	{
		Name:    "prompts/questions-and-answers-alone",
		Does:    "When the user goes on, the tool calls and results of earlier prompts are not in the history.",
		Sources: []string{"https://docs.spring.io/spring-ai/reference/api/chat-memory.html (the messages of tool calls are not stored in the memory)"},
		Make:    onRequest(keepQuestionsAndAnswers),
	},
}

// keepNewest lets only so many of the newest messages go with a request. What would be a result
// without its call goes, too.
func keepNewest(most int) func(*Request) {
	return func(r *Request) {
		from := max(0, len(r.Messages)-most)
		for from > 0 && r.Messages[from].Role == neutral.Tool {
			from--
		}
		r.Messages = r.Messages[from:]
	}
}

// keepNewestPrompts lets only so many of the newest prompts go with a request, with all that is
// after them.
func keepNewestPrompts(most int) func(*Request) {
	return func(r *Request) {
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

// finalAnswer is the tool by which the model answers such a loop.
const finalAnswer = "final_answer"

// answersByTool ends a conversation by a call of the tool final_answer alone.
func answersByTool() Mutation {
	final := protocol.Tool{
		Name: finalAnswer, Description: "Give the answer.",
		Parameters: []byte(`{"type":"object","properties":{"answer":{"type":"string"}},"required":["answer"]}`),
	}
	return Mutation{
		Request: func(r *Request) { r.Tools = append(r.Tools, final) },
		Turn: func(t *neutral.Turn) {
			for _, c := range t.Calls() {
				if c.Name == final.Name {
					t.Finish = neutral.Stop
					t.Parts = append(keepParts(t.Parts, isReasoning), &neutral.Text{Text: gjson.Get(c.Arguments, "answer").String()})
					return
				}
			}
		},
	}
}

// offeredIn offers the tools of a task in a namespace.
func offeredIn(namespace string) func() Mutation {
	return onTask(func(t *protocol.Task) {
		t.Tools = slices.Clone(t.Tools)
		for i := range t.Tools {
			t.Tools[i].Name = namespace + t.Tools[i].Name
		}
	})
}

// spelledAs offers the tools of a task under other names. Those are on the wire alone: the loop
// runs the tools, and records what it did, under their own.
func spelledAs(spell func(name string, number int) string) func() Mutation {
	return func() Mutation {
		wire, own := map[string]string{}, map[string]string{}
		translate := func(names map[string]string, name *string) {
			if other, known := names[*name]; known {
				*name = other
			}
		}
		return Mutation{
			Request: func(r *Request) {
				for i := range r.Tools {
					name := r.Tools[i].Name
					r.Tools[i].Name = spell(name, i+1)
					wire[name], own[r.Tools[i].Name] = r.Tools[i].Name, name
				}
				eachPart(r, func(c *neutral.Call) { translate(wire, &c.Name) })
				eachPart(r, func(res *neutral.Result) { translate(wire, &res.Name) })
			},
			Turn: func(t *neutral.Turn) {
				for _, c := range t.Calls() {
					translate(own, &c.Name)
				}
			},
		}
	}
}

const maxSafeInteger = 1<<53 - 1

// boundsIntegers offers integers as zod describes them, and validates the arguments of calls by
// that.
func boundsIntegers() Mutation {
	return Mutation{
		Request: func(r *Request) {
			for i := range r.Tools {
				schema := string(r.Tools[i].Parameters)
				for _, name := range properties(schema) {
					if at := "properties." + name; gjson.Get(schema, at+".type").String() == "integer" {
						schema = raw.Set(raw.Set(schema, at+".minimum", -maxSafeInteger), at+".maximum", maxSafeInteger)
					}
				}
				r.Tools[i].Parameters = []byte(schema)
			}
		},
		Tool: func(r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
			for _, value := range gjson.Parse(r.Arguments).Map() {
				if value.Type == gjson.Number && math.Abs(value.Num) > maxSafeInteger {
					return ToolResult{Status: http.StatusUnprocessableEntity, Body: "Too big: expected an integer of at most 9007199254740991"}
				}
			}
			return post(r)
		},
	}
}

// losesOneAnswer asks for the first answer with calls again.
func losesOneAnswer() Mutation {
	lost := false
	return Mutation{
		Loop: func(l *refloop.Loop) { l.Attempts = 4 }, // one more, since an attempt is lost
		Answer: func(a *Answer) {
			if !lost && a.OK() && a.Err == nil && a.Finish() == neutral.Calls {
				lost = true
				a.Fail("the connection was reset")
			}
		},
	}
}
