package wire

import (
	"cmp"
	"slices"
)

// Answer is one turn of the model in neutral words, as a provider would give it. A codec writes it
// whole or as a stream.
type Answer struct {
	Text      string
	Reasoning *string // nil if the model did not reason; "": it reasoned and said nothing, which some providers want back
	Details   []ReasoningBlock
	Calls     []AnswerCall
	Refusal   string
	Signature string // what some providers put on the text of an answer, and take back with it; "" is none
	Blocks    []Raw  // what the dialect says besides, such as the use of a tool on the provider's side; before the text
	Items     []ProviderItem

	// Compaction stands for all that was said before the answer, of which it is the first part;
	// nil: the provider did not make the history shorter.
	Compaction *Compaction

	// Program is the code of the provider that makes the calls, or that has ended; nil: there is none.
	Program *Program

	Finish Finish

	// Tokens are those of Text, for a request that wants their probabilities, and Citations its
	// sources.
	Tokens    []Token
	Citations []Citation

	// Container is the id of the container in which tools of the provider ran, which the next
	// request has to name while they still run; "" is none. Only the dialect messages has it.
	Container string

	// StopSequence is the text of the request's stop at which the model stopped, which some
	// dialects say; "": at none.
	StopSequence string

	// Interleaved says that a stream mixes the argument fragments of the calls, as the index
	// allows.
	Interleaved bool

	// Chunk is how many characters a piece of a stream has at most; 0 is a few.
	Chunk int
	Usage Usage

	// Mixed says that reasoning and calls alternate, in the dialect whose answers are lists of
	// blocks.
	Mixed bool

	// Commentary is an interim text, in a message of its own before that of Text; "" is none. Only
	// dialects with phases have it.
	Commentary string

	// Phase says whether Text is commentary or the final answer, in dialects with phases, or "" if
	// it is not said.
	Phase Phase
}

// Phase says what a text is to the conversation.
type Phase string

// The phases, in the terms of the Responses API: https://platform.openai.com/docs/guides/reasoning
const (
	PhaseCommentary Phase = "commentary"
	PhaseFinal      Phase = "final_answer"
)

// Phases returns all phases.
func Phases() []Phase { return []Phase{PhaseCommentary, PhaseFinal} }

// ProviderItem is what a tool on the provider's side did, in a dialect whose answers are lists of
// items. Which fields an item has depends on its type.
type ProviderItem struct {
	Type string // in the word of the dialect: web_search_call
	ID   string // "": the writer gives it one

	Query     string   // of a search of the web or of files
	Code      string   // of an interpreter
	Server    string   // of MCP
	Tools     []string // that a server of MCP has
	Name      string   // of the tool of a server of MCP
	Arguments string   // of a call of it
	Output    string   // what came of it
	Error     string   // why nothing came of it; "" is none
	Approval  string   // the id of the request by which the user was asked about the call; "": no approval was asked for

	// Denied says that the user does not allow the call about which this item asks.
	Denied bool
}

// Compaction is what a provider gives for a history that it made shorter.
type Compaction struct {
	Text string // a summary; "" where the provider encrypts it for itself
	ID   string // of the item, where it does
	Data string // what it encrypted

	// Signature is the provider's, over the summary, or "" where it signs none.
	Signature string
}

// ApprovalRequest is the type of the items by which the provider asks the user about a call.
const ApprovalRequest = "mcp_approval_request"

// Seals returns what of the answer only its provider can read: signatures and encrypted reasoning.
func (a *Answer) Seals() (seals []string) {
	for _, b := range a.Details {
		seals = append(seals, b.Signature, b.Data)
	}
	for _, c := range a.Calls {
		seals = append(seals, c.Signature)
	}
	return slices.DeleteFunc(append(seals, a.Signature), func(seal string) bool { return seal == "" })
}

// Approvals returns the items in which the provider asks the user to approve calls.
func (a *Answer) Approvals() (asked []ProviderItem) {
	for _, item := range a.Items {
		if item.Type == ApprovalRequest {
			asked = append(asked, item)
		}
	}
	return asked
}

// Name gives a call an id, as a provider with these traits does.
func (t Traits) Name(c *AnswerCall, id string) {
	switch {
	case t.LooseIDs:
		c.LooseID = id
	case !t.CallsWithoutIDs:
		c.ID = id
	}
}

// AnswerCall is a tool call as the model made it.
type AnswerCall struct {
	ID        string
	Name      string
	Caller    string // the ID of the program that makes it; "" is the model itself
	Arguments string // the exact string that the model wrote, which need not be JSON
	As        string // the name by which the scenario speaks of this call

	// LooseID is the id that is sent where an API needs none, and a loop may leave it out: nothing is
	// judged by it. ID is "" then.
	LooseID string

	// Tool is the name that the scenario has for the tool, where the request offers it under
	// another; else "".
	Tool string

	// Namespace is the one that the call has where it is not before a dot in the name; "" is none.
	Namespace string

	// FreeText says that the tool takes a text of any form, which is in Arguments, and not JSON.
	FreeText bool

	// Answer is what the call gives as the answer to the user, where it is one of a tool that the loop
	// offers for that, beside other calls; else "".
	Answer string

	// Approved are the arguments with which the user lets the call be run instead, or "" if the
	// call needs no approval, or is approved as it is or denied.
	Approved string

	// Signature is what some providers put on a call and want back with it, such as Gemini's
	// thought signature; "" is none.
	Signature string
}

// Scripted returns the name that the scenario has for the called tool.
func (c AnswerCall) Scripted() string { return cmp.Or(c.Tool, c.Name) }

// Finish says why the model stopped, in neutral words.
type Finish string

// The reasons that every dialect knows.
const (
	FinishStop          Finish = "stop"
	FinishCalls         Finish = "calls"
	FinishLength        Finish = "length"
	FinishContentFilter Finish = "content-filter"
)

// The reasons that only some dialects know. Pause is a turn that the provider broke off in the
// middle of its own work and continues with when it is sent back; ContextWindow is an answer cut
// off because the context window was full. Compaction is an answer to a request for what stands for
// its history, and for nothing else.
const (
	FinishPause         Finish = "pause"
	FinishContextWindow Finish = "context-window"
	FinishCompaction    Finish = "compaction"
)

// FinishWord returns the word for a reason to stop, from the first list that has one. A scenario
// may also use a word that no dialect knows.
func FinishWord(f Finish, lists ...map[Finish]string) string {
	for _, words := range lists {
		if word, ok := words[f]; ok {
			return word
		}
	}
	return string(f)
}

// Finishes returns all reasons that every dialect knows.
func Finishes() []Finish {
	return []Finish{FinishStop, FinishCalls, FinishLength, FinishContentFilter}
}

// ReasoningBlock is one block of structured reasoning, such as an entry of OpenRouter's
// reasoning_details.
type ReasoningBlock struct {
	Type      BlockType
	Text      string // of a text or summary block
	Data      string // of an encrypted block
	Signature string // of a text block
	ID        string
	Format    string
	Index     int
}

// BlockType is the kind of a [ReasoningBlock].
type BlockType string

// The kinds of reasoning blocks.
const (
	BlockText      BlockType = "text"
	BlockSummary   BlockType = "summary"
	BlockEncrypted BlockType = "encrypted"
)

// Usage counts the tokens of one answer, as its dialect does: whether Prompt has those of the cache,
// and Completion those of the reasoning, is said by [UsageForm].
type Usage struct {
	Prompt     int
	Completion int
	Reasoning  int
	Cached     int // of the prompt, read from a cache
	Written    int // of the prompt, written into a cache
}

// Values returns the values of the places of a template for token counts.
func (u Usage) Values(f UsageForm) Values {
	total := u.Prompt + u.Completion
	if f.ReasoningApart {
		total += u.Reasoning
	}
	return Values{
		"prompt": u.Prompt, "completion": u.Completion, "reasoning": u.Reasoning, "total": total,
		"cached": u.Cached, "uncached": max(0, u.Prompt-u.Cached), "written": u.Written,
	}
}
