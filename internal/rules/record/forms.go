package record

import (
	"fmt"
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// formRules are the rules that only one other format of transcripts has.
var formRules = []rules.Rule{
	{
		ID:        "record/result-blocks-first",
		Level:     trace.Must,
		Text:      "In a user message of content blocks the tool results come before everything else.",
		Why:       "Text in front of them is refused with a 400.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   []string{transcript.Anthropic},
		Evidence:  "a message with tool results in the transcript",
		Sources:   []rules.Source{{URL: anthropicDocs, Says: "the tool_result blocks come first in the content array; text comes after them"}},
		Run:       resultBlocksFirst,
	},
	{
		ID:        "record/result-blocks-together",
		Level:     trace.Should,
		Text:      "All results of a turn are blocks of one user message.",
		Why:       "The model learns not to make parallel calls.",
		Invariant: true,
		Needs:     []protocol.Feature{protocol.Transcript, protocol.ParallelCalls},
		Formats:   []string{transcript.Anthropic},
		Evidence:  "the results of a turn with several calls in the transcript",
		Sources:   []rules.Source{{URL: anthropicDocs, Says: "all results of a turn go into a single user message"}},
		Run:       resultBlocksTogether,
	},
	{
		ID:        "record/result-has-a-name",
		Level:     trace.Should,
		Text:      "A tool result in the format of ART has the name of the tool.",
		Why:       "Providers that match results by the name of the tool, such as Gemini, need it.",
		Invariant: true,
		Needs:     keepsTranscript,
		Formats:   []string{transcript.ART},
		Evidence:  "a result in the transcript",
		Sources:   []rules.Source{{URL: artDocs, Says: "name: primarily used for tool_result to specify the tool"}},
		Run:       resultHasAName,
	},
}

func isResult(block *wire.Node) bool { return block.Get("type").Text() == "tool_result" }

func resultBlocksFirst(r *rules.Run) (j rules.CheckResult) {
	t := recordIn(r, transcript.Anthropic)
	if t == nil || !r.UsedTools() {
		return j
	}
	for _, m := range t.Doc.Items {
		content := m.Get("content")
		if !content.Is(wire.Array) {
			continue
		}
		last := -1 // result of the message
		for i, block := range content.Items {
			if isResult(block) {
				last, j.HasEvidence = i, true
			}
		}
		first := slices.IndexFunc(content.Items, func(block *wire.Node) bool { return !isResult(block) })
		if first >= 0 && first < last {
			j.Find(trace.Finding{Message: "a block is in front of a tool result", Expected: "the results first", Actual: place(content.Items[first])})
		}
	}
	return j
}

func resultBlocksTogether(r *rules.Run) (j rules.CheckResult) {
	eachKept(r, func(k rules.KeptTurn) {
		results, next := k.In.Request.AnswersTo(k.Index)
		if len(results) < 2 {
			return
		}
		j.HasEvidence = true
		if messages := next - k.Index - 1; messages > 1 {
			findNotKept(&j, k, "the results of a turn are spread over several messages", "one message with "+rules.Plural(len(results), "result"), fmt.Sprintf("%d messages after %s", messages, place(k.Message.Node)))
		}
	})
	return j
}

func resultHasAName(r *rules.Run) (j rules.CheckResult) {
	eachKeptResult(r, func(k rules.KeptTurn, c rules.CallRun, result wire.Result, mark transcript.Mark) {
		j.HasEvidence = true
		if mark.Tool.Text() == "" {
			findNotKept(&j, k, fmt.Sprintf("the result of the call %s does not say which tool was run", c.Call.As), "the name "+c.Call.Name, place(result.Node))
		}
	})
	return j
}
