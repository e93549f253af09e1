package refloop

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
)

// span is a span as OTLP writes it in JSON, with the attributes of the conventions for generative AI:
// https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-spans.md
type span struct {
	Name         string          `json:"name"`
	SpanID       string          `json:"spanId"`
	ParentSpanID string          `json:"parentSpanId,omitempty"`
	Start        string          `json:"startTimeUnixNano"`
	Attributes   []spanAttribute `json:"attributes"`
}

type spanAttribute struct {
	Key   string    `json:"key"`
	Value spanValue `json:"value"`
}

type spanValue struct {
	Text string `json:"stringValue"`
}

// spanMessage is a message of gen_ai.input.messages or gen_ai.output.messages.
type spanMessage struct {
	Role   string     `json:"role"`
	Parts  []spanPart `json:"parts"`
	Finish string     `json:"finish_reason,omitempty"`
}

type spanPart struct {
	Type      string          `json:"type"`
	Content   *string         `json:"content,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Response  *string         `json:"response,omitempty"`
}

// otelSpans tell of each turn and of each run of a tool, below a span of the agent. A turn that
// failed has no output.
func otelSpans(_ string, entries []entry, _ bool) any {
	spans := []span{}
	tell := func(e entry, operation, of string, attributes ...string) {
		s := span{Name: operation + " " + of, SpanID: fmt.Sprintf("%016x", len(spans)+1), Start: strconv.FormatInt(e.at.UnixNano(), 10)}
		if len(spans) > 0 {
			s.ParentSpanID = spans[0].SpanID
		}
		for i := 0; i+1 < len(attributes); i += 2 {
			s.Attributes = append(s.Attributes, spanAttribute{attributes[i], spanValue{attributes[i+1]}})
		}
		s.Attributes = append(s.Attributes, spanAttribute{"gen_ai.operation.name", spanValue{operation}})
		spans = append(spans, s)
	}
	var history []spanMessage
	for i, e := range entries {
		if i == 0 {
			tell(e, "invoke_agent", "loop")
		}
		switch {
		case e.prompt != nil:
			history = append(history, spanMessage{Role: "user", Parts: []spanPart{{Type: "text", Content: e.prompt}}})
		case e.failed:
			tell(e, "chat", "model", "gen_ai.input.messages", jsonText(history), "error.type", "_OTHER")
		case e.turn != nil:
			said := turnInParts(e.turn)
			tell(e, "chat", "model", "gen_ai.input.messages", jsonText(history), "gen_ai.output.messages", jsonText([]spanMessage{said}))
			said.Finish = ""
			history = append(history, said)
		}
		results := spanMessage{Role: "tool"}
		for _, r := range e.results {
			tell(e, "execute_tool", r.Name, "gen_ai.tool.name", r.Name, "gen_ai.tool.call.id", r.CallID, "gen_ai.tool.call.result", r.Text)
			results.Parts = append(results.Parts, spanPart{Type: "tool_call_response", ID: r.CallID, Response: &r.Text})
		}
		if len(results.Parts) > 0 {
			history = append(history, results)
		}
	}
	return spans
}

func turnInParts(t *neutral.Turn) spanMessage {
	m := spanMessage{Role: "assistant", Parts: []spanPart{}, Finish: "stop"}
	if text := t.Text(); text != "" {
		m.Parts = append(m.Parts, spanPart{Type: "text", Content: &text})
	}
	for _, c := range t.Calls() {
		arguments := json.RawMessage(c.Arguments)
		if !json.Valid(arguments) {
			arguments = json.RawMessage(jsonText(c.Arguments))
		}
		m.Parts, m.Finish = append(m.Parts, spanPart{Type: "tool_call", ID: c.ID, Name: c.Name, Arguments: arguments}), "tool_call"
	}
	return m
}

func jsonText(value any) string { return string(written(value)) }
