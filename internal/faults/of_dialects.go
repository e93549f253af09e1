package faults

import (
	"slices"

	"github.com/loopproof/loopproof/internal/faults/chat"
	"github.com/loopproof/loopproof/internal/faults/cohere"
	"github.com/loopproof/loopproof/internal/faults/converse"
	"github.com/loopproof/loopproof/internal/faults/gemini"
	"github.com/loopproof/loopproof/internal/faults/hooks"
	"github.com/loopproof/loopproof/internal/faults/interactions"
	"github.com/loopproof/loopproof/internal/faults/messages"
	"github.com/loopproof/loopproof/internal/faults/ollama"
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/faults/responses"
	chatwire "github.com/loopproof/loopproof/internal/refloop/chat"
	coherewire "github.com/loopproof/loopproof/internal/refloop/cohere"
	conversewire "github.com/loopproof/loopproof/internal/refloop/converse"
	geminiwire "github.com/loopproof/loopproof/internal/refloop/gemini"
	interactionswire "github.com/loopproof/loopproof/internal/refloop/interactions"
	messageswire "github.com/loopproof/loopproof/internal/refloop/messages"
	ollamawire "github.com/loopproof/loopproof/internal/refloop/ollama"
	responseswire "github.com/loopproof/loopproof/internal/refloop/responses"
)

// faultsOfDialects returns the faults that are about the bytes of one dialect.
func faultsOfDialects() []hooks.Fault {
	return slices.Concat(
		faultsIn(chatwire.Dialect{}.Name(), chat.Faults()),
		faultsIn(messageswire.Dialect{}.Name(), messages.Faults()),
		faultsIn(responseswire.Dialect{}.Name(), responses.Faults()),
		faultsIn(geminiwire.Dialect{}.Name(), gemini.Faults()),
		faultsIn(conversewire.Dialect{}.Name(), converse.Faults()),
		faultsIn(coherewire.Dialect{}.Name(), cohere.Faults()),
		faultsIn(ollamawire.Dialect{}.Name(), ollama.Faults()),
		faultsIn(interactionswire.Dialect{}.Name(), interactions.Faults()),
	)
}

// variationsOfDialects returns the variations that are about the bytes of one dialect.
func variationsOfDialects() []hooks.Variation {
	return slices.Concat(
		variationsIn(chatwire.Dialect{}.Name(), chat.Variations()),
		variationsIn(messageswire.Dialect{}.Name(), messages.Variations()),
		variationsIn(responseswire.Dialect{}.Name(), responses.Variations()),
		variationsIn(geminiwire.Dialect{}.Name(), gemini.Variations()),
		variationsIn(conversewire.Dialect{}.Name(), converse.Variations()),
		variationsIn(coherewire.Dialect{}.Name(), cohere.Variations()),
		variationsIn(ollamawire.Dialect{}.Name(), ollama.Variations()),
		variationsIn(interactionswire.Dialect{}.Name(), interactions.Variations()),
	)
}

func faultsIn(dialect string, entries []raw.Fault) []hooks.Fault {
	var all []hooks.Fault
	for _, f := range entries {
		all = append(all, hooks.Fault{Name: f.Name, Does: f.Does, Reports: f.Reports, Breaks: f.Breaks, Profiles: f.Profiles, Dialect: dialect, Make: mutationOf(f.Make)})
	}
	return all
}

func variationsIn(dialect string, entries []raw.Variation) []hooks.Variation {
	var all []hooks.Variation
	for _, v := range entries {
		all = append(all, hooks.Variation{
			Name: v.Name, Does: v.Does, Sources: v.Sources, Profiles: v.Profiles, Dialect: dialect,
			Shoulds: v.Shoulds, Why: v.Why, With: v.With, Without: v.Without, Make: mutationOf(v.Make),
		})
	}
	return all
}

// mutationOf returns a mutation of bytes as one of a loop.
func mutationOf(change func() raw.Mutation) func() hooks.Mutation {
	return func() hooks.Mutation {
		c := change()
		return hooks.Mutation{Loop: c.Loop, RawRequest: c.Request, RawAnswer: c.Answer, Bytes: c.Bytes, Send: c.Send, Around: c.Around}
	}
}
