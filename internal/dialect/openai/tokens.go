package openai

import "github.com/loopproof/loopproof/internal/wire"

// Logprobs writes tokens as Chat Completions and Responses do: each with its bytes and the likeliest
// others.
func Logprobs(tokens []wire.Token) []any {
	all := []any{}
	for _, t := range tokens {
		top := []any{}
		for _, other := range t.Top {
			top = append(top, token(other))
		}
		all = append(all, token(t).With("top_logprobs", top))
	}
	return all
}

func token(t wire.Token) wire.Fields {
	bytes := []any{}
	for _, b := range []byte(t.Text) {
		bytes = append(bytes, int(b))
	}
	return wire.Fields{{Key: "token", Value: t.Text}, {Key: "logprob", Value: t.Logprob}, {Key: "bytes", Value: bytes}}
}

// Citation writes the fields of a citation of a text.
func Citation(c wire.Citation, text string) wire.Fields {
	start, end := c.Runes(text)
	return wire.Fields{{Key: "start_index", Value: start}, {Key: "end_index", Value: end}, {Key: "url", Value: c.URL}, {Key: "title", Value: c.Title}}
}
