package execution

import (
	"cmp"
	"html"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// answersWithNothing makes a loop that leaves the result of a call empty where it would tell of an
// error with these words.
func answersWithNothing(words func(string) bool) func() hooks.Mutation {
	return hooks.EachResult(func(x *neutral.Result) {
		if x.Failed && words(x.Text) {
			x.Text = ""
		}
	})
}

// lost are loops that lose calls, results or themselves on the way to the tools and back.
var lost = []hooks.Fault{
	{
		Name:    "execution/answers-invalid-json-with-nothing",
		Does:    "A call whose arguments are not JSON gets an empty result.",
		Reports: []string{"https://github.com/charmbracelet/crush/issues/2776"},
		Breaks:  []string{"execution/invalid-json-answered", "egress/error-result-says-something"},
		Make: answersWithNothing(func(text string) bool {
			rest, about := strings.CutPrefix(text, "Error: the arguments are not a JSON object: ")
			written, _, _ := strings.Cut(rest, "; the parameters of ")
			return about && !gjson.Valid(written)
		}),
	},
	{
		Name:      "execution/answers-a-schema-breach-with-nothing",
		Does:      "A call whose arguments break the schema gets an empty result.",
		Reports:   []string{"https://github.com/RooCodeInc/Roo-Code/pull/9834"},
		Unless:    neutral.ErrorKeys,
		Elsewhere: "an error has a key of its own, also without words.",
		Breaks:    []string{"execution/schema-breach-answered", "egress/error-result-says-something"},
		Make:      answersWithNothing(func(text string) bool { return strings.HasPrefix(text, "Error: the argument ") }),
	},
	{
		Name:    "execution/stops-at-an-empty-result",
		Does:    "A tool that returns nothing stops the run without an error.",
		Reports: []string{"https://github.com/docker/cagent/issues/333"},
		Breaks:  []string{"execution/empty-result-answered"},
		Make:    stopsAfter(func(r hooks.ToolResult) bool { return r.Status == 200 && r.Body == "" }),
	},
	{
		Name:      "execution/wraps-the-text-of-custom-tools",
		Does:      "A tool that takes a text is run with an object that has the text in it.",
		Only:      neutral.Items,
		Elsewhere: "no tool takes a text.",
		Needs:     wire.CustomTools,
		Breaks:    []string{"arguments/reach-the-tool"},
		Make: hooks.PerTurn(func(_ *struct{}, calls []*neutral.Call, r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
			if slices.ContainsFunc(calls, func(c *neutral.Call) bool { return c.ID == r.CallID && c.FreeText }) {
				r.Arguments = raw.Set("{}", "input", r.Arguments)
			}
			return post(r)
		}),
	},
	{
		Name:    "execution/finds-inherited-names",
		Does:    "A tool called constructor is looked up in an object that has one by birth, and the run ends.",
		Reports: []string{"https://github.com/openai/openai-node/pull/2333"},
		Breaks:  []string{"execution/bad-call-survived"},
		Make:    hooks.GivesUpAt(func(_ protocol.Task, c *neutral.Call) bool { return c.Name == "constructor" || c.Name == "__proto__" }),
	},
	{
		Name:    "execution/runs-the-first-call-only",
		Does:    "Of several calls only the first is run; the others are told to wait.",
		Reports: []string{"https://github.com/tmc/langchaingo/issues/1362"},
		Breaks:  []string{"execution/every-call-run", "execution/siblings-unaffected"},
		Make: hooks.PerTurn(func(_ *struct{}, calls []*neutral.Call, r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
			if len(calls) > 1 && r.CallID != calls[0].ID {
				return hooks.ToolResult{Status: 500, Body: "one call at a time"}
			}
			return post(r)
		}),
	},
	{
		Name:    "execution/hears-the-first-call-only",
		Does:    "Of several calls only the first is heard.",
		Reports: []string{"https://github.com/endolith/open-interpreter/issues/315", "https://github.com/mastra-ai/mastra/issues/15576"},
		Breaks:  []string{"execution/every-call-run", "execution/siblings-unaffected", "history/calls-come-back"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			if calls := a.Calls(); len(calls) > 1 {
				a.SetCalls(calls[0])
			}
		}),
	},
	{
		Name:   "execution/hears-eight-calls-only",
		Does:   "Of more than eight calls the first eight are heard.",
		Breaks: []string{"execution/every-call-run", "history/calls-come-back"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			if calls := a.Calls(); len(calls) > 8 {
				a.SetCalls(calls[:8]...)
			}
		}),
	},
	{
		Name:    "execution/drops-turns-with-many-calls",
		Does:    "A turn with more than four calls ends the run, as if it had none.",
		Reports: []string{"https://github.com/n8n-io/n8n/issues/36883"},
		Breaks:  []string{"execution/every-call-run", "outcome/no-failure-of-its-own"},
		Make: hooks.OnAnswer(func(a *hooks.Answer) {
			if len(a.Calls()) > 4 {
				a.SetCalls()
			}
		}),
	},
	{
		Name:    "execution/crashes-with-the-tool",
		Does:    "A tool that fails takes the loop with it.",
		Reports: []string{"https://github.com/charmbracelet/fantasy/issues/325", "https://github.com/docker/cagent/commit/0d4163d3"},
		Breaks:  []string{"outcome/run-ends", "execution/failure-answered"},
		Make: func() hooks.Mutation {
			changes := hooks.GivesUpAfter(nil, func(r hooks.ToolResult) bool { return r.Status == 500 })()
			changes.Around = func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
				o := run(task)
				if strings.Contains(o.Error, hooks.ErrAborted.Error()) {
					panic("invalid memory address or nil pointer dereference")
				}
				return o
			}
			return changes
		},
	},
	{
		Name:    "execution/acts-on-half-the-arguments",
		Does:    "A tool is run with the arguments as far as they have come, and again when they are whole.",
		Reports: []string{"https://github.com/RooCodeInc/Roo-Code/pull/10415"},
		Breaks:  []string{"arguments/reach-the-tool", "execution/no-call-run-twice"},
		ByName:  []string{"execution/no-tool-run-uncalled", "arguments/reach-the-tool", "approvals/denied-not-run", "execution/result-reaches-the-model"},
		Make: hooks.OnTool(func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
			if path := gjson.Get(r.Arguments, "path").String(); path != "" {
				early := *r
				early.Arguments = raw.Set(r.Arguments, "path", path[:len(path)/2])
				post(&early)
			}
			return post(r)
		}),
	},
	{
		Name:    "execution/loses-empty-lists",
		Does:    "A result that is an empty list is sent as no text at all.",
		Reports: []string{"https://github.com/openai/openai-agents-js/pull/1309", "https://github.com/openai/openai-agents-python/issues/3554"},
		Breaks:  []string{"execution/result-reaches-the-model"},
		Make: hooks.OnResults(func(s string) string {
			if s == "[]" {
				return ""
			}
			return s
		}),
	},
	{
		Name:    "execution/sends-failures-without-words",
		Does:    "The result of a tool that failed is sent empty.",
		Reports: []string{"https://github.com/microsoft/vscode/pull/330709"},
		Breaks:  []string{"execution/failure-answered", "execution/failure-is-flagged", "execution/wordless-failure-told"},
		Make: hooks.OnTool(func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
			result := post(r)
			if result.Status == 500 {
				result = hooks.ToolResult{Status: 200}
			}
			return result
		}),
	},
	{
		Name:      "execution/has-no-words-of-its-own",
		Does:      "The result of a tool that failed is the message of its error, which may be empty.",
		Reports:   []string{"https://github.com/bytedance/trae-agent/issues/230", "https://github.com/jlevy/markform/issues/153", "https://github.com/microsoft/vscode/pull/330709"},
		Unless:    neutral.ErrorKeys,
		Elsewhere: "an error has a key of its own, also without words.",
		Breaks:    []string{"execution/wordless-failure-told", "egress/error-result-says-something"},
		Make: hooks.EachResult(func(x *neutral.Result) {
			if x.Text == "Error: " {
				x.Text = ""
			}
		}),
	},
	{
		Name:    "execution/ends-at-a-failure-without-words",
		Does:    "A tool that fails without a message stops the run without an error.",
		Reports: []string{"https://github.com/langchain4j/langchain4j/issues/5087"},
		Breaks:  []string{"execution/failure-answered"},
		Make:    stopsAfter(func(r hooks.ToolResult) bool { return r.Status == 500 && r.Body == "" }),
	},
	{
		Name:    "execution/runs-broken-json-with-nothing",
		Does:    "Arguments that are not JSON are treated as none, and the tool is run.",
		Reports: []string{"https://github.com/danny-avila/agents/pull/280"},
		Breaks:  []string{"execution/invalid-json-not-run"},
		Make:    runsBroken(func(string) string { return "{}" }),
	},
	{
		Name:    "execution/escapes-results",
		Does:    "Angle brackets and ampersands in results are escaped as in HTML.",
		Reports: []string{"https://github.com/dyad-sh/dyad/issues/2266"},
		Breaks:  []string{"execution/result-reaches-the-model"},
		Make:    hooks.OnResults(html.EscapeString),
	},
	{
		Name:    "execution/trims-results",
		Does:    "The white space around a result is cut off.",
		Reports: []string{"https://github.com/openclaw/openclaw/issues/127587"},
		Breaks:  []string{"execution/result-keeps-its-indentation"},
		Make:    hooks.OnResults(strings.TrimSpace),
	},
	{
		Name:   "execution/expands-tabs",
		Does:   "A tab in a result is sent as four spaces.",
		Breaks: []string{"execution/result-reaches-the-model"},
		Make:   hooks.OnResults(func(s string) string { return strings.ReplaceAll(s, "\t", "    ") }),
	},
	{
		Name:   "execution/leaves-out-blank-lines",
		Does:   "Blank lines in a result are left out.",
		Breaks: []string{"execution/result-reaches-the-model"},
		Make: hooks.OnResults(func(s string) string {
			lines := strings.Split(s, "\n")
			return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), "\n")
		}),
	},
	{
		Name:    "execution/mixes-up-names-that-are-alike",
		Does:    "Tools are found by their names in small letters, with one sign for all others, of forty characters at most.",
		Reports: []string{"https://github.com/Hmbown/Codewhale/issues/4729"},
		Breaks:  []string{"execution/every-call-run", "execution/no-call-run-twice"},
		Make: func() hooks.Mutation {
			urls := map[string]string{}
			return hooks.Mutation{
				Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
					for _, t := range task.Tools {
						if _, known := urls[plainName(t.Name)]; !known {
							urls[plainName(t.Name)] = t.URL
						}
					}
					return run(task)
				},
				Tool: func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
					r.URL = cmp.Or(urls[plainName(r.Name)], r.URL)
					return post(r)
				},
			}
		},
	},
	{
		Name:    "execution/calls-tools-by-the-end-of-their-names",
		Does:    "What is before a dash in the name of a tool is taken for the name of its server, and left out of calls.",
		Reports: []string{"https://github.com/evalstate/fast-agent/issues/229"},
		Breaks:  []string{"execution/every-call-run", "history/calls-come-back"},
		Make: hooks.EachHeardCall(func(c *neutral.Call) {
			if _, name, is := strings.Cut(c.Name, "-"); is {
				c.Name = name
			}
		}),
	},
}

// stopsAfter ends the run at the result of a tool, as stopped and without an error.
func stopsAfter(tool func(hooks.ToolResult) bool) func() hooks.Mutation {
	return func() hooks.Mutation {
		changes := hooks.GivesUpAfter(nil, tool)()
		changes.Around = func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
			o := run(task)
			if strings.Contains(o.Error, hooks.ErrAborted.Error()) {
				o.Status, o.Error = protocol.Stopped, ""
			}
			return o
		}
		return changes
	}
}

// plainName is the name of a tool as some loops store it.
func plainName(name string) string {
	name = strings.ReplaceAll(strings.ToLower(name), "-", "_")
	return name[:min(len(name), 40)]
}
