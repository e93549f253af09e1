package gemini

import "github.com/loopproof/loopproof/internal/wire"

// embeddings are asked for by a content, or by several: https://ai.google.dev/api/embeddings.
var embeddings = &wire.EmbeddingsForm{
	Dimensions: 3072, // of gemini-embedding-001
	BadRequest: "INVALID_ARGUMENT",
	Read: func(body *wire.Node) (texts []string, dimensions int, problem string) {
		if body.Has("instances") {
			return predicted(body)
		}
		for _, one := range embedded(body) {
			content := one.Get("content")
			if len(Items(content.Get("parts"))) == 0 {
				return nil, 0, "* EmbedContentRequest.content: contents is not specified\n"
			}
			texts = append(texts, readParts(content).Text)
			for _, place := range []*wire.Node{one, get(one, "embedContentConfig")} { // the latter on Vertex AI
				if size, ok := get(place, "outputDimensionality").Int(); ok {
					dimensions = size
				}
			}
		}
		if len(texts) == 0 {
			return nil, 0, "* BatchEmbedContentsRequest.requests: at least one request is required\n"
		}
		return texts, dimensions, ""
	},
	Write: func(body *wire.Node, vectors []any) wire.Fields {
		if body.Has("instances") {
			return predictions(vectors)
		}
		all := make([]wire.Fields, len(vectors))
		for i, v := range vectors {
			all[i] = wire.Fields{{Key: "values", Value: v}}
		}
		if !body.Has("requests") {
			return wire.Fields{{Key: "embedding", Value: all[0]}}
		}
		return wire.Fields{{Key: "embeddings", Value: all}}
	},
	ReadAnswer: func(answer *wire.Node) (vectors []*wire.Node) {
		all := append(Items(answer.Get("embeddings")), Items(answer.Get("predictions"))...)
		if answer.Has("embedding") {
			all = append(all, answer.Get("embedding"))
		}
		for _, one := range all {
			if one.Has("embeddings") {
				one = one.Get("embeddings")
			}
			if values := get(one, "values"); values != nil {
				vectors = append(vectors, values)
			}
		}
		return vectors
	},
}

// embedded returns the requests of a batch, or the one that is none.
func embedded(body *wire.Node) []*wire.Node {
	if body.Has("requests") {
		return Items(body.Get("requests"))
	}
	return []*wire.Node{body}
}

// predicted reads a request to predict embeddings.
func predicted(body *wire.Node) (texts []string, dimensions int, problem string) {
	for _, instance := range Items(body.Get("instances")) {
		texts = append(texts, instance.Get("content").Text())
	}
	if len(texts) == 0 {
		return nil, 0, "At least one instance is required."
	}
	dimensions, _ = get(body.Get("parameters"), "outputDimensionality").Int()
	return texts, dimensions, ""
}

func predictions(vectors []any) wire.Fields {
	all := make([]wire.Fields, len(vectors))
	for i, v := range vectors {
		all[i] = wire.Fields{{Key: "embeddings", Value: wire.Fields{{Key: "values", Value: v}}}}
	}
	return wire.Fields{{Key: "predictions", Value: all}}
}
