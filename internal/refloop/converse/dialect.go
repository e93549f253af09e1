// Package converse is the reference loop's half of Bedrock's Converse and ConverseStream:
// https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-call.html
package converse

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/refloop/neutral"
	"github.com/loopproof/loopproof/protocol"
)

// Dialect writes and reads Converse.
type Dialect struct {
	neutral.AdoptsPlain
	neutral.TakesAsItCame
	neutral.KeepsNothing
	neutral.DelaysInHeaders
}

// Name is the dialect's.
func (Dialect) Name() string { return "converse" }

// Traits are the dialect's.
func (Dialect) Traits() neutral.Trait {
	return neutral.OrderedParts | neutral.ErrorFlags | neutral.ImagesInResults | neutral.ModelInURL | neutral.AWSFrames |
		neutral.TakesTurns | neutral.NeverBarred
}

// Transcript is the form of Open Agent Loops.
func (Dialect) Transcript() string { return "open-agent-loops" }

// Path is where to ask: it names the model, and whether a stream is wanted.
func (Dialect) Path(r *neutral.Request) string {
	path := "/model/" + url.PathEscape(r.Model) + "/converse"
	if r.Stream {
		path += "-stream"
	}
	return path
}

// Headers says who asks: https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys-use.html
func (Dialect) Headers(r *neutral.Request, header http.Header) {
	header.Set("Authorization", "Bearer "+r.Task.APIKey)
}

// words are those of stopReason.
var words = neutral.Words{
	neutral.Stop: "end_turn", neutral.Calls: "tool_use", neutral.Length: "max_tokens", neutral.Filter: "content_filtered",
	neutral.Window: "model_context_window_exceeded",
}

// Word returns the word for a reason to stop.
func (Dialect) Word(f neutral.Finish) string { return words[f] }

func finishOf(word string) neutral.Finish {
	switch word {
	case "stop_sequence":
		return neutral.Stop
	case "guardrail_intervened":
		return neutral.Filter
	}
	return words.Finish(word)
}

// Echo returns the turn as it came, since signed reasoning is refused when it changes. A text without
// a letter is refused, too, and an input that is no object.
func (Dialect) Echo(_ protocol.Task, t *neutral.Turn) []neutral.Message {
	parts := slices.DeleteFunc(slices.Clone(t.Parts), func(p neutral.Part) bool {
		text, is := p.(*neutral.Text)
		return is && strings.TrimSpace(text.Text) == ""
	})
	for i, p := range parts {
		if call, is := p.(*neutral.Call); is {
			back := *call
			back.Arguments = neutral.ObjectOf(call.Arguments)
			parts[i] = &back
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return []neutral.Message{{Role: neutral.Assistant, Parts: parts}}
}

// Answer returns one message with all results.
func (Dialect) Answer(_ protocol.Task, results []*neutral.Result) []neutral.Message {
	m := neutral.Message{Role: neutral.Tool}
	for _, r := range results {
		m.Parts = append(m.Parts, r)
	}
	return []neutral.Message{m}
}
