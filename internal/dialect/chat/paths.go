package chat

import "github.com/loopproof/loopproof/internal/wire"

// paths are those of OpenAI's API, of Azure's and of Vertex AI's.
var paths = wire.Paths{
	Turns: []string{
		"/v1/chat/completions", "/openai/deployments/{deployment}/chat/completions", "/openai/v1/chat/completions",
		"/{version:v1|v1beta1}/projects/{project}/locations/{location}/endpoints/openapi/chat/completions",
	},
	Embeddings: []string{"/v1/embeddings", "/openai/deployments/{deployment}/embeddings"},

	Unplayed: []string{"/v1/threads/{rest:.+}"}, // of the Assistants API, whose threads have messages
}
