package pairing

import (
	"github.com/loopproof/loopproof/internal/rules"
	"github.com/loopproof/loopproof/internal/trace"
)

// LastRun returns the last run of the call's tool, or nil.
func LastRun(c *rules.CallRun) *trace.Execution {
	if len(c.Executions) == 0 {
		return nil
	}
	return c.Executions[len(c.Executions)-1]
}
