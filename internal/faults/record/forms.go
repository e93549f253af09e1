package record

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// forms are the faults in what only one format of transcripts has.
var forms = []hooks.Fault{
	{
		Name:   "record/keeps-null-for-no-text",
		Does:   "The content of a turn that is nothing but calls is null, where the format has an empty text.",
		Breaks: []string{"record/open-agent-loops-schema"},
		Make: eachOf("assistant", func(m string) string {
			if hooks.ContentOf(m) == "" {
				return raw.SetRaw(m, "content", "null")
			}
			return m
		}),
	},
	{
		Name:   "record/marks-with-words",
		Does:   "is_error is a text.",
		Breaks: []string{"record/anthropic-schema"},
		Make: onBlocksOf("tool_result", func(b string) string {
			if !gjson.Get(b, "is_error").Exists() {
				return raw.Set(b, "is_error", "no")
			}
			return b
		}),
	},
	{
		Name:   "record/adds-a-key",
		Does:   "Messages have a key that the strict form refuses.",
		Breaks: []string{"record/art-messages-schema"},
		Make: hooks.OnTranscript("art-messages", func(messages []string) []string {
			for i, m := range messages {
				messages[i] = raw.Set(m, "timestamp", 1)
			}
			return messages
		}),
	},
	{
		Name:   "record/keeps-calls-without-type",
		Does:   "Calls are kept without their type.",
		Breaks: []string{"record/openai-schema"},
		Make: hooks.OnTranscript("openai", func(messages []string) []string {
			for i, m := range messages {
				for n := range gjson.Get(m, "tool_calls").Array() {
					messages[i] = raw.Remove(messages[i], callPath(n, "type"))
				}
			}
			return messages
		}),
	},
	{
		Name:   "record/tells-results-without-a-message",
		Does:   "The events of AG-UI that tell of results have no message id.",
		Breaks: []string{"record/ag-ui-schema"},
		Make:   eachAGUI("TOOL_CALL_RESULT", func(e string) string { return raw.Remove(e, "messageId") }),
	},
	{
		Name:    "record/adds-arguments-after-the-end",
		Does:    "The arguments of a call are told after its end.",
		Reports: []string{"https://github.com/pydantic/pydantic-ai/issues/4733"},
		Breaks:  []string{"record/ag-ui-events-in-order"},
		Make: hooks.OnTranscript("ag-ui", func(events []string) []string {
			for i := 1; i < len(events); i++ {
				if aguiType(events[i]) == "TOOL_CALL_END" {
					events[i-1], events[i] = events[i], events[i-1]
				}
			}
			return events
		}),
	},
	{
		Name:   "record/tells-no-finish-reason",
		Does:   "The messages of an output in a span have no finish reason.",
		Breaks: []string{"record/otel-genai-schema"},
		Make:   eachSpan(func(s string) string { return strings.ReplaceAll(s, `,\"finish_reason\":`, `,\"why\":`) }),
	},
	{
		Name:    "record/makes-up-ids-of-spans",
		Does:    "The spans of the runs of tools have ids of their own in place of those of the calls.",
		Reports: []string{"https://github.com/wiggitywhitney/cluster-whisperer/pull/24"},
		Breaks:  []string{"record/tool-spans-name-their-calls"},
		Make: eachSpan(func(s string) string {
			for i, a := range gjson.Get(s, "attributes").Array() {
				if a.Get("key").String() == "gen_ai.tool.call.id" {
					s = raw.Set(s, "attributes."+strconv.Itoa(i)+".value.stringValue", "run-"+gjson.Get(s, "spanId").String())
				}
			}
			return s
		}),
	},
	{
		Name:   "record/always-stops-well",
		Does:   "An answer that was cut off at the token limit is kept with the finish reason stop.",
		Breaks: []string{"record/finish-reason-as-given"},
		Make: eachOf("assistant", func(m string) string {
			if hooks.FinishOf(m) == "length" {
				return raw.Set(m, "finishReason", "stop")
			}
			return m
		}),
	},
	{
		Name:   "record/makes-up-a-finish-reason",
		Does:   "An answer that broke off is kept with the finish reason stop.",
		Breaks: []string{"record/no-finish-reason-made-up"},
		Make: eachOf("assistant", func(m string) string {
			if hooks.FinishOf(m) == "" {
				return raw.Set(m, "finishReason", "stop")
			}
			return m
		}),
	},
	{
		Name:    "record/takes-half-an-answer",
		Does:    "An answer that broke off is kept like a whole one.",
		Reports: []string{"https://github.com/featherless-ai/open-agent-loops"},
		Breaks:  []string{"record/broken-turn-marked"},
		Make: eachOf("assistant", func(m string) string {
			if hooks.FinishOf(m) == "" {
				return raw.Remove(m, "isError")
			}
			return m
		}),
	},
	{
		Name:   "record/takes-nothing-for-an-answer",
		Does:   "A blank answer is kept like a good one.",
		Breaks: []string{"record/blank-turn-marked"},
		Make: eachOf("assistant", func(m string) string {
			if hooks.FinishOf(m) != "" {
				return raw.Remove(m, "isError")
			}
			return m
		}),
	},
	{
		Name:      "record/blames-the-turn",
		Does:      "A turn is marked as an error when a tool that it called failed.",
		Only:      neutral.LoopTranscripts,
		Elsewhere: "the transcript of such a run has the form of the API itself.",
		Breaks:    []string{"record/good-turn-not-marked"},
		Make: hooks.OnTranscript("open-agent-loops", func(messages []string) []string {
			turn := 0
			for i, m := range messages {
				switch {
				case hooks.RoleOf(m) == "assistant":
					turn = i
				case hooks.RoleOf(m) == "tool" && gjson.Get(m, "isError").Bool():
					messages[turn] = raw.Set(messages[turn], "isError", true)
				}
			}
			return messages
		}),
	},
	{
		Name:      "record/keeps-reasoning-that-is-resent-only",
		Does:      "The reasoning of turns without calls is not kept.",
		Only:      neutral.LoopTranscripts,
		Unless:    neutral.Items | neutral.WholeCalls,
		Elsewhere: "the transcript of such a run has the form of the API itself, or its reasoning comes in items; thoughts are summaries of no use to the model.",
		Breaks:    []string{"record/reasoning-kept"},
		Make:      withoutCalls(func(m string) string { return raw.Remove(m, "reasoning") }),
	},
	{
		Name:      "record/keeps-blocks-that-are-resent-only",
		Does:      "The structured reasoning of turns without calls is not kept.",
		Only:      neutral.LoopTranscripts,
		Unless:    neutral.Items | neutral.WholeCalls,
		Elsewhere: "the transcript of such a run has the form of the API itself, or its reasoning comes in items; thoughts are summaries of no use to the model.",
		Breaks:    []string{"record/reasoning-details-kept"},
		Make:      withoutCalls(func(m string) string { return raw.Remove(m, "reasoning_details") }),
	},
	{
		Name:      "record/reverses-blocks",
		Does:      "Blocks of structured reasoning are kept in the reverse order.",
		Only:      neutral.LoopTranscripts,
		Unless:    neutral.Items | neutral.WholeCalls,
		Elsewhere: "the transcript of such a run has the form of the API itself, or its reasoning comes in items; thoughts are summaries of no use to the model.",
		Breaks:    []string{"record/reasoning-details-in-order"},
		Make: eachOf("assistant", func(m string) string {
			var blocks []string
			for _, b := range gjson.Get(m, "reasoning_details").Array() {
				blocks = append(blocks, b.Raw)
			}
			if len(blocks) < 2 {
				return m
			}
			slices.Reverse(blocks)
			return raw.SetRaw(m, "reasoning_details", "["+strings.Join(blocks, ",")+"]")
		}),
	},
	{
		Name:   "record/counts-seconds",
		Does:   "Timestamps count seconds.",
		Breaks: []string{"record/timestamps-in-milliseconds"},
		Make:   onTimes(func(_ string, at float64) float64 { return math.Floor(at / 1000) }),
	},
	{
		Name:   "record/dates-results-back",
		Does:   "Results have the time at which the run began.",
		Breaks: []string{"record/timestamps-in-order"},
		Make: onTimes(func(m string, at float64) float64 {
			if hooks.RoleOf(m) == "tool" {
				return at - 10_000
			}
			return at
		}),
	},
	{
		Name:    "record/puts-a-block-in-front",
		Does:    "An empty text is in front of the tool results.",
		Reports: []string{"https://github.com/hashangit/ART"},
		Breaks:  []string{"record/result-blocks-first"},
		Make: hooks.OnTranscript("anthropic", func(messages []string) []string {
			for i, m := range messages {
				if gjson.Get(m, "content.0.type").String() == "tool_result" {
					messages[i] = raw.SetRaw(m, "content", `[{"type":"text","text":" "},`+gjson.Get(m, "content").Raw[1:])
				}
			}
			return messages
		}),
	},
	{
		Name:   "record/spreads-results",
		Does:   "Each result is a message of its own.",
		Breaks: []string{"record/result-blocks-together"},
		Make: hooks.OnTranscript("anthropic", func(messages []string) []string {
			var spread []string
			for _, m := range messages {
				if gjson.Get(m, "content.0.type").String() != "tool_result" {
					spread = append(spread, m)
					continue
				}
				for _, b := range gjson.Get(m, "content").Array() {
					spread = append(spread, `{"role":"user","content":[`+b.Raw+`]}`)
				}
			}
			return spread
		}),
	},
	{
		Name:   "record/leaves-results-unnamed",
		Does:   "Results do not say which tool was run.",
		Breaks: []string{"record/result-has-a-name"},
		Make: hooks.OnTranscript("art-messages", func(messages []string) []string {
			for i, m := range messages {
				messages[i] = raw.Remove(m, "name")
			}
			return messages
		}),
	},
}

// withoutCalls changes the turns of the model that call nothing.
func withoutCalls(change func(m string) string) func() hooks.Mutation {
	return eachOf("assistant", func(m string) string {
		if gjson.Get(m, "tool_calls").Exists() {
			return m
		}
		return change(m)
	})
}

// onTimes changes the timestamps of all messages.
func onTimes(change func(m string, at float64) float64) func() hooks.Mutation {
	return hooks.OnTranscript("open-agent-loops", func(messages []string) []string {
		for i, m := range messages {
			messages[i] = raw.Set(m, "timestamp", change(m, gjson.Get(m, "timestamp").Float()))
		}
		return messages
	})
}

// onBlocksOf changes the content blocks of a type.
func onBlocksOf(kind string, change func(block string) string) func() hooks.Mutation {
	return hooks.OnTranscript("anthropic", func(messages []string) []string {
		for i, m := range messages {
			if !gjson.Get(m, "content").IsArray() {
				continue
			}
			var blocks []string
			for _, b := range gjson.Get(m, "content").Array() {
				if b.Get("type").String() == kind {
					blocks = append(blocks, change(b.Raw))
				} else {
					blocks = append(blocks, b.Raw)
				}
			}
			messages[i] = raw.SetRaw(m, "content", "["+strings.Join(blocks, ",")+"]")
		}
		return messages
	})
}
