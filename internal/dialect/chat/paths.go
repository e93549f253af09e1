package chat

import "github.com/loopproof/loopproof/internal/wire"

// paths are those of OpenAI's API, and of Azure's.
var paths = wire.Paths{
	Turns:      []string{"/v1/chat/completions", "/openai/deployments/{deployment}/chat/completions", "/openai/v1/chat/completions"},
	Embeddings: []string{"/v1/embeddings", "/openai/deployments/{deployment}/embeddings"},

	Unplayed: []string{"/v1/threads/{rest:.+}"}, // of the Assistants API, whose threads have messages
}
