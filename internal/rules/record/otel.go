package record

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/protocol"
)

// otelRules are the rules about spans alone.
var otelRules = []rules.Rule{{
	ID:        "record/tool-spans-name-their-calls",
	Level:     trace.Should,
	Where:     rules.WithCallIDs,
	Text:      "A run of a tool has a span execute_tool with the name of the tool and the id of the call, as the provider gave it.",
	Why:       "Otherwise nobody can tell from the telemetry which request of the model had which effect.",
	Invariant: true,
	Needs:     []protocol.Feature{protocol.Transcript, protocol.Executions},
	Formats:   []string{transcript.OTel},
	Evidence:  "a run of a call, and a record of spans",
	Sources: []rules.Source{
		{URL: otelDocs + "gen-ai-spans.md#execute-tool-span", Says: "gen_ai.tool.name is required, gen_ai.tool.call.id is recommended if it is available"},
		{URL: "https://github.com/open-telemetry/semantic-conventions-genai/pull/525", Says: "the id is the one that the provider gave, not one that was made up"},
		{URL: "https://github.com/open-telemetry/opentelemetry-python-genai/pull/510", Says: "the spans of failed runs had no id, so that they could not be joined with their calls"},
	},
	Run: toolSpansNameTheirCalls,
}}

func toolSpansNameTheirCalls(r *rules.Run) (j rules.CheckResult) {
	read := recordIn(r, transcript.OTel)
	if read == nil {
		return j
	}
	for _, c := range r.Calls() {
		if len(c.Executions) == len(c.Before) {
			continue // not run, or run by a process that was killed
		}
		j.HasEvidence = true
		tells := func(e transcript.Event) bool {
			return e.Tool == c.Call.Name && (e.ID == c.Call.ID || c.Call.ID == "") // the loop may make one up where there is none
		}
		if slices.ContainsFunc(read.Events, tells) {
			continue
		}
		j.Find(trace.Finding{
			Answer:   c.In.Number,
			Message:  fmt.Sprintf("no span tells of the run of the call %s", c.Call.As),
			Expected: fmt.Sprintf("execute_tool with gen_ai.tool.name %s and gen_ai.tool.call.id %s", c.Call.Name, c.Call.ID),
			Actual:   describeToolSpans(read.Events),
		})
	}
	return j
}

func describeToolSpans(spans []transcript.Event) string {
	if len(spans) == 0 {
		return "no span execute_tool"
	}
	var all []string
	for _, e := range spans {
		all = append(all, fmt.Sprintf("%s %q", e.Tool, e.ID))
	}
	return "execute_tool of " + rules.List(all)
}
