package faults

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"sync"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

var variationsInExecution = []Variation{
	{
		Name:    "execution/one-after-the-other",
		Does:    "The tools of a turn run one after the other.",
		Sources: []string{"https://github.com/openai/openai-node/blob/master/src/lib/AbstractChatCompletionRunner.ts (a loop over the calls)", "https://github.com/cloudwego/eino/blob/main/compose/tool_node.go (ExecuteSequentially)"},
		Make:    oneByOne(false, true),
	},
	{
		Name:    "execution/hides-call-ids",
		Does:    "A tool is not told which call it answers.",
		Sources: []string{"https://github.com/openai/openai-node/blob/master/src/lib/RunnableFunction.ts (a function gets its arguments, and the runner)", "https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/lib/tools/_beta_functions.py (call, with its input alone)"},
		Make:    onTool(hidden),
	},
	{
		Name:    "execution/failed-tools-tried-again",
		Does:    "A tool that failed is run once more, and the model is told what came of that.",
		Sources: []string{"https://reference.langchain.com/javascript/langchain/index/toolRetryMiddleware (two retries by default)"},
		Make: onTool(func(r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
			result := post(r)
			if result.Status != http.StatusOK && r.ctx.Err() == nil {
				result = post(r)
			}
			return result
		}),
	},
	{
		Name:    "execution/two-at-a-time",
		Does:    "Of the tools of a turn at most two run at the same time.",
		Sources: []string{"https://github.com/deepset-ai/haystack/blob/main/haystack/components/agents/agent.py (tool_concurrency_limit)"},
		Make: func() Mutation {
			places := make(chan struct{}, 2)
			return Mutation{Timing: true, Tool: func(r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
				select {
				case places <- struct{}{}:
					defer func() { <-places }()
				case <-r.ctx.Done():
				}
				return post(r)
			}}
		},
	},
	{
		Name:    "execution/ten-calls-a-turn",
		Does:    "Of the calls of a turn ten are run, and the others refused.",
		Sources: []string{"https://github.com/TanStack/ai/pull/965 (maxToolCallsPerTurn)", "https://github.com/openbraininstitute/neuroagent/pull/242 (the remaining ones get an answer stating that they could not be executed)"},
		Shoulds: []string{"execution/every-call-run"},
		Why:     "The model is told, and may call again; what is lost is a turn.",
		Make: perTurn(func(run *int, _ []*neutral.Call, r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
			if *run++; *run > 10 {
				return ToolResult{Status: http.StatusInternalServerError, Body: "not run: ten calls a turn are the limit"}
			}
			return post(r)
		}),
	},
	{
		Name:    "execution/arguments-laid-out",
		Does:    "A tool gets its arguments as they were parsed and written again, with white space between them.",
		Sources: []string{"https://docs.python.org/3/library/json.html#json.dumps (separators)"},
		Make:    onTool(withArguments(func(b *bytes.Buffer, arguments []byte) error { return json.Indent(b, arguments, "", " ") })),
	},
	{
		Name: "execution/cached-results",
		Does: "A call like one of an earlier turn is answered with the result of that one, where it was not an error.",
		Sources: []string{
			"https://docs.crewai.com/en/concepts/crews (cache: whether to store the results of tools' execution)",
			"https://github.com/crewAIInc/crewAI/blob/main/lib/crewai/src/crewai/crew.py (cache: repeated calls to the same tool with identical arguments return the first result without re-executing the tool)",
		},
		Designs: []protocol.Design{protocol.CachedResults},
		Make:    cachesResults,
	},
}

// withArguments runs a tool with its arguments written otherwise.
func withArguments(write func(b *bytes.Buffer, arguments []byte) error) func(*ToolRun, func(*ToolRun) ToolResult) ToolResult {
	return func(r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
		var b bytes.Buffer
		if write(&b, []byte(r.Arguments)) == nil {
			r.Arguments = b.String()
		}
		return post(r)
	}
}

// cachesResults answers a call like one of an earlier turn from its cache. Failures are not kept:
// they may pass.
func cachesResults() Mutation {
	var mu sync.Mutex
	kept, fresh := map[string]ToolResult{}, map[string]ToolResult{}
	return Mutation{
		Answer: func(*Answer) {
			mu.Lock()
			defer mu.Unlock()
			maps.Copy(kept, fresh)
		},
		Tool: func(r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
			key := r.Name + " " + r.Arguments
			mu.Lock()
			known, ok := kept[key]
			mu.Unlock()
			if ok {
				return known
			}
			result := post(r)
			mu.Lock()
			defer mu.Unlock()
			if result.Status == http.StatusOK {
				fresh[key] = result
			}
			return result
		},
	}
}

// hidden runs a tool without the id of the call.
func hidden(r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
	anonymous := *r
	anonymous.CallID = ""
	return post(&anonymous)
}
