package wire

import "net/url"

// KeptPath is a path under which a client asks for what is kept.
type KeptPath struct {
	Method string
	Path   string // with {id} where the id is, and perhaps {item}: /v1/responses/{id}

	// Creates is how the id begins that something new is kept under, or "" if the path has the id
	// of what is kept already.
	Creates string

	// Free says that the path names nothing that is kept.
	Free bool

	// Unknown is the problem where nothing is kept under the id; "": [HistoryUnknown].
	Unknown HistoryProblem

	// Answer says what is answered.
	Answer func(KeptRequest) KeptAnswer
}

// KeptRequest is a request for what is kept.
type KeptRequest struct {
	ID    string   // under which it is kept
	Item  string   // of it, where the path names one
	Kept  *History // what is kept; nil: nothing yet
	About *Node    // what is kept besides items, or nil if there is nothing
	Body  *Node    // of the request, nil where it has none
	Query url.Values

	// Find returns what is kept under the id of another answer, or nil.
	Find func(id string) *History

	// Seal returns a text that proves that the provider wrote it.
	Seal func(words ...string) string
}

// KeptAnswer is the answer to a [KeptRequest].
type KeptAnswer struct {
	Status  int
	Body    Fields
	Events  []Event  // sent as a stream instead of the body
	Keep    *History // is kept from now on, or nil if what was kept before
	Forgets bool     // it is kept no longer
}

// Problem returns the problem where nothing is kept under the id.
func (p KeptPath) Problem() HistoryProblem {
	if p.Unknown != "" {
		return p.Unknown
	}
	return HistoryUnknown
}

// API names what the path is for in the journal: stored-responses or conversations.
func (p KeptPath) API() string {
	if p.OfConversation() {
		return "conversations"
	}
	return "stored-responses"
}

// OfConversation reports whether the id is that of a conversation, and not that of an answer with
// which one ends.
func (p KeptPath) OfConversation() bool {
	return p.Creates != "" || p.Unknown == HistoryNoConversation
}
