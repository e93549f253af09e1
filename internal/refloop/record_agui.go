package refloop

import (
	"strconv"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// aguiEvent is an event of AG-UI: https://docs.ag-ui.com/concepts/events
type aguiEvent struct {
	Type            string     `json:"type"`
	ThreadID        string     `json:"threadId,omitempty"`
	RunID           string     `json:"runId,omitempty"`
	Input           *aguiInput `json:"input,omitempty"`
	MessageID       string     `json:"messageId,omitempty"`
	Role            string     `json:"role,omitempty"`
	ToolCallID      string     `json:"toolCallId,omitempty"`
	ToolCallName    string     `json:"toolCallName,omitempty"`
	ParentMessageID string     `json:"parentMessageId,omitempty"`
	Delta           *string    `json:"delta,omitempty"`
	Content         *string    `json:"content,omitempty"`
	Timestamp       int64      `json:"timestamp"`
}

// aguiInput is what a run was started with.
type aguiInput struct {
	ThreadID string       `json:"threadId"`
	RunID    string       `json:"runId"`
	Messages []aguiPrompt `json:"messages"`
}

type aguiPrompt struct {
	ID      string `json:"id"`
	Role    string `json:"role"`
	Content string `json:"content"`
}

// aguiEvents tell of each prompt as a run of its own. Turns that failed are not told.
func aguiEvents(_ string, entries []entry, _ bool) any {
	events := []aguiEvent{}
	input, open := aguiInput{ThreadID: "thread"}, false
	for i, e := range entries {
		id := strconv.Itoa(i)
		tell := func(event aguiEvent) {
			event.Timestamp = e.at.UnixMilli()
			events = append(events, event)
		}
		switch {
		case e.prompt != nil:
			if open {
				tell(aguiEvent{Type: "RUN_FINISHED", ThreadID: input.ThreadID, RunID: input.RunID})
			}
			open, input.RunID = true, "run-"+id
			input.Messages = append(input.Messages, aguiPrompt{ID: "prompt-" + id, Role: "user", Content: *e.prompt})
			said := input
			tell(aguiEvent{Type: "RUN_STARTED", ThreadID: input.ThreadID, RunID: input.RunID, Input: &said})
		case e.turn != nil && !e.failed:
			aguiTurn(e.turn, "turn-"+id, tell)
		}
		for n, r := range e.results {
			tell(aguiEvent{Type: "TOOL_CALL_RESULT", MessageID: "result-" + id + "-" + strconv.Itoa(n), ToolCallID: r.CallID, Role: "tool", Content: &r.Text})
		}
	}
	if open {
		events = append(events, aguiEvent{Type: "RUN_FINISHED", ThreadID: input.ThreadID, RunID: input.RunID, Timestamp: entries[len(entries)-1].at.UnixMilli()})
	}
	return events
}

func aguiTurn(t *neutral.Turn, id string, tell func(aguiEvent)) {
	if text := t.Text(); text != "" || len(t.Calls()) == 0 {
		tell(aguiEvent{Type: "TEXT_MESSAGE_START", MessageID: id, Role: "assistant"})
		if text != "" {
			tell(aguiEvent{Type: "TEXT_MESSAGE_CONTENT", MessageID: id, Delta: &text})
		}
		tell(aguiEvent{Type: "TEXT_MESSAGE_END", MessageID: id})
	}
	for _, c := range t.Calls() {
		tell(aguiEvent{Type: "TOOL_CALL_START", ToolCallID: c.ID, ToolCallName: c.Name, ParentMessageID: id})
		tell(aguiEvent{Type: "TOOL_CALL_ARGS", ToolCallID: c.ID, Delta: &c.Arguments})
		tell(aguiEvent{Type: "TOOL_CALL_END", ToolCallID: c.ID})
	}
}
