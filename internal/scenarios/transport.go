package scenarios

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/loopproof/loopproof/internal/profiles"
)

// Transport is how an answer or an error of a step is transmitted, if not in the ordinary way.
type Transport struct {
	// Stall lets a part of the answer arrive, then nothing more for a while, then the connection
	// ends.
	Stall *Stall `yaml:"stall"`

	// Refused says that every connection is refused from here on.
	Refused bool `yaml:"refused"`

	// Redirect sends the client to the same URL again, with this status.
	Redirect int `yaml:"redirect"`

	// SocketExpires says that the WebSocket of the request has lasted as long as it may: the client is
	// told so, and the connection ends.
	SocketExpires bool `yaml:"socket-expires"`

	// Body is sent as it is instead of the provider's envelope; with the status 200, instead of an
	// answer.
	Body *string `yaml:"body,json"`

	// Half is a text in the middle of which the body ends, as if that were all: the body is that of
	// the provider's answer with this text where the status is 200, and else that of its error with
	// this message.
	Half string `yaml:"half"`

	// ContentType replaces the content type of the response; "none" leaves it out.
	ContentType string `yaml:"content-type"`

	// Headers are added to those of the provider, or replace them.
	Headers []Header `yaml:"headers"`

	// RetryAfterAs is how retry-after is written; "" is in seconds where they are whole, else in
	// milliseconds.
	RetryAfterAs WaitForm `yaml:"retry-after-as"`

	// Gzip compresses the body for clients that take it so.
	Gzip bool `yaml:"gzip"`

	// Whole answers a request for a stream with one JSON document.
	Whole bool `yaml:"whole"`
}

// NoContentType leaves out the content type of a response.
const NoContentType = "none"

// Stall is a silence in the middle of an answer.
type Stall struct {
	Break `yaml:",inline"`

	// For is how long it lasts, unless the client leaves earlier.
	For time.Duration `yaml:"for"`
}

// Header is a header of a response.
type Header struct {
	Name  string `yaml:"~key"`
	Value string `yaml:"~value"`
}

// WaitForm is a way to write how long to wait.
type WaitForm string

// The forms of retry-after. The date is that of the second in which the wait is over.
const (
	WaitSeconds      WaitForm = "seconds"
	WaitMilliseconds WaitForm = "milliseconds"
	WaitDate         WaitForm = "date"

	// WaitDetails is in the details of the error, and in no header, as some dialects say it.
	WaitDetails WaitForm = "details"
)

var waitForms = []WaitForm{WaitSeconds, WaitMilliseconds, WaitDate, WaitDetails}

// WaitForms returns the ways to write how long to wait.
func WaitForms() []WaitForm { return slices.Clone(waitForms) }

// answers reports whether the model answers at a step, be it whole or not.
func (s *Step) answers() bool {
	return s.FromSchema > 0 || s.Text != nil || s.Refusal != "" || len(s.Calls) > 0 || s.Reasoning != nil || len(s.ReasoningDetails) > 0 || len(s.Blocks) > 0 || len(s.ProviderItems) > 0
}

// Ends reports whether the answer of the step ends a loop: it is a text without calls.
func (s *Step) Ends() bool { return s.Text != nil && len(s.Calls) == 0 && !s.breaksOff() }

// breaksOff reports whether the answer of the step ends before its end by itself.
func (s *Step) breaksOff() bool {
	return s.Cut != nil || s.Reset != nil || s.Stall != nil || s.InBandError != nil
}

// lost reports whether no byte of an answer to a step arrives.
func (s *Step) lost() bool {
	before := func(b *Break) bool { return b != nil && b.Before == "headers" }
	return s.Refused || before(s.Cut) || before(s.Reset) || before(s.Stall.place())
}

// overHTTP reports whether a step says what has no place in the messages of a WebSocket.
func (s *Step) overHTTP() bool {
	return s.Refused || s.Redirect != 0 || s.Status == http.StatusOK || s.Body != nil || s.Half != "" || s.ContentType != "" || len(s.Headers) > 0 || s.RetryAfter != nil || s.Gzip || s.Whole
}

func (s *Stall) place() *Break {
	if s == nil {
		return nil
	}
	return &s.Break
}

// Errs reports whether the provider answers with an error status.
func (t *Turn) Errs() bool { return t.Fails() && t.Step.Status >= 400 }

// Lost reports whether the request is answered by nothing at all: the connection is refused, closed
// or reset, or stays silent.
func (t *Turn) Lost() bool { return t.Fails() && t.Step.lost() }

// Redirects reports whether the client is sent to another URL.
func (t *Turn) Redirects() bool { return t.Fails() && t.Step.Redirect != 0 }

// Garbled reports whether a status of success comes with something that is not an answer.
func (t *Turn) Garbled() bool { return t.Fails() && t.Step.Status == http.StatusOK }

// Refuses reports whether the provider says that the request is wrong, so that the same one is
// refused again.
func (t *Turn) Refuses() bool {
	passing := []int{http.StatusRequestTimeout, http.StatusConflict, http.StatusTooManyRequests}
	return t.Errs() && t.Step.Status < 500 && !slices.Contains(passing, t.Step.Status)
}

// ErrorWords returns how a provider words the error of the turn: as the script says, or in words of
// its own, which name the wait.
func (t *Turn) ErrorWords(p *profiles.Profile) profiles.Words {
	if t.Step.Error != nil {
		return *t.Step.Error
	}
	words := p.WordsFor(t.Step.Status)
	if says := p.Speaks.Errors.WaitMessage; t.Step.RetryAfter != nil && says != nil {
		words.Message = says(words.Message, *t.Step.RetryAfter)
	}
	return words
}

// Disguised reports whether a whole answer comes in another form than the one asked for, so that a
// loop may not know it for an answer.
func (t *Turn) Disguised() bool {
	return t.Whole() && (t.Step.ContentType != "" || t.Step.Whole || t.Step.Gzip)
}

// Failure describes what comes instead of an answer.
func (t *Turn) Failure() string {
	switch s := t.Step; {
	case s.SocketExpires:
		return "the end of a connection that had lasted as long as it may"
	case s.Redirect != 0:
		return fmt.Sprintf("a redirect with the status %d", s.Redirect)
	case s.Refused:
		return "a refused connection"
	case s.Cut != nil:
		return "a connection closed before the answer"
	case s.Reset != nil:
		return "a connection reset before the answer"
	case s.Stall != nil:
		return "silence"
	case s.Status == http.StatusOK:
		return "something that is no completion"
	default:
		return fmt.Sprintf("the status %d", s.Status)
	}
}

// HangsUp reports whether connections are refused after a turn.
func (s *Script) HangsUp(turn *Turn) bool {
	next := turn.Number + 1
	return turn.Number >= 0 && next < len(s.Turns) && s.Turns[next].Step.Refused
}
