package runner

import (
	"slices"
	"strings"

	"github.com/loopproof/loopproof/internal/runner/loops"
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
		c.Loop, c.Claims.NoExecutions = loops.Command{}, true
	}
	return newPlan(c, hello)
}

// handsOverInstructions reports whether the loop can get the system prompt of a task. A program
// with its own tools has its own instructions, and can get others only as an argument.
func (c Config) handsOverInstructions() bool {
	if agent, is := c.Loop.(loops.Agent); is {
		return agent.Description.TakesSystem()
	}
	command, is := c.Loop.(loops.Command)
	return !is || !c.Claims.NoExecutions || slices.ContainsFunc(command.Args, func(arg string) bool { return strings.Contains(arg, "{system}") })
}
