package egress

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// addTools puts tools of the loop's own, which take nothing, after those of the task.
func addTools(count int, name func(i int) string) func() hooks.Mutation {
	return addToolsTaking(`{"type":"object","properties":{}}`, count, name)
}

// addToolsTaking is addTools for tools of a schema.
func addToolsTaking(schema string, count int, name func(i int) string) func() hooks.Mutation {
	return hooks.OnRequest(func(r *hooks.Request) {
		if len(r.Tools) == 0 {
			return
		}
		for i := range count {
			r.Tools = append(r.Tools, protocol.Tool{Name: name(i), Description: "Does nothing.", Parameters: []byte(schema)})
		}
	})
}

// shapes are faults in what messages, tools and parameters look like.
var shapes = []hooks.Fault{
	{
		Name:    "egress/lets-the-user-say-nothing",
		Does:    "After the results of a turn is a message of the user without a word.",
		Reports: []string{"https://github.com/NousResearch/hermes-agent/pull/3322", "https://github.com/router-for-me/CLIProxyAPI/issues/2178"},
		Breaks:  []string{"egress/no-blank-user-message", "egress/contents-have-parts", "egress/roles-take-turns"},
		Make:    hooks.OnRequest(func(r *hooks.Request) { hooks.BehindResults(r, neutral.Message{Role: neutral.User}) }),
	},
	{
		Name:    "egress/offers-a-tool-with-a-space-in-its-name",
		Does:    "A tool of the loop's own is called by a sentence.",
		Reports: []string{"https://github.com/run-llama/llama_index/issues/16093", "https://github.com/danishjsheikh/swagger-mcp/issues/13"},
		Breaks:  []string{"egress/tool-name"},
		Make:    addTools(1, func(int) string { return "give the final answer" }),
	},
	{
		Name:   "egress/offers-a-tool-twice",
		Does:   "A tool of the loop's own is registered twice.",
		Breaks: []string{"egress/tool-names-distinct"},
		Make:   addTools(2, func(int) string { return "final_answer" }),
	},
	{
		Name:    "egress/offers-hundreds-of-tools",
		Does:    "All tools that are known anywhere are offered.",
		Reports: []string{"https://github.com/Upsonic/Upsonic/issues/176", "https://github.com/zed-industries/zed/issues/42393", "https://github.com/anomalyco/opencode/issues/4909"},
		Breaks:  []string{"egress/tool-count"},
		Make:    addTools(130, func(i int) string { return fmt.Sprintf("tool_%d", i) }),
	},
	{
		Name:    "egress/loses-the-type-of-schemas",
		Does:    "The parameters of tools go out without their type.",
		Reports: []string{"https://github.com/browserbase/stagehand/issues/1159"},
		Breaks:  []string{"egress/tool-parameters-are-a-schema"},
		Make: hooks.EachTool(func(_ *hooks.Request, t *protocol.Tool) {
			t.Parameters = []byte(raw.Remove(string(t.Parameters), "type"))
		}),
	},
	{
		Name:      "egress/offers-combined-schemas",
		Does:      "The schemas of tools say at their top that one of the parameters is needed.",
		Reports:   []string{"https://github.com/langchain-ai/langchainjs/issues/9804", "https://github.com/dearlordylord/huly-mcp/issues/66"},
		Unless:    neutral.WholeCalls,
		Elsewhere: "schemas are those of OpenAPI.",
		Breaks:    []string{"egress/schema-not-combined"},
		Make: hooks.EachTool(func(_ *hooks.Request, t *protocol.Tool) {
			t.Parameters = []byte(raw.SetRaw(string(t.Parameters), "anyOf", `[{"required":["city"]}]`))
		}),
	},
	{
		Name:      "egress/marks-properties-as-required",
		Does:      "Each property of a tool says itself that it is required.",
		Reports:   []string{"https://github.com/MarkusPfundstein/mcp-gsuite/pull/34", "https://github.com/CherryHQ/cherry-studio/issues/4188"},
		Unless:    neutral.WholeCalls,
		Elsewhere: "schemas are those of OpenAPI.",
		Breaks:    []string{"egress/schema-valid"},
		Make: hooks.EachTool(func(_ *hooks.Request, t *protocol.Tool) {
			t.Parameters = []byte(raw.SetRaw(string(t.Parameters), "properties.unit", `{"type":"string","required":false}`))
		}),
	},
	{
		Name:      "egress/offers-arrays-of-anything",
		Does:      "A parameter that is a list does not say what is in it.",
		Reports:   []string{"https://github.com/digitalocean-labs/mcp-digitalocean/issues/265", "https://github.com/sigoden/aichat/pull/1049"},
		Only:      neutral.TextArguments,
		Elsewhere: "providers take such a schema, or another rule is about it.",
		Breaks:    []string{"egress/schema-complete"},
		Make: hooks.EachTool(func(_ *hooks.Request, t *protocol.Tool) {
			t.Parameters = []byte(raw.SetRaw(string(t.Parameters), "properties.tags", `{"type":"array"}`))
		}),
	},
	{
		Name:      "egress/offers-objects-without-properties",
		Does:      "A tool without parameters is offered with a schema of which only the type is said.",
		Reports:   []string{"https://github.com/spring-projects/spring-ai/issues/4776", "https://github.com/evalstate/fast-agent/issues/143"},
		Only:      neutral.TextArguments,
		Elsewhere: "providers take such a schema, or another rule is about it.",
		Breaks:    []string{"egress/schema-complete"},
		Make:      addToolsTaking(`{"type":"object"}`, 1, func(int) string { return "list_calendars" }),
	},
	{
		Name:      "egress/declares-any-schema-strict",
		Does:      "Every tool is sent as strict, whatever its schema allows.",
		Reports:   []string{"https://github.com/kevinwatt/mysql-mcp/issues/5"},
		Only:      neutral.TextArguments,
		Elsewhere: "providers close the schema themselves.",
		Breaks:    []string{"egress/strict-schema"},
		Make: hooks.EachTool(func(r *hooks.Request, t *protocol.Tool) {
			hooks.DeclareStrict(r, t, true)
			t.Parameters = []byte(raw.Remove(string(t.Parameters), "additionalProperties"))
		}),
	},
	{
		Name:    "egress/ends-with-words-of-its-own",
		Does:    "After tool results the loop begins the model's answer for it.",
		Reports: []string{"https://github.com/BerriAI/litellm/issues/8090"},
		Breaks:  []string{"egress/ends-with-the-user", "egress/last-message"},
		Make:    hooks.OnRequest(func(r *hooks.Request) { hooks.BehindResults(r, neutral.Says(neutral.Assistant, "I have the results.")) }),
	},
	{
		Name: "egress/cuts-an-emoji-in-two",
		Does: "Long results are cut after 16 001 units of UTF-16, with a note, wherever a character begins.",
		Reports: []string{
			"https://github.com/anthropics/claude-code/issues/56064",
			"https://github.com/microsoft/vscode/issues/335404",
			"https://github.com/anomalyco/opencode/pull/17758",
			"https://github.com/BYK/loreai/pull/68",
		},
		Breaks: []string{"egress/valid-unicode"},
		Make:   cutsUnits(16_001),
	},
	{
		Name:    "egress/reminds-in-the-middle",
		Does:    "After tool results a system message repeats how to behave.",
		Reports: []string{"https://github.com/vllm-project/vllm/issues/41114", "https://github.com/ggml-org/llama.cpp/issues/27367"},
		Breaks:  []string{"egress/system-messages-first"},
		Make:    hooks.OnRequest(func(r *hooks.Request) { hooks.BehindResults(r, neutral.Says(neutral.System, "Stay polite.")) }),
	},
	{
		Name: "egress/returns-broken-arguments",
		Does: "Arguments that are no JSON go back as the model wrote them, also to a provider that reads them.",
		Reports: []string{
			"https://github.com/HKUDS/nanobot/issues/1487",
			"https://github.com/alibaba/spring-ai-alibaba/issues/4533",
			"https://github.com/trpc-group/trpc-agent-go/issues/1213",
		},
		Only:      neutral.TextArguments,
		Elsewhere: "arguments are objects, which always parse.",
		Breaks:    []string{"egress/arguments-parse"},
		Make: hooks.OnTask(func(t *protocol.Task) {
			if slices.Contains([]string{"dashscope", "ollama", "sglang", "vllm"}, t.Profile) {
				t.Profile = "openai"
			}
		}),
	},
}
