// Package chat is the reference loop's half of Chat Completions:
// https://platform.openai.com/docs/api-reference/chat
//
//	body, err := chat.Dialect{}.Write(&neutral.Request{Model: "m", Messages: history})
package chat

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Dialect writes and reads Chat Completions.
type Dialect struct {
	neutral.AdoptsPlain
	neutral.KeepsNothing
	neutral.DelaysInHeaders
}

// Name is the dialect's.
func (Dialect) Name() string { return "chat" }

// Traits are the dialect's.
func (Dialect) Traits() neutral.Trait {
	return neutral.TextArguments | neutral.ResultMessages | neutral.SystemMessages | neutral.PlainReasoning | neutral.SignedCalls |
		neutral.AnyIDs | neutral.Refusals | neutral.LooseEnds | neutral.WordlessEnds | neutral.QuotaLimits | neutral.RoutedErrors |
		neutral.LoopTranscripts
}

// Transcript is the form of Open Agent Loops, whose messages are those of Chat Completions.
func (Dialect) Transcript() string { return "open-agent-loops" }

// Path is where to ask.
func (Dialect) Path(*neutral.Request) string { return "/chat/completions" }

// Headers says who asks.
func (Dialect) Headers(r *neutral.Request, header http.Header) {
	header.Set("Authorization", "Bearer "+r.Task.APIKey)
}

// Echo returns the turn as it goes back: with as much of its reasoning as the provider wants.
func (Dialect) Echo(task protocol.Task, t *neutral.Turn) []neutral.Message {
	provider := providers[task.Profile]
	calls := t.Calls()
	m := neutral.Message{Role: neutral.Assistant}
	if provider.resends == always || provider.resends == onToolTurns && len(calls) > 0 {
		m.Parts = reasoningOf(t)
	}
	if said := t.Text(); said != "" || len(calls) == 0 {
		m.Parts = append(m.Parts, &neutral.Text{Text: said})
	}
	for _, c := range calls {
		if provider.readsArguments && c.Arguments != "" && !json.Valid([]byte(c.Arguments)) {
			c = &neutral.Call{ID: c.ID, Name: c.Name, Arguments: "{}", Signature: c.Signature}
		}
		m.Parts = append(m.Parts, c)
	}
	return []neutral.Message{m}
}

// reasoningOf returns the reasoning of a turn. Blocks say the same as the plain text under the name
// reasoning, and more.
func reasoningOf(t *neutral.Turn) []neutral.Part {
	var all []neutral.Part
	thoughts := neutral.Of[*neutral.Reasoning](t.Parts)
	blocks := slices.ContainsFunc(thoughts, func(p *neutral.Reasoning) bool { return p.Place == inDetails })
	for _, p := range thoughts {
		if p.Place != inReasoning || !blocks {
			all = append(all, p)
		}
	}
	return all
}

// Answer returns a message with the results, and where the provider takes no images in those, one
// of the user that shows them. It follows all results of a turn, since nothing may be between them.
func (Dialect) Answer(task protocol.Task, results []*neutral.Result) []neutral.Message {
	inResults := providers[task.Profile].takesImages
	answer := neutral.Message{Role: neutral.Tool}
	shown := neutral.Message{Role: neutral.User}
	for _, r := range results {
		if r.Image != nil && !inResults {
			what, noted := "image", "(an image)"
			if r.Image.IsPDF() {
				what, noted = "file", "(a file)"
			}
			caption := fmt.Sprintf("The %s that %s returned for the call %s:", what, r.Name, r.CallID)
			shown.Parts = append(shown.Parts, &neutral.Text{Text: caption}, r.Image)
			r = &neutral.Result{CallID: r.CallID, Name: r.Name, Text: cmp.Or(r.Text, noted), Failed: r.Failed}
		}
		answer.Parts = append(answer.Parts, r)
	}
	if len(shown.Parts) == 0 {
		return []neutral.Message{answer}
	}
	return []neutral.Message{answer, shown}
}

// OfAnother returns the turn without encrypted reasoning, where the provider takes that from none but
// the model that gave it.
func (Dialect) OfAnother(task protocol.Task, m neutral.Message) neutral.Message {
	if !providers[task.Profile].bindsReasoning {
		return m
	}
	return neutral.WithoutEncrypted(m)
}

// Write writes a request.
func (Dialect) Write(r *neutral.Request) ([]byte, error) {
	body := request{Model: r.Model, Messages: []message{}, Stream: r.Stream, settings: settingsOf(r.Settings)}
	if r.Stream {
		body.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	if r.System != "" {
		body.Messages = append(body.Messages, message{Role: "system", Content: r.System})
	}
	for _, m := range r.Messages {
		body.Messages = append(body.Messages, messagesOf(m)...)
	}
	if r.Tools != nil {
		body.Tools = []tool{} // an empty list, if a fault needs one
	}
	for _, t := range r.Tools {
		body.Tools = append(body.Tools, tool{Type: "function", Function: functionOf(r, t)})
	}
	return neutral.JSON(body)
}

func functionOf(r *neutral.Request, t protocol.Tool) functionDef {
	f := functionDef{Name: t.Name, Description: t.Description, Parameters: t.Parameters}
	if strict, said := r.Settings.Strict[t.Name]; said {
		f.Strict = &strict
	}
	return f
}

// settingsOf writes settings. The API has no key that keeps every model from thinking.
func settingsOf(s neutral.Settings) settings {
	written := settings{
		Temperature: s.Temperature, ToolChoice: s.Choice, ParallelCalls: s.SeveralCalls, Stop: s.StopAt,
		User: s.User, ServiceTier: s.Tier, ReasoningEffort: s.Effort,
	}
	if s.AnswerSchema != nil {
		written.Format = &format{Type: "json_schema", Schema: namedSchema{Name: "answer", Schema: s.AnswerSchema}}
	}
	return written
}

// messagesOf returns the messages that a neutral one is written as: each result is one of its own.
func messagesOf(m neutral.Message) []message {
	if m.Role == neutral.Assistant {
		return []message{turnOf(m)}
	}
	var all []message
	var rest []neutral.Part // that is not a result
	say := func() {
		if len(rest) > 0 || m.Role != neutral.Tool && len(all) == 0 {
			all = append(all, message{Role: roleOf(m.Role), Content: contentOf(rest)})
		}
		rest = nil
	}
	for _, p := range m.Parts {
		r, is := p.(*neutral.Result)
		if !is {
			rest = append(rest, p)
			continue
		}
		if len(rest) > 0 {
			say()
		}
		all = append(all, resultOf(r))
	}
	say()
	return all
}

// roleOf returns the role of what is alongside results: the user says it.
func roleOf(role neutral.Role) string {
	if role == neutral.Tool {
		return "user"
	}
	return string(role)
}

func resultOf(r *neutral.Result) message {
	if r.Image != nil {
		return message{Role: "tool", ToolCallID: r.CallID, Content: contentOf(r.Shown())}
	}
	return message{Role: "tool", ToolCallID: r.CallID, Content: r.Text}
}

// contentOf returns a text, or a list of parts where there is more than one.
func contentOf(parts []neutral.Part) any {
	if len(parts) == 0 {
		return ""
	}
	if len(parts) == 1 {
		if t, is := parts[0].(*neutral.Text); is {
			return t.Text
		}
	}
	list := []contentPart{}
	for _, p := range parts {
		switch p := p.(type) {
		case *neutral.Text:
			list = append(list, contentPart{Type: "text", Text: p.Text})
		case *neutral.Image:
			list = append(list, imageOf(p))
		}
	}
	return list
}

// imageOf returns an image as a part of a content:
// https://platform.openai.com/docs/guides/images-vision,
// https://platform.openai.com/docs/guides/pdf-files
func imageOf(p *neutral.Image) contentPart {
	if p.IsPDF() {
		return contentPart{Type: "file", File: &file{Name: "file.pdf", Data: p.URL()}}
	}
	return contentPart{Type: "image_url", ImageURL: &imageURL{URL: p.URL()}}
}

// turnOf writes a turn of the model. Its content is left out alongside calls without text, which
// all providers take.
func turnOf(m neutral.Message) message {
	said := message{Role: "assistant"}
	thought := ""
	for _, p := range m.Parts {
		switch p := p.(type) {
		case *neutral.Call:
			said.ToolCalls = append(said.ToolCalls, call{ID: p.ID, Type: "function", Function: function{Name: p.Name, Arguments: p.Arguments}, Extra: p.Signature})
		case *neutral.Reasoning:
			switch p.Place {
			case inReasoningContent:
				said.ReasoningContent = &p.Text
			case inReasoning:
				said.Reasoning = &p.Text
			case inContent:
				thought += p.Text
			case "": // reasoning of the loop's own
				said.Reasoning = &p.Text
			default:
				said.ReasoningDetails = append(said.ReasoningDetails, blockOf(p))
			}
		}
	}
	texts, text := neutral.Of[*neutral.Text](m.Parts), m.Text()
	switch {
	case thought != "":
		parts := []contentPart{{Type: "thinking", Thinking: []contentPart{{Type: "text", Text: thought}}}}
		if text != "" {
			parts = append(parts, contentPart{Type: "text", Text: text})
		}
		said.Content = parts
	case text != "" || len(texts) > 0 && len(said.ToolCalls) == 0:
		said.Content = text
	case len(said.ToolCalls) == 0:
		said.Content = json.RawMessage("null")
	}
	return said
}
