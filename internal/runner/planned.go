package runner

import (
	"slices"

	"github.com/loopproof/loopproof/protocol"
	"github.com/loopproof/loopproof/report"
)

// Planned returns the plan for a loop with the claims of a report. instructed says that the loop
// gets the system prompts of tasks.
func Planned(claims report.Claims, instructed bool) (*Plan, error) {
	executions := slices.Contains(claims.Features, protocol.Executions)
	hello := protocol.Hello{
		Dialects: claims.Dialects, Features: claims.Features, Profiles: claims.Profiles, Deliveries: claims.Deliveries,
		Designs: claims.Designs, Executions: &executions,
	}
	c := Config{EachOnce: claims.EachOnce}
	if !instructed {
		c.Loop, c.Claims.NoExecutions = Command{}, true
	}
	return newPlan(c, hello)
}
