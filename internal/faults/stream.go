package faults

import (
	"bytes"
	"sync"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

var stream = []Fault{
	{
		Name: "stream/appends-to-the-last-call",
		Does: "A fragment without an id goes to the call that was opened last, whatever its index says.",
		Models: []string{
			"https://github.com/QwenLM/Qwen-Agent/issues/943",
			"https://github.com/charmbracelet/fantasy/issues/347",
			"https://github.com/open-webui/open-webui/issues/13726",
			"https://github.com/praxis-proxy/ai/issues/266",
			"https://github.com/crmne/ruby_llm/commit/504fca4f",
		},
		Dialect: inChat,
		Breaks:  []string{"stream/fragments-by-index"},
		Make: onPieces(func() func(*piece) {
			var heads opened
			last := ""
			return func(p *piece) {
				switch index := p.get("index").Raw; {
				case index == "":
				case heads.take(p):
					last = index
				default:
					p.raw = setRaw(p.raw, "index", last)
				}
			}
		}),
	},
	{
		Name: "stream/takes-text-for-the-answer",
		Does: "A stream that begins with text is taken for the answer; calls behind it are not seen.",
		Models: []string{
			"https://github.com/cloudwego/eino/issues/531",
			"https://github.com/charmbracelet/fantasy/commit/6b4e9b2",
			"https://github.com/deepset-ai/haystack/issues/8829",
		},
		Breaks: []string{"stream/text-beside-calls"},
		Make: onStreamed(func(a *Answer) {
			if a.Text() != "" && len(a.Calls()) > 0 {
				a.SetCalls()
				a.SetFinish(neutral.Stop)
			}
		}),
	},
	{
		Name:      "stream/runs-mixed-calls-alike",
		Does:      "Calls whose pieces come mixed are all run with the arguments of the first; in the history they stand as they were.",
		Unless:    neutral.OrderedParts,
		Elsewhere: "the calls of a turn come one after the other.",
		Breaks:    []string{"stream/fragments-by-index"},
		Make:      runsMixedCallsAlike,
	},
	{
		Name:    "stream/knows-only-line-feeds",
		Does:    "Events are split at two line feeds; a stream with carriage returns has none.",
		Models:  []string{"https://github.com/openai/openai-node/pull/708"},
		Dialect: inChat,
		Breaks:  []string{"stream/any-cut", "stream/line-ends"},
		Make: onBytes(func(b []byte) []byte {
			return bytes.ReplaceAll(b, []byte("\r\n"), nil)
		}),
	},
	{
		Name:   "stream/decodes-each-read",
		Does:   "What each read brings is decoded for itself, so that letters are lost which a read cuts apart.",
		Models: []string{"https://github.com/openai/openai-node/pull/1316", "https://github.com/musistudio/claude-code-router/pull/1672"},
		Breaks: []string{"stream/any-cut"},
		Make: func() Changes {
			return Changes{Reads: func(b []byte) []byte { return bytes.ToValidUTF8(b, []byte("\ufffd")) }}
		},
	},
	{
		Name:   "stream/takes-keep-alives-for-data",
		Does:   "A comment is taken for the payload of an event.",
		Models: []string{"https://github.com/tmc/langchaingo/issues/1366"},
		Breaks: []string{"stream/comments-skipped"},
		Make: onBytes(func(b []byte) []byte {
			return bytes.ReplaceAll(b, []byte(": keep-alive\n"), []byte("data: keep-alive\n"))
		}),
	},
}

// runsMixedCallsAlike runs all calls of an answer whose pieces came mixed with the arguments of the first.
func runsMixedCallsAlike() Changes {
	var mu sync.Mutex
	mixed, arguments := false, ""
	return Changes{
		Answer: func(a *Answer) {
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
		Tool: func(run *ToolRun, post func(*ToolRun) ToolResult) ToolResult {
			mu.Lock()
			if mixed {
				run.Arguments = arguments
			}
			mu.Unlock()
			return post(run)
		},
	}
}
