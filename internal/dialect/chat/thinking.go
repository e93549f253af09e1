package chat

import "github.com/loopproof/loopproof/internal/wire"

// thoughts returns the pieces of reasoning that are in the content of an answer.
func (s *Shape) thoughts(a *wire.Answer) []string {
	if !s.ReasoningInContent || a.Reasoning == nil {
		return nil
	}
	return a.Pieces(*a.Reasoning)
}

// wholeContent is a content with reasoning in it: https://docs.mistral.ai/capabilities/reasoning
func wholeContent(reasoning, text string) []any {
	content := []any{thinkingPart(reasoning, true)}
	if text != "" {
		content = append(content, textPart(text))
	}
	return content
}

// contents returns what each delta of a text says. Where reasoning comes before it, the content is
// a list until the first piece of the text, which is alongside the last of the reasoning; from
// there on it is a text, as recorded.
func (s *Shape) contents(a *wire.Answer) []any {
	var all []any
	thoughts, texts := s.thoughts(a), a.Pieces(a.Text)
	for i, piece := range thoughts {
		list := []any{thinkingPart(piece, i > 0)}
		if i == len(thoughts)-1 && len(texts) > 0 {
			list, texts = append(list, textPart(texts[0])), texts[1:]
		}
		all = append(all, list)
	}
	for _, piece := range texts {
		all = append(all, piece)
	}
	return all
}

func thinkingPart(text string, closed bool) wire.Fields {
	part := wire.Fields{{Key: "type", Value: "thinking"}, {Key: "thinking", Value: []any{textPart(text)}}}
	if closed {
		part = part.With("closed", true)
	}
	return part
}

func textPart(text string) wire.Fields {
	return wire.Fields{{Key: "type", Value: "text"}, {Key: "text", Value: text}}
}
