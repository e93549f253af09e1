package chat

import "github.com/loopproof/loopproof/internal/wire"

// otherPaths are the other paths of OpenAI's API, and of Azure's, that clients of the dialect ask.
var otherPaths = wire.OtherPaths{
	Embeddings:  []string{"/v1/embeddings", "/openai/deployments/{deployment}/embeddings"},
	Moderations: []string{"/v1/moderations"},
}
