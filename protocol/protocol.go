// Package protocol is version 1 of the contract between Loopproof and the loops it judges: what a loop is asked to do
// ([Task]), what it reports back ([Outcome]), and the lines of JSON in which an adapter says so ([Hello], [CancelLine]).
//
// An adapter reads one JSON object a line from its standard input and writes one a line to its standard output:
//
//	< {"type":"hello","protocol":1,"name":"my-loop","dialects":["chat"],"features":["streaming"]}
//	> {"type":"task","id":"t1","base_url":"http://127.0.0.1:41234/run/8c1f/v1",...}
//	< {"type":"outcome","id":"t1","status":"completed","text":"Lima is warmer."}
//
// Fields that a side does not know are ignored, and the end of standard input means: finish.
package protocol

import (
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// Version is the version of this contract.
const Version = 1

// The types of lines.
const (
	TypeHello   = "hello"
	TypeTask    = "task"
	TypeCancel  = "cancel"
	TypeOutcome = "outcome"
)

// Hello is the first line of an adapter: who it is and what its loop claims to do. What is claimed is judged in full;
// what is not claimed is listed in the report and never passed.
type Hello struct {
	Type        string    `json:"type"`
	Protocol    int       `json:"protocol"`
	Name        string    `json:"name"`
	Version     string    `json:"version,omitempty"`
	Language    string    `json:"language,omitempty"`
	Dialects    []string  `json:"dialects"`
	Features    []Feature `json:"features,omitempty"`    // each may be limited to a dialect or a delivery: "retries@json"
	Profiles    []string  `json:"profiles,omitempty"`    // patterns; none means every profile of the dialects
	Deliveries  []string  `json:"deliveries,omitempty"`  // patterns; none means every delivery
	Concurrency int       `json:"concurrency,omitempty"` // tasks at the same time; 0 means 1
	Executions  *bool     `json:"executions,omitempty"`  // false: the loop's tools are not run through the tools' URLs

	Designs    []Design    `json:"designs,omitempty"`     // what it does otherwise than most, as its documentation says
	AnswerTool *AnswerTool `json:"answer_tool,omitempty"` // of the design answers-by-tool
}

// Feature is something a loop may or may not offer.
type Feature string

// The features. Executions is claimed by every loop that does not say otherwise: its tools are run through the URLs
// of the task, so that Loopproof sees which ran, with what, how often and when.
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
	Transcript    Feature = "transcript"
	Events        Feature = "events"
	Executions    Feature = "executions"

	// ResumeAfterFailure is claimed by loops that can go on with a conversation whose last prompt came to no answer.
	ResumeAfterFailure Feature = "resume-after-failure"
)

// WholeHistory is claimed by every loop that does not say that it keeps a window: each request carries the whole
// conversation.
const WholeHistory Feature = "whole-history"

// Limited returns the feature without its limit, and the limit: a pattern of dialects or deliveries to which a claim of
// the feature is limited, "" where it is not.
func (f Feature) Limited() (feature Feature, limit string) {
	name, limit, _ := strings.Cut(string(f), "@")
	return Feature(name), limit
}

// Claims reports whether the loop claims a feature in a dialect and a delivery; "" stands for any of them.
func (h Hello) Claims(f Feature, dialect, delivery string) bool {
	switch f {
	case Executions:
		return h.Executions == nil || *h.Executions
	case WholeHistory:
		return !h.lacks(f)
	}
	return slices.ContainsFunc(h.Features, func(claim Feature) bool {
		name, limit := claim.Limited()
		return name == f && allows(limit, dialect, delivery)
	})
}

// allows reports whether the limit of a claim lets it stand in a dialect and a delivery.
func allows(limit, dialect, delivery string) bool {
	word := dialect
	if slices.ContainsFunc(Deliveries(), func(d string) bool { return matches(limit, d) }) {
		word = delivery
	}
	return limit == "" || word == "" || matches(limit, word)
}

func matches(pattern, word string) bool {
	ok, _ := path.Match(pattern, word)
	return ok
}

// Deliveries returns the words of the protocol for the ways in which answers reach a loop.
func Deliveries() []string {
	return []string{"json", "sse", "sse-merged", "sse-bytes", "sse-split", "sse-comments"}
}

// Features returns all features.
func Features() []Feature {
	return []Feature{Streaming, ParallelCalls, Reasoning, MultiPrompt, ResumeAfterFailure, Cancel, Retries, TurnLimit, UsageCounts, Images, CustomTools, Approvals, Transcript, Events, Executions}
}

// Task asks a loop to hold one conversation.
type Task struct {
	Type      string   `json:"type"`
	ID        string   `json:"id"`
	Dialect   string   `json:"dialect"`
	BaseURL   string   `json:"base_url"` // what the dialect's official SDK takes as its base URL
	APIKey    string   `json:"api_key"`
	Model     string   `json:"model"`
	Profile   string   `json:"profile"` // the provider that is played, for what a loop does differently for each: reasoning
	Stream    bool     `json:"stream"`  // whether the loop asks the model for streamed answers
	System    string   `json:"system,omitempty"`
	Prompts   []string `json:"prompts"` // the user's turns; each is sent when the one before has its answer
	Tools     []Tool   `json:"tools"`
	MaxTurns  int      `json:"max_turns"`  // model turns after which the loop stops by itself
	TimeoutMS int      `json:"timeout_ms"` // when the loop is given up

	// ResumeAfterFailure asks for the next prompt, in the same conversation, also where the one before ended without an
	// answer: failed or stopped. The outcome is that of the last prompt. Only loops that claim the feature are asked.
	ResumeAfterFailure bool `json:"resume_after_failure,omitempty"`

	// Approve are the tools on the provider's side whose calls the user allows when the provider asks. All others are denied.
	// Only loops that claim approvals are given tasks in which it asks.
	Approve []string `json:"approve,omitempty"`

	// TranscriptFormat is the format that the transcript should have, for loops that can hand it over in several. All
	// others hand it over in theirs.
	TranscriptFormat string `json:"transcript_format,omitempty"`

	// PromptContext is for loops in Go that claim both cancel and multi-prompt. Called at the beginning of each prompt,
	// it returns a context that ends when the user cancels that prompt and no more. A loop that never calls it is
	// cancelled as a whole; nil says that no single prompt will be cancelled.
	PromptContext func(context.Context) context.Context `json:"-"`
}

// Tool is a tool of a task. It is run by a POST of the arguments, as the loop would hand them to a tool, to URL, with
// the call's id in the header X-Tool-Call-Id where the loop exposes it. 200: the body is the tool's result, which is an
// image of the type of the content for loops that claim images, else a text. Any other status: the tool failed, and the
// body is its error message.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters,omitempty"` // JSON Schema; none of a tool that takes a free text
	FreeText    bool            `json:"free_text,omitempty"`  // its input is a text of any form; only for loops that claim custom-tools
	URL         string          `json:"url"`
}

// CallIDHeader is the header of a tool's execution that carries the id of the call.
const CallIDHeader = "X-Tool-Call-Id"

// Outcome is how a conversation ended, as the loop tells its caller.
type Outcome struct {
	Type         string `json:"type"`
	ID           string `json:"id"`
	Status       Status `json:"status"`
	Text         string `json:"text,omitempty"`   // the last answer
	Error        string `json:"error,omitempty"`  // of a failed run
	Reason       string `json:"reason,omitempty"` // of a stopped run
	FinishReason string `json:"finish_reason,omitempty"`
	Usage        *Usage `json:"usage,omitempty"`

	Transcript       json.RawMessage `json:"transcript,omitempty"`
	TranscriptFormat string          `json:"transcript_format,omitempty"`
	Events           json.RawMessage `json:"events,omitempty"`
	EventsFormat     string          `json:"events_format,omitempty"`
}

// Status is how a conversation ended.
type Status string

// The ways to end. Completed: there is an answer. Failed: the loop reported an error to its caller. Stopped: the loop
// gave up by itself, at a turn limit, a truncation or a content filter.
const (
	Completed Status = "completed"
	Failed    Status = "failed"
	Stopped   Status = "stopped"
)

// Usage is the sum of the tokens that the model reported.
type Usage struct {
	InputTokens  int `json:"input_tokens"`
	OutputTokens int `json:"output_tokens"`
}

// CancelLine asks an adapter to abort a task, or only what it does for the current prompt.
type CancelLine struct {
	Type  string `json:"type"`
	ID    string `json:"id"`
	Scope Scope  `json:"scope,omitempty"`
}

// Scope says how much of a task is cancelled.
type Scope string

// The scopes. ScopePrompt is only said to loops that claim both cancel and multi-prompt. One that does not know it
// cancels the whole task, which is right, too.
const (
	ScopeTask   Scope = ""       // all of it
	ScopePrompt Scope = "prompt" // the current prompt: the loop goes on with the next one
)
