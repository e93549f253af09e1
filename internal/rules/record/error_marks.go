package record

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// errorMarkRules judge which results of a transcript are marked as errors.
var errorMarkRules = []rules.Rule{
	{
		ID:        "record/failed-tool-marked",
		Level:     trace.Must,
		MustIn:    openAgentLoops,
		Text:      "The result of a tool that threw is marked as an error.",
		Why:       "Hooks and user interfaces show an error message as a result.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.Transcript, protocol.Executions},
		Formats:   marking,
		Evidence:  "a result in the transcript of a call whose tool failed",
		Sources: []rules.Source{
			{URL: oalTool, Says: "isError: set by the loop when a tool throws"},
			{URL: anthropicDocs, Says: "is_error: true where the execution resulted in an error"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return marked(r, failedCall, "whose tool failed") },
	},
	{
		ID:        "record/unknown-tool-marked",
		Level:     trace.Must,
		MustIn:    openAgentLoops,
		Text:      "The result of a call of a tool that does not exist is marked as an error.",
		Why:       "Hooks and user interfaces show an error message as a result.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   marking,
		Evidence:  "a result in the transcript of a call of an unknown tool",
		Sources: []rules.Source{
			{URL: oalTool, Says: "isError marks a tool result as an error"},
			{URL: anthropicDocs, Says: "is_error: true for an invalid tool name"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return marked(r, unknownCall, "of an unknown tool") },
	},
	{
		ID:        "record/invalid-call-marked",
		Level:     trace.Must,
		MustIn:    openAgentLoops,
		Text:      "The result of a call whose arguments were refused is marked as an error.",
		Why:       "Hooks and user interfaces show an error message as a result.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   marking,
		Evidence:  "a result in the transcript of a call whose arguments are not JSON or break the schema",
		Sources: []rules.Source{
			{URL: oalTool, Says: "isError marks a tool result as an error"},
			{URL: anthropicDocs, Says: "is_error: true for missing parameters"},
		},
		Run: func(r *rules.Run) rules.CheckResult { return marked(r, invalidCall, "whose arguments were refused") },
	},
	{
		ID:        "record/good-result-not-marked",
		Level:     trace.Must,
		Text:      "The result of a call that went well is not marked as an error.",
		Why:       "Hooks and user interfaces show a result as an error.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.Transcript, protocol.Executions},
		Formats:   marking,
		Evidence:  "a result in the transcript of a call whose tool did not fail",
		Sources: []rules.Source{
			{URL: oalTool, Says: "isError: set by the loop when a tool throws"},
			{URL: anthropicDocs, Says: "is_error is false unless the execution resulted in an error"},
		},
		Run: goodResultNotMarked,
	},
}

func failedCall(c rules.CallRun) bool {
	return c.Trouble == scenarios.NoTrouble && len(c.Executions) > 0 && !slices.ContainsFunc(c.Executions, func(e *trace.Execution) bool { return !e.Failed })
}

func unknownCall(c rules.CallRun) bool { return c.Trouble == scenarios.UnknownTool }

// invalidCall reports whether arguments were refused: some loops repair them, and the tool runs.
func invalidCall(c rules.CallRun) bool {
	bad := c.Trouble == scenarios.NotJSON || c.Trouble == scenarios.SchemaViolation
	return bad && !slices.ContainsFunc(c.Executions, func(e *trace.Execution) bool { return !e.Failed })
}

// goodCall reports whether the tool of a call did its work, and the loop could know.
func goodCall(r *rules.Run, c rules.CallRun) bool {
	return returnedInTime(r, c) && !slices.ContainsFunc(c.Executions, func(e *trace.Execution) bool { return e.Failed })
}

func marked(r *rules.Run, kind func(rules.CallRun) bool, what string) (j rules.CheckResult) {
	eachKeptResult(r, func(k rules.KeptTurn, c rules.CallRun, result wire.Result, mark transcript.Mark) {
		if !kind(c) {
			return
		}
		j.HasEvidence = true
		if !mark.Error {
			findNotKept(&j, k, fmt.Sprintf("the result of the call %s %s is not marked as an error", c.Call.As, what), "an error", place(result.Node))
		}
	})
	return j
}

func goodResultNotMarked(r *rules.Run) (j rules.CheckResult) {
	eachKeptResult(r, func(k rules.KeptTurn, c rules.CallRun, result wire.Result, mark transcript.Mark) {
		if !goodCall(r, c) {
			return
		}
		j.HasEvidence = true
		if mark.Error {
			findNotKept(&j, k, fmt.Sprintf("the result of the call %s, which went well, is marked as an error", c.Call.As), "no error", place(result.Node))
		}
	})
	return j
}
