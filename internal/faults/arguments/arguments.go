// Package arguments holds faults: loops that change the arguments of calls on their way to the tool
// or back to the model.
package arguments

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault { return slices.Concat(basic, lost, inStreams) }

// onToolArguments changes the arguments that tools are handed.
func onToolArguments(change func(string) string) func() hooks.Mutation {
	return hooks.OnTool(func(r *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
		r.Arguments = change(r.Arguments)
		return post(r)
	})
}

// onArguments changes the pieces of arguments in streamed answers. reader makes a new reader of
// them for every answer.
func onArguments(reader func() func(*neutral.Piece)) func() hooks.Mutation {
	return hooks.OnStreamed(func(a *hooks.Answer) {
		read := reader()
		a.EachPiece(func(p *neutral.Piece) bool {
			read(p)
			return true
		})
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

var basic = []hooks.Fault{
	{
		Name:    "arguments/keeps-no-arguments",
		Does:    "Calls go back with {} for their arguments.",
		Reports: []string{"https://github.com/mastra-ai/mastra/issues/16017"},
		Breaks:  []string{"arguments/same-value"},
		ByName:  []string{"arguments/same-value", "history/calls-come-back", "history/turns-once"},
		Make:    hooks.EachCall(func(c *neutral.Call) { c.Arguments = "{}" }),
	},
	{
		Name:   "arguments/writes-them-again",
		Does:   "Arguments are parsed and go back as the loop's own JSON, without the model's spaces.",
		Breaks: []string{"arguments/echoed-verbatim"},
		Make:   hooks.EachCall(func(c *neutral.Call) { c.Arguments = compact(c.Arguments) }),
	},
	{
		Name:    "arguments/rounds-in-the-history",
		Does:    "Integers beyond 2^53 go back rounded.",
		Reports: []string{"https://github.com/earendil-works/pi/issues/8943"},
		Breaks:  []string{"arguments/big-integers-echoed"},
		Make:    hooks.EachCall(func(c *neutral.Call) { c.Arguments = round(c.Arguments) }),
	},
	{
		Name:    "arguments/rounds-for-the-tool",
		Does:    "Tools are handed integers beyond 2^53 rounded.",
		Reports: []string{"https://github.com/earendil-works/pi/issues/8943", "https://github.com/langchain4j/langchain4j/issues/5754"},
		Breaks:  []string{"arguments/big-integers-reach-the-tool"},
		Make:    onToolArguments(round),
	},
	{
		Name:   "arguments/escapes-for-the-tool",
		Does:   "Ampersands in arguments are escaped as in HTML before the tool sees them.",
		Breaks: []string{"arguments/reach-the-tool"},
		Make:   onToolArguments(func(s string) string { return strings.ReplaceAll(s, "&", "&amp;") }),
	},
	{
		Name: "arguments/takes-blank-for-broken",
		Does: "Blank arguments are treated as broken JSON.",
		Reports: []string{
			"https://github.com/sigoden/aichat/pull/1217",
			"https://github.com/aaif-goose/goose/issues/1068",
			"https://github.com/charmbracelet/fantasy/pull/156",
			"https://github.com/docker/cagent/commit/9accc8bc",
			"https://github.com/simonw/llm/issues/1521",
			"https://github.com/crmne/ruby_llm/issues/98",
		},
		Only:      neutral.TextArguments,
		Elsewhere: "arguments are objects, which are never blank.",
		Breaks:    []string{"arguments/blank-means-none", "arguments/no-piece-means-none"},
		InItems:   []string{"arguments/blank-means-none"}, // a call ends with its arguments there, whole
		Make: hooks.EachHeardCall(func(c *neutral.Call) {
			if c.Arguments == "" {
				c.Arguments = "{"
			}
		}),
	},
	{
		Name:      "arguments/takes-null-for-broken",
		Does:      "Arguments of null are treated as a mistake of the model.",
		Reports:   []string{"https://github.com/simonw/llm/issues/1521"},
		Only:      neutral.TextArguments,
		Elsewhere: "arguments are objects, which are never null.",
		Breaks:    []string{"arguments/null-means-none"},
		Make: hooks.EachHeardCall(func(c *neutral.Call) {
			if c.Arguments == "null" {
				c.Arguments = "{"
			}
		}),
	},
}
