// Package trace holds what happened in a run, and what rules found in it: cases, exchanges, tool
// executions, endings, findings. It has no opinion: which rules exist and when one is broken is for
// package rules to say. The mock provider, the journal, the rules, the report and the suite share
// these types.
package trace

import (
	"strconv"

	"github.com/loopproof/loopproof/internal/wire"
)

// Case is a scenario to be played in one dialect, under one profile, in one delivery.
type Case struct {
	Scenario string
	Dialect  string
	Profile  string
	Delivery wire.Delivery

	// Cut is the place at which the stream is cut, from 1, in a scenario that has a case for each
	// place; else 0.
	Cut int

	// Regular leaves the quirks out for which the scenario asks. No such case is judged; runs are
	// compared with them.
	Regular bool
}

// ID returns the case as one word: "pairing/parallel-results@chat/openai/sse".
func (c Case) ID() string {
	id := c.Scenario + "@" + c.Dialect + "/" + c.Profile + "/" + string(c.Delivery)
	if c.Cut > 0 {
		id += "/cut-" + strconv.Itoa(c.Cut)
	}
	if c.Regular {
		return id + "/regular"
	}
	return id
}
