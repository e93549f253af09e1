package faults

import (
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/protocol"
)

// onResults changes the content of every tool message that is no error.
func onResults(change func(string) string) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		r.Each("tool", func(path string, m gjson.Result) {
			if text := m.Get("content").String(); !isError(text) {
				r.Set(path+".content", change(text))
			}
		})
	})
}

// perTurn gives a tool hook what the turn said in which its call was made, and a value that is fresh for each turn. The
// tools run in the order of their calls.
func perTurn[T any](run func(turn *T, calls []heard, r *ToolRun, post func(*ToolRun) ToolResult) ToolResult) func() Changes {
	return func() Changes {
		var mu sync.Mutex
		var calls []heard
		state := new(T)
		inOrder := oneByOne(false, true)()
		return Changes{
			RawRequest: inOrder.RawRequest,
			RawAnswer: func(a *RawAnswer) {
				calls, state = a.Calls(), new(T)
				inOrder.RawAnswer(a)
			},
			Tool: func(r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
				return inOrder.Tool(r, func(r *ToolRun) ToolResult {
					mu.Lock()
					defer mu.Unlock()
					return run(state, calls, r, post)
				})
			},
		}
	}
}

func knows(task protocol.Task, tool string) bool {
	for _, t := range task.Tools {
		if t.Name == tool {
			return true
		}
	}
	return false
}

// givesUpAt makes a loop that ends its run at a call of some kind.
func givesUpAt(bad func(protocol.Task, heard) bool) func() Changes {
	return func() Changes {
		over := false
		var task protocol.Task
		return Changes{
			Around: func(t protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				task = t
				return run(t)
			},
			RawRequest: func(r *RawRequest) {
				if over {
					r.Abort()
				}
			},
			RawAnswer: func(a *RawAnswer) {
				if a.Finish() == "length" {
					return
				}
				for _, c := range a.Calls() {
					over = over || bad(task, c)
				}
			},
		}
	}
}

func blank(s string) bool { return s == "" || s == "null" }

// runsBroken makes a loop that takes arguments that are not JSON for others, and runs the call.
func runsBroken(instead func(string) string) func() Changes {
	return onRawAnswer(func(a *RawAnswer) {
		calls := a.Calls()
		for i, c := range calls {
			if other := instead(c.arguments); a.Finish() == "tool_calls" && !blank(c.arguments) && !gjson.Valid(c.arguments) && gjson.Valid(other) {
				calls[i].arguments = other
				a.SetCalls(calls)
			}
		}
	})
}

var execution = []Fault{
	{
		Name:   "execution/runs-equal-calls-once",
		Does:   "Of two equal calls of a turn only one is run; both get its result.",
		Breaks: []string{"execution/every-call-run"},
		Make: perTurn(func(seen *map[string]ToolResult, _ []heard, r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
			key := r.Name + " " + r.Arguments
			if known, ok := (*seen)[key]; ok {
				return known
			}
			if *seen == nil {
				*seen = map[string]ToolResult{}
			}
			(*seen)[key] = post(r)
			return (*seen)[key]
		}),
	},
	{
		Name:   "execution/runs-calls-twice",
		Does:   "Where a turn has several calls, each is run twice.",
		Models: []string{"https://github.com/vercel/ai/pull/3960"},
		Breaks: []string{"execution/no-call-run-twice"},
		Make: perTurn(func(_ *struct{}, calls []heard, r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
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
		Make: onRawRequest(func(r *RawRequest) {
			if r.Number == 1 && len(r.Task.Tools) > 0 {
				r.runTool(r.Task.Tools[0], "{}")
			}
		}),
	},
	{
		Name:   "execution/shares-the-first-arguments",
		Does:   "All calls of a tool in a turn are run with the arguments of the first.",
		Models: []string{"https://github.com/lobehub/lobehub/pull/11649", "https://github.com/Soju06/codex-lb/issues/214"},
		Breaks: []string{"execution/own-arguments"},
		Make: perTurn(func(_ *struct{}, calls []heard, r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
			for _, c := range calls {
				if c.name == r.Name && gjson.Valid(c.arguments) {
					r.Arguments = c.arguments
					break
				}
			}
			return post(r)
		}),
	},
	{
		Name:   "execution/sends-the-first-line",
		Does:   "Of a short result only the first line goes to the model.",
		Breaks: []string{"execution/result-reaches-the-model"},
		Make: onResults(func(s string) string {
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
		Make: onResults(func(s string) string {
			return gjson.Get(set(`{}`, "a", s), "a").Raw
		}),
	},
	{
		Name:   "execution/shortens-long-results",
		Does:   "Results are cut at 16 000 characters.",
		Breaks: []string{"execution/long-result-whole"},
		Make: onResults(func(s string) string {
			if len(s) > 20_000 {
				return s[:16_000]
			}
			return s
		}),
	},
	{
		Name:   "execution/ends-at-an-empty-result",
		Does:   "A tool that returns nothing ends the run.",
		Models: []string{"https://github.com/docker/cagent/issues/333"},
		Breaks: []string{"execution/bad-call-survived"},
		Make:   givesUpAfter(nil, func(r ToolResult) bool { return r.Status == 200 && r.Body == "" }),
	},
	{
		Name: "execution/ends-at-an-unknown-tool",
		Does: "A call of a tool that does not exist ends the run.",
		Models: []string{
			"https://github.com/vercel/ai/issues/7694",
			"https://github.com/langchain4j/langchain4j/issues/1052",
			"https://github.com/OpenHands/OpenHands/pull/5113",
			"https://github.com/camel-ai/camel/issues/3644",
		},
		Breaks: []string{"execution/bad-call-survived"},
		Make:   givesUpAt(func(task protocol.Task, c heard) bool { return !knows(task, c.name) }),
	},
	{
		Name:   "execution/answers-an-unknown-tool-with-nothing",
		Does:   "A call of a tool that does not exist gets an empty result.",
		Models: []string{"https://github.com/open-webui/open-webui/issues/25144"},
		Breaks: []string{"execution/unknown-tool-answered", "egress/error-result-says-something"},
		Make: onRawRequest(func(r *RawRequest) {
			r.Each("tool", func(path string, m gjson.Result) {
				if strings.HasPrefix(m.Get("content").String(), "Error: there is no tool") {
					r.Set(path+".content", "")
				}
			})
		}),
	},
	{
		Name:    "execution/ends-at-invalid-json",
		Does:    "A call whose arguments are not JSON ends the run.",
		Models:  []string{"https://github.com/TanStack/ai/issues/1131", "https://github.com/danny-avila/agents/pull/368"},
		Dialect: inChat,
		Breaks:  []string{"execution/bad-call-survived"},
		Make:    givesUpAt(func(_ protocol.Task, c heard) bool { return !blank(c.arguments) && !gjson.Valid(c.arguments) }),
	},
	{
		Name:    "execution/repairs-broken-json",
		Does:    "Arguments that lack their last bracket are completed and run.",
		Models:  []string{"https://github.com/QwenLM/qwen-code/pull/2021", "https://github.com/danny-avila/agents/pull/280"},
		Dialect: inChat,
		Breaks:  []string{"execution/invalid-json-not-run"},
		Make:    runsBroken(func(s string) string { return s + "}" }),
	},
	{
		Name:   "execution/ends-at-a-schema-breach",
		Does:   "A call whose arguments break the schema ends the run.",
		Models: []string{"https://github.com/RooCodeInc/Roo-Code/pull/9834"},
		Breaks: []string{"execution/bad-call-survived"},
		Make: func() Changes {
			over := false
			return Changes{RawRequest: func(r *RawRequest) {
				r.Each("tool", func(_ string, m gjson.Result) {
					text := m.Get("content").String()
					over = over || strings.HasPrefix(text, "Error: the argument ") || strings.HasPrefix(text, "Error: the arguments are not a JSON object: [")
				})
				if over {
					r.Abort()
				}
			}}
		},
	},
	{
		Name:   "execution/ends-at-a-failing-tool",
		Does:   "A tool that fails ends the run.",
		Models: []string{"https://github.com/langchain-ai/langchainjs/pull/9434", "https://github.com/docker/cagent/commit/0d4163d3"},
		Breaks: []string{"execution/bad-call-survived"},
		Make:   givesUpAfter(nil, func(r ToolResult) bool { return r.Status == 500 }),
	},
	{
		Name:   "execution/hides-why-a-tool-failed",
		Does:   "The model is told that a tool failed, but not why.",
		Breaks: []string{"execution/failure-says-why"},
		Make: onTool(func(r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
			result := post(r)
			if result.Status == 500 {
				result.Body = "something went wrong"
			}
			return result
		}),
	},
	{
		Name:    "execution/runs-nothing-beside-a-bad-call",
		Does:    "When one call of a turn cannot be run, none is.",
		Models:  []string{"https://github.com/openai/openai-agents-python/issues/3459"},
		Dialect: inChat,
		Breaks:  []string{"execution/siblings-unaffected"},
		Make: func() Changes {
			inner := perTurn(func(_ *struct{}, calls []heard, r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
				for _, c := range calls {
					if !blank(c.arguments) && !gjson.Valid(c.arguments) {
						return ToolResult{Status: 500, Body: "skipped, since another call was bad"}
					}
				}
				return post(r)
			})
			return inner()
		},
	},
	{
		Name:   "execution/runs-the-last-call-first",
		Does:   "Tools run one after the other, from the last call of a turn to the first.",
		Breaks: []string{"execution/in-call-order"},
		Make:   oneByOne(true, true),
	},
	{
		Name:   "execution/runs-what-a-text-says",
		Does:   "A text that holds a call in the form of a chat template is taken for a call.",
		Breaks: []string{"execution/no-tool-run-uncalled"},
		Make: func() Changes {
			var last *RawRequest
			return Changes{
				RawRequest: func(r *RawRequest) { last = r },
				RawAnswer: func(a *RawAnswer) {
					_, rest, _ := strings.Cut(a.Text(), "<tool_call>")
					call, _, said := strings.Cut(rest, "</tool_call>")
					for _, t := range last.Task.Tools {
						if said && t.Name == gjson.Get(call, "name").String() {
							last.runTool(t, gjson.Get(call, "arguments").Raw)
						}
					}
				},
			}
		},
	},
}
