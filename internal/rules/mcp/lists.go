package mcp

import (
	"fmt"
	"time"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/protocol"
)

const listChanged = "https://modelcontextprotocol.io/specification/2025-06-18/server/tools#list-changed-notification"

var changing = []protocol.Feature{protocol.MCPTools, protocol.ChangingTools, protocol.Executions}

// listRules are the rules about a list of tools that changes while the model is asked.
var listRules = []rules.Rule{
	{
		ID:          "mcp/new-tools-offered",
		Level:       trace.Must,
		Text:        "A tool that the server began to list while another one ran is offered in the next request, and in those behind it.",
		Why:         "The model cannot call a tool that it does not know, such as one that it has just loaded.",
		Invariant:   true,
		AnyDelivery: true,
		Needs:       changing,
		Evidence:    "a request after the list of tools had become longer",
		Sources: []rules.Source{
			{URL: listChanged, Says: "the server says that the list has changed, and the client asks for it again"},
			{URL: "https://github.com/anthropics/claude-code/issues/33779", Says: "tools of a server that was connected again, and never offered"},
			{URL: "https://github.com/langchain-ai/langchain/issues/40758", Says: "tools that came later, and were not known to the model"},
		},
		Run: newToolsOffered,
	},
	{
		ID:          "mcp/gone-tools-not-offered",
		Level:       trace.Must,
		Text:        "A tool that the server ceased to list while another one ran is not offered any more.",
		Why:         "The model calls it, and the server knows no such tool.",
		Invariant:   true,
		AnyDelivery: true,
		Needs:       changing,
		Evidence:    "a request after the list of tools had lost one",
		Sources: []rules.Source{
			{URL: listChanged, Says: "the server says that the list has changed, and the client asks for it again"},
			{URL: "https://github.com/anthropics/claude-code/issues/81042", Says: "tools that stayed when their server was gone"},
		},
		Run: goneToolsNotOffered,
	},
}

// eachAfter calls f for each request behind the first run of a tool that changes the list.
func eachAfter(r *rules.Run, changedBy string, f func(x *trace.Exchange, offered map[string]string)) {
	var ran time.Duration
	for _, e := range r.Executions {
		if e.Tool == changedBy && !e.Unknown && !e.GivenUp() && (ran == 0 || e.End < ran) {
			ran = e.End
		}
	}
	if ran == 0 {
		return
	}
	for _, x := range r.Conversation() {
		if x.Start > ran && !r.IsLastWord(x) {
			f(x, r.Script.Scenario.OfferedAs(x.Request.Offered(), r.ToolsNamed))
		}
	}
}

func newToolsOffered(r *rules.Run) (j rules.CheckResult) {
	return eachChanged(r, func(t scenarios.Tool) string { return t.ListedAfter }, func(t scenarios.Tool, x *trace.Exchange, as string) *trace.Finding {
		if as != "" {
			return nil
		}
		return &trace.Finding{Message: fmt.Sprintf("the tool %s, which the server has listed since %s was run, is not offered", t.Name, t.ListedAfter), Expected: t.Name, Actual: rules.List(rules.ToolNames(x.Request.Offered()))}
	})
}

func goneToolsNotOffered(r *rules.Run) (j rules.CheckResult) {
	return eachChanged(r, func(t scenarios.Tool) string { return t.ListedUntil }, func(t scenarios.Tool, x *trace.Exchange, as string) *trace.Finding {
		if as == "" {
			return nil
		}
		return &trace.Finding{Message: fmt.Sprintf("the tool %s, which the server does not list any more since %s was run, is offered", t.Name, t.ListedUntil), Expected: "no such tool", Actual: rules.List(rules.ToolNames(x.Request.Offered()))}
	})
}

// eachChanged looks at each request behind the change of each tool that some other one changes, and
// reports the first that is wrong.
func eachChanged(r *rules.Run, by func(scenarios.Tool) string, wrong func(scenarios.Tool, *trace.Exchange, string) *trace.Finding) (j rules.CheckResult) {
	for _, t := range r.Script.Scenario.Tools {
		if by(t) == "" {
			continue
		}
		found := false
		eachAfter(r, by(t), func(x *trace.Exchange, offered map[string]string) {
			j.HasEvidence = true
			f := wrong(t, x, offered[t.Name])
			if f == nil || found {
				return
			}
			found, f.Request, f.Pointer = true, x.Number, x.Request.ToolsPointer()
			j.Find(*f)
		})
	}
	return j
}
