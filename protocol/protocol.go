// Package protocol is version 2 of the protocol between Loopproof and the loops that it judges:
// what a loop is asked to do ([Task]), what it reports ([Outcome]), and the other JSON lines of an
// adapter ([Hello], [CancelLine], [ApprovalLine], [DecisionLine],
// [PromptLine]).
//
// An adapter reads JSON objects from standard input and writes JSON objects to standard output, one
// on each line:
//
//	< {"type":"hello","protocol":2,"name":"my-loop","dialects":["chat"],"features":["streaming"]}
//	> {"type":"task","id":"t1","base_url":"http://127.0.0.1:41234/run/8c1f/v1",...}
//	< {"type":"outcome","id":"t1","status":"completed","text":"Lima is warmer."}
//
// Unknown fields are ignored, and those of a hello are warned of. The end of standard input tells
// the adapter to finish. An adapter of version 1 works as before: it claims no [Feature] of version
// 2, and so is given no task that needs one.
package protocol

import (
	"context"
	"encoding/json"
)

// Version is the version of this protocol, and OldestVersion the oldest one that an adapter may
// speak.
const (
	Version       = 2
	OldestVersion = 1
)

// The types of lines.
const (
	TypeHello    = "hello"
	TypeTask     = "task"
	TypeCancel   = "cancel"
	TypeApproval = "approval"
	TypeDecision = "decision"
	TypePrompt   = "prompt"
	TypeOutcome  = "outcome"
)

// Hello is the first line of an adapter: its name and what its loop claims to support. Everything
// that is claimed is judged; what is not claimed is listed in the report and never counts as
// passed.
type Hello struct {
	Type        string    `json:"type"`                  // always "hello"
	Protocol    int       `json:"protocol"`              // version of the protocol, at most [Version]
	Name        string    `json:"name"`                  // of the loop, as reports show it
	Version     string    `json:"version,omitempty"`     // of the loop
	Language    string    `json:"language,omitempty"`    // in which the loop is written
	Dialects    []string  `json:"dialects"`              // the wire APIs that the loop speaks; at least one
	Features    []Feature `json:"features,omitempty"`    // each may be limited: "retries@json"
	Profiles    []string  `json:"profiles,omitempty"`    // patterns; none means every profile of the dialects
	Deliveries  []string  `json:"deliveries,omitempty"`  // patterns; none means every delivery
	Concurrency int       `json:"concurrency,omitempty"` // tasks at the same time; 0 means 1
	Executions  *bool     `json:"executions,omitempty"`  // false: tools are not run through their URLs

	Designs    []Design    `json:"designs,omitempty"`     // documented ways in which it differs from most loops
	AnswerTool *AnswerTool `json:"answer_tool,omitempty"` // of the design answers-by-tool

	// SummaryMark is a text in the system prompt or in the last message of each request in which
	// the loop asks for a summary of its history, for loops that claim compaction; "" means that
	// such requests offer no tools, or forbid their use, and end with no prompt of the task.
	SummaryMark string `json:"summary_mark,omitempty"`

	// SecondDialects are the wire APIs in which the loop asks a second model, for loops that claim
	// second-api; none means chat, messages, responses and gemini.
	SecondDialects []string `json:"second_dialects,omitempty"`
}

// Feature is something that a loop may support.
type Feature string

// The features. Executions is claimed by default: the loop runs tools through the URLs of the task,
// so that Loopproof sees which tools ran, with which arguments, how often and when.
const (
	Streaming     Feature = "streaming"
	ParallelCalls Feature = "parallel-calls"
	Reasoning     Feature = "reasoning"
	MultiPrompt   Feature = "multi-prompt"
	Cancel        Feature = "cancel"
	Retries       Feature = "retries"
	TurnLimit     Feature = "turn-limit"
	UsageCounts   Feature = "usage"
	Images        Feature = "images"
	CustomTools   Feature = "custom-tools"
	Approvals     Feature = "approvals"
	ServerTools   Feature = "server-tools"
	Transcript    Feature = "transcript"
	Events        Feature = "events"
	ToolApprovals Feature = "tool-approvals"
	ApprovalEdits Feature = "approval-edits"
	Executions    Feature = "executions"

	// ResumeAfterFailure is claimed by loops that can go on with a conversation whose last prompt
	// came to no answer.
	ResumeAfterFailure Feature = "resume-after-failure"

	// DurableSessions is claimed by loops that store a conversation while they hold it, and go on with
	// it after their process was killed.
	DurableSessions Feature = "durable-sessions"

	// Compaction is claimed by loops that are told how long a request may be, and make their
	// history shorter before it is longer: by a summary, a window, by clearing old results, or
	// otherwise.
	Compaction Feature = "compaction"

	// ServerCompaction is claimed by loops that are told at how many tokens to let the provider make
	// the history shorter, ask it to, and send back what comes of it.
	ServerCompaction Feature = "server-compaction"

	// TokenBudget is claimed by loops that are told how many tokens the answer to a prompt may cost,
	// and stop when these are spent.
	TokenBudget Feature = "token-budget"

	// AnswerSchema is claimed by loops that are told by a JSON Schema which form the answer has, beside
	// tools, and return no other.
	AnswerSchema Feature = "answer-schema"

	// MCPTools is claimed by loops that take their tools from an MCP server: in some tasks there are
	// no others.
	MCPTools Feature = "mcp-tools"

	// ChangingTools is claimed by loops that offer the tools which the MCP server has when the model is
	// asked: when its list changes during a prompt, they ask for it again.
	ChangingTools Feature = "changing-tools"
)

// ModelFallback is claimed by loops that are told a second model, and ask it where the first one
// keeps failing. ModelSwitch is claimed by loops whose user may choose another model for the next
// prompt of a conversation.
const (
	ModelFallback Feature = "model-fallback"
	ModelSwitch   Feature = "model-switch"
)

// SecondAPI is claimed by loops whose second model, one to fall back to or one that the user chooses,
// may be that of another provider, in another wire API: see [Task.SecondAPI].
const SecondAPI Feature = "second-api"

// Steering is claimed by loops that take a prompt of the user while the tools of a turn run: it
// goes to the model with the results, or when the loop has answered the prompt before.
const Steering Feature = "steering"

// Sockets is claimed by loops that ask the model over a WebSocket where a task says so: see
// [Task.Socket].
const Sockets Feature = "sockets"

// SubAgents is claimed by loops with tools that are agents: a call of one begins a conversation of
// its own, and is answered by what comes of it.
const SubAgents Feature = "sub-agents"

// ProgrammaticTools is claimed by loops that let code of the provider call their tools: the code waits
// at the provider for the results.
const ProgrammaticTools Feature = "programmatic-tools"

// WholeHistory is claimed by every loop that does not claim the design windowed-history: each
// request contains the whole conversation. It does not hold in a task with a limit of tokens, or in
// which the provider makes the history shorter.
const WholeHistory Feature = "whole-history"

// Features returns all features.
func Features() []Feature {
	return []Feature{
		Streaming, ParallelCalls, Reasoning, MultiPrompt, ResumeAfterFailure, Cancel, Retries, TurnLimit, UsageCounts, Images, CustomTools, Approvals, ServerTools,
		Compaction, ServerCompaction, ToolApprovals, ApprovalEdits, DurableSessions,
		TokenBudget, AnswerSchema, Steering, ModelFallback, ModelSwitch, SecondAPI, MCPTools, ChangingTools, SubAgents, Sockets, ProgrammaticTools,
		Transcript, Events, Executions,
	}
}

// Since returns the version of the protocol that an adapter has to speak to claim the feature.
func (f Feature) Since() int {
	switch f {
	case ToolApprovals, ApprovalEdits, TokenBudget, AnswerSchema, Steering, DurableSessions, ServerCompaction, ModelFallback, ModelSwitch, SecondAPI, MCPTools, ChangingTools, SubAgents, Sockets, ProgrammaticTools:
		return 2
	default:
		return 1
	}
}

// Task asks a loop to hold one conversation.
type Task struct {
	Type    string `json:"type"`     // always "task"
	ID      string `json:"id"`       // repeated in the outcome
	Dialect string `json:"dialect"`  // the wire API to speak
	BaseURL string `json:"base_url"` // the base URL for the official SDK of the dialect
	APIKey  string `json:"api_key"`  // to be sent as to the provider
	Model   string `json:"model"`    // the name of the model to ask for

	// Profile is the provider that is played. Loops may treat reasoning differently for each.
	Profile string `json:"profile"`

	Stream  bool     `json:"stream"`           // whether the loop asks the model for streamed answers
	Socket  bool     `json:"socket,omitempty"` // whether it asks over a WebSocket, opened where it would send requests; only loops that claim sockets are told
	System  string   `json:"system,omitempty"` // the system prompt
	Prompts []string `json:"prompts"`          // of the user; each is sent after the answer to the previous one
	Tools   []Tool   `json:"tools"`            // to be offered to the model

	// MCPURL is an MCP server (streamable HTTP) with the tools, for loops that take them so; ""
	// where there is none.
	MCPURL string `json:"mcp_url,omitempty"`

	// MCPTools says that the tools are to be taken from the server at MCPURL: Tools is empty then. Only
	// loops that claim mcp-tools are told.
	MCPTools bool `json:"mcp_tools,omitempty"`

	MaxTurns  int `json:"max_turns"`  // number of model turns after which the loop has to stop
	TimeoutMS int `json:"timeout_ms"` // the time limit of the task

	// ContextLimit is how long a request may be, in tokens; 0 means that nothing is said of it. A
	// token is taken to be four bytes of the messages, the system prompt and the tools as JSON, so
	// that a loop that counts in its own way obeys with a margin of a fifth. A longer request is
	// refused as the provider refuses one that is too long. Only loops that claim compaction are told.
	ContextLimit int `json:"context_limit,omitempty"`

	// CompactThreshold is at how many input tokens the loop asks the provider to make the history
	// shorter, in each request; 0 means that it does not ask. The provider then may give, in front
	// of an answer, what stands for all before it: an item (Responses) or a block (Messages) of the
	// type compaction. Only loops that claim server-compaction are told.
	CompactThreshold int `json:"compact_threshold,omitempty"`

	// TokenBudget is how many tokens the answer to each prompt may cost, 0 for any number: the sum of
	// the input and output tokens that the model reported for all its answers to the prompt. Once
	// they are spent, the loop asks the model no more, and the run is stopped or failed. Only loops
	// that claim token-budget are told.
	TokenBudget int `json:"token_budget,omitempty"`

	// AnswerSchema is the JSON Schema of the answer, an object; nil is a text of any form. The text of
	// the outcome is the answer as JSON. Only loops that claim answer-schema are given one.
	AnswerSchema json.RawMessage `json:"answer_schema,omitempty"`

	// FallbackModel is the model to ask where Model keeps failing, under the same base URL; "" is
	// none. Only loops that claim model-fallback are told.
	FallbackModel string `json:"fallback_model,omitempty"`

	// PromptModels are the models that the user chooses for the prompts, one for each, in their
	// order; none means that Model is to answer all of them. Only loops that claim model-switch are
	// told.
	PromptModels []string `json:"prompt_models,omitempty"`

	// SecondAPI is where the other model is asked that FallbackModel or PromptModels name, where that
	// is one of another provider; nil: it is asked as Model is. Only loops that claim second-api are
	// told.
	SecondAPI *API `json:"second_api,omitempty"`

	// ResumeAfterFailure asks for the next prompt, in the same conversation, also where the one
	// before ended without an answer: failed or stopped. The outcome is that of the last prompt.
	// Only loops that claim the feature are asked.
	ResumeAfterFailure bool `json:"resume_after_failure,omitempty"`

	// Steering says that the user says one more prompt while the tools of a turn run: see
	// [PromptLine]. It is not among Prompts. Only loops that claim steering are told.
	Steering bool `json:"steering,omitempty"`

	// Approve are the tools on the provider's side whose calls the user allows when the provider
	// asks. All others are denied. Only loops that claim approvals are given tasks in which it
	// asks.
	Approve []string `json:"approve,omitempty"`

	// Session is where the loop stores the conversation, so that it can go on after its process was
	// killed. Only loops that claim durable-sessions are given one; nil means none.
	Session *Session `json:"session,omitempty"`

	// TranscriptFormat is the requested format of the transcript, for loops that support several.
	// Other loops use their own.
	TranscriptFormat string `json:"transcript_format,omitempty"`

	// PromptContext is for loops in Go that claim both cancel and multi-prompt. Called at the
	// beginning of each prompt, it returns a context that ends when the user cancels that prompt.
	// If the loop never calls it, the whole task is cancelled instead. nil means that no single
	// prompt will be cancelled.
	PromptContext func(context.Context) context.Context `json:"-"`

	// Decide is for loops in Go that claim tool-approvals: it asks the user about calls of tools
	// that need an approval, one or several, and returns a decision for each, in their order. The
	// error is that of the context, which ends when the user cancels. nil means that no tool of the
	// task needs an approval.
	Decide func(context.Context, ...PendingCall) ([]Decision, error) `json:"-"`

	// Steered is for loops in Go that claim steering: what the user says while tools run comes out
	// of it, and has room there until it is taken. nil means that the user says nothing so.
	Steered <-chan string `json:"-"`
}

// API is where a model is asked, besides the address, the wire API and the provider of a task. The key
// is that of the task.
type API struct {
	Model   string `json:"model"`    // the one that is asked there
	Dialect string `json:"dialect"`  // the wire API to speak
	BaseURL string `json:"base_url"` // the base URL for the official SDK of the dialect
	Profile string `json:"profile"`  // the provider that is played
}

// Tool is a tool of a task. To run it, send the arguments as the loop would pass them to a tool to
// URL by POST, with the id of the call in the header X-Tool-Call-Id if the loop exposes it. Status
// 200: the body is the result, a text, or for loops that claim images an image of the given content
// type. Any other status: the tool failed, and the body is its error message.
type Tool struct {
	Name        string          `json:"name"`                 // to be offered unchanged
	Description string          `json:"description"`          // for the model
	Parameters  json.RawMessage `json:"parameters,omitempty"` // JSON Schema; none of a tool that takes a free text
	FreeText    bool            `json:"free_text,omitempty"`  // its input is any text; needs custom-tools
	URL         string          `json:"url,omitempty"`        // where the tool is run; "" of a sub-agent

	// NeedsApproval says that no call of the tool is run before the user has approved it. Only
	// loops that claim tool-approvals are given such tools.
	NeedsApproval bool `json:"needs_approval,omitempty"`

	// Programmatic says that code of the provider may call the tool, besides the model itself. Only
	// loops that claim programmatic-tools are given such tools.
	Programmatic bool `json:"programmatic,omitempty"`

	// Agent is the sub-agent that answers calls of the tool, or nil if it is run at its URL. Only
	// loops that claim sub-agents are given such tools.
	Agent *Agent `json:"agent,omitempty"`
}

// Agent is an agent whose work is the result of a tool. Each call begins a conversation with it, in
// which the user says what the call asks for; its answer is the result. The model, its address and
// the key are those of the task.
type Agent struct {
	System   string `json:"system"`    // its instructions
	Tools    []Tool `json:"tools"`     // its own
	MaxTurns int    `json:"max_turns"` // how many turns of the model each conversation with it has at most
}

// CallIDHeader is the header with the id of the call in the request that runs a tool.
const CallIDHeader = "X-Tool-Call-Id"

// Outcome is how a conversation ended, as the loop reports it to its caller.
type Outcome struct {
	Type         string `json:"type"`                    // always "outcome"
	ID           string `json:"id"`                      // of the task
	Status       Status `json:"status"`                  // how the conversation ended
	Text         string `json:"text,omitempty"`          // the last answer
	Error        string `json:"error,omitempty"`         // of a failed run
	Reason       string `json:"reason,omitempty"`        // of a stopped run
	FinishReason string `json:"finish_reason,omitempty"` // of the last answer, where the loop tells it
	Usage        *Usage `json:"usage,omitempty"`         // of all answers; nil where the loop does not count

	Transcript       json.RawMessage `json:"transcript,omitempty"`        // the loop's own list of messages
	TranscriptFormat string          `json:"transcript_format,omitempty"` // such as "openai"
	Events           json.RawMessage `json:"events,omitempty"`            // what the loop told its caller while it ran
	EventsFormat     string          `json:"events_format,omitempty"`     // such as "adk-turn-events"
}

// Status is how a conversation ended.
type Status string

// The statuses. Completed: there is an answer. Failed: the loop reported an error. Stopped: the
// loop ended by itself without an answer: at a turn limit, after a truncated or filtered answer, or
// because it was cancelled.
const (
	Completed Status = "completed"
	Failed    Status = "failed"
	Stopped   Status = "stopped"
)

// Usage is the sum of the tokens that the model reported.
type Usage struct {
	InputTokens  int `json:"input_tokens"`  // of all requests
	OutputTokens int `json:"output_tokens"` // of all answers
}

// CancelLine asks an adapter to abort a task, or only what it does for the current prompt.
type CancelLine struct {
	Type  string `json:"type"`            // always "cancel"
	ID    string `json:"id"`              // of the task
	Scope Scope  `json:"scope,omitempty"` // "" means the whole task
}

// PromptLine hands an adapter what the user says while the tools of a turn run. Only loops that
// claim steering get one, in a task with [Task.Steering].
type PromptLine struct {
	Type string `json:"type"` // always "prompt"
	ID   string `json:"id"`   // of the task
	Text string `json:"text"` // what the user says
}

// Scope says how much of a task is cancelled.
type Scope string

// The scopes. ScopePrompt is only sent to loops that claim both cancel and multi-prompt. An adapter
// that ignores it and cancels the whole task is correct, too.
const (
	ScopeTask   Scope = ""       // all of it
	ScopePrompt Scope = "prompt" // the current prompt: the loop goes on with the next one
)
