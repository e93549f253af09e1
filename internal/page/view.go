package page

import (
	"net/url"
	"time"

	"github.com/loopproof/loopproof/internal/sequence"
)

// Live is what all pages of a running mock provider share.
type Live struct {
	Title   string
	Prefix  string // of all links
	Events  string // URL of the events that tell of changes
	State   string // that the page shows, as the events name it
	Version string
}

// Sum counts the findings of a conversation.
type Sum struct{ Must, Should, Info, Problems int }

// Plus returns the numbers of both.
func (s Sum) Plus(t Sum) Sum {
	return Sum{s.Must + t.Must, s.Should + t.Should, s.Info + t.Info, s.Problems + t.Problems}
}

// Clean reports whether nothing was found.
func (s Sum) Clean() bool { return s == Sum{} }

// Broken reports whether a must or a should was broken, or a request could not be answered.
func (s Sum) Broken() bool { return s.Must+s.Should+s.Problems > 0 }

// Conversation is the page of one conversation.
type Conversation struct {
	Live
	Run, Scenario, Profile, Dialect string
	Lenient                         bool
	At                              time.Time
	Sum                             Sum
	Statuses                        []Status
	Turns                           []Turn
	Executions                      []Execution
	Picture                         *sequence.Diagram
	PictureVersion                  string // changes when the picture does
	JSON                            string // URL
	Whole                           string // URL of this page with what it leaves out, or "" if it leaves nothing out
}

// Failing reports whether the last answer is an error.
func (c Conversation) Failing() bool { return failing(c.Statuses) }

// Request is what a page says of a request besides its messages.
type Request struct {
	Number         int
	At             time.Time
	Method, Target string
	Model          string
	Problem        string // why it could not be read, or why no script answers it
	Fault          string // that the behaviour of the provider asks for
	Forwarded      bool   // to the provider behind this one
	Overrun        bool   // the script had ended
	Done           bool   // the answer has ended
	Forgotten      bool   // the bodies were dropped to save memory
}

// Turn is a request and its answer.
type Turn struct {
	Request
	Skipped  int // requests before this one that are not on the page
	Version  string
	Since    string // the answer before
	Took     string
	Resent   int  // messages that are as in the request before
	Changed  bool // messages before were changed or dropped
	Messages []Message
	Left     int // messages after the last one that are not on the page
	Tools    []string
	Findings []Finding // about no message that is shown
	Unshown  int       // findings that are not on the page
	JSON     string    // URL of all of the request
	Refusal  *Refusal
	Answer   *Answer
	Sent     Raw // the request as it went over the wire
	Response Raw
	Headers  []Header
}

// Message is one that is new in a request, or one about which there is something to say.
type Message struct {
	Skipped   int // messages before this one that are not on the page
	Index     int
	Role      string // neutral; also a class of the style
	Word      string // as it was sent
	Old       bool   // it is no new one
	Echo      bool   // the model's own answer, sent back
	Text      Text
	Reasoning Text
	Calls     []Call
	Results   []Result
	Findings  []Finding
}

// Worst is the level of the worst finding about the message, or "".
func (m Message) Worst() string {
	worst := ""
	for _, f := range m.Findings {
		switch {
		case f.Level == "must":
			return f.Level
		case f.Level == "should" || worst == "":
			worst = f.Level
		}
	}
	return worst
}

// Call is a tool call.
type Call struct {
	ID, Name  string
	Arguments Text
	Decided   []string // what the user was asked about it and decided, such as "denied: not now"
}

// Item is something that the provider did by itself, such as a search.
type Item struct {
	ID, Type string
	Text     Text
}

// Result is the result of a tool call.
type Result struct {
	CallID, Tool string
	Error        bool
	Text         Text
}

// Answer is what the model's side said.
type Answer struct {
	Status    int
	Streamed  bool
	Failed    bool   // not what the model said, but an error
	Kind      string // of the error, as the provider calls it
	Text      Text
	Reasoning Text
	Refusal   string
	Items     []Item
	Calls     []Call
	Finish    string
	Ending    string // why it breaks off
}

// Finding is a rule that was broken.
type Finding struct {
	Rule, Level, Text         string
	Message, Expected, Actual string
	Reported                  string // by the loop itself
	Pointer, Exhibit          string
	Provider                  string // what the real one answers
	Sources                   []Source
}

// Source is where a rule comes from.
type Source struct{ URL, Says string }

// Linked reports whether the source is an address.
func (s Source) Linked() bool {
	u, err := url.Parse(s.URL)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http")
}

// Refusal is what the real provider answers to a request.
type Refusal struct {
	Text  string
	Given bool // it was really answered
}

// Raw is a body as it went over the wire.
type Raw struct {
	URL, Size, Text string
	Cut             bool
}

// Header is a header of a request.
type Header struct{ Name, Value string }

// Execution is a run of a tool that the mock hosts.
type Execution struct {
	Tool, CallID string
	Arguments    Text
	Result       Text
	Failed       bool
	At, Took     string
}
