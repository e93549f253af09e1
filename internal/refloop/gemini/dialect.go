// Package gemini is the reference loop's half of Google's generateContent:
// https://ai.google.dev/api/generate-content
//
//	body, err := gemini.Dialect{}.Write(&neutral.Request{Messages: history})
package gemini

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Dialect writes and reads generateContent.
type Dialect struct {
	neutral.KeepsNothing
	neutral.TakesAsItCame
}

// Name is the dialect's.
func (Dialect) Name() string { return "gemini" }

// Traits are the dialect's.
func (Dialect) Traits() neutral.Trait {
	return neutral.OrderedParts | neutral.ImagesInResults | neutral.SignedCalls | neutral.AnyIDs | neutral.WholeCalls |
		neutral.DataLines | neutral.ModelInURL | neutral.LoopTranscripts | neutral.ErrorKeys
}

// Transcript is the form of Open Agent Loops, which says of results whether they failed.
func (Dialect) Transcript() string { return "open-agent-loops" }

// Path is where to ask: it names the model, and whether a stream is wanted.
func (Dialect) Path(r *neutral.Request) string {
	path := "/v1beta/models/" + url.PathEscape(r.Model)
	if r.Stream {
		return path + ":streamGenerateContent?alt=sse"
	}
	return path + ":generateContent"
}

// Headers says who asks.
func (Dialect) Headers(r *neutral.Request, header http.Header) {
	header.Set("X-Goog-Api-Key", r.Task.APIKey)
}

// Echo returns the turn as it came, with its signatures where they were. Only an empty text without
// a signature, with which streams end, says nothing:
// https://ai.google.dev/gemini-api/docs/thought-signatures
func (Dialect) Echo(_ protocol.Task, t *neutral.Turn) []neutral.Message {
	parts := slices.DeleteFunc(slices.Clone(t.Parts), func(p neutral.Part) bool {
		text, is := p.(*neutral.Text)
		return is && text.Text == "" && text.Raw == nil
	})
	if len(parts) == 0 {
		return nil
	}
	return []neutral.Message{{Role: neutral.Assistant, Parts: parts}}
}

// Adopt returns what was said, with the documented word in place of a signature on the first call,
// without which the provider refuses it: https://ai.google.dev/gemini-api/docs/thought-signatures
func (Dialect) Adopt(m neutral.Message) neutral.Message {
	m = neutral.PlainObjects(m)
	if calls := m.Calls(); len(calls) > 0 {
		calls[0].Signature = []byte(`"skip_thought_signature_validator"`)
	}
	return m
}

// Answer returns one message with all results.
func (Dialect) Answer(_ protocol.Task, results []*neutral.Result) []neutral.Message {
	m := neutral.Message{Role: neutral.Tool}
	for _, r := range results {
		m.Parts = append(m.Parts, r)
	}
	return []neutral.Message{m}
}

// Write writes a request. The model asks to see the thoughts of the model.
func (Dialect) Write(r *neutral.Request) ([]byte, error) {
	body := request{Contents: []content{}, GenerationConfig: configOf(r.Settings), ServiceTier: r.Settings.Tier}
	if r.System != "" {
		body.SystemInstruction = &instruction{Parts: []textPart{{Text: r.System}}}
	}
	for _, m := range r.Messages {
		written, err := contentOf(m)
		if err != nil {
			return nil, err
		}
		body.Contents = append(body.Contents, written)
	}
	if r.Tools != nil {
		body.Tools = []tools{} // an empty list, if a fault needs one
	}
	if len(r.Tools) > 0 {
		body.Tools = append(body.Tools, tools{})
	}
	for _, t := range r.Tools {
		body.Tools[0].Functions = append(body.Tools[0].Functions, function{Name: t.Name, Description: t.Description, Parameters: t.Parameters})
	}
	if mode := modes[r.Settings.Choice]; mode != "" {
		body.ToolConfig = &toolConfig{Calling: calling{Mode: mode}}
	}
	return neutral.JSON(body)
}

// modes are the words for whether the model calls tools.
var modes = map[neutral.Choice]string{neutral.ChoiceAuto: "AUTO", neutral.ChoiceRequired: "ANY", neutral.ChoiceNone: "NONE"}

// configOf writes settings. The API has no word for a model that calls one tool at a time, and none
// for the user.
func configOf(s neutral.Settings) config {
	c := config{Temperature: s.Temperature, StopSequences: s.StopAt, Thinking: thinking{Include: true, Level: s.Effort}}
	if s.AnswerSchema != nil {
		c.MediaType, c.Schema = "application/json", s.AnswerSchema
	}
	if s.NoThinking {
		none := 0
		c.Thinking = thinking{Budget: &none}
	}
	return c
}
