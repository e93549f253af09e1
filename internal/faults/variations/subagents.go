package variations

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// delegating is what these loops claim besides.
var delegating = []protocol.Feature{protocol.SubAgents}

// The reference loop asks sub-agents at the same time, each in an empty conversation; what they
// answer is the result as it is.
var subAgents = []hooks.Variation{
	{
		Name:    "sub-agents/one-after-the-other",
		Does:    "Sub-agents that are called in one turn are asked one after the other.",
		Sources: []string{"https://code.visualstudio.com/docs/copilot/agents/subagents (the main agent waits for each)", "https://github.com/openai/codex (tools that are not marked as parallel run one at a time)"},
		With:    delegating,
		Make: func() hooks.Mutation {
			turn := make(chan struct{}, 1) // time goes on while others wait for it
			return hooks.OnDelegate(func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				turn <- struct{}{}
				defer func() { <-turn }()
				return run(task)
			})()
		},
	},
	{
		Name:    "sub-agents/answer-with-a-head",
		Does:    "The result of a call of a sub-agent says whose answer it is, and what to do with it.",
		Sources: []string{"https://github.com/huggingface/smolagents/blob/main/src/smolagents/prompts/toolcalling_agent.yaml (a managed agent's report: Here is the final answer from your managed agent)"},
		With:    delegating,
		Make: hooks.OnDelegate(func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
			came := run(task)
			if came.Status == protocol.Completed {
				came.Text = "Here is the final answer of your sub-agent:\n" + came.Text
			}
			return came
		}),
	},
	{
		Name:    "sub-agents/asked-by-an-input",
		Does:    "What a sub-agent has to do is a parameter with a name of the loop's own.",
		Sources: []string{"https://openai.github.io/openai-agents-python/tools/#agents-as-tools (input)"},
		With:    delegating,
		Make: hooks.OnTask(func(t *protocol.Task) {
			t.Tools = slices.Clone(t.Tools)
			for i, tool := range t.Tools {
				if tool.Agent != nil {
					t.Tools[i].Parameters = json.RawMessage(strings.ReplaceAll(string(tool.Parameters), `"prompt"`, `"input"`))
				}
			}
		}),
	},
	{
		Name:    "sub-agents/told-where-they-are",
		Does:    "The instructions of a sub-agent are followed by what the loop says of its place.",
		Sources: []string{"https://github.com/openai/openai-agents-python/blob/main/src/agents/extensions/handoff_prompt.py (a prefix about agents)", "https://github.com/MoonshotAI/kimi-code (a line about the working directory)"},
		With:    delegating,
		Make: hooks.OnDelegatedTask(func(_ protocol.Task, task *protocol.Task) {
			task.System += "\n\nYou work for another agent, which sees your last message alone."
		}),
	},
	{
		Name:    "sub-agents/told-what-was-said",
		Does:    "The conversation with a sub-agent begins with what the user has said to its caller.",
		Sources: []string{"https://github.com/mastra-ai/mastra/pull/13927 (the history of the caller is handed on as text)", "https://github.com/openai/openai-agents-python/pull/3391 (an option of the same kind)"},
		Unless:  neutral.TakesTurns, Elsewhere: "what the user said and the task of the sub-agent are one message.",
		With:    delegating,
		Shoulds: []string{"sub-agents/own-thread"},
		Why:     "a sub-agent that knows what the user wants answers better",
		Make: hooks.BeforeDelegated(func(caller []neutral.Message) []neutral.Message {
			return slices.Clone(caller[:1])
		}),
	},
}
