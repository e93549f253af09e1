package wire

import (
	"net/url"
	"time"
)

// KeptHistory is how a provider keeps conversations for clients that ask it to, and then send only what is new.
type KeptHistory struct {
	// Life is how long a conversation is kept since it was used last.
	Life time.Duration

	// Once says that an answer is continued once.
	Once bool

	// Asked returns what a request says of a kept conversation; nil: it carries its whole history itself.
	Asked func(*Request) *Continuation

	// Repeats reports whether a request that continues a conversation says again what is kept with it. Nil: it may.
	Repeats func(*Request) bool

	// Keep returns what is kept of a request with its whole history and the document that answers it, as JSON.
	Keep func(req *Request, answer *Node) []byte

	// Resume returns the request that says in full what one means which continues a kept conversation.
	Resume func(kept []byte, short *Request) (*Request, error)

	// Refer returns the request that has the items in full to which a request refers by their ids, of those in the documents
	// that earlier answers were; nil where it refers to none. A nil Refer: requests cannot refer to items.
	Refer func(req *Request, answers func() []*Node) (*Request, error)

	// Paths are those under which a client asks for what is kept.
	Paths []KeptPath

	// Refusals are the errors about requests that cannot be continued.
	Refusals map[HistoryProblem]HistoryRefusal

	// ErrorBody is the body of such an error.
	ErrorBody func(HistoryRefusal) Fields
}

// KeptPath is a path under which a client asks for what is kept, by the id of the answer that it ends with.
type KeptPath struct {
	Method string
	Path   string // with {id} where the id is: /v1/responses/{id}

	// Answer returns the status and the body of the answer, of what [KeptHistory.Keep] returned.
	Answer func(kept *Node, query url.Values) (status int, body Fields)

	Forgets bool // what is kept is kept no longer
}

// Continuation is what a request says of a conversation that the provider keeps.
type Continuation struct {
	Begins   bool   // the provider is to keep this conversation; nothing is continued
	Unasked  bool   // it keeps it without being asked to, so that nothing follows from the request
	Unkept   bool   // it does not keep the answer to this request
	Previous string // the id of the answer that the request continues
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
)

// HistoryRefusal is what a provider answers to a request that cannot be continued.
type HistoryRefusal struct {
	Status  int
	Code    string // the provider's word for the problem
	Message string // with {id} for the id that the request names
}
