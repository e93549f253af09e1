package claims

import (
	"slices"

	"github.com/loopproof/loopproof/protocol"
)

// Description says what a feature means, and which loops can have it.
type Description struct {
	Feature protocol.Feature
	Does    string // what a loop that claims it does: "reads streamed answers"
	By      By
}

// By is what a loop has to be to have a feature.
type By int

const (
	AnyLoop     By = iota // also an agent that is told its task by a command line
	TaskReader            // a loop that reads the task itself, or prints more than its answer
	AdapterOnly           // a loop that is told something, or asks, while it carries out a task
)

// descriptions describe each feature once: the lists, the pages, the reference loop and the checks
// of what a loop claims are derived from them.
var descriptions = []Description{
	{protocol.Streaming, "reads streamed answers", AnyLoop},
	{protocol.ParallelCalls, "handles several tool calls in one turn", AnyLoop},
	{protocol.Reasoning, "resends the model's reasoning as the provider requires", AnyLoop},
	{protocol.MultiPrompt, "continues a conversation after its answer", AnyLoop},
	{protocol.ResumeAfterFailure, "continues a conversation after a prompt without an answer", AnyLoop},
	{protocol.Cancel, "stops a task when the user cancels it", AdapterOnly},
	{protocol.Retries, "retries requests that failed for a temporary reason", AnyLoop},
	{protocol.TurnLimit, "stops after a maximum number of turns", AnyLoop},
	{protocol.UsageCounts, "reports the token counts of the model", TaskReader},
	{protocol.Images, "sends images that tools return to the model", AnyLoop},
	{protocol.CustomTools, "has tools whose input is any text instead of JSON", TaskReader},
	{protocol.Approvals, "lets the user allow or deny calls of the provider's own tools", TaskReader},
	{protocol.ServerTools, "offers tools that the provider runs, and continues a turn in which these paused", AnyLoop},
	{protocol.Compaction, "makes its history shorter, so that requests stay below a limit of tokens", AnyLoop},
	{protocol.ServerCompaction, "lets the provider make the history shorter, and sends back what stands for it", TaskReader},
	{protocol.ToolApprovals, "asks the user before it runs a tool that needs an approval", AdapterOnly},
	{protocol.ApprovalEdits, "lets the user approve a call with other arguments", AdapterOnly},
	{protocol.DurableSessions, "goes on with a conversation after its process was killed", AdapterOnly},
	{protocol.TokenBudget, "stops when the tokens are spent that an answer may cost", TaskReader},
	{protocol.AnswerSchema, "returns answers of the form that a JSON Schema says", TaskReader},
	{protocol.Steering, "takes a prompt while tools run, and sends it with or after their results", AdapterOnly},
	{protocol.ModelFallback, "asks a second model where the first one keeps failing", TaskReader},
	{protocol.ModelSwitch, "lets the user choose another model for the next prompt", TaskReader},
	{protocol.SecondAPI, "asks the second model of another provider, in another wire API", TaskReader},
	{protocol.MCPTools, "takes its tools from the MCP server of a task", AnyLoop},
	{protocol.ChangingTools, "offers the tools that the MCP server has at the time, also when its list changes", AnyLoop},
	{protocol.SubAgents, "has tools that are agents, with instructions and tools of their own", TaskReader},
	{protocol.Sockets, "asks the model over a WebSocket where the wire API has one", AnyLoop},
	{protocol.ProgrammaticTools, "lets code of the provider call its tools, and answers it until it has ended", TaskReader},
	{protocol.Transcript, "reports its own messages", TaskReader},
	{protocol.Events, "reports events as they happen", TaskReader},
	{protocol.Executions, "runs tools through the URLs of the task; claimed unless the loop denies it", AnyLoop},
}

// Describe returns the description of a feature, whose text is empty where there is no such feature.
func Describe(f protocol.Feature) Description {
	i := slices.IndexFunc(descriptions, func(d Description) bool { return d.Feature == f })
	if i < 0 {
		return Description{Feature: f}
	}
	return descriptions[i]
}

// Without returns all features that a loop has to claim, but for some.
func Without(some ...protocol.Feature) []protocol.Feature {
	return slices.DeleteFunc(protocol.Features(), func(f protocol.Feature) bool {
		return f == protocol.Executions || slices.Contains(some, f)
	})
}

// For returns the features that a loop of some kind can claim.
func For(by By) []protocol.Feature {
	return slices.DeleteFunc(Without(), func(f protocol.Feature) bool { return Describe(f).By > by })
}
