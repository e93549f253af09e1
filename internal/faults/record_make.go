package faults

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/loopproof/loopproof/protocol"
)

// recordClaims are what the faults in the record claim besides: the others change what crosses the
// wire after the loop's back, so that its record tells of something else.
var recordClaims = append(Claims[:len(Claims):len(Claims)], protocol.Transcript, protocol.Events)

// Claims returns the features that the loop with the fault claims.
func (f Fault) Claims() []protocol.Feature {
	switch {
	case f.claims != nil:
		return f.claims
	case f.area() == "record":
		return recordClaims
	}
	return Claims
}

func (f Fault) area() string {
	area, _, _ := strings.Cut(f.Name, "/")
	return area
}

// onTranscript changes the messages of a transcript of a format.
func onTranscript(format string, change func(messages []string) []string) func() Mutation {
	return onOutcome(func(o *protocol.Outcome) {
		if o.TranscriptFormat == format {
			o.Transcript = changed(o.Transcript, change)
		}
	})
}

// onEvents changes the list of events.
func onEvents(change func(events []string) []string) func() Mutation {
	return onOutcome(func(o *protocol.Outcome) { o.Events = changed(o.Events, change) })
}

func changed(list []byte, change func([]string) []string) []byte {
	var items []string
	for _, item := range gjson.ParseBytes(list).Array() {
		items = append(items, item.Raw)
	}
	return []byte("[" + strings.Join(change(items), ",") + "]")
}

// eachOf changes the messages of a role in a transcript of Open Agent Loops.
func eachOf(role string, change func(message string) string) func() Mutation {
	return onTranscript("open-agent-loops", func(messages []string) []string {
		for i, m := range messages {
			if roleOf(m) == role {
				messages[i] = change(m)
			}
		}
		return messages
	})
}

// eachCallEvent changes the events that tell of calls.
func eachCallEvent(change func(event string) string) func() Mutation {
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
func eachCompleted(change func(event string) string) func() Mutation {
	return eachCallEvent(func(e string) string {
		if isCompleted(e) {
			return change(e)
		}
		return e
	})
}

func roleOf(message string) string { return gjson.Get(message, "role").String() }

func finishOf(message string) string { return gjson.Get(message, "finishReason").String() }

func isCallEvent(event string) bool { return gjson.Get(event, "event").String() == "toolCall" }

func isCompleted(event string) bool { return gjson.Get(event, "data.isComplete").Bool() }

func resultsOf(event string) string { return gjson.Get(event, "data.results").String() }

// callPath is where something of the n-th call of a message is.
func callPath(n int, what string) string { return "tool_calls." + strconv.Itoa(n) + "." + what }
