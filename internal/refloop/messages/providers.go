package messages

import "github.com/loopproof/loopproof/internal/refloop/neutral"

// provider is what a loop has to know of a provider beyond the API, by the name that a task has for
// it.
type provider struct {
	budgets      bool // its models are given a budget for thinking; later ones think as they see fit
	keepsHistory bool
}

var providers = map[string]provider{
	"anthropic-4.5":     {budgets: true},      // https://platform.claude.com/docs/en/build-with-claude/thinking
	"anthropic-threads": {keepsHistory: true}, // https://platform.claude.com/docs/en/build-with-claude/message-threads
}

// thinkingFor asks for the model's reasoning in the way of its generation.
func thinkingFor(r *neutral.Request) *thinking {
	switch {
	case r.Settings.NoThinking:
		return &thinking{Type: "disabled"}
	case providers[r.Task.Profile].budgets:
		return &thinking{Type: "enabled", BudgetTokens: budget}
	}
	return &thinking{Type: "adaptive"}
}
