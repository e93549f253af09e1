package telemetry

import (
	"cmp"
	"encoding/json"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"

	"github.com/loopproof/loopproof/internal/journal"
	"github.com/loopproof/loopproof/internal/wire"
)

// attributes returns what a span says of a request and its answer.
func (s *Spans) attributes(e journal.Entry) []attribute.KeyValue {
	told := e.Summary()
	all := []attribute.KeyValue{
		semconv.GenAIOperationNameKey.String(operationOf(e)),
		semconv.GenAIProviderNameKey.String(cmp.Or(e.Profile.Provider, e.Profile.Name)),
		semconv.HTTPRequestMethodKey.String(e.Method),
		semconv.URLPath(e.Path()),
		attribute.String("loopproof.run", e.Run),
		attribute.String("loopproof.profile", e.Profile.Name),
		attribute.String("loopproof.outcome", told.Outcome),
		attribute.Int("loopproof.request", e.Number),
	}
	add := func(given bool, kv attribute.KeyValue) {
		if given {
			all = append(all, kv)
		}
	}
	add(told.Model != "", semconv.GenAIRequestModel(told.Model))
	add(told.Stream, semconv.GenAIRequestStream(true))
	add(e.Answer.Status != 0, semconv.HTTPResponseStatusCode(e.Answer.Status))
	add(e.Header.Get("User-Agent") != "", semconv.UserAgentOriginal(e.Header.Get("User-Agent")))
	add(e.Scenario != "", attribute.String("loopproof.scenario", e.Scenario))
	add(e.Fault != "", attribute.String("loopproof.fault", e.Fault))
	if told.Turn != nil {
		add(true, attribute.Int("loopproof.turn", *told.Turn))
	}
	if r := e.Exchange.Refusal; r != nil {
		add(true, attribute.String("loopproof.refused.rule", r.Rule))
		add(true, attribute.Int("loopproof.refused.status", r.Status))
	}
	if a := e.Answer.Said; a != nil {
		add(true, semconv.GenAIResponseFinishReasons(finishOf(a)))
		add(true, semconv.GenAIUsageInputTokens(a.Usage.Prompt))
		add(true, semconv.GenAIUsageOutputTokens(a.Usage.Completion))
		add(a.Usage.Reasoning > 0, semconv.GenAIUsageReasoningOutputTokens(a.Usage.Reasoning))
	}
	if s.options.Content {
		all = append(all, contentOf(e)...)
	}
	for i, kv := range all { // a client may repeat its key anywhere
		if kv.Value.Type() == attribute.STRING {
			all[i] = kv.Key.String(e.Clean(kv.Value.AsString()))
		}
	}
	return all
}

// finishes are the reasons to stop in the words of the conventions, where they have one.
var finishes = map[wire.Finish]string{
	wire.FinishStop: "stop", wire.FinishCalls: "tool_call", wire.FinishLength: "length", wire.FinishContentFilter: "content_filter",
}

func finishOf(a *wire.Answer) string { return cmp.Or(finishes[a.Finish], string(a.Finish), "stop") }

// message is a message of a conversation, and part one of its parts, in the JSON of the
// conventions:
// https://github.com/open-telemetry/semantic-conventions/blob/v1.37.0/docs/gen-ai/gen-ai-input-messages.json
type message struct {
	Role         string `json:"role"`
	Parts        []part `json:"parts"`
	FinishReason string `json:"finish_reason,omitempty"`
}

type part struct {
	Type      string          `json:"type"`
	Content   string          `json:"content,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Response  string          `json:"response,omitempty"`
}

// contentOf returns what was said.
func contentOf(e journal.Entry) []attribute.KeyValue {
	var all []attribute.KeyValue
	if req := e.Exchange.Request; req != nil {
		said := make([]message, len(req.Messages))
		for i, m := range req.Messages {
			said[i] = sent(m)
		}
		all = append(all, semconv.GenAIInputMessagesKey.String(inJSON(said)))
	}
	if a := e.Answer.Said; a != nil {
		all = append(all, semconv.GenAIOutputMessagesKey.String(inJSON([]message{answered(a)})))
	}
	return all
}

func sent(m wire.Message) message {
	said := message{Role: cmp.Or(string(m.Role), m.RoleWord), Parts: []part{}}
	if m.Role != wire.Tool { // whose content is its result
		said.Parts = texts(m.Content.Text)
	}
	for _, c := range m.Calls {
		said.Parts = append(said.Parts, part{Type: "tool_call", ID: c.ID, Name: c.Name, Arguments: document(c.Arguments)})
	}
	for _, r := range m.Results {
		said.Parts = append(said.Parts, part{Type: "tool_call_response", ID: r.CallID, Response: r.Content.Text})
	}
	return said
}

func answered(a *wire.Answer) message {
	said := message{Role: string(wire.Assistant), FinishReason: finishOf(a), Parts: texts(a.Text)}
	for _, c := range a.Calls {
		said.Parts = append(said.Parts, part{Type: "tool_call", ID: c.ID, Name: c.Name, Arguments: document(c.Arguments)})
	}
	return said
}

func texts(text string) []part {
	if text == "" {
		return []part{}
	}
	return []part{{Type: "text", Content: text}}
}

// document returns arguments as JSON: as the text that it is where the model wrote none.
func document(arguments string) json.RawMessage {
	if json.Valid([]byte(arguments)) {
		return json.RawMessage(arguments)
	}
	return json.RawMessage(inJSON(arguments))
}

func inJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return "" // strings and valid documents can always be written
	}
	return string(data)
}
