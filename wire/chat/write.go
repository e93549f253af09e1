package chat

import "github.com/loopproof/loopproof/wire"

// Reply is what surrounds an answer on the wire.
type Reply struct {
	ID      string
	Model   string
	Created int64 // Unix seconds
	Usage   bool  // the request for a stream asked for the token counts
}

// Write returns the answer as the body of a response that is not streamed.
func (s *Shape) Write(a *wire.Answer, r Reply) []byte {
	choice := wire.Fields{{Key: "index", Value: 0}, {Key: "message", Value: s.message(a)}}
	choice = append(choice, s.Choice...)
	choice = choice.With("finish_reason", s.finish(a.Finish))
	body := s.envelope("chat.completion", r).
		With("choices", []wire.Fields{choice}).
		With("usage", s.usage(a.Usage))
	return append(body, s.Extra...).JSON()
}

func (s *Shape) envelope(object string, r Reply) wire.Fields {
	return wire.Fields{
		{Key: "id", Value: r.ID},
		{Key: "object", Value: object},
		{Key: "created", Value: r.Created},
		{Key: "model", Value: r.Model},
	}
}

func (s *Shape) message(a *wire.Answer) wire.Fields {
	m := wire.Fields{{Key: "role", Value: "assistant"}}
	switch {
	case a.Text != "" || s.NoText == NoTextEmpty:
		m = m.With("content", a.Text)
	case s.NoText != NoTextAbsent:
		m = m.With("content", nil)
	}
	m = append(m, s.Message...)
	if a.Refusal != "" {
		m = m.Without("refusal").With("refusal", a.Refusal)
	}
	if s.ReasoningField != "" && a.Reasoning != nil {
		m = m.With(s.ReasoningField, *a.Reasoning)
	}
	if s.ReasoningDetails && len(a.Details) > 0 {
		m = m.With("reasoning_details", details(a.Details))
	}
	if len(a.Calls) > 0 {
		m = m.With("tool_calls", s.calls(a.Calls))
	}
	return m
}

func (s *Shape) calls(calls []wire.AnswerCall) []wire.Fields {
	written := make([]wire.Fields, len(calls))
	for i, c := range calls {
		var f wire.Fields
		if s.CallIndex {
			f = f.With("index", i)
		}
		written[i] = append(f, s.call(c, c.Arguments)...)
	}
	return written
}

// call is a call with all that identifies it and as much of its arguments as is given.
func (s *Shape) call(c wire.AnswerCall, arguments string) wire.Fields {
	f := wire.Fields{{Key: "id", Value: c.ID}}
	if !s.CallWithoutType {
		f = f.With("type", "function")
	}
	return f.With("function", wire.Fields{{Key: "name", Value: c.Name}, {Key: "arguments", Value: arguments}})
}

func details(blocks []wire.ReasoningBlock) []wire.Fields {
	written := make([]wire.Fields, len(blocks))
	for i, b := range blocks {
		written[i] = detail(b)
	}
	return written
}

// detail is one entry of reasoning_details: https://openrouter.ai/docs/use-cases/reasoning-tokens
func detail(b wire.ReasoningBlock) wire.Fields {
	f := wire.Fields{{Key: "type", Value: "reasoning." + string(b.Type)}}
	switch b.Type {
	case wire.BlockSummary:
		f = f.With("summary", b.Text)
	case wire.BlockEncrypted:
		f = f.With("data", b.Data)
	default:
		f = f.With("text", b.Text)
		if b.Signature != "" {
			f = f.With("signature", b.Signature)
		}
	}
	if b.ID != "" {
		f = f.With("id", b.ID)
	}
	return f.With("format", b.Format).With("index", b.Index)
}

func (s *Shape) usage(u wire.Usage) wire.Fields {
	f := wire.Fields{
		{Key: "prompt_tokens", Value: u.Prompt},
		{Key: "completion_tokens", Value: u.Completion},
		{Key: "total_tokens", Value: u.Prompt + u.Completion},
	}
	return append(f, s.Usage...)
}
