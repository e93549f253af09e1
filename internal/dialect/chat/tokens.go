package chat

import (
	"github.com/loopproof/loopproof/internal/dialect/openai"
	"github.com/loopproof/loopproof/internal/wire"
)

// What surrounds a text where a request asks for it, or a script says it: the probabilities of its
// tokens, and its sources. https://platform.openai.com/docs/api-reference/chat/object

// withTokens adds them to an answer that is not streamed.
func withTokens(document wire.Raw, a *wire.Answer) wire.Raw {
	if len(a.Tokens) == 0 && len(a.Citations) == 0 {
		return document
	}
	n := wire.Parsed(document)
	choice := n.Path("choices", 0)
	if len(a.Tokens) > 0 {
		choice.Set("logprobs", logprobs(wire.NewTokens(a).Next(a.Text)))
	}
	if cited := a.Cited(); len(cited) > 0 {
		choice.Get("message").Set("annotations", annotations(cited, a.Text))
	}
	return n.JSON()
}

// streamTokens adds them to the events of a stream: each piece of the text has its tokens, and the
// sources come behind the text.
func streamTokens(events []wire.Event, a *wire.Answer) []wire.Event {
	if len(a.Tokens) == 0 && len(a.Citations) == 0 {
		return events
	}
	tokens, cited := wire.NewTokens(a), a.Cited()
	return rechunk(func(e wire.Event, chunk *wire.Node) []wire.Event {
		var before []wire.Event
		if piece := textOf(chunk); piece != "" && len(a.Tokens) > 0 {
			chunk.Path("choices", 0).Set("logprobs", logprobs(tokens.Next(piece)))
		}
		if e.Finish && len(cited) > 0 {
			before = append(before, likeChunk(chunk, wire.Fields{{Key: "annotations", Value: annotations(cited, a.Text)}}))
		}
		e.Data = chunk.JSON()
		return append(before, e)
	})(events)
}

func logprobs(tokens []wire.Token) wire.Fields {
	return wire.Fields{{Key: "content", Value: openai.Logprobs(tokens)}, {Key: "refusal", Value: nil}}
}

func annotations(cited []wire.Citation, text string) []any {
	all := make([]any, len(cited))
	for i, c := range cited {
		all[i] = wire.Fields{{Key: "type", Value: "url_citation"}, {Key: "url_citation", Value: openai.Citation(c, text)}}
	}
	return all
}
