package record

import (
	"fmt"
	"maps"
	"slices"

	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
	"github.com/loopproof/loopproof/internal/transcript"
	"github.com/loopproof/loopproof/internal/wire"
)

// aguiRules are the rules about the events of AG-UI alone.
var aguiRules = []rules.Rule{{
	ID:        "record/ag-ui-events-in-order",
	Level:     trace.Must,
	Text:      "The events of AG-UI come in the order that its client takes: a run starts first, and messages, calls and steps are started, continued and ended once, within their run.",
	Why:       "The client throws an error at the first event out of order, and the user sees nothing that comes after it.",
	Invariant: true,
	Needs:     keepsTranscript,
	Formats:   []string{transcript.AGUI},
	Evidence:  "a record of a run that used tools",
	Sources: []rules.Source{
		{URL: "https://github.com/ag-ui-protocol/ag-ui/blob/main/sdks/typescript/packages/client/src/verify/verify.ts", Says: "verifyEvents of @ag-ui/client 1.0.0 was run over 20,000 random streams: it refuses those that this rule refuses, at the same event"},
		{URL: "https://github.com/pydantic/pydantic-ai/pull/4743", Says: "arguments after the end of their call crash the client"},
	},
	Run: aguiEventsInOrder,
}}

func aguiEventsInOrder(r *rules.Run) (j rules.CheckResult) {
	read := recordIn(r, transcript.AGUI)
	if read == nil {
		return j
	}
	j.HasEvidence = r.UsedTools()
	order := aguiOrder{open: map[string]bool{}}
	for _, event := range read.Doc.Items {
		if expected := order.take(event); expected != "" {
			j.Find(trace.Finding{Message: "an event of AG-UI is out of order", Expected: expected, Actual: place(event)})
			return j // the client stops here
		}
	}
	return j
}

// aguiOrder is what the client knows of a stream.
type aguiOrder struct {
	run  string          // the last event about the run as a whole; "" before the first
	open map[string]bool // what is open, such as "the call call_1"
}

// The events that open something, are about what is open, and close it.
var (
	aguiOpens  = map[string]aguiThing{"TEXT_MESSAGE_START": aguiText, "TOOL_CALL_START": aguiCall, "STEP_STARTED": aguiStep, "REASONING_MESSAGE_START": aguiReasoning}
	aguiWithin = map[string]aguiThing{"TEXT_MESSAGE_CONTENT": aguiText, "TOOL_CALL_ARGS": aguiCall, "REASONING_MESSAGE_CONTENT": aguiReasoning}
	aguiCloses = map[string]aguiThing{"TEXT_MESSAGE_END": aguiText, "TOOL_CALL_END": aguiCall, "STEP_FINISHED": aguiStep, "REASONING_MESSAGE_END": aguiReasoning}
)

// aguiThing is what can be open, and the field that names it.
type aguiThing struct{ title, key string }

var (
	aguiText      = aguiThing{"the text", "messageId"}
	aguiCall      = aguiThing{"the call", "toolCallId"}
	aguiStep      = aguiThing{"the step", "stepName"}
	aguiReasoning = aguiThing{"the reasoning", "messageId"}
)

func (t aguiThing) of(event *wire.Node) string {
	named := t.title + " " + event.Get(t.key).Text()
	if agent := event.Get("subagentRunId").Text(); t == aguiStep && agent != "" {
		named += " of the sub-agent " + agent
	}
	return named
}

// take follows an event, and returns what was expected in its place, or "".
func (o *aguiOrder) take(event *wire.Node) (expected string) {
	word, run := event.Get("type").Text(), o.run
	switch word {
	case "RUN_STARTED", "RUN_FINISHED", "RUN_ERROR":
		o.run = word
	}
	switch {
	case word == "RUN_STARTED" && run == "RUN_STARTED":
		return "RUN_FINISHED or RUN_ERROR before the next RUN_STARTED"
	case word == "RUN_STARTED":
		clear(o.open)
	case run == "RUN_ERROR":
		return "RUN_STARTED after RUN_ERROR"
	case word == "RUN_ERROR": // may come first, and after the end
	case run != "RUN_STARTED":
		return "RUN_STARTED before the other events of a run"
	case word == "RUN_FINISHED" && len(o.open) > 0:
		return "the end of " + slices.Min(slices.Collect(maps.Keys(o.open))) + " before RUN_FINISHED"
	default:
		return o.takeThing(word, event)
	}
	return ""
}

func (o *aguiOrder) takeThing(word string, event *wire.Node) (expected string) {
	if thing, is := aguiOpens[word]; is {
		named := thing.of(event)
		if o.open[named] {
			return fmt.Sprintf("the end of %s before it starts again", named)
		}
		o.open[named] = true
	}
	if thing, is := aguiWithin[word]; is && !o.open[thing.of(event)] {
		return fmt.Sprintf("%s between its start and its end", word)
	}
	if thing, is := aguiCloses[word]; is {
		if !o.open[thing.of(event)] {
			return fmt.Sprintf("a start before %s", word)
		}
		delete(o.open, thing.of(event))
	}
	return ""
}
