// Package agents reads descriptions of agents: programs that take a prompt, a base URL and an MCP
// server, and of which nothing is changed. A description says how the program is started, and where
// its answer is.
package agents

import (
	"time"

	"github.com/loopproof/loopproof/protocol"
)

// Description is a file NAME.yaml.
type Description struct {
	ID string `yaml:"-"` // NAME

	Version int    `yaml:"loopproof"`
	Name    string `yaml:"name"`
	About   string `yaml:"about"` // what there is to know about it, in a few sentences
	Docs    string `yaml:"docs"`  // a URL
	Install string `yaml:"install"`

	Language string `yaml:"language"` // in which it is written

	Dialect string `yaml:"dialect"` // the wire API that it speaks

	AsksVersion []string `yaml:"version"` // the command that prints its version
	Command     []string `yaml:"command"` // none of an agent that is only talked to by ACP
	Next        []string `yaml:"next"`    // the command for each further prompt of a conversation

	Env     map[string]string `yaml:"env"`
	KeepEnv []string          `yaml:"keep-env"` // names of variables that it gets from our own environment
	Files   map[string]string `yaml:"files"`    // by name, below its home

	Tools Tools `yaml:"tools"`

	SideRequests []SideRequest `yaml:"side-requests"`
	SummaryMark  string        `yaml:"summary-mark"` // [protocol.Hello.SummaryMark]

	Answer Answer `yaml:"answer"`

	ACP *ACP `yaml:"acp"` // how it speaks the Agent Client Protocol; nil: it does not

	Claims     []protocol.Feature `yaml:"claims"`
	Designs    []protocol.Design  `yaml:"designs"`
	AnswerTool *AnswerTool        `yaml:"answer-tool"` // of the design answers-by-tool
	Profiles   []string           `yaml:"profiles"`
	Deliveries []string           `yaml:"deliveries"`
	Timeout    time.Duration      `yaml:"timeout"` // of a case; 0 is that of the command line
}

// Tools says how the agent treats the tools of the MCP server.
type Tools struct {
	Named string `yaml:"named"` // the name under which it offers a tool to the model, with {tool}, or "" if it is looked for
	None  string `yaml:"none"`  // why it cannot be given any; then only its requests to the model are judged
}

// SideRequest describes requests that are no part of the conversation. All that it says has to be
// true of one.
type SideRequest struct {
	Tools  string `yaml:"tools"`  // "none": it offers none
	Model  string `yaml:"model"`  // a pattern of the model's name
	System string `yaml:"system"` // a text in the system prompt
	Prompt string `yaml:"prompt"` // a text in the last message
	Answer string `yaml:"answer"` // of the model
}

// AnswerTool is [protocol.AnswerTool] with keys in YAML.
type AnswerTool struct {
	Name     string `yaml:"name"`
	Argument string `yaml:"argument"`
}

// Answer says what the output of the agent means.
type Answer struct {
	Format  string            `yaml:"format"`  // text, json or jsonl
	At      string            `yaml:"at"`      // pointer to the answer
	Join    bool              `yaml:"join"`    // the texts of all lines are the answer, one after the other; otherwise that of the last one is
	Where   map[string]string `yaml:"where"`   // in jsonl: what a line has to have, by pointer
	Failed  map[string]string `yaml:"failed"`  // what says that it failed, by pointer
	Stopped map[string]string `yaml:"stopped"` // what says that it gave up
	Error   string            `yaml:"error"`   // pointer to the message of a failure
}
