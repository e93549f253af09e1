package gemini

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/loopproof/loopproof/internal/wire"
)

// Write returns the answer as the body of a response that is not streamed.
func (s *Shape) Write(a *wire.Answer, r wire.Reply) []byte {
	var parts []any
	if a.Reasoning != nil && *a.Reasoning != "" && !s.Thought.Empty() {
		parts = append(parts, s.Thought.JSON(wire.Values{"text": *a.Reasoning}))
	}
	for _, raw := range a.Blocks {
		parts = append(parts, raw)
	}
	if text := a.Text + a.Refusal; text != "" {
		parts = append(parts, s.text(text, a.Signature))
	}
	for _, c := range a.Calls {
		parts = append(parts, s.call(c))
	}
	candidate := withTokens(s.candidate(parts, a), wire.NewTokens(a).Next(a.Text))
	return s.chunk(r, withSources(candidate, a), s.usage(a.Usage))
}

// chunk writes a response, which in a stream is a piece of it.
func (s *Shape) chunk(r wire.Reply, candidate, usage wire.Raw) wire.Raw {
	return s.Answer.JSON(wire.Values{"candidates": []any{candidate}, "usage": usage, "model": r.Model, "id": r.ID})
}

// candidate writes what the model said; a is nil where it says more after it.
func (s *Shape) candidate(parts []any, a *wire.Answer) wire.Raw {
	v := wire.Values{}
	if len(parts) > 0 {
		v["parts"] = parts
	}
	if a != nil {
		v["finish"] = s.finish(a.Finish)
		if len(a.Calls) > 0 && s.CallsFinishMessage != "" {
			v["finish-message"] = s.CallsFinishMessage
		}
	}
	return s.Candidate.JSON(v)
}

func (s *Shape) text(text, signature string) wire.Raw {
	v := wire.Values{"text": text}
	if signature != "" {
		v["signature"] = signature
	}
	return s.Text.JSON(v)
}

func (s *Shape) call(c wire.AnswerCall) wire.Raw {
	v := wire.Values{"name": c.Name}
	if _, is := wire.ParseObject(c.Arguments); is || c.Arguments == "null" {
		v["args"] = inOneLine(c.Arguments)
	} else {
		v["args"] = wire.Raw("{}") // a call never comes with half its arguments
	}
	if c.ID != "" {
		v["id"] = c.ID
	}
	if c.Signature != "" {
		v["signature"] = c.Signature
	}
	return s.Call.JSON(v)
}

// inOneLine returns arguments that the model wrote in several lines without the white space between
// them: Google's servers write the object anew, and an event of a stream has one line.
func inOneLine(arguments string) wire.Raw {
	v := jsontext.Value(arguments)
	if strings.ContainsAny(arguments, "\r\n") {
		v.Compact(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) // it was parsed before
	}
	return wire.Raw(v)
}

func (s *Shape) usage(u wire.Usage) wire.Raw {
	v := u.Values(API.Usage)
	for _, place := range []string{"reasoning", "cached"} { // of which nothing is said where there are none
		if v[place] == 0 {
			delete(v, place)
		}
	}
	return s.Usage.JSON(v)
}
