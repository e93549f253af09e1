package trace

import (
	"time"

	"github.com/loopproof/loopproof/internal/scenarios"
	"github.com/loopproof/loopproof/internal/wire"
)

// Exchange is one request of the loop for a turn of the model, and what answered it.
type Exchange struct {
	Number  int           // from 1
	Request *wire.Request `json:"-"` // nil if the body was not a JSON object
	Problem string        // why not, or why no script answers it

	// Unanswered says what was tried where no script answers the request, or nil if one does, or
	// none was tried.
	Unanswered *Unanswered `json:"-"`

	Method  string          // of the HTTP request, where it was not POST
	Socket  bool            // it came over a WebSocket
	Turn    *scenarios.Turn `json:"-"`
	Overrun bool            // the script had ended: a plain text was answered
	Refusal *Refusal        // what the real provider answers to this request
	Start   time.Duration
	End     time.Duration // both since the start of the run; the same where the run ended before the answer
	Dropped bool          // the loop closed the connection before the answer was complete, when the user cancelled

	// Repeats is the number of the earlier request that this one repeats: it is the same, got the
	// same whole answer, and the loop had made no use of that one. 0: it is another request, or was
	// answered by the next turn.
	Repeats int

	// Lost says that the process of the loop was killed before it had stored the answer, or got it,
	// so that it has asked for this turn, or one before it, again.
	Lost bool

	// Summary says that the request asks for a summary of the history, of a loop that makes it
	// shorter, or for the answer once more in the form of its schema. It is no turn of the
	// conversation.
	Summary bool

	// Thread is what the request says of a conversation that the provider keeps, or nil if there is
	// nothing.
	Thread *Thread

	// HeldOpenUntilTimeout says that the answer was complete and its connection left open, and that
	// the loop did not close it before the mock provider did.
	HeldOpenUntilTimeout bool
}

// Unanswered is a request that no script answers.
type Unanswered struct {
	Asked string   // what it asks, in short
	Tried []string // steps and scripts, each with the reason why it does not answer; those that came nearest first
}

// Refused reports whether the script answered that the request is wrong, so that it cannot be sent
// again as it is.
func (x *Exchange) Refused() bool { return x.Turn != nil && x.Turn.Refuses() }

// Kept returns how many messages of the request, from the first, the provider had kept, so that the
// loop did not send them.
func (x *Exchange) Kept() int {
	if x.Thread == nil {
		return 0
	}
	return x.Thread.KeptMessages
}

// Thread is the part of a conversation that a request leaves to the provider, which kept it. The
// request of its exchange is what both of them say together.
type Thread struct {
	Previous     string              // the id of the answer that the request continues; "" begins a conversation
	KeptMessages int                 // how many messages, from the first, the provider had kept
	Problem      wire.HistoryProblem // why the provider does not continue it; then the exchange has no request. "" if it does
	Code         string              // the provider's word for the problem
	Lost         bool                // the provider had kept the conversation, and does no longer
}

// Refusal is a provider's error about a request that breaks a rule.
type Refusal struct {
	Rule    string `json:"rule"`
	Status  int    `json:"status"`
	Message string `json:"message"`
	Given   bool   `json:"given"` // the loop really got this answer
}
