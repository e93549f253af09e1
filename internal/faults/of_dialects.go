package faults

import (
	"slices"

	"github.com/loopproof/loopproof/internal/faults/chat"
	"github.com/loopproof/loopproof/internal/faults/gemini"
	"github.com/loopproof/loopproof/internal/faults/messages"
	"github.com/loopproof/loopproof/internal/faults/raw"
	"github.com/loopproof/loopproof/internal/faults/responses"
	chatwire "github.com/loopproof/loopproof/internal/refloop/chat"
	geminiwire "github.com/loopproof/loopproof/internal/refloop/gemini"
	messageswire "github.com/loopproof/loopproof/internal/refloop/messages"
	responseswire "github.com/loopproof/loopproof/internal/refloop/responses"
)

// faultsOfDialects returns the faults that are about the bytes of one dialect.
func faultsOfDialects() []Fault {
	return slices.Concat(
		faultsIn(chatwire.Dialect{}.Name(), chat.Faults()),
		faultsIn(messageswire.Dialect{}.Name(), messages.Faults()),
		faultsIn(responseswire.Dialect{}.Name(), responses.Faults()),
		faultsIn(geminiwire.Dialect{}.Name(), gemini.Faults()),
	)
}

// variationsOfDialects returns the variations that are about the bytes of one dialect.
func variationsOfDialects() []Variation {
	return slices.Concat(
		variationsIn(chatwire.Dialect{}.Name(), chat.Variations()),
		variationsIn(messageswire.Dialect{}.Name(), messages.Variations()),
		variationsIn(responseswire.Dialect{}.Name(), responses.Variations()),
		variationsIn(geminiwire.Dialect{}.Name(), gemini.Variations()),
	)
}

func faultsIn(dialect string, entries []raw.Fault) []Fault {
	var all []Fault
	for _, f := range entries {
		all = append(all, Fault{Name: f.Name, Does: f.Does, Reports: f.Reports, Breaks: f.Breaks, Dialect: dialect, Make: mutationOf(f.Make)})
	}
	return all
}

func variationsIn(dialect string, entries []raw.Variation) []Variation {
	var all []Variation
	for _, v := range entries {
		all = append(all, Variation{
			Name: v.Name, Does: v.Does, Sources: v.Sources, Profiles: v.Profiles, Dialect: dialect,
			Shoulds: v.Shoulds, Why: v.Why, Without: v.Without, Make: mutationOf(v.Make),
		})
	}
	return all
}

// mutationOf returns a mutation of bytes as one of a loop.
func mutationOf(change func() raw.Mutation) func() Mutation {
	return func() Mutation {
		c := change()
		return Mutation{Loop: c.Loop, RawRequest: c.Request, RawAnswer: c.Answer, Bytes: c.Bytes, Send: c.Send, Around: c.Around}
	}
}
