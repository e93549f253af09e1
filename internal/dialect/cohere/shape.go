package cohere

import "github.com/loopproof/loopproof/internal/wire"

// Shape is how a server writes answers: templates that look like what it sends. The yaml tags are the
// keys of a profile file.
type Shape struct {
	// Answer is a whole answer, with the places of [AnswerPlaces], and Message what the model said in
	// it, with those of [MessagePlaces].
	Answer  wire.Template `yaml:"answer"`
	Message wire.Template `yaml:"message"`

	// Call is a call, with the places of [CallPlaces], and Usage the token counts, with those of
	// [UsagePlaces].
	Call  wire.Template `yaml:"call"`
	Usage wire.Template `yaml:"usage"`

	// Start is the message in the first event of a stream.
	Start wire.Template `yaml:"start"`
}

// The places that the templates may have.
var (
	AnswerPlaces  = []string{"id", "message", "finish", "usage"}
	MessagePlaces = []string{"content", "plan", "calls", "citations"}
	CallPlaces    = []string{"id", "name", "arguments"}
	UsagePlaces   = []string{"prompt", "completion", "cached"}
)

// finishWords are those of ChatFinishReason.
var finishWords = map[wire.Finish]string{
	wire.FinishStop: "COMPLETE", wire.FinishCalls: "TOOL_CALL", wire.FinishLength: "MAX_TOKENS",
}

const (
	atSequence = "STOP_SEQUENCE" // the reason to stop at a text of stop_sequences
	failed     = "ERROR"
)

// Done is the payload that ends a stream.
const Done = "[DONE]"

// StopAs returns how an answer says that the model stopped for a reason.
func (s *Shape) StopAs(f wire.Finish) (said, word string) {
	return API.Terms.StopWith(wire.FinishWord(f, finishWords))
}

// Clone returns a copy of the shape.
func (s *Shape) Clone() wire.Shape { c := *s; return &c }

// Traits returns what answers of the server can show.
func (s *Shape) Traits() wire.Traits { return wire.Traits{Reasoning: true, ReasoningInContent: true} }

// Check reports what is wrong in the shape.
func (s *Shape) Check(c wire.ShapeChecker) {
	c.Template("/answer", s.Answer, true, AnswerPlaces)
	c.Template("/message", s.Message, true, MessagePlaces)
	c.Template("/call", s.Call, true, CallPlaces)
	c.Template("/usage", s.Usage, true, UsagePlaces)
	c.Template("/start", s.Start, true, nil)
}

// block is a part of a content: its type, which is the key of its text, too.
type block struct{ kind, text string }

// said returns the blocks of an answer, and the plan, which is what the model says beside calls.
func said(a *wire.Answer) (blocks []block, plan string) {
	if a.Reasoning != nil {
		blocks = append(blocks, block{"thinking", *a.Reasoning})
	}
	text := a.Text + a.Refusal
	if len(a.Calls) > 0 {
		return blocks, text
	}
	return append(blocks, block{"text", text}), ""
}

func finish(a *wire.Answer) string {
	if a.StopSequence != "" {
		return atSequence
	}
	return wire.FinishWord(a.Finish, finishWords)
}

// Write returns the answer as one object.
func (s *Shape) Write(a *wire.Answer, r wire.Reply) []byte {
	m := wire.Values{}
	blocks, plan := said(a)
	if blocks != nil {
		var content []any
		for _, b := range blocks {
			content = append(content, wire.Fields{{Key: "type", Value: b.kind}, {Key: b.kind, Value: b.text}})
		}
		m["content"] = content
	}
	if plan != "" {
		m["plan"] = plan
	}
	if len(a.Calls) > 0 {
		m["calls"] = s.calls(a)
	}
	if cited := citations(a); cited != nil {
		m["citations"] = cited
	}
	return s.Answer.JSON(wire.Values{"id": r.ID, "message": s.Message.JSON(m), "finish": finish(a), "usage": s.usage(a)})
}

func (s *Shape) usage(a *wire.Answer) wire.Raw { return s.Usage.JSON(a.Usage.Values(API.Usage)) }

func (s *Shape) calls(a *wire.Answer) (all []any) {
	for _, c := range a.Calls {
		arguments := c.Arguments
		if arguments == "" && a.Finish != wire.FinishLength {
			arguments = "{}" // as recorded, where a stream has none
		}
		all = append(all, s.call(c, arguments))
	}
	return all
}

func (s *Shape) call(c wire.AnswerCall, arguments string) wire.Raw {
	return s.Call.JSON(wire.Values{"id": c.ID, "name": c.Name, "arguments": arguments})
}

// citations are the sources of parts of the text, as documents.
func citations(a *wire.Answer) (all []any) {
	for _, c := range a.Cited() {
		start, end := c.Runes(a.Text)
		document := wire.Fields{{Key: "id", Value: c.URL}, {Key: "title", Value: c.Title}, {Key: "url", Value: c.URL}}
		source := wire.Fields{{Key: "type", Value: "document"}, {Key: "id", Value: c.URL}, {Key: "document", Value: document}}
		all = append(all, wire.Fields{
			{Key: "start", Value: start}, {Key: "end", Value: end}, {Key: "text", Value: a.Text[c.Start:c.End]},
			{Key: "sources", Value: []any{source}}, {Key: "type", Value: "TEXT_CONTENT"},
		})
	}
	return all
}

// Stream returns the answer as events: the start of the message, the blocks of its content with their
// pieces, the citations, the plan, the calls with theirs, and last why the model stopped.
func (s *Shape) Stream(a *wire.Answer, r wire.Reply) []wire.Event {
	start := wire.Fields{{Key: "message", Value: s.Start.JSON(nil)}}
	events := []wire.Event{event("message-start", wire.Fields{{Key: "id", Value: r.ID}}, wire.Fields{{Key: "delta", Value: start}})}
	of := func(kind string, index int, key string, value any) {
		events = append(events, event(kind, nil, at(index), delta(key, value)))
	}
	ends := func(kind string, index int) { events = append(events, event(kind, nil, at(index))) }
	blocks, plan := said(a)
	for i, b := range blocks {
		of("content-start", i, "content", wire.Fields{{Key: "type", Value: b.kind}, {Key: b.kind, Value: ""}})
		for _, piece := range a.Pieces(b.text) {
			of("content-delta", i, "content", wire.Fields{{Key: b.kind, Value: piece}})
		}
		ends("content-end", i)
	}
	for i, c := range citations(a) {
		of("citation-start", i, "citations", c)
		ends("citation-end", i)
	}
	for _, piece := range a.Pieces(plan) {
		events = append(events, event("tool-plan-delta", nil, delta("tool_plan", piece)))
	}
	for i, c := range a.Calls {
		of("tool-call-start", i, "tool_calls", s.call(c, ""))
		for _, piece := range a.Pieces(c.Arguments) {
			function := wire.Fields{{Key: "function", Value: wire.Fields{{Key: "arguments", Value: piece}}}}
			of("tool-call-delta", i, "tool_calls", function)
		}
		ends("tool-call-end", i)
	}
	end := wire.Fields{{Key: "finish_reason", Value: finish(a)}, {Key: "usage", Value: s.usage(a)}}
	last := event("message-end", nil, wire.Fields{{Key: "delta", Value: end}})
	last.Finish = true
	return append(events, last)
}

func at(index int) wire.Fields { return wire.Fields{{Key: "index", Value: index}} }

func delta(key string, value any) wire.Fields {
	message := wire.Fields{{Key: "message", Value: wire.Fields{{Key: key, Value: value}}}}
	return wire.Fields{{Key: "delta", Value: message}}
}

// event returns an event, whose name is in its data, too.
func event(name string, before wire.Fields, behind ...wire.Fields) wire.Event {
	payload := before.With("type", name)
	for _, more := range behind {
		payload = append(payload, more...)
	}
	return wire.Event{Lines: []string{"event: " + name}, Data: payload.JSON()}
}

// End returns the mark that ends a stream.
func (s *Shape) End() []wire.Event { return []wire.Event{{Data: []byte(Done)}} }

// Failure returns the end of a message in which the model failed, as recorded:
// https://github.com/langchain-ai/langchain-cohere/blob/main/libs/cohere/tests/integration_tests/cassettes/test_sql_agent.yaml
func (s *Shape) Failure(payload []byte, _ []wire.Event) []wire.Event {
	end := wire.Fields{
		{Key: "finish_reason", Value: failed}, {Key: "usage", Value: wire.Fields{}}, {Key: "error", Value: wire.Parsed(payload).Get("message").Text()},
	}
	last := event("message-end", nil, wire.Fields{{Key: "delta", Value: end}})
	last.Failure = true
	return []wire.Event{last, {Data: []byte(Done), Failure: true}}
}
