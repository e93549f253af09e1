package transcript

import "github.com/loopproof/loopproof/internal/wire"

// Record is what a loop handed over, read into the neutral words in which rules speak of requests.
type Record struct {
	Format   *Format
	Doc      *wire.Node
	Problems []Problem // where it breaks the schema

	// Conversation are the messages of a transcript, as if they were the history of a request.
	Conversation *wire.Request

	// Notes are what the format adds to the messages, one for each.
	Notes []Note

	// Events are what a list of events tells, in order.
	Events []Event

	marks map[*wire.Node]Mark
}

// Problem is a place at which a record breaks the schema of its format.
type Problem struct {
	Pointer string // JSON pointer into the record
	Message string
}

// Checker returns the places at which a record breaks the schema of its format, such as
// transcriptschema.Check. The error says that the record is not JSON after all.
type Checker func(*Format, *wire.Node) ([]Problem, error)

// Note is what a format keeps of a message beyond what crosses the wire.
type Note struct {
	Finish *wire.Node // why the model's turn ended; nil when unset
	Failed bool       // the turn is marked as one that failed
	Time   *wire.Node // when the message was made
}

// Mark is what a format keeps of a tool result beyond what crosses the wire.
type Mark struct {
	Tool  *wire.Node // the name of the tool; nil when unset
	Error bool       // the result is marked as that of a call that failed
}

// MarkOf returns what the record keeps of a result.
func (r *Record) MarkOf(result wire.Result) Mark { return r.marks[result.Node] }

// Event is one event of a list.
type Event struct {
	Node *wire.Node // of its data
	Kind Kind

	// Of a call.
	ID       string
	Complete bool
	Results  *wire.Node
	Created  *wire.Node
	Updated  *wire.Node
	Finished *wire.Node // when the call was completed

	// Of a call or of an execution.
	Tool   string
	Args   *wire.Node
	Sum    string // checksum of a call, callId of an execution
	Failed bool
}

// Kind is what an event is about.
type Kind string

// The kinds of events that are read; all others are Other.
const (
	CallEvent Kind = "call"
	StartTool Kind = "start"
	EndTool   Kind = "end"
	Other     Kind = "other"
)

// add adds a message of a transcript.
func (r *Record) add(m wire.Message, n Note) {
	r.Conversation.Messages = append(r.Conversation.Messages, m)
	r.Notes = append(r.Notes, n)
}
