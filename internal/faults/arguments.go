package faults

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// onEchoedArguments changes the arguments of every call that goes back.
func onEchoedArguments(change func(string) string) func() Changes {
	return onRawRequest(func(r *RawRequest) {
		r.EachCall(func(path string, c gjson.Result) {
			r.Set(path+".function.arguments", change(c.Get("function.arguments").String()))
		})
	})
}

// onToolArguments changes the arguments that tools are handed.
func onToolArguments(change func(string) string) func() Changes {
	return onTool(func(r *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
		r.Arguments = change(r.Arguments)
		return post(r)
	})
}

// onHeardArguments changes the arguments of every call that the loop hears.
func onHeardArguments(change func(string) string) func() Changes {
	return onRawAnswer(func(a *RawAnswer) {
		calls := a.Calls()
		changed := false
		for i, c := range calls {
			calls[i].arguments = change(c.arguments)
			changed = changed || calls[i].arguments != c.arguments
		}
		if changed {
			a.SetCalls(calls)
		}
	})
}

var bigInteger = regexp.MustCompile(`-?\d{17,}`)

// round writes integers as a language does that has only doubles.
func round(text string) string {
	return bigInteger.ReplaceAllStringFunc(text, func(digits string) string {
		f, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			return digits
		}
		return strconv.FormatFloat(f, 'f', 0, 64)
	})
}

func compact(text string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(text)) != nil {
		return text
	}
	return b.String()
}

var arguments = []Fault{
	{
		Name:   "arguments/keeps-no-arguments",
		Does:   "Calls go back with {} for their arguments.",
		Models: []string{"https://github.com/mastra-ai/mastra/issues/16017"},
		Breaks: []string{"arguments/same-value"},
		Make:   onEchoedArguments(func(string) string { return "{}" }),
	},
	{
		Name:    "arguments/writes-them-again",
		Does:    "Arguments are parsed and go back as the loop's own JSON, without the model's spaces.",
		Dialect: inChat,
		Breaks:  []string{"arguments/echoed-verbatim"},
		Make:    onEchoedArguments(compact),
	},
	{
		Name:   "arguments/rounds-in-the-history",
		Does:   "Integers beyond 2^53 go back rounded.",
		Models: []string{"https://github.com/earendil-works/pi/issues/8943"},
		Breaks: []string{"arguments/big-integers-echoed"},
		Make:   onEchoedArguments(round),
	},
	{
		Name:   "arguments/rounds-for-the-tool",
		Does:   "Tools are handed integers beyond 2^53 rounded.",
		Models: []string{"https://github.com/earendil-works/pi/issues/8943", "https://github.com/langchain4j/langchain4j/issues/5754"},
		Breaks: []string{"arguments/big-integers-reach-the-tool"},
		Make:   onToolArguments(round),
	},
	{
		Name:   "arguments/escapes-for-the-tool",
		Does:   "Ampersands in arguments are escaped as in HTML before the tool sees them.",
		Breaks: []string{"arguments/reach-the-tool"},
		Make:   onToolArguments(func(s string) string { return strings.ReplaceAll(s, "&", "&amp;") }),
	},
	{
		Name: "arguments/takes-blank-for-broken",
		Does: "Blank arguments are taken for broken JSON.",
		Models: []string{
			"https://github.com/sigoden/aichat/pull/1217",
			"https://github.com/aaif-goose/goose/issues/1068",
			"https://github.com/charmbracelet/fantasy/pull/156",
			"https://github.com/docker/cagent/commit/9accc8bc",
			"https://github.com/simonw/llm/issues/1521",
			"https://github.com/crmne/ruby_llm/issues/98",
		},
		Dialect: inChat,
		Breaks:  []string{"arguments/blank-means-none"},
		Make: onHeardArguments(func(s string) string {
			if s == "" {
				return "{"
			}
			return s
		}),
	},
	{
		Name:    "arguments/takes-null-for-broken",
		Does:    "Arguments of null are taken for a mistake of the model.",
		Models:  []string{"https://github.com/simonw/llm/issues/1521"},
		Dialect: inChat,
		Breaks:  []string{"arguments/null-means-none"},
		Make: onHeardArguments(func(s string) string {
			if s == "null" {
				return "{"
			}
			return s
		}),
	},
}
