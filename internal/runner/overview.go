package runner

import (
	"github.com/loopproof/loopproof/protocol"
)

// Overview returns the plan for a loop that claims everything in every dialect: all cases that
// there are.
func Overview(c Config) (*Plan, error) {
	known, err := c.profiles()
	if err != nil {
		return nil, err
	}
	c.known = &known
	return newPlan(c, protocol.Hello{Dialects: known.Dialects(), Features: protocol.Features(), Profiles: []string{"**"}})
}
