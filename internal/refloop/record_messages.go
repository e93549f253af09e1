package refloop

import (
	"encoding/json"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// The transcripts in which each result is a message of its own, in the shape of Chat Completions:
// the plain one, that of Open Agent Loops (https://openagentloops.featherless.ai, types ToolMessage
// and AssistantMessage), and that of ART (https://github.com/hashangit/ART, type
// ArtStandardMessage).

// keptCall is a call as Chat Completions writes it.
type keptCall struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"`
	Function keptFunction    `json:"function"`
	Extra    json.RawMessage `json:"extra_content,omitempty"`
}

type keptFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

func keptCalls(t *neutral.Turn) []keptCall {
	var calls []keptCall
	for _, c := range t.Calls() {
		calls = append(calls, keptCall{ID: c.ID, Type: "function", Function: keptFunction{c.Name, c.Arguments}, Extra: c.Signature})
	}
	return calls
}

// plainMessage is a message of Chat Completions.
type plainMessage struct {
	Role       string     `json:"role"`
	Content    *string    `json:"content,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
	ToolCalls  []keptCall `json:"tool_calls,omitempty"`
}

// saidBy returns what the model said, nil where a turn is nothing but calls.
func saidBy(t *neutral.Turn) *string {
	said := t.Text()
	if said == "" && len(t.Calls()) > 0 {
		return nil
	}
	return &said
}

// openAIMessages are the messages as the provider may see them: without turns that failed.
func openAIMessages(system string, entries []entry, _ bool) any {
	messages := []plainMessage{}
	if system != "" {
		messages = append(messages, plainMessage{Role: "system", Content: &system})
	}
	for _, e := range entries {
		switch {
		case e.prompt != nil:
			messages = append(messages, plainMessage{Role: "user", Content: e.prompt})
		case e.turn != nil && !e.failed:
			messages = append(messages, plainMessage{Role: "assistant", Content: saidBy(e.turn), ToolCalls: keptCalls(e.turn)})
		}
		for _, r := range e.results {
			messages = append(messages, plainMessage{Role: "tool", ToolCallID: r.CallID, Content: &r.Text})
		}
	}
	return messages
}

// loopMessage is a message of Open Agent Loops.
type loopMessage struct {
	Role         string            `json:"role"`
	Content      string            `json:"content"`
	ToolCalls    []keptCall        `json:"tool_calls,omitempty"`
	FinishReason string            `json:"finishReason,omitempty"`
	Reasoning    string            `json:"reasoning,omitempty"`
	Details      []json.RawMessage `json:"reasoning_details,omitempty"`
	ToolCallID   string            `json:"tool_call_id,omitempty"`
	ToolName     string            `json:"toolName,omitempty"`
	IsError      bool              `json:"isError,omitempty"`
	Timestamp    int64             `json:"timestamp"`
}

func openAgentLoops(_ string, entries []entry, _ bool) any {
	messages := []loopMessage{}
	for _, e := range entries {
		switch {
		case e.prompt != nil:
			messages = append(messages, loopMessage{Role: "user", Content: *e.prompt, Timestamp: e.at.UnixMilli()})
		case e.turn != nil:
			messages = append(messages, loopMessage{
				Role: "assistant", Content: e.turn.Text(), ToolCalls: keptCalls(e.turn),
				FinishReason: knownFinishes[e.turn.Finish], Reasoning: plainReasoning(e.turn), Details: reasoningDetails(e.turn),
				IsError: e.failed, Timestamp: e.at.UnixMilli(),
			})
		}
		for _, r := range e.results {
			messages = append(messages, loopMessage{
				Role: "tool", Content: r.Text, ToolCallID: r.CallID, ToolName: r.Name,
				IsError: r.Failed, Timestamp: e.at.UnixMilli(),
			})
		}
	}
	return messages
}

// knownFinishes are the reasons to stop for which the format has a word.
var knownFinishes = map[neutral.Finish]string{neutral.Stop: "stop", neutral.Calls: "tool_calls", neutral.Length: "length", neutral.Filter: "content_filter"}

// plainReasoning returns the plain reasoning under whichever name it came.
func plainReasoning(t *neutral.Turn) string {
	said := ""
	for _, p := range neutral.Of[*neutral.Reasoning](t.Parts) {
		if p.Raw == nil {
			return p.Text
		}
		if p.Place == neutral.InItem {
			said += p.Text
		}
	}
	return said
}

// reasoningDetails returns the structured reasoning that is alongside the content.
func reasoningDetails(t *neutral.Turn) []json.RawMessage {
	var details []json.RawMessage
	for _, p := range neutral.Of[*neutral.Reasoning](t.Parts) {
		if p.Raw != nil && p.Place != "" && p.Place != neutral.InItem {
			details = append(details, p.Raw)
		}
	}
	return details
}

// artMessage is a standard message of ART. Its content is null when a turn is nothing but calls.
type artMessage struct {
	Role       string     `json:"role"`
	Content    *string    `json:"content"`
	Name       string     `json:"name,omitempty"`
	ToolCalls  []keptCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

func artMessages(system string, entries []entry, _ bool) any {
	messages := []artMessage{}
	if system != "" {
		messages = append(messages, artMessage{Role: "system", Content: &system})
	}
	for _, e := range entries {
		switch {
		case e.prompt != nil:
			messages = append(messages, artMessage{Role: "user", Content: e.prompt})
		case e.turn != nil && !e.failed:
			messages = append(messages, artMessage{Role: "assistant", Content: saidBy(e.turn), ToolCalls: keptCalls(e.turn)})
		}
		for _, r := range e.results {
			messages = append(messages, artMessage{Role: "tool_result", Content: &r.Text, Name: r.Name, ToolCallID: r.CallID})
		}
	}
	return messages
}
