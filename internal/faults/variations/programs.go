package variations

import (
	"slices"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// programs are what loops do otherwise with code of the provider that calls their tools.
var programs = []hooks.Variation{
	{
		Name:    "programs/container-while-code-waits",
		Does:    "The container is named while code of the provider waits for results, and not behind its end.",
		Sources: []string{"https://platform.claude.com/docs/en/agents-and-tools/tool-use/programmatic-tool-calling (the id is required while calls are pending, and optional otherwise)"},
		With:    []protocol.Feature{protocol.ProgrammaticTools},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			ended := func(p neutral.Part) bool { return hooks.IsForeign(p, "code_execution_tool_result") }
			if slices.ContainsFunc(r.Messages, func(m neutral.Message) bool { return slices.ContainsFunc(m.Parts, ended) }) {
				r.Container = ""
			}
		}),
	},
	{
		Name:    "programs/results-of-the-model-name-it",
		Does:    "The result of a call that the model made itself says so.",
		Sources: []string{"https://github.com/openai/openai-python/blob/main/src/openai/types/responses/response_input_item_param.py (FunctionCallOutput: caller is direct, a program or null)"},
		With:    []protocol.Feature{protocol.ProgrammaticTools},
		Make: hooks.EachResult(func(p *neutral.Result) {
			if p.Caller == nil {
				p.Caller = []byte(`{"type":"direct"}`)
			}
		}),
	},
}
