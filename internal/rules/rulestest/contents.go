package rulestest

import (
	"strings"

	"github.com/loopproof/loopproof/internal/wire"
)

// What the lines of a dialogue mean in the dialect gemini, whose messages are contents with parts.
// {{message 1}} is the content of the model's first turn as the provider sent it, {{oslo call}} the
// part of a call, and {{signature 1}} the first thought signature of the turn. calls returns the
// calls of their turn with their signatures, and no thoughts.

func (p *placeholders) inContents() bool {
	return p.script.Profile.Speaks.Abilities&wire.CallPieces == 0
}

// says is a message in the form of the dialect.
func (p *placeholders) says(role, text string) string {
	if !p.inContents() {
		return says(role, text)
	}
	if role == "assistant" {
		role = "model"
	}
	return content(role, string(wire.Fields{{Key: "text", Value: text}}.JSON()))
}

func content(role string, parts ...string) string {
	return string(wire.Fields{{Key: "role", Value: role}, {Key: "parts", Value: wire.Raw("[" + strings.Join(parts, ",") + "]")}}.JSON())
}

// callPart is the part of a call as the provider sent it.
func (p *placeholders) callPart(name string) string {
	call, turn, ok := p.call(name)
	if !ok {
		p.t.Fatalf("there is no call %q", name)
	}
	n := 0
	for i, c := range turn.Answer.Calls {
		if c == call {
			n = i
		}
	}
	for _, part := range p.sent(turn).Get("parts").Items {
		if part.Get("functionCall") == nil {
			continue
		}
		if n == 0 {
			return string(part.Raw)
		}
		n--
	}
	return ""
}

func (p *placeholders) returnedParts(names []string, text string) string {
	var parts []string
	if _, turn, ok := p.call(names[0]); ok && text == "" {
		text = turn.Answer.Text
	}
	if text != "" {
		parts = append(parts, string(wire.Fields{{Key: "text", Value: text}}.JSON()))
	}
	for _, name := range names {
		parts = append(parts, p.callPart(name))
	}
	return content("model", parts...)
}

func responsePart(c wire.AnswerCall, text string) string {
	said := wire.Fields{{Key: "name", Value: c.Name}, {Key: "response", Value: wire.Fields{{Key: "output", Value: text}}}}
	if c.ID != "" {
		said = said.With("id", c.ID)
	}
	return string(wire.Fields{{Key: "functionResponse", Value: said}}.JSON())
}

// responses is the content with the responses to calls.
func (s *stage) responses(names []string) string {
	var parts []string
	for _, name := range names {
		call, _, ok := s.words.call(name)
		if !ok {
			s.t.Fatalf("%s: there is no call %q", s.line, name)
		}
		parts = append(parts, responsePart(call, s.run.ToolOutput(call)))
	}
	return content("user", parts...)
}

// contentsBody returns the keys of an ordinary request in the dialect gemini.
func (s *stage) contentsBody() wire.Fields {
	f := wire.Fields{{Key: "contents", Value: nil}}
	if s.run.Task.System != "" {
		f = f.With("systemInstruction", wire.Raw(`{"parts":[`+string(wire.Fields{{Key: "text", Value: s.run.Task.System}}.JSON())+`]}`))
	}
	var functions []wire.Fields
	for _, t := range s.run.Task.Tools {
		functions = append(functions, wire.Fields{
			{Key: "name", Value: t.Name}, {Key: "description", Value: t.Description}, {Key: "parametersJsonSchema", Value: wire.Raw(t.Parameters)},
		})
	}
	if len(functions) > 0 {
		f = f.With("tools", []wire.Fields{{{Key: "functionDeclarations", Value: functions}}})
	}
	return f
}
