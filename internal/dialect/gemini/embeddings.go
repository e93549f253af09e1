package gemini

import "github.com/loopproof/loopproof/internal/wire"

// embeddings are asked for by a content, or by several: https://ai.google.dev/api/embeddings
var embeddings = &wire.EmbeddingsForm{
	Paths: []string{
		"/{version:v1|v1beta|v1alpha}/models/{model}:{method:embedContent|batchEmbedContents}",
		onVertex + ":embedContent",
	},
	Dimensions: 3072, // of gemini-embedding-001
	BadRequest: "INVALID_ARGUMENT",
	Read: func(body *wire.Node) (texts []string, dimensions int, problem string) {
		for _, one := range embedded(body) {
			content := one.Get("content")
			if len(Items(content.Get("parts"))) == 0 {
				return nil, 0, "* EmbedContentRequest.content: contents is not specified\n"
			}
			texts = append(texts, readParts(content).Text)
			if size, ok := get(one, "outputDimensionality").Int(); ok {
				dimensions = size
			}
		}
		if len(texts) == 0 {
			return nil, 0, "* BatchEmbedContentsRequest.requests: at least one request is required\n"
		}
		return texts, dimensions, ""
	},
	Write: func(body *wire.Node, vectors []any) wire.Fields {
		all := make([]wire.Fields, len(vectors))
		for i, v := range vectors {
			all[i] = wire.Fields{{Key: "values", Value: v}}
		}
		if !body.Has("requests") {
			return wire.Fields{{Key: "embedding", Value: all[0]}}
		}
		return wire.Fields{{Key: "embeddings", Value: all}}
	},
}

// embedded returns the requests of a batch, or the one that is none.
func embedded(body *wire.Node) []*wire.Node {
	if body.Has("requests") {
		return Items(body.Get("requests"))
	}
	return []*wire.Node{body}
}
