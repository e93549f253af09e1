package record

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/protocol"
)

// onEvents changes the list of events.
func onEvents(change func(events []string) []string) func() hooks.Mutation {
	return hooks.OnOutcome(func(o *protocol.Outcome) { o.Events = hooks.ChangeList(o.Events, change) })
}

// eachOf changes the messages of a role in a transcript of Open Agent Loops.
func eachOf(role string, change func(message string) string) func() hooks.Mutation {
	return hooks.OnTranscript("open-agent-loops", func(messages []string) []string {
		for i, m := range messages {
			if hooks.RoleOf(m) == role {
				messages[i] = change(m)
			}
		}
		return messages
	})
}

// eachAGUI changes the events of AG-UI of a type.
func eachAGUI(word string, change func(event string) string) func() hooks.Mutation {
	return hooks.OnTranscript("ag-ui", func(events []string) []string {
		for i, e := range events {
			if aguiType(e) == word {
				events[i] = change(e)
			}
		}
		return events
	})
}

func aguiType(event string) string { return gjson.Get(event, "type").String() }

// eachSpan changes the spans of a run.
func eachSpan(change func(span string) string) func() hooks.Mutation {
	return hooks.OnTranscript("otel-genai", func(spans []string) []string {
		for i, s := range spans {
			spans[i] = change(s)
		}
		return spans
	})
}

// eachCallEvent changes the events that tell of calls.
func eachCallEvent(change func(event string) string) func() hooks.Mutation {
	return onEvents(func(events []string) []string {
		for i, e := range events {
			if isCallEvent(e) {
				events[i] = change(e)
			}
		}
		return events
	})
}

// eachCompleted changes the events that tell of calls that are done.
func eachCompleted(change func(event string) string) func() hooks.Mutation {
	return eachCallEvent(func(e string) string {
		if isCompleted(e) {
			return change(e)
		}
		return e
	})
}

func isCallEvent(event string) bool { return gjson.Get(event, "event").String() == "toolCall" }

func isCompleted(event string) bool { return gjson.Get(event, "data.isComplete").Bool() }

func resultsOf(event string) string { return gjson.Get(event, "data.results").String() }

// callPath is where something of the n-th call of a message is.
func callPath(n int, what string) string { return "tool_calls." + strconv.Itoa(n) + "." + what }

func isError(content string) bool { return strings.HasPrefix(content, "Error: ") }
