// Package record holds faults: loops whose transcript or events tell something else than what
// happened.
package record

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Faults returns the faults of the area.
func Faults() []hooks.Fault { return slices.Concat(basic, forms, events) }

// record are the faults in transcripts, whatever their format.
var basic = []hooks.Fault{
	{
		Name:   "record/shows-no-transcript",
		Does:   "The transcript that is claimed is not handed over.",
		Breaks: []string{"record/transcript-handed-over"},
		Make:   hooks.OnOutcome(func(o *protocol.Outcome) { o.Transcript, o.TranscriptFormat = nil, "" }),
	},
	{
		Name:   "record/misspells-its-format",
		Does:   "The transcript is said to be in a format that does not exist.",
		Breaks: []string{"record/transcript-handed-over"},
		Make:   hooks.OnOutcome(func(o *protocol.Outcome) { o.TranscriptFormat += "s" }),
	},
	{
		Name:   "record/shows-no-events",
		Does:   "The events that are claimed are not handed over.",
		Breaks: []string{"record/events-handed-over"},
		Make:   hooks.OnOutcome(func(o *protocol.Outcome) { o.Events = nil }),
	},
	{
		Name:      "record/forgets-the-second-prompt",
		Does:      "The transcript has only the first thing that the user said.",
		Only:      neutral.LoopTranscripts,
		Elsewhere: "the transcript of such a run has the form of the API itself.",
		Breaks:    []string{"record/prompts-kept"},
		Make: hooks.OnTranscript("open-agent-loops", func(messages []string) []string {
			prompts := 0
			return slices.DeleteFunc(messages, func(m string) bool {
				if hooks.RoleOf(m) == "user" {
					prompts++
				}
				return hooks.RoleOf(m) == "user" && prompts > 1
			})
		}),
	},
	{
		Name:   "record/forgets-the-answer",
		Does:   "The transcript ends before the model's answer.",
		Breaks: []string{"record/every-turn-once"},
		Make: hooks.OnTranscript("open-agent-loops", func(messages []string) []string {
			if last := len(messages) - 1; isAnswer(messages[last]) {
				return messages[:last]
			}
			return messages
		}),
	},
	{
		Name:   "record/keeps-turns-twice",
		Does:   "A turn that streamed text is kept once as it streamed and once when it was whole.",
		Breaks: []string{"record/every-turn-once"},
		Make: hooks.OnTranscript("open-agent-loops", func(messages []string) []string {
			if last := len(messages) - 1; isAnswer(messages[last]) {
				return append(messages, messages[last])
			}
			return messages
		}),
	},
	{
		Name:   "record/makes-up-a-turn",
		Does:   "The transcript has a turn of the model that the loop wrote.",
		Breaks: []string{"record/nothing-made-up"},
		Make: hooks.OnTranscript("open-agent-loops", func(messages []string) []string {
			return slices.Insert(messages, 1, raw.Set(messages[0], "role", "assistant"))
		}),
	},
	{
		Name:   "record/keeps-no-text-beside-calls",
		Does:   "The transcript has lost the text of turns with calls.",
		Breaks: []string{"record/text-as-sent"},
		Make: eachOf("assistant", func(m string) string {
			if gjson.Get(m, "tool_calls").Exists() {
				return raw.Set(m, "content", "")
			}
			return m
		}),
	},
	{
		Name:   "record/keeps-no-arguments",
		Does:   "The calls in the transcript have no arguments.",
		Breaks: []string{"record/calls-as-sent"},
		ByName: []string{"record/calls-as-sent", "record/every-turn-once"},
		Make: eachOf("assistant", func(m string) string {
			for i := range gjson.Get(m, "tool_calls").Array() {
				m = raw.Set(m, callPath(i, "function.arguments"), "{}")
			}
			return m
		}),
	},
	{
		Name:   "record/renames-calls",
		Does:   "The calls in the transcript have ids of the loop's own.",
		Breaks: []string{"record/call-ids-as-sent"},
		Make: hooks.OnTranscript("open-agent-loops", func(messages []string) []string {
			for i, m := range messages {
				for n, c := range gjson.Get(m, "tool_calls").Array() {
					m = raw.Set(m, callPath(n, "id"), "own_"+c.Get("id").String())
				}
				if id := gjson.Get(m, "tool_call_id"); id.Exists() {
					m = raw.Set(m, "tool_call_id", "own_"+id.String())
				}
				messages[i] = m
			}
			return messages
		}),
	},
	{
		Name:      "record/keeps-no-failures",
		Does:      "The transcript has no results of calls that failed.",
		Only:      neutral.LoopTranscripts,
		Elsewhere: "the transcript of such a run has the form of the API itself.",
		Breaks:    []string{"record/one-result-per-call"},
		Make: hooks.OnTranscript("open-agent-loops", func(messages []string) []string {
			return slices.DeleteFunc(messages, func(m string) bool { return hooks.RoleOf(m) == "tool" && isError(hooks.ContentOf(m)) })
		}),
	},
	{
		Name:   "record/keeps-results-at-the-end",
		Does:   "A result comes into the transcript after the answer.",
		Breaks: []string{"record/results-directly-after"},
		Make: hooks.OnTranscript("art-messages", func(messages []string) []string {
			var results []string
			rest := slices.DeleteFunc(slices.Clone(messages), func(m string) bool {
				is := hooks.RoleOf(m) == "tool_result"
				if is {
					results = append(results, m)
				}
				return is
			})
			return append(rest, results...)
		}),
	},
	{
		Name:   "record/reverses-results",
		Does:   "The results of a turn are kept in the reverse order.",
		Breaks: []string{"record/results-in-call-order"},
		Make: hooks.OnTranscript("open-agent-loops", func(messages []string) []string {
			from := 0
			for i := 0; i <= len(messages); i++ {
				if i == len(messages) || hooks.RoleOf(messages[i]) != "tool" {
					slices.Reverse(messages[from:i])
					from = i + 1
				}
			}
			return messages
		}),
	},
	{
		Name:   "record/decorates-results",
		Does:   "Results are kept as they are displayed.",
		Breaks: []string{"record/result-as-sent"},
		Make:   eachOf("tool", func(m string) string { return raw.Set(m, "content", "Result: "+hooks.ContentOf(m)) }),
	},
	{
		Name:      "record/keeps-only-what-was-sent",
		Does:      "The results of the last turn before the limit are empty in the transcript.",
		Only:      neutral.LoopTranscripts,
		Elsewhere: "the transcript of such a run has the form of the API itself.",
		Breaks:    []string{"record/result-is-the-tools"},
		Make: hooks.OnOutcome(func(o *protocol.Outcome) {
			if o.Status != protocol.Stopped {
				return
			}
			o.Transcript = hooks.ChangeList(o.Transcript, func(messages []string) []string {
				for i := len(messages) - 1; i >= 0 && hooks.RoleOf(messages[i]) == "tool"; i-- {
					messages[i] = raw.Set(messages[i], "content", "")
				}
				return messages
			})
		}),
	},
	{
		Name:   "record/names-the-call-for-the-tool",
		Does:   "Where the name of the tool belongs is the id of the call.",
		Breaks: []string{"record/tool-named"},
		Make: eachOf("tool", func(m string) string {
			return raw.Set(m, "toolName", gjson.Get(m, "tool_call_id").String())
		}),
	},
	{
		Name:      "record/does-not-mark-failed-tools",
		Does:      "The result of a tool that threw is not marked.",
		Only:      neutral.LoopTranscripts,
		Elsewhere: "the transcript of such a run has the form of the API itself.",
		Breaks:    []string{"record/failed-tool-marked"},
		Make: unmarked(func(text string) bool {
			return !strings.HasPrefix(text, hooks.NoSuchTool) && !strings.HasPrefix(text, hooks.BadArguments)
		}),
	},
	{
		Name:      "record/does-not-mark-unknown-tools",
		Does:      "The result of a call of an unknown tool is not marked.",
		Only:      neutral.LoopTranscripts,
		Elsewhere: "the transcript of such a run has the form of the API itself.",
		Breaks:    []string{"record/unknown-tool-marked"},
		Make:      unmarked(func(text string) bool { return strings.HasPrefix(text, hooks.NoSuchTool) }),
	},
	{
		Name:      "record/does-not-mark-refused-arguments",
		Does:      "The result of a call whose arguments were refused is not marked.",
		Only:      neutral.LoopTranscripts,
		Unless:    neutral.WholeCalls,
		Elsewhere: "the transcript of such a run has the form of the API itself; arguments are an object.",
		Breaks:    []string{"record/invalid-call-marked"},
		Make:      unmarked(func(text string) bool { return strings.HasPrefix(text, hooks.BadArguments) }),
	},
	{
		Name:   "record/marks-every-result",
		Does:   "Every result is marked as an error.",
		Breaks: []string{"record/good-result-not-marked"},
		Make:   eachOf("tool", func(m string) string { return raw.Set(m, "isError", true) }),
	},
}

// unmarked takes the mark from error results of a kind.
func unmarked(kind func(text string) bool) func() hooks.Mutation {
	return eachOf("tool", func(m string) string {
		if kind(hooks.ContentOf(m)) {
			return raw.Remove(m, "isError")
		}
		return m
	})
}

// isAnswer reports whether a message is a good answer of the model.
func isAnswer(m string) bool {
	return hooks.RoleOf(m) == "assistant" && hooks.FinishOf(m) == "stop" && !gjson.Get(m, "isError").Bool()
}
