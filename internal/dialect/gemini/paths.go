package gemini

import "github.com/loopproof/loopproof/internal/wire"

// onVertex is where Vertex AI has the models of Google, with a project or, for an API key, without;
// and those that were tuned or deployed:
// https://cloud.google.com/vertex-ai/docs/reference/rest/v1/projects.locations.endpoints/generateContent
const onVertex = "/{version:v1|v1beta1}/{above:(?:projects/[^/]+/locations/[^/]+/)?publishers/google/models|projects/[^/]+/locations/[^/]+/endpoints}/{model}"

// paths are those of the Gemini API, and of Vertex AI's. Vertex AI has its older models predict
// embeddings:
// https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api
var paths = wire.Paths{
	Turns: []string{
		"/v1beta/models/{model}:generateContent",
		"/v1beta/models/{model}:streamGenerateContent",
		"/{version:v1|v1alpha}/models/{model}:{method:generateContent|streamGenerateContent}",
		"/{version:v1|v1beta|v1alpha}/tunedModels/{model}:{method:generateContent|streamGenerateContent}", // https://ai.google.dev/api/tuning
		onVertex + ":{method:generateContent|streamGenerateContent}",
	},
	Counts: []string{
		"/{version:v1beta1|v1beta|v1alpha|v1}/{above:(?:(?:projects/[^/]+/locations/[^/]+/)?publishers/google/)?models|projects/[^/]+/locations/[^/]+/endpoints}/{model}:countTokens",
	},
	Models: "/v1beta/models",

	Unplayed: []string{"/{version:v1|v1beta|v1alpha}/{kind:models|tunedModels}/{model}:{method}"}, // such as batchGenerateContent
	Embeddings: []string{
		"/{version:v1|v1beta|v1alpha}/models/{model}:{method:embedContent|batchEmbedContents}",
		onVertex + ":{method:embedContent|predict}",
	},
}
