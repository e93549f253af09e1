package wire

import "time"

// KeptHistory is how a provider keeps conversations for clients that ask it to, and then send only
// what is new.
type KeptHistory struct {
	// Life is how long a conversation is kept since it was used last.
	Life time.Duration

	// Once says that an answer is continued once.
	Once bool

	// Continues returns what a request says of a kept conversation, or nil if it carries its whole
	// history itself.
	Continues func(*Request) *Continuation

	// Repeats reports whether a request that continues a conversation says again what is kept with
	// it. Nil: it may.
	Repeats func(*Request) bool

	// Keep returns what is kept of a request and what answers it, after the history that it
	// continues, or nil if there is none. The request is the one that was sent.
	Keep func(*History, *Request, Given) *History

	// KeepsBroken says that an answer whose stream breaks off can be continued, with what it was
	// asked and without what it said.
	KeepsBroken bool

	// MayStayOpen says that nobody has seen the provider refuse a request that continues from an answer and
	// leaves its calls without results.
	MayStayOpen bool

	// Extend returns a conversation that is kept under an id of its own, with a request that is in
	// it, as it was sent, and the document that answers it. Nil: there are no such conversations.
	Extend func(kept *History, req *Request, answer *Node) *History

	// Whole returns the body of the whole request that a short one stands for: the history that is
	// kept, and what the short request adds. The list begins it, so that the bodies of two turns begin
	// alike.
	Whole func(kept *History, short *Request) []byte

	// Refer returns the request that has the items in full to which a request refers by their ids,
	// of those in the documents that earlier answers were; nil where it refers to none. A nil
	// Refer: requests cannot refer to items.
	Refer func(req *Request, answers func() []*Node) (*Request, error)

	// Document returns the document that an answer is, of its body or the events of its stream,
	// with its id. Nil: unknown.
	Document func(body []byte, streamed bool) *Node

	// Refusals are the errors about requests that cannot be continued.
	Refusals map[HistoryProblem]HistoryRefusal

	// ErrorBody is the body of such an error.
	ErrorBody func(HistoryRefusal) Fields
}

// Continuation is what a request says of a conversation that the provider keeps.
type Continuation struct {
	Begins    bool   // the provider is to keep this conversation; nothing is continued
	ByDefault bool   // it keeps it without being asked to, so that nothing follows from the request
	NotStored bool   // it does not keep the answer to this request
	Previous  string // the id of the answer that the request continues

	// Conversation is the id of the conversation in which the request is, where conversations have
	// ids of their own.
	Conversation string

	// Background says that the answer is made while the client does other things, and fetched
	// later.
	Background bool

	// Ambiguous says that the request names a second conversation, for which the provider refuses
	// it.
	Ambiguous bool
}

// Given is the answer to a request: the whole document, and the events in which it would be
// streamed.
type Given struct {
	Answer *Node
	Events func() []Event
	Broken bool // its stream broke off
}

// HistoryProblem is why a kept conversation is not continued.
type HistoryProblem string

// The problems.
const (
	HistoryUnsupported HistoryProblem = "unsupported" // the provider keeps none
	HistoryNotFound    HistoryProblem = "not-found"   // it keeps none that ends with that answer, or does no longer
	HistoryContinued   HistoryProblem = "continued"   // that answer was continued already
	HistoryRepeated    HistoryProblem = "repeated"    // the request says again what is kept
	HistoryUnknown     HistoryProblem = "unknown"     // a client asks for one that it does not keep

	// HistoryNoConversation: it keeps no conversation under the id of one.
	HistoryNoConversation HistoryProblem = "no-conversation"
)

// HistoryRefusal is what a provider answers to a request that cannot be continued.
type HistoryRefusal struct {
	Status  int
	Code    string // the provider's word for the problem
	Message string // with {id} for the id that the request names
}
