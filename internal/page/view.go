package page

import (
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"
)

// Live is what all pages of a running mock provider share.
type Live struct {
	Title   string
	Prefix  string // of all links
	Events  string // URL of the events that tell of changes
	State   string // that the page shows, as the events name it
	Version string
}

// Runs is the page of all runs.
type Runs struct {
	Live
	BaseURL string
	Rows    []Row
	More    int // conversations that are not listed
	Strays  []Stray
}

// Row is a conversation in the list of runs.
type Row struct {
	Key, Version string // for what is live: another version is shown anew
	URL          string // "" while nothing was asked
	Title        string
	Run          string
	Profile      string
	Requests     int
	Sum          Sum
	At           time.Time
	Took         string
	Open         bool // an answer is being given
}

// Sum counts the findings of a conversation.
type Sum struct{ Must, Should, Info, Problems int }

// Clean reports whether nothing was found.
func (s Sum) Clean() bool { return s == Sum{} }

// Stray is a request that reached no conversation.
type Stray struct {
	Method, Target, Problem string
	Status                  int
	At                      time.Time
}

// Conversation is the page of one conversation.
type Conversation struct {
	Live
	Run, Scenario, Profile, Dialect string
	Lenient                         bool
	At                              time.Time
	Sum                             Sum
	Turns                           []Turn
	Executions                      []Execution
	JSON                            string // URL
}

// Turn is a request and its answer.
type Turn struct {
	Number    int
	Version   string
	At        time.Time
	Since     string // the answer before
	Took      string
	Target    string
	Model     string
	Streamed  bool
	Open      bool
	Resent    int  // messages that are as in the request before
	Changed   bool // messages before were changed or dropped
	Forgotten bool
	Overrun   bool
	Passed    bool   // no script answered it, but the provider behind
	Fault     string // that the behaviour of the provider asks for
	Problem   string
	Messages  []Message
	Tools     []string
	Findings  []Finding // about no message that is shown
	Refusal   *Refusal
	Answer    *Answer
	Request   Raw
	Response  Raw
	Headers   []Header
}

// Message is one that is new in a request, or one about which there is something to say.
type Message struct {
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

// Call is a tool call.
type Call struct {
	ID, Name  string
	Arguments Text
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
	Failed    bool // not what the model said, but an error
	Text      Text
	Reasoning Text
	Refusal   string
	Calls     []Call
	Finish    string
	Ending    string // why it breaks off
}

// Finding is a rule that was broken.
type Finding struct {
	Rule, Level, Text         string
	Message, Expected, Actual string
	Pointer, Exhibit          string
	Provider                  string // what the real one answers
	Source                    string
}

// Linked reports whether the source is an address.
func (f Finding) Linked() bool {
	u, err := url.Parse(f.Source)
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

// Text is a text of which a long one is folded, and of a very long one only the beginning is on the page.
type Text struct {
	Short, Rest string
	Size        string // of all of it, where it is folded
	URL         string // of all of it, where it is not all on the page
}

// How much of a text is shown at once, and how much is on the page at all, in bytes.
const (
	shownAtOnce = 1500
	onThePage   = 8_000
)

// NewText folds a text. url is where all of it can be had.
func NewText(text, url string) Text {
	if len(text) <= shownAtOnce*5/4 {
		return Text{Short: text}
	}
	t := Text{Short: cut(text, shownAtOnce), Size: Size(len(text))}
	t.Rest = text[len(t.Short):]
	if len(text) > onThePage {
		t.Rest, t.URL = cut(t.Rest, onThePage-shownAtOnce), url
	}
	return t
}

// Empty reports whether there is nothing to show.
func (t Text) Empty() bool { return t.Short == "" }

// NewRaw shows the beginning of a body.
func NewRaw(body []byte, url string) Raw {
	text := strings.ToValidUTF8(string(body[:min(len(body), onThePage)]), "\uFFFD")
	return Raw{URL: url, Size: Size(len(body)), Text: text, Cut: len(body) > onThePage}
}

// cut returns the beginning of a text, which ends between two characters.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// Size writes a number of bytes for people.
func Size(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	default:
		return fmt.Sprintf("%.1f MB", float64(n)/1_000_000)
	}
}

// Span writes a time for people.
func Span(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return "under 1 ms"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	default:
		return d.Round(time.Second).String()
	}
}
