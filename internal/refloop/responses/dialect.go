// Package responses is the reference loop's half of OpenAI's Responses API:
// https://platform.openai.com/docs/api-reference/responses
//
//	body, err := responses.Dialect{}.Write(&neutral.Request{Model: "m", Messages: history})
package responses

import (
	"net/http"
	"slices"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Dialect writes and reads Responses.
type Dialect struct {
	neutral.DelaysInHeaders
	neutral.AdoptsPlain
}

// Name is the dialect's.
func (Dialect) Name() string { return "responses" }

// Traits are the dialect's.
func (Dialect) Traits() neutral.Trait {
	return neutral.TextArguments | neutral.ResultMessages | neutral.OrderedParts | neutral.ImagesInResults | neutral.AnyIDs |
		neutral.Refusals | neutral.QuotaLimits | neutral.KeptHistory | neutral.LoopTranscripts | neutral.Items | neutral.CompactedHistory | neutral.Sockets
}

// Transcript is the form of Open Agent Loops, which says of results whether they failed.
func (Dialect) Transcript() string { return "open-agent-loops" }

// Path is where to ask.
func (Dialect) Path(*neutral.Request) string { return "/responses" }

// Headers says who asks.
func (Dialect) Headers(r *neutral.Request, header http.Header) {
	header.Set("Authorization", "Bearer "+r.Task.APIKey)
}

// Echo returns the turn as it came: all items, whole and in their order, since an item without the
// reasoning that led to it is refused, and reasoning without the item that followed it.
func (Dialect) Echo(_ protocol.Task, t *neutral.Turn) []neutral.Message {
	if len(t.Parts) == 0 {
		return nil
	}
	return []neutral.Message{{Role: neutral.Assistant, Parts: t.Parts}}
}

// Answer returns a message with all results, which are items of their own.
func (Dialect) Answer(_ protocol.Task, results []*neutral.Result) []neutral.Message {
	m := neutral.Message{Role: neutral.Tool}
	for _, r := range results {
		m.Parts = append(m.Parts, r)
	}
	return []neutral.Message{m}
}

// OfAnother returns the turn without encrypted reasoning, where the provider takes that from none but
// the model that gave it. Items without their reasoning are taken without their ids alone.
func (Dialect) OfAnother(task protocol.Task, m neutral.Message) neutral.Message {
	if !providers[task.Profile].bindsReasoning {
		return m
	}
	m = neutral.WithoutEncrypted(m)
	for i, p := range m.Parts {
		if c, is := p.(*neutral.Call); is && c.Raw != nil {
			item, said := neutral.Keys(c.Raw), *c
			item.Drop("id")
			said.Raw = item.JSON()
			m.Parts[i] = &said
		}
	}
	return m
}

// Write writes a request.
func (Dialect) Write(r *neutral.Request) ([]byte, error) {
	body := request{
		Model: r.Model, Instructions: r.System, Stream: r.Stream, Store: stores(r), Include: includeOf(r), Previous: r.Previous,
		settings: settingsOf(r.Settings),
	}
	if r.CompactAt > 0 {
		body.ContextManagement = []compaction{{Type: "compaction", Threshold: r.CompactAt}}
	}
	var err error
	if body.Input, err = inputOf(r.Messages); err != nil {
		return nil, err
	}
	if r.Tools != nil {
		body.Tools = []tool{} // an empty list, if a fault needs one
	}
	for _, t := range r.Tools {
		body.Tools = append(body.Tools, toolOf(t, r.Settings.Strict[t.Name]))
	}
	if slices.ContainsFunc(r.Tools, func(t protocol.Tool) bool { return t.Programmatic }) {
		body.Tools = append(body.Tools, tool{Type: "programmatic_tool_calling"})
	}
	return neutral.JSON(body)
}

// toolOf writes a tool: a function, or one that takes a free text.
// https://platform.openai.com/docs/guides/function-calling#custom-tools
func toolOf(t protocol.Tool, strict bool) tool {
	if t.FreeText {
		return tool{Type: "custom", Name: t.Name, Description: t.Description}
	}
	return tool{Type: "function", Name: t.Name, Description: t.Description, Parameters: t.Parameters, Strict: &strict, AllowedCallers: callersOf(t)}
}

// callersOf returns who may call a tool, where it is not the model alone:
// https://developers.openai.com/api/docs/guides/tools-programmatic-tool-calling
func callersOf(t protocol.Tool) []string {
	if !t.Programmatic {
		return nil
	}
	return []string{"direct", "programmatic"}
}

// settingsOf writes settings. The API has no texts at which the model stops, and no key that keeps
// every model from thinking.
func settingsOf(s neutral.Settings) settings {
	written := settings{
		Temperature: s.Temperature, ToolChoice: s.Choice, ParallelCalls: s.SeveralCalls, User: s.User, ServiceTier: s.Tier,
	}
	if s.Effort != "" {
		written.Reasoning = &effort{Effort: s.Effort}
	}
	if s.AnswerSchema != nil {
		written.Text = &textForm{Format: format{Type: "json_schema", Name: "answer", Schema: s.AnswerSchema}}
	}
	return written
}
