package protocol

import "encoding/json"

// ApprovalLine asks the user about calls of tools that need an approval. A loop that asks by a
// callback writes a line for each call, and one that pauses a line for all that it waits for. The
// answer is one [DecisionLine].
type ApprovalLine struct {
	Type     string        `json:"type"`               // always "approval"
	ID       string        `json:"id"`                 // of the task
	Approval string        `json:"approval,omitempty"` // any text of the adapter's, repeated in the answer
	Calls    []PendingCall `json:"calls"`              // at least one
}

// PendingCall is a call about which the user is asked, as the loop shows it to its user.
type PendingCall struct {
	ID        string          `json:"id,omitempty"` // of the call, where the loop exposes it
	Name      string          `json:"name"`         // of the tool
	Arguments json.RawMessage `json:"arguments"`    // as a value, or as a text that holds the JSON
}

// DecisionLine says what the user has decided. There is none after a [CancelLine]: the user who
// cancels, or says the next prompt, decides nothing.
type DecisionLine struct {
	Type      string     `json:"type"` // always "decision"
	ID        string     `json:"id"`   // of the task
	Approval  string     `json:"approval,omitempty"`
	Decisions []Decision `json:"decisions"` // one for each call, in the order in which they were asked about
}

// Decision is what the user has decided about a call.
type Decision struct {
	CallID    string          `json:"call_id,omitempty"`   // of the call, where the loop exposed it
	Approve   bool            `json:"approve"`             // false: it is not to be run
	Reason    string          `json:"reason,omitempty"`    // of a denial, meant for the model
	Arguments json.RawMessage `json:"arguments,omitempty"` // to run the call with instead; only for loops that claim approval-edits
}
