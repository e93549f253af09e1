package cohere

import "github.com/loopproof/loopproof/internal/wire"

// embeddings are asked for at /v2/embed, and are numbers whatever types are wanted:
// https://docs.cohere.com/reference/embed
var embeddings = &wire.EmbeddingsForm{
	Dimensions: 1536, // of embed-v4.0
	Read: func(body *wire.Node) (texts []string, dimensions int, problem string) {
		dimensions, _ = body.Get("output_dimension").Int()
		for _, one := range body.Get("texts").All() {
			texts = append(texts, one.Text())
		}
		for _, one := range body.Get("inputs").All() {
			texts = append(texts, wire.ReadContent(one.Get("content")).Text)
		}
		if len(texts) == 0 {
			return nil, 0, "invalid request: one of texts and inputs must be provided"
		}
		return texts, dimensions, ""
	},
	Write: func(body *wire.Node, vectors []any) wire.Fields {
		meta := wire.Fields{
			{Key: "api_version", Value: wire.Fields{{Key: "version", Value: "2"}}},
			{Key: "billed_units", Value: wire.Fields{{Key: "input_tokens", Value: 2 * len(vectors)}}},
		}
		said := wire.Fields{
			{Key: "id", Value: "00000000-0000-4000-8000-000000000000"}, {Key: "embeddings", Value: wire.Fields{{Key: "float", Value: vectors}}},
			{Key: "meta", Value: meta}, {Key: "response_type", Value: "embeddings_by_type"},
		}
		if texts := body.Get("texts"); texts != nil {
			said = said.With("texts", wire.Raw(texts.Raw))
		}
		return said
	},
	ReadAnswer: func(answer *wire.Node) []*wire.Node { return answer.Get("embeddings").Get("float").All() },
}
