package rules

import (
	"strings"

	"github.com/loopproof/loopproof/protocol"
)

// SystemMayBeTemplate reports whether the system prompt of the task has braces, which many
// libraries take for the variables of a template.
func (r *Run) SystemMayBeTemplate() bool { return strings.ContainsAny(r.Task.System, "{}") }

// FailedBeforeAsking reports whether the loop gave up by itself before it had asked the model
// anything, and said so.
func (r *Run) FailedBeforeAsking() bool {
	return len(r.Exchanges) == 0 && r.Outcome != nil && r.Outcome.Status == protocol.Failed
}
