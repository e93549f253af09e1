// Package execution holds faults: loops that run tools otherwise than the model asked, or lose what
// came of it.
package execution

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault {
	return slices.Concat(basic, lost, counted, digits, flags, overMCP)
}

// runsBroken makes a loop that takes arguments that are not JSON for others, and runs the call.
func runsBroken(instead func(string) string) func() hooks.Mutation {
	return hooks.OnAnswer(func(a *hooks.Answer) {
		calls := a.Calls()
		for _, c := range calls {
			if other := instead(c.Arguments); a.Finish() == neutral.Calls && hooks.Unparsed(c) && gjson.Valid(other) {
				c.Arguments = other
				a.SetCalls(calls...)
			}
		}
	})
}

var basic = []hooks.Fault{
	{
		Name:   "execution/runs-equal-calls-once",
		Does:   "Of two equal calls of a turn only one is run; both get its result.",
		Breaks: []string{"execution/every-call-run"},
		Make: hooks.PerTurn(func(seen *map[string]hooks.ToolResult, _ []*neutral.Call, r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
			key := r.Name + " " + r.Arguments
			if known, ok := (*seen)[key]; ok {
				return known
			}
			if *seen == nil {
				*seen = map[string]hooks.ToolResult{}
			}
			(*seen)[key] = post(r)
			return (*seen)[key]
		}),
	},
	{
		Name:    "execution/runs-calls-twice",
		Does:    "Where a turn has several calls, each is run twice.",
		Reports: []string{"https://github.com/vercel/ai/pull/3960"},
		Breaks:  []string{"execution/no-call-run-twice"},
		ByName:  []string{"execution/no-call-run-twice", "approvals/denied-not-run", "execution/result-reaches-the-model"},
		Make: hooks.PerTurn(func(_ *struct{}, calls []*neutral.Call, r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
			if len(calls) > 1 {
				post(r)
			}
			return post(r)
		}),
	},
	{
		Name:   "execution/warms-up-a-tool",
		Does:   "Before it asks the model, the loop tries out its first tool.",
		Breaks: []string{"execution/no-tool-run-uncalled"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			if r.Number == 1 && len(r.Task.Tools) > 0 {
				r.RunTool(r.Task.Tools[0], "", "{}")
			}
		}),
	},
	{
		Name:    "execution/shares-the-first-arguments",
		Does:    "All calls of a tool in a turn are run with the arguments of the first.",
		Reports: []string{"https://github.com/lobehub/lobehub/pull/11649", "https://github.com/Soju06/codex-lb/issues/214"},
		Breaks:  []string{"execution/own-arguments"},
		ByName:  []string{"execution/own-arguments", "execution/siblings-unaffected"},
		Make: hooks.PerTurn(func(_ *struct{}, calls []*neutral.Call, r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
			for _, c := range calls {
				if c.Name != r.Name || !gjson.Valid(c.Arguments) {
					continue
				}
				if c.ID != r.CallID {
					r.Arguments = c.Arguments
				}
				break
			}
			return post(r)
		}),
	},
	{
		Name:   "execution/sends-the-first-line",
		Does:   "Of a short result only the first line goes to the model.",
		Breaks: []string{"execution/result-reaches-the-model"},
		Make: hooks.OnResults(func(s string) string {
			if len(s) > 20_000 {
				return s
			}
			line, _, _ := strings.Cut(s, "\n")
			return line
		}),
	},
	{
		Name:   "execution/quotes-results",
		Does:   "Results that are texts already are written as JSON once more.",
		Breaks: []string{"execution/result-not-encoded-again"},
		Make: hooks.OnResults(func(s string) string {
			return gjson.Get(raw.Set(`{}`, "a", s), "a").Raw
		}),
	},
	{
		Name:   "execution/shortens-long-results",
		Does:   "Results are cut at 16 000 characters.",
		Breaks: []string{"execution/long-result-whole"},
		Make: hooks.OnResults(func(s string) string {
			if len(s) > 20_000 {
				return s[:16_000]
			}
			return s
		}),
	},
	{
		Name:    "execution/ends-at-an-empty-result",
		Does:    "A tool that returns nothing ends the run.",
		Reports: []string{"https://github.com/docker/cagent/issues/333"},
		Breaks:  []string{"execution/bad-call-survived"},
		Make:    hooks.GivesUpAfter(nil, func(r hooks.ToolResult) bool { return r.Status == 200 && r.Body == "" }),
	},
	{
		Name: "execution/ends-at-an-unknown-tool",
		Does: "A call of a tool that does not exist ends the run.",
		Reports: []string{
			"https://github.com/vercel/ai/issues/7694",
			"https://github.com/langchain4j/langchain4j/issues/1052",
			"https://github.com/OpenHands/OpenHands/pull/5113",
			"https://github.com/camel-ai/camel/issues/3644",
		},
		Breaks: []string{"execution/bad-call-survived"},
		Make:   hooks.GivesUpAt(func(task protocol.Task, c *neutral.Call) bool { return !hooks.Knows(task, c.Name) }),
	},
	{
		Name:      "execution/answers-an-unknown-tool-with-nothing",
		Does:      "A call of a tool that does not exist gets an empty result.",
		Reports:   []string{"https://github.com/open-webui/open-webui/issues/25144"},
		Unless:    neutral.ErrorKeys,
		Elsewhere: "an error has a key of its own, also without words.",
		Breaks:    []string{"execution/unknown-tool-answered", "egress/error-result-says-something"},
		Make: hooks.EachResult(func(x *neutral.Result) {
			if strings.HasPrefix(x.Text, hooks.NoSuchTool) {
				x.Text = ""
			}
		}),
	},
	{
		Name:      "execution/ends-at-invalid-json",
		Does:      "A call whose arguments are not JSON ends the run.",
		Reports:   []string{"https://github.com/TanStack/ai/issues/1131", "https://github.com/danny-avila/agents/pull/368"},
		Unless:    neutral.WholeCalls,
		Elsewhere: "a call comes whole, and its arguments are an object.",
		Breaks:    []string{"execution/bad-call-survived"},
		Make:      hooks.GivesUpAt(func(_ protocol.Task, c *neutral.Call) bool { return hooks.Unparsed(c) }),
	},
	{
		Name:    "execution/repairs-broken-json",
		Does:    "Arguments that lack their last bracket are completed and run.",
		Reports: []string{"https://github.com/QwenLM/qwen-code/pull/2021", "https://github.com/danny-avila/agents/pull/280"},
		Breaks:  []string{"execution/invalid-json-not-run"},
		Make:    runsBroken(func(s string) string { return s + "}" }),
	},
	{
		Name:    "execution/ends-at-a-schema-breach",
		Does:    "A call whose arguments break the schema ends the run.",
		Reports: []string{"https://github.com/RooCodeInc/Roo-Code/pull/9834"},
		Breaks:  []string{"execution/bad-call-survived"},
		Make: hooks.OnRequest(func(r *hooks.Request) {
			hooks.EachPart(r, func(x *neutral.Result) {
				if strings.HasPrefix(x.Text, "Error: the argument ") || strings.HasPrefix(x.Text, "Error: the arguments are not a JSON object: [") {
					r.Abort()
				}
			})
		}),
	},
	{
		Name:    "execution/ends-at-a-failing-tool",
		Does:    "A tool that fails ends the run.",
		Reports: []string{"https://github.com/langchain-ai/langchainjs/pull/9434", "https://github.com/docker/cagent/commit/0d4163d3"},
		Breaks:  []string{"execution/bad-call-survived"},
		Make:    hooks.GivesUpAfter(nil, func(r hooks.ToolResult) bool { return r.Status == 500 }),
	},
	{
		Name:   "execution/hides-why-a-tool-failed",
		Does:   "The model is told that a tool failed, but not why.",
		Breaks: []string{"execution/failure-says-why"},
		Make: hooks.OnTool(func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
			result := post(r)
			if result.Status == 500 {
				result.Body = "something went wrong"
			}
			return result
		}),
	},
	{
		Name:      "execution/runs-nothing-beside-a-bad-call",
		Does:      "When one call of a turn cannot be run, none is.",
		Reports:   []string{"https://github.com/openai/openai-agents-python/issues/3459"},
		Unless:    neutral.WholeCalls,
		Elsewhere: "a call comes whole, and its arguments are an object.",
		Breaks:    []string{"execution/siblings-unaffected"},
		Make: hooks.PerTurn(func(_ *struct{}, calls []*neutral.Call, r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
			if slices.ContainsFunc(calls, hooks.Unparsed) {
				return hooks.ToolResult{Status: 500, Body: "skipped, since another call was bad"}
			}
			return post(r)
		}),
	},
	{
		Name:   "execution/runs-the-last-call-first",
		Does:   "Tools run one after the other, from the last call of a turn to the first.",
		Breaks: []string{"execution/in-call-order"},
		Make:   hooks.OneByOne(true, true),
	},
	{
		Name:   "execution/runs-what-a-text-says",
		Does:   "A text that holds a call in the form of a chat template is treated as a call.",
		Breaks: []string{"execution/no-tool-run-uncalled"},
		Make: func() hooks.Mutation {
			var last *hooks.Request
			return hooks.Mutation{
				Request: func(r *hooks.Request) { last = r },
				Answer: func(a *hooks.Answer) {
					_, rest, _ := strings.Cut(a.Text(), "<tool_call>")
					call, _, said := strings.Cut(rest, "</tool_call>")
					for _, t := range last.Task.Tools {
						if said && t.Name == gjson.Get(call, "name").String() {
							last.RunTool(t, "", gjson.Get(call, "arguments").Raw)
						}
					}
				},
			}
		},
	},
}
