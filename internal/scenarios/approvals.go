package scenarios

import (
	"github.com/loopproof/loopproof/internal/wire"
	"github.com/loopproof/loopproof/protocol"
)

// NeedsApproval reports whether the loop has to ask the user before it runs a tool.
func (s *Scenario) NeedsApproval(tool string) bool {
	t := s.Tool(tool)
	return t != nil && t.NeedsApproval
}

// Denied reports whether the user denies the n-th call of the turn, if it is asked about, and why;
// "" is no reason.
func (t *Turn) Denied(n int) (reason string, is bool) {
	if t.Step == nil || n >= len(t.Step.Calls) || t.Step.Calls[n].Denied == nil {
		return "", false
	}
	return *t.Step.Calls[n].Denied, true
}

// approvals checks the tools that need an approval, and what the user decides.
func (c *checker) approvals() {
	edits := false
	for i, step := range c.s.Model {
		for j, call := range step.Calls {
			edits = c.decision(at("model", i)+at("calls", j), call) || edits
		}
	}
	if !c.s.Facts().Approvals {
		return
	}
	for _, t := range c.s.Tools {
		c.expect(!t.NeedsApproval || !t.FreeText, "/tools/"+t.Name, "a tool with a free text needs no approval: the user would be asked about JSON")
	}
	c.expect(c.prompted(), "/tools", "only a loop asks for an approval, in a scenario with a prompt")
	c.expect(c.needs(protocol.ToolApprovals), "/needs", "a scenario with a tool that needs an approval needs loops that ask for it: `needs: [%s]`", protocol.ToolApprovals)
	c.expect(!edits || c.needs(protocol.ApprovalEdits), "/needs", "a scenario in which the user approves a call with other arguments needs loops that let them: `needs: [%s]`", protocol.ApprovalEdits)
}

// decision checks what the user decides about a call, and reports whether it is with other
// arguments.
func (c *checker) decision(here string, call Call) (edits bool) {
	t := c.s.Tool(call.Tool)
	edits = call.ApprovedWith != ""
	if !edits && call.Denied == nil {
		return false
	}
	c.expect(t != nil && t.NeedsApproval, here, "the user is not asked about this call; add `needs-approval: true` to the tool %s", call.Tool)
	c.expect(!edits || call.Denied == nil, here, "a call is denied, or approved with other arguments")
	if !edits || t == nil {
		return edits
	}
	_, is := wire.ParseObject(call.ApprovedWith)
	c.expect(is, here+"/approved-with", "the arguments of a call are a JSON object, not %s", call.ApprovedWith)
	_, fits := t.Answer(call.ApprovedWith)
	c.expect(fits, here+"/approved-with", "no result of %s is for these arguments", t.Name)
	return edits
}
