package faults

import (
	"github.com/loopproof/loopproof/internal/refloop"
	"github.com/loopproof/loopproof/protocol"
)

var variationsInRetries = []Variation{
	inBoth(Variation{
		Name:    "retries/five-attempts",
		Does:    "What may pass is tried five times.",
		Sources: []string{"https://github.com/openai/openai-node#retries (maxRetries: 5)"},
		Make:    onLoop(func(l *refloop.Loop) { l.Attempts = 5 }),
	}),
	inBoth(Variation{
		Name:    "retries/none",
		Does:    "What fails is reported at once, and no retries are claimed.",
		Sources: []string{"https://github.com/openai/openai-node#retries (maxRetries: 0)"},
		Without: []protocol.Feature{protocol.Retries},
		Make:    onLoop(func(l *refloop.Loop) { l.Attempts = 1 }),
	}),
}
