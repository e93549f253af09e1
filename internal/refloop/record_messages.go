package refloop

import (
	"encoding/json"
	"slices"
)

// The transcripts in which each result is a message of its own, in the shape of Chat Completions: the plain one, that
// of Open Agent Loops (https://openagentloops.featherless.ai, types ToolMessage and AssistantMessage), and that of ART
// (https://github.com/hashangit/ART, type ArtStandardMessage).

// openAIMessages are the messages as the provider may see them: without turns that failed.
func openAIMessages(system string, entries []entry) any {
	messages := []message{}
	if system != "" {
		messages = append(messages, message{Role: "system", Content: text(system)})
	}
	for _, e := range entries {
		switch {
		case e.prompt != nil:
			messages = append(messages, message{Role: "user", Content: text(*e.prompt)})
		case e.turn != nil && !e.failed:
			m := e.turn.message(resendNever)
			m.ToolCalls = e.turn.typedCalls()
			messages = append(messages, m)
		}
		for _, r := range e.results {
			messages = append(messages, message{Role: "tool", ToolCallID: r.call.ID, Content: text(r.text)})
		}
	}
	return messages
}

// loopMessage is a message of Open Agent Loops.
type loopMessage struct {
	Role         string            `json:"role"`
	Content      string            `json:"content"`
	ToolCalls    []call            `json:"tool_calls,omitempty"`
	FinishReason string            `json:"finishReason,omitempty"`
	Reasoning    string            `json:"reasoning,omitempty"`
	Details      []json.RawMessage `json:"reasoning_details,omitempty"`
	ToolCallID   string            `json:"tool_call_id,omitempty"`
	ToolName     string            `json:"toolName,omitempty"`
	IsError      bool              `json:"isError,omitempty"`
	Timestamp    int64             `json:"timestamp"`
}

func openAgentLoops(_ string, entries []entry) any {
	messages := []loopMessage{}
	for _, e := range entries {
		switch {
		case e.prompt != nil:
			messages = append(messages, loopMessage{Role: "user", Content: *e.prompt, Timestamp: e.at.UnixMilli()})
		case e.turn != nil:
			messages = append(messages, loopMessage{
				Role: "assistant", Content: e.turn.Text + e.turn.Refusal, ToolCalls: e.turn.typedCalls(),
				FinishReason: knownFinish(e.turn.Finish), Reasoning: e.turn.reasoning(), Details: e.turn.Details,
				IsError: e.failed, Timestamp: e.at.UnixMilli(),
			})
		}
		for _, r := range e.results {
			messages = append(messages, loopMessage{
				Role: "tool", Content: r.text, ToolCallID: r.call.ID, ToolName: r.call.Function.Name,
				IsError: r.failed, Timestamp: e.at.UnixMilli(),
			})
		}
	}
	return messages
}

// knownFinish returns a finish word in those that the format has, "" where it has none for it.
func knownFinish(word string) string {
	switch word {
	case "stop", "tool_calls", "length", "content_filter":
		return word
	case "end_turn", "stop_sequence": // those of Anthropic
		return "stop"
	case "tool_use":
		return "tool_calls"
	case "max_tokens":
		return "length"
	case "refusal":
		return "content_filter"
	}
	return ""
}

// typedCalls returns the calls in the form of Chat Completions, wherever they came from.
func (t *turn) typedCalls() []call {
	calls := slices.Clone(t.Calls)
	for i := range calls {
		calls[i].Type = "function"
	}
	return calls
}

// reasoning returns the plain reasoning under whichever name it came.
func (t *turn) reasoning() string {
	for _, text := range []*string{t.ReasoningContent, t.Reasoning} {
		if text != nil {
			return *text
		}
	}
	return t.Thought
}

// artMessage is a standard message of ART. Its content is null when a turn is nothing but calls.
type artMessage struct {
	Role       string  `json:"role"`
	Content    *string `json:"content"`
	Name       string  `json:"name,omitempty"`
	ToolCalls  []call  `json:"tool_calls,omitempty"`
	ToolCallID string  `json:"tool_call_id,omitempty"`
}

func artMessages(system string, entries []entry) any {
	messages := []artMessage{}
	if system != "" {
		messages = append(messages, artMessage{Role: "system", Content: &system})
	}
	for _, e := range entries {
		switch {
		case e.prompt != nil:
			messages = append(messages, artMessage{Role: "user", Content: e.prompt})
		case e.turn != nil && !e.failed:
			m := artMessage{Role: "assistant", ToolCalls: e.turn.typedCalls()}
			if said := e.turn.message(resendNever).Content; said != nil {
				m.Content = &said.text
			}
			messages = append(messages, m)
		}
		for _, r := range e.results {
			messages = append(messages, artMessage{Role: "tool_result", Content: &r.text, Name: r.call.Function.Name, ToolCallID: r.call.ID})
		}
	}
	return messages
}
