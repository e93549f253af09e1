package variations

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

var execution = []hooks.Variation{
	{
		Name:    "execution/one-after-the-other",
		Does:    "The tools of a turn run one after the other.",
		Sources: []string{"https://github.com/openai/openai-node/blob/master/src/lib/AbstractChatCompletionRunner.ts (a loop over the calls)", "https://github.com/cloudwego/eino/blob/main/compose/tool_node.go (ExecuteSequentially)"},
		Make:    hooks.OneByOne(false, true),
	},
	{
		Name:    "execution/hides-call-ids",
		Does:    "A tool is not told which call it answers.",
		Sources: []string{"https://github.com/openai/openai-node/blob/master/src/lib/RunnableFunction.ts (a function gets its arguments, and the runner)", "https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/lib/tools/_beta_functions.py (call, with its input alone)"},
		Make:    hooks.OnTool(hidden),
	},
	{
		Name:    "execution/failed-tools-tried-again",
		Does:    "A tool that failed is run once more, and the model is told what came of that.",
		Sources: []string{"https://reference.langchain.com/javascript/langchain/index/toolRetryMiddleware (two retries by default)"},
		Make: hooks.OnTool(func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
			result := post(r)
			if result.Status != http.StatusOK && r.Context.Err() == nil {
				result = post(r)
			}
			return result
		}),
	},
	{
		Name:    "execution/two-at-a-time",
		Does:    "Of the tools of a turn at most two run at the same time.",
		Sources: []string{"https://github.com/deepset-ai/haystack/blob/main/haystack/components/agents/agent.py (tool_concurrency_limit)"},
		Make: func() hooks.Mutation {
			places := make(chan struct{}, 2)
			return hooks.Mutation{Timing: true, Tool: func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
				select {
				case places <- struct{}{}:
					defer func() { <-places }()
				case <-r.Context.Done():
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
		Make: hooks.PerTurn(func(run *int, _ []*neutral.Call, r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
			if *run++; *run > 10 {
				return hooks.ToolResult{Status: http.StatusInternalServerError, Body: "not run: ten calls a turn are the limit"}
			}
			return post(r)
		}),
	},
	{
		Name:    "execution/arguments-laid-out",
		Does:    "A tool gets its arguments as they were parsed and written again, with white space between them.",
		Sources: []string{"https://docs.python.org/3/library/json.html#json.dumps (separators)"},
		Make:    hooks.OnTool(withArguments(func(b *bytes.Buffer, arguments []byte) error { return json.Indent(b, arguments, "", " ") })),
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
	{
		Name:    "execution/tools-with-a-limit",
		Does:    "A tool that has not returned within a second is answered with an error, and runs on.",
		Sources: []string{"https://openai.github.io/openai-agents-python/tools/ (timeout, timeout_behavior: error_as_result)"},
		Make:    limitsTools,
	},
	{
		Name:    "execution/failures-for-the-caller",
		Does:    "What a tool raises ends the run, and is raised to the caller.",
		Sources: []string{"https://ai.pydantic.dev/tools/ (only ModelRetry goes to the model)", "https://github.com/openai/openai-node/blob/master/src/lib/AbstractChatCompletionRunner.ts"},
		Shoulds: []string{"execution/bad-call-survived"},
		Why:     "The program that has called the loop is told, and may know better than the model what to do.",
		Make:    hooks.GivesUpAfter(nil, func(r hooks.ToolResult) bool { return r.Status == http.StatusInternalServerError }),
	},
	{
		Name:    "execution/failures-for-the-caller-forgotten",
		Does:    "What a tool raises ends the run, and the prompt and what came of it are not in the history of the next one.",
		Sources: []string{"https://github.com/openai/openai-node/blob/master/src/lib/AbstractChatCompletionRunner.ts"},
		Shoulds: []string{"execution/bad-call-survived"},
		Why:     "The program that has called the loop is told, and keeps the history that it had.",
		Make:    forgetting(hooks.GivesUpAfter(nil, func(r hooks.ToolResult) bool { return r.Status == http.StatusInternalServerError })),
	},
	{
		Name:    "execution/bad-calls-for-the-caller-forgotten",
		Does:    "A call that cannot be run ends the run, and the prompt and what came of it are not in the history of the next one.",
		Sources: []string{"https://github.com/openai/openai-agents-js (an unknown tool throws, and a run that throws returns no history)"},
		Shoulds: []string{"execution/bad-call-survived"},
		Why:     "The program that has called the loop is told, and keeps the history that it had.",
		Make: forgetting(hooks.GivesUpAt(func(task protocol.Task, c *neutral.Call) bool {
			return !hooks.Knows(task, c.Name) || hooks.Unparsed(c) || lacksArguments(task, c)
		})),
	},
	{
		Name:    "execution/unknown-tools-for-the-caller",
		Does:    "A call of a tool that does not exist ends the run, and is an error for the caller.",
		Sources: []string{"https://openai.github.io/openai-agents-python/ref/exceptions/ (ModelBehaviorError: calling a tool that doesn't exist)", "https://github.com/cloudwego/eino"},
		Shoulds: []string{"execution/bad-call-survived"},
		Why:     "The program that has called the loop is told.",
		Make:    hooks.GivesUpAt(func(task protocol.Task, c *neutral.Call) bool { return !hooks.Knows(task, c.Name) }),
	},
	{
		Name:      "execution/broken-arguments-for-the-caller",
		Does:      "A call whose arguments are no JSON ends the run, and is an error for the caller.",
		Sources:   []string{"https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/lib/MessageStream.ts (Unable to parse tool parameter JSON from model)"},
		Shoulds:   []string{"execution/bad-call-survived"},
		Why:       "The program that has called the loop is told.",
		Unless:    neutral.WholeCalls,
		Elsewhere: "arguments are an object.",
		Make:      hooks.GivesUpAt(func(_ protocol.Task, c *neutral.Call) bool { return hooks.Unparsed(c) }),
	},
	{
		Name:    "execution/schema-breaches-for-the-caller",
		Does:    "A call whose arguments lack what the schema requires ends the run, and is an error for the caller.",
		Sources: []string{"https://ai.pydantic.dev/api/exceptions/ (UnexpectedModelBehavior: the retries of a tool are used up, none by choice)", "https://ai-sdk.dev/docs/reference/ai-sdk-errors/ai-invalid-tool-input-error"},
		Shoulds: []string{"execution/bad-call-survived"},
		Why:     "The program that has called the loop is told.",
		Make:    hooks.GivesUpAt(lacksArguments),
	},
	{
		Name:      "execution/broken-arguments-told-as-the-user",
		Does:      "A turn whose only call has arguments that are no JSON is left out, and a message of the user says what was wrong.",
		Sources:   []string{"https://github.com/567-labs/instructor/blob/main/instructor/processing/function_calls.py (a new message asks to repair the call)"},
		Only:      neutral.TextArguments,
		Elsewhere: "arguments are objects, which always parse.",
		Make: hooks.EachRound(func(r *hooks.Round) {
			if calls := r.Calls(); len(calls) == 1 && hooks.Unparsed(calls[0]) {
				r.Become(neutral.Says(neutral.User, "Your call had arguments that are no JSON: "+calls[0].Arguments+". Make it again."))
			}
		}),
	},
	{
		Name:    "execution/integers-of-a-double",
		Does:    "Integers are offered with the bounds of a double, and a call beyond them is answered with an error.",
		Sources: []string{"https://zod.dev/json-schema (z.int() becomes an integer between -9007199254740991 and 9007199254740991)"},
		Make:    boundsIntegers,
	},
}

// withArguments runs a tool with its arguments written otherwise.
func withArguments(write func(b *bytes.Buffer, arguments []byte) error) func(*hooks.ToolRun, func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
	return func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
		var b bytes.Buffer
		if write(&b, []byte(r.Arguments)) == nil {
			r.Arguments = b.String()
		}
		return post(r)
	}
}

// cachesResults answers a call like one of an earlier turn from its cache. Failures are not kept:
// they may pass.
func cachesResults() hooks.Mutation {
	var mu sync.Mutex
	kept, fresh := map[string]hooks.ToolResult{}, map[string]hooks.ToolResult{}
	return hooks.Mutation{
		Answer: func(*hooks.Answer) {
			mu.Lock()
			defer mu.Unlock()
			maps.Copy(kept, fresh)
		},
		Tool: func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
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
func hidden(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
	anonymous := *r
	anonymous.CallID = ""
	return post(&anonymous)
}

// ownLimit is how long a loop waits for a tool that has a limit of its own: longer than any tool of
// a scenario takes that is not there to hang.
const ownLimit = time.Second

// limitsTools makes a loop that waits for a tool no longer than its own limit, and keeps the
// connection.
func limitsTools() hooks.Mutation {
	return hooks.Mutation{Tool: func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
		abandoned := *r
		abandoned.Context = context.WithoutCancel(r.Context)
		done := make(chan hooks.ToolResult, 1)
		go func() { done <- post(&abandoned) }()
		select {
		case result := <-done:
			return result
		case <-time.After(ownLimit):
			return hooks.ToolResult{Status: http.StatusGatewayTimeout, Body: "no result within " + ownLimit.String()}
		case <-r.Context.Done():
			return hooks.ToolResult{Status: http.StatusGatewayTimeout, Body: "cancelled"}
		}
	}}
}

// lacksArguments reports whether a call leaves out an argument that its tool requires.
func lacksArguments(task protocol.Task, c *neutral.Call) bool {
	for _, tool := range task.Tools {
		if tool.Name != c.Name || !gjson.Valid(c.Arguments) {
			continue
		}
		for _, name := range gjson.GetBytes(tool.Parameters, "required").Array() {
			if !gjson.Get(c.Arguments, name.String()).Exists() {
				return true
			}
		}
	}
	return false
}

const maxSafeInteger = 1<<53 - 1

// boundsIntegers offers integers as zod describes them, and validates the arguments of calls by
// that.
func boundsIntegers() hooks.Mutation {
	return hooks.Mutation{
		Request: func(r *hooks.Request) {
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
		Tool: func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
			for _, value := range gjson.Parse(r.Arguments).Map() {
				if value.Type == gjson.Number && math.Abs(value.Num) > maxSafeInteger {
					return hooks.ToolResult{Status: http.StatusUnprocessableEntity, Body: "Too big: expected an integer of at most 9007199254740991"}
				}
			}
			return post(r)
		},
	}
}
