// Package interactions is the reference loop's half of Gemini's Interactions API:
// https://ai.google.dev/gemini-api/docs/interactions
package interactions

import (
	"net/http"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Dialect writes and reads Interactions.
type Dialect struct {
	neutral.TakesAsItCame
	neutral.DelaysInHeaders
}

// Name is the dialect's.
func (Dialect) Name() string { return "interactions" }

// Traits are the dialect's.
func (Dialect) Traits() neutral.Trait {
	return neutral.ResultMessages | neutral.OrderedParts | neutral.ErrorFlags | neutral.ImagesInResults | neutral.AnyIDs | neutral.Items | neutral.KeptHistory
}

// Transcript is the form of Open Agent Loops.
func (Dialect) Transcript() string { return "open-agent-loops" }

// Path is where to ask.
func (Dialect) Path(*neutral.Request) string { return "/v1beta/interactions" }

// Headers says who asks, and in which form: https://ai.google.dev/gemini-api/docs/interactions-breaking-changes-may-2026
func (Dialect) Headers(r *neutral.Request, header http.Header) {
	header.Set("X-Goog-Api-Key", r.Task.APIKey)
	header.Set("Api-Revision", "2026-05-20")
}

// words are the statuses of an interaction.
var words = neutral.Words{neutral.Stop: "completed", neutral.Calls: "requires_action", neutral.Length: "incomplete"}

// Word returns the word for a reason to stop.
func (Dialect) Word(f neutral.Finish) string { return words[f] }

// Echo returns the turn as it came, with arguments that are objects. A step that says nothing is left
// out.
func (Dialect) Echo(_ protocol.Task, t *neutral.Turn) []neutral.Message {
	m := neutral.Message{Role: neutral.Assistant}
	for _, p := range t.Parts {
		switch said := p.(type) {
		case *neutral.Text:
			if said.Text == "" {
				continue
			}
		case *neutral.Call:
			back := *said
			back.Arguments = neutral.ObjectOf(said.Arguments)
			p = &back
		}
		m.Parts = append(m.Parts, p)
	}
	if len(m.Parts) == 0 {
		return nil
	}
	return []neutral.Message{m}
}

// Answer returns one message with all results, which are steps of their own.
func (Dialect) Answer(_ protocol.Task, results []*neutral.Result) []neutral.Message {
	m := neutral.Message{Role: neutral.Tool}
	for _, r := range results {
		m.Parts = append(m.Parts, r)
	}
	return []neutral.Message{m}
}

// Adopt returns what was said, with arguments that are objects.
func (Dialect) Adopt(m neutral.Message) neutral.Message { return neutral.PlainObjects(m) }

// Keeps reports whether the provider keeps interactions for the requests after them.
func (Dialect) Keeps(task protocol.Task) bool { return task.Profile == "gemini-interactions-stored" }

// Continue leaves out the messages that the provider has. Instructions and tools are not kept:
// https://ai.google.dev/gemini-api/docs/interactions
func (Dialect) Continue(r *neutral.Request, kept int) { r.Messages = r.Messages[kept:] }

// Lost tells whether a request failed only because the provider does not have the interaction before
// it.
func (Dialect) Lost(errorCode string) neutral.Loss {
	if errorCode == "not_found" {
		return neutral.Gone
	}
	return neutral.NotLost
}

// ErrorCode returns the provider's word for what is wrong.
func (Dialect) ErrorCode(body []byte) string {
	return neutral.Keys(neutral.Keys(body).Values["error"]).Text("code")
}
