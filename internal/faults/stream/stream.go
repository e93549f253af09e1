// Package stream holds faults: loops that misread streamed answers.
package stream

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault { return slices.Concat(basic, calls, texts, inBytes) }

var basic = []hooks.Fault{
	{
		Name: "stream/takes-text-for-the-answer",
		Does: "A stream that begins with text is treated as the answer; calls after it are not seen.",
		Reports: []string{
			"https://github.com/cloudwego/eino/issues/531",
			"https://github.com/charmbracelet/fantasy/commit/6b4e9b2",
			"https://github.com/deepset-ai/haystack/issues/8829",
		},
		Breaks: []string{"stream/text-beside-calls"},
		Make: hooks.OnStreamed(func(a *hooks.Answer) {
			if strings.TrimSpace(a.Text()) != "" && len(a.Calls()) > 0 {
				a.SetCalls()
				a.SetFinish(neutral.Stop)
			}
		}),
	},
	{
		Name:      "stream/runs-mixed-calls-alike",
		Does:      "Calls whose pieces come mixed are all run with the arguments of the first; in the history they are as they were.",
		Unless:    neutral.OrderedParts,
		Elsewhere: "the calls of a turn come one after the other.",
		Breaks:    []string{"stream/fragments-by-index"},
		Make:      runsMixedCallsAlike,
	},
	{
		Name:      "stream/decodes-each-read",
		Does:      "What each read brings is decoded for itself, so that letters are lost which a read cuts apart.",
		Reports:   []string{"https://github.com/openai/openai-node/pull/1316", "https://github.com/musistudio/claude-code-router/pull/1672"},
		Unless:    neutral.AWSFrames,
		Elsewhere: "a stream is binary messages, each with its length.",
		Breaks:    []string{"stream/any-cut"},
		Make: func() hooks.Mutation {
			return hooks.Mutation{Reads: func(b []byte) []byte { return bytes.ToValidUTF8(b, []byte("\ufffd")) }}
		},
	},
	{
		Name:      "stream/takes-keep-alives-for-data",
		Does:      "A comment is treated as the payload of an event.",
		Reports:   []string{"https://github.com/tmc/langchaingo/issues/1366"},
		Unless:    neutral.DataLines | neutral.AWSFrames | neutral.Lines,
		Elsewhere: "a stream has lines with data alone; a stream is binary messages, each with its length.",
		Breaks:    []string{"stream/comments-skipped"},
		Make: hooks.OnBytes(func(b []byte) []byte {
			return bytes.ReplaceAll(b, []byte(": keep-alive\n"), []byte("data: keep-alive\n"))
		}),
	},
}

// runsMixedCallsAlike runs all calls of an answer whose pieces came mixed with the arguments of the
// first.
func runsMixedCallsAlike() hooks.Mutation {
	var mu sync.Mutex
	mixed, arguments := false, ""
	return hooks.Mutation{
		Answer: func(a *hooks.Answer) {
			mu.Lock()
			defer mu.Unlock()
			mixed = false
			first, second := "", false
			for _, p := range a.Pieces {
				_, begins := p.Part.(*neutral.Call)
				switch {
				case begins && first == "":
					first = p.At
				case begins:
					second = true
				case p.At == first && second && p.Arguments != "":
					mixed = true
				}
			}
			if calls := a.Calls(); len(calls) > 0 {
				arguments = calls[0].Arguments
			}
		},
		Tool: func(run *hooks.ToolRun, post func(*hooks.ToolRun) hooks.ToolResult) hooks.ToolResult {
			mu.Lock()
			if mixed {
				run.Arguments = arguments
			}
			mu.Unlock()
			return post(run)
		},
	}
}
