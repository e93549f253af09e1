package suite

import (
	"github.com/loopproof/loopproof/profiles"
	"github.com/loopproof/loopproof/protocol"
)

// Overview returns the plan for a loop that claims everything in every dialect: all that there is to be played.
func Overview(c Config) (*Plan, error) {
	known, err := Profiles(c.OwnProfiles)
	if err != nil {
		return nil, err
	}
	return newPlan(c, protocol.Hello{Dialects: profiles.Dialects(known), Features: protocol.Features()})
}
