package gemini

import "github.com/loopproof/loopproof/internal/wire"

// withTokens adds to a candidate the probabilities of the tokens in a piece of the text, where the
// request asks for them: https://ai.google.dev/api/generate-content#LogprobsResult
func withTokens(candidate wire.Raw, tokens []wire.Token) wire.Raw {
	if len(tokens) == 0 {
		return candidate
	}
	chosen, top, sum := []any{}, []any{}, 0.0
	one := func(t wire.Token) wire.Fields {
		return wire.Fields{{Key: "token", Value: t.Text}, {Key: "logProbability", Value: t.Logprob}}
	}
	for _, t := range tokens {
		likeliest := []any{}
		for _, other := range t.Top {
			likeliest = append(likeliest, one(other))
		}
		chosen, top, sum = append(chosen, one(t)), append(top, wire.Fields{{Key: "candidates", Value: likeliest}}), sum+t.Logprob
	}
	n := wire.Parsed(candidate)
	n.Set("avgLogprobs", sum/float64(len(tokens)))
	n.Set("logprobsResult", wire.Fields{{Key: "topCandidates", Value: top}, {Key: "chosenCandidates", Value: chosen}})
	return n.JSON()
}

// withSources adds to the last candidate what the text is grounded on:
// https://ai.google.dev/api/generate-content#GroundingMetadata
func withSources(candidate wire.Raw, a *wire.Answer) wire.Raw {
	cited := a.Cited()
	if len(cited) == 0 {
		return candidate
	}
	chunks, supports := []any{}, []any{}
	for i, c := range cited {
		chunks = append(chunks, wire.Fields{{Key: "web", Value: wire.Fields{{Key: "uri", Value: c.URL}, {Key: "title", Value: c.Title}}}})
		segment := wire.Fields{{Key: "startIndex", Value: c.Start}, {Key: "endIndex", Value: c.End}, {Key: "text", Value: a.Text[c.Start:c.End]}}
		supports = append(supports, wire.Fields{{Key: "segment", Value: segment}, {Key: "groundingChunkIndices", Value: []any{i}}})
	}
	n := wire.Parsed(candidate)
	n.Set("groundingMetadata", wire.Fields{{Key: "groundingChunks", Value: chunks}, {Key: "groundingSupports", Value: supports}})
	return n.JSON()
}
