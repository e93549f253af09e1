package responses

import "github.com/loopproof/loopproof/internal/refloop/neutral"

// provider is what a loop has to know of a provider beyond the API, by the name that a task has for
// it.
type provider struct {
	keepsHistory   bool // its answers can be referred to by the requests after them
	bindsReasoning bool // encrypted reasoning is for the model that gave it alone
}

var providers = map[string]provider{
	"openai-responses-stored": {keepsHistory: true},   // https://platform.openai.com/docs/guides/conversation-state
	"openrouter-responses":    {bindsReasoning: true}, // https://github.com/earendil-works/pi/issues/8874
}

// includeOf asks for reasoning that can be sent back. A provider that keeps the answers has it
// itself.
func includeOf(r *neutral.Request) []string {
	if stores(r) {
		return nil
	}
	return []string{"reasoning.encrypted_content"}
}

// stores reports whether the provider is to store the answer. The history that a WebSocket keeps is
// not stored.
func stores(r *neutral.Request) bool { return r.Keep && providers[r.Task.Profile].keepsHistory }
