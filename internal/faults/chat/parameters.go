package chat

import (
	"github.com/loopproof/loopproof/internal/faults/raw"
)

// setting sets a key of every request.
func setting(key string, value any) func() raw.Mutation {
	return raw.OnRequest(func(r *raw.Request) { r.Set(key, value) })
}

// mark is what caches everything up to where it is.
const mark = `{"type":"ephemeral"}`

const openaiAPI = "https://platform.openai.com/docs/api-reference/chat/create"
