package neutral

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/loopproof/loopproof/protocol"
)

// Dialect is what the reference loop knows of one wire API. It is written from the provider's
// documentation, and shares no code with the mock provider.
type Dialect interface {
	Name() string       // as tasks say it
	Traits() Trait      // in what it differs from others
	Transcript() string // the format of transcripts that fits it best

	// The way of a request.
	Path(*Request) string                      // after the base URL
	Headers(*Request, http.Header)             // adds the key and whatever else a request needs
	Write(*Request) ([]byte, error)            // the body
	Echo(protocol.Task, *Turn) []Message       // how a turn goes back
	Answer(protocol.Task, []*Result) []Message // how the results of its calls go back, in their order
	OfAnother(protocol.Task, Message) Message  // how a turn of one model goes to another one
	Adopt(Message) Message                     // how a turn that was said in another API goes to a model in this one

	// The way of an answer with the status 200.
	Read(document []byte) ([]Piece, error)
	Stream() Stream
	Word(Finish) string // the reason to stop in the provider's word

	Delay(body []byte) (wait time.Duration, hopeless bool) // what the body of an error says of another attempt

	// The history that the provider keeps.
	Keeps(protocol.Task) bool      // whether it does
	Continue(r *Request, kept int) // leaves out what is in the kept messages, after which r.Previous is
	Lost(errorCode string) Loss    // what an error says of it
	ErrorCode(body []byte) string  // the provider's word for what is wrong, where it has one
}

// Stream reads one answer from the events of a stream.
type Stream interface {
	// Event reads the data of an event. The answer is whole when it is done.
	Event(name string, data []byte) (pieces []Piece, done bool, err error)

	// End is called when a stream ends without having been done.
	End() ([]Piece, error)
}

// Trait is a difference between dialects that decides whether a fault is possible in one.
type Trait uint

// The traits of dialects.
const (
	TextArguments    Trait = 1 << iota // the arguments of a call are a text, which need not be JSON
	ResultMessages                     // each result is a message of its own; elsewhere those of a turn share one
	SystemMessages                     // a system prompt is a message; elsewhere it is alongside the messages
	OrderedParts                       // the parts of a turn have an order
	ErrorFlags                         // a result says whether the call failed
	ImagesInResults                    // an image is in the result; elsewhere the user shows it
	PlainReasoning                     // reasoning is a text alongside the content, without a signature
	SignedCalls                        // calls are signed
	KeptHistory                        // the provider can keep the history
	Pauses                             // a turn can be continued in the next answer
	AnyIDs                             // ids may have any form
	LooseEnds                          // the reason to stop may be missing, or say less than the calls
	WordlessEnds                       // the reason to stop may be missing from an answer that is whole
	QuotaLimits                        // an empty account has the status of a rate limit
	RoutedErrors                       // a router wraps the errors of the providers behind it
	LoopTranscripts                    // a transcript has the form of a loop, unless the caller wishes for another
	Refusals                           // a refusal differs from a text
	WholeCalls                         // a call comes whole, and its arguments are an object
	DataLines                          // a stream has lines with data alone
	ModelInURL                         // the model is in the URL
	ErrorKeys                          // an error is under a key of its own, also one without words
	Lines                              // the events of a stream are lines of JSON
	AWSFrames                          // the events of a stream are messages of AWS's event streams
	CompactedHistory                   // the provider makes the history shorter where it is asked to
	Draft                              // the wire API is not yet proved to be complete
	Sockets                            // the model can be asked over a WebSocket
	Items                              // a turn is a list of items, and continues in the next one where nothing is between
	TextReasoning                      // reasoning is a text and nothing else, neither signed nor encrypted
	PlainContents                      // a content is a text, and images are beside it, without their types
	Keyless                            // servers need no key
	CallsByName                        // calls have no ids: a result names its tool, and is for the first call of it that has none
	NeverBarred                        // no word of a request keeps the model from calling tools
	TakesTurns                         // messages of the user and of the assistant take turns, so that a prompt joins what the user said before it
)

// Loss is what an error says of the history that the provider keeps.
type Loss int

// The losses.
const (
	NotLost Loss = iota
	Gone         // the provider does not have it any more: the next request says all of it
	NotKept      // it keeps none
)

// DelaysInHeaders is the method of a dialect whose errors say in headers alone how long to wait.
type DelaysInHeaders struct{}

// Delay is always 0.
func (DelaysInHeaders) Delay([]byte) (time.Duration, bool) { return 0, false }

// TakesAsItCame is the method of a dialect in which another model is sent what any model said.
type TakesAsItCame struct{}

// OfAnother returns the turn as it is.
func (TakesAsItCame) OfAnother(_ protocol.Task, m Message) Message { return m }

// AdoptsPlain is the method of a dialect that wants nothing with a turn but what was said.
type AdoptsPlain struct{}

// Adopt returns the turn as [Plain] does.
func (AdoptsPlain) Adopt(m Message) Message { return Plain(m) }

// Plain returns a turn without all that is of the API in which it was said: its texts and its calls,
// and nothing of its reasoning, of signatures and of items of the provider.
func Plain(m Message) Message {
	var said []Part
	for _, p := range m.Parts {
		switch p := p.(type) {
		case *Text:
			if strings.TrimSpace(p.Text) != "" {
				said = append(said, &Text{Text: p.Text})
			}
		case *Call:
			said = append(said, &Call{ID: p.ID, Name: p.Name, Arguments: p.Arguments, FreeText: p.FreeText})
		}
	}
	m.Parts = said
	return m
}

// PlainObjects is [Plain] for an API that has arguments as an object: none are an empty one, and what
// is no object is as a text in one, for the model to see what was written.
func PlainObjects(m Message) Message {
	m = Plain(m)
	for _, c := range m.Calls() {
		c.Arguments = ObjectOf(c.Arguments)
	}
	return m
}

// ObjectOf returns the arguments of a call as the object that an API takes. What is none goes back
// within one, for the model to see what it wrote.
func ObjectOf(arguments string) string {
	var object map[string]json.RawMessage
	switch {
	case json.Unmarshal([]byte(arguments), &object) == nil && object != nil:
		return arguments
	case strings.TrimSpace(arguments) == "" || arguments == "null":
		return "{}"
	}
	wrapped, _ := json.Marshal(map[string]string{"INVALID_JSON": arguments}) // a map of texts can always be written
	return string(wrapped)
}

// WithoutEncrypted returns a message without its encrypted reasoning.
func WithoutEncrypted(m Message) Message {
	m.Parts = slices.DeleteFunc(slices.Clone(m.Parts), func(p Part) bool {
		r, is := p.(*Reasoning)
		return is && r.Data != ""
	})
	return m
}

// KeepsNothing are the methods of a dialect whose provider keeps no history.
type KeepsNothing struct{}

// Keeps is false.
func (KeepsNothing) Keeps(protocol.Task) bool { return false }

// Continue is never called.
func (KeepsNothing) Continue(*Request, int) {}

// Lost is always NotLost.
func (KeepsNothing) Lost(string) Loss { return NotLost }

// ErrorCode is always "".
func (KeepsNothing) ErrorCode([]byte) string { return "" }

// ErrorText finds the message in the various envelopes of providers, or returns the body as it is.
func ErrorText(body []byte) string {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var e struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  string          `json:"detail"`
	}
	if json.Unmarshal(body, &e) != nil {
		return string(body)
	}
	var nested struct {
		Message  string `json:"message"`
		Metadata struct {
			Raw string `json:"raw"` // what the provider behind a router said
		} `json:"metadata"`
	}
	var text string
	switch {
	case json.Unmarshal(e.Error, &nested) == nil && nested.Message != "":
		return strings.TrimSpace(nested.Message + " " + nested.Metadata.Raw)
	case json.Unmarshal(e.Error, &text) == nil && text != "":
		return text
	case e.Message != "":
		return e.Message
	case e.Detail != "":
		return e.Detail
	default:
		return string(body)
	}
}
