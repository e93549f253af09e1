package chat

import (
	"slices"

	"github.com/loopproof/loopproof/internal/wire"
)

// Write returns the answer as the body of a response that is not streamed.
func (s *Shape) Write(a *wire.Answer, r wire.Reply) []byte {
	v := values(r)
	if a.Text != "" || len(a.Calls) == 0 && a.Refusal == "" {
		v["text"] = a.Text
	}
	if thoughts := s.thoughts(a); len(thoughts) > 0 {
		v["text"] = wholeContent(*a.Reasoning, a.Text)
	}
	if a.Reasoning != nil && s.ReasoningField != "" {
		v["reasoning"] = *a.Reasoning
	}
	if len(a.Details) > 0 {
		v["details"] = details(a.Details)
	}
	if len(a.Calls) > 0 {
		v["calls"] = s.wholeCalls(s.Call, a.Calls)
	}
	if a.Refusal != "" {
		v["refusal"] = a.Refusal
	}
	v["finish"] = s.finish(a.Finish)
	v["usage"] = s.usage(a.Usage)
	return fingerprinted(withTokens(s.Answer.JSON(v), a), r)
}

// fingerprinted puts the fingerprint of a reply in the place of the usual one, where there is one.
func fingerprinted(document wire.Raw, r wire.Reply) wire.Raw {
	const key = "system_fingerprint"
	if r.Fingerprint == "" {
		return document
	}
	n := wire.Parsed(document)
	if n.Has(key) {
		n.Set(key, r.Fingerprint)
	}
	return n.JSON()
}

func values(r wire.Reply) wire.Values {
	return wire.Values{"id": r.ID, "created": r.Created, "model": r.Model}
}

func (s *Shape) wholeCalls(t wire.Template, calls []wire.AnswerCall) []any {
	written := make([]any, len(calls))
	for i, c := range calls {
		written[i] = s.call(t, i, c, c.Arguments)
	}
	return written
}

// call writes a call with all that identifies it and as much of its arguments as is given.
func (s *Shape) call(t wire.Template, index int, c wire.AnswerCall, arguments string) wire.Raw {
	v := wire.Values{"index": index, "id": c.ID, "name": c.Name, "arguments": arguments}
	if c.Signature != "" && len(s.CallSignature) > 0 {
		v["extra"] = s.extra(c.Signature)
	}
	return t.JSON(v)
}

// extra returns what is under the first key that leads to the signature of a call.
func (s *Shape) extra(signature string) any {
	var value any = signature
	for _, key := range slices.Backward(s.CallSignature[1:]) {
		value = wire.Fields{{Key: key, Value: value}}
	}
	return value
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
	}
	f = f.With("format", b.Format)
	if b.ID != "" {
		f = f.With("id", b.ID)
	}
	f = f.With("index", b.Index)
	if b.Signature != "" {
		f = f.With("signature", b.Signature)
	}
	return f
}

func (s *Shape) usage(u wire.Usage) wire.Raw {
	return s.Usage.JSON(u.Values(API.Usage))
}
