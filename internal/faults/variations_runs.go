package faults

import (
	"net/http"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/protocol"
)

var variationsInRuns = []Variation{
	{
		Name:    "one-after-the-other",
		Does:    "The tools of a turn run one after the other.",
		Sources: []string{"https://github.com/openai/openai-node/blob/master/src/lib/AbstractChatCompletionRunner.ts (a loop over the calls)"},
		Make:    oneByOne(false, true),
	},
	{
		Name:    "hides-call-ids",
		Does:    "A tool is not told which call it answers.",
		Sources: []string{"https://github.com/openai/openai-node/blob/master/src/lib/RunnableFunction.ts (a function gets its arguments and the runner)"},
		Make: onTool(func(r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
			r.CallID = ""
			return post(r)
		}),
	},
	{
		Name:    "errors-as-json",
		Does:    "What went wrong with a call is told as a JSON object.",
		Sources: []string{openaiAPI + " (the content of a tool message is whatever the tool says)"},
		Make: onRequest(func(r *Request) {
			r.Each("tool", func(path string, m gjson.Result) {
				if text := m.Get("content").String(); isError(text) {
					r.Set(path+".content", set("{}", "error", strings.TrimPrefix(text, "Error: ")))
				}
			})
		}),
	},
	{
		Name:    "five-attempts",
		Does:    "What may pass is tried five times.",
		Sources: []string{"https://github.com/openai/openai-node#retries (maxRetries: 5)"},
		Make:    onLoop(func(l *refloop.Loop) { l.Attempts = 5 }),
	},
	{
		Name:    "no-retries",
		Does:    "What fails is reported at once, and no retries are claimed.",
		Sources: []string{"https://github.com/openai/openai-node#retries (maxRetries: 0)"},
		Without: []protocol.Feature{protocol.Retries},
		Make:    onLoop(func(l *refloop.Loop) { l.Attempts = 1 }),
	},
	{
		Name:    "never-streams",
		Does:    "Nothing is streamed, and it is not claimed.",
		Sources: []string{openaiAPI + " (stream is optional)"},
		Without: []protocol.Feature{protocol.Streaming},
		Make:    func() Changes { return Changes{} },
	},
	{
		Name:    "claims-little",
		Does:    "Only answers, tools and streams are claimed.",
		Sources: []string{openaiAPI},
		Without: []protocol.Feature{protocol.ParallelCalls, protocol.Reasoning, protocol.MultiPrompt, protocol.Retries, protocol.TurnLimit, protocol.UsageCounts, protocol.Cancel, protocol.Images},
		Make:    func() Changes { return Changes{} },
	},
	{
		Name:    "fails-where-it-stops",
		Does:    "A loop that gives up by itself reports an error to its caller.",
		Sources: []string{"https://github.com/openai/openai-python/blob/main/src/openai/lib/_parsing/_completions.py (LengthFinishReasonError, ContentFilterFinishReasonError)"},
		Make: onOutcome(func(o *protocol.Outcome) {
			if o.Status == protocol.Stopped {
				o.Status, o.Error, o.Reason = protocol.Failed, o.Reason, ""
			}
		}),
	},
	{
		Name:    "tells-little",
		Does:    "The outcome has neither a finish reason nor counts of tokens, and they are not claimed.",
		Sources: []string{openaiAPI},
		Without: []protocol.Feature{protocol.UsageCounts},
		Make:    onOutcome(func(o *protocol.Outcome) { o.FinishReason, o.Usage = "", nil }),
	},
	{
		Name:    "looks-for-models",
		Does:    "Before it asks the model, the loop asks which models there are.",
		Sources: []string{"https://platform.openai.com/docs/api-reference/models/list"},
		Make: func() Changes {
			return Changes{Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				if resp, err := http.Get(task.BaseURL + "/models"); err == nil {
					resp.Body.Close()
				}
				return run(task)
			}}
		},
	},
}
