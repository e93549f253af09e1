package wire

import "time"

// Socket is how clients of a dialect ask over a WebSocket, which they open at the path of a request
// for a turn: each message asks for a turn, and each event of its stream is a message.
type Socket struct {
	// Read reads a message. The problem is the body of the error that a message is answered by
	// which asks for nothing.
	Read func(message []byte) (asked SocketRequest, problem Fields)

	// Failure returns the message that tells of an error, with the status and the body that it
	// would have over HTTP.
	Failure func(status int, body []byte) []byte

	// Ends reports whether an event is the last one of an answer, or tells that there is none.
	Ends func(event *Node) bool

	// Fails reports whether an event tells that the answer has failed: nothing of it is sent behind
	// that, whatever comes over HTTP. nil: no event does.
	Fails func(event *Node) bool

	// Session begins a conversation that the connection keeps, about a model; nil: it keeps none, and
	// Read reads each message.
	Session func(model string) SocketSession

	// Life is how long a connection lasts, and Expired the body of the error by which the client is
	// told that it is over.
	Life    time.Duration
	Expired Fields

	// AtATime is how many requests of a connection are answered at the same time, each of another
	// [SocketRequest.Stream]; 0: any number. Named is how many streams with a name a connection may
	// have, and Crowded the body of the error by which one more is refused.
	AtATime int
	Named   int
	Crowded Fields

	// EndMark is the payload that ends some streams over HTTP, and is no message.
	EndMark string
}

// SocketSession is a conversation that a connection keeps.
type SocketSession interface {
	// Opens returns what the client is told at the beginning.
	Opens() [][]byte

	// Take takes a message, and returns what the client is told and, where it asks for a turn, the
	// request.
	Take(message []byte) (said [][]byte, asked *SocketRequest)

	// Tells returns what the client is told of an event of a turn.
	Tells(event *Node) [][]byte
}

// SocketRequest is what a message asks for.
type SocketRequest struct {
	Body    []byte // of the same request over HTTP
	Warms   bool   // the model is not to say anything yet: what the request says is kept for the next one
	Follows string // the id of the answer that the client continues from; "" is none
	Stream  string // in which requests are answered one after the other, and which the events repeat; "" is the one without a name
}
