package suite

import "github.com/loopproof/loopproof/protocol"

// Types of package protocol, so that most programs need only one import. Their fields are shown by
// go doc protocol.Task, protocol.Tool and protocol.Outcome, of
// github.com/loopproof/loopproof/protocol.
type (
	// Task describes one conversation: Dialect, BaseURL, APIKey and Model for the client, Stream,
	// System, Prompts, Tools, MaxTurns, TimeoutMS, and Profile, the provider that is played.
	Task = protocol.Task

	// Tool is a tool of a task: Name, Description, Parameters (JSON Schema), URL, and the method
	// Run(ctx, callID, arguments), which runs it.
	Tool = protocol.Tool

	// Outcome is what a loop reports to its caller: Status, Text, and, if available, Error, Reason,
	// FinishReason, Usage, Transcript and Events.
	Outcome = protocol.Outcome

	// Feature is something that a loop may support.
	Feature = protocol.Feature

	// Usage is the sum of the tokens that the model reported: InputTokens and OutputTokens.
	Usage = protocol.Usage

	// PendingCall is a call about which the loop asks the user by Task.Decide, and Decision what
	// the user says about it.
	PendingCall = protocol.PendingCall
	Decision    = protocol.Decision

	// Session is a conversation that outlives the process of the loop: its ID, the Dir for what the
	// loop stores, and whether it is Resumed.
	Session = protocol.Session

	// Design is a documented way in which a loop differs from most loops.
	Design = protocol.Design
)

// The features that a loop may claim, and the statuses of an outcome.
const (
	Streaming     = protocol.Streaming
	ParallelCalls = protocol.ParallelCalls
	Reasoning     = protocol.Reasoning
	MultiPrompt   = protocol.MultiPrompt
	Cancel        = protocol.Cancel
	Retries       = protocol.Retries
	TurnLimit     = protocol.TurnLimit
	UsageCounts   = protocol.UsageCounts
	Images        = protocol.Images
	CustomTools   = protocol.CustomTools
	Approvals     = protocol.Approvals
	ServerTools   = protocol.ServerTools
	Compaction    = protocol.Compaction
	TokenBudget   = protocol.TokenBudget
	AnswerSchema  = protocol.AnswerSchema
	MCPTools      = protocol.MCPTools
	ChangingTools = protocol.ChangingTools
	Transcript    = protocol.Transcript
	Events        = protocol.Events
	ToolApprovals = protocol.ToolApprovals
	ApprovalEdits = protocol.ApprovalEdits
	Steering      = protocol.Steering
	ModelFallback = protocol.ModelFallback
	ModelSwitch   = protocol.ModelSwitch
	SecondAPI     = protocol.SecondAPI
	SubAgents     = protocol.SubAgents
	Sockets       = protocol.Sockets

	ResumeAfterFailure = protocol.ResumeAfterFailure
	DurableSessions    = protocol.DurableSessions
	ServerCompaction   = protocol.ServerCompaction
	ProgrammaticTools  = protocol.ProgrammaticTools

	Completed = protocol.Completed
	Failed    = protocol.Failed
	Stopped   = protocol.Stopped
)
