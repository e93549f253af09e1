package raw

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/loopproof/loopproof/protocol"
)

// Shortening is how a loop has the provider make its history shorter by requests of its own.
type Shortening struct {
	List string // the key of the history in a request

	// UpTo returns how many entries of a history are made shorter.
	UpTo func(history []gjson.Result) int

	// Request changes the request for an answer to one for what stands for its history, which has
	// the entries that are made shorter.
	Request func(req *http.Request, body []byte) []byte

	// Instead returns what the history goes on with, of the answer to that request.
	Instead func(answer gjson.Result) []gjson.Result
}

// shortener is a loop that does so once an answer had as many input tokens as its task says.
type shortener struct {
	Shortening
	threshold int
	due       bool
	instead   []string // of the first entries of the history
	replaced  int      // how many these are
}

// Make makes the loop. It asks the provider for nothing else.
func (s Shortening) Make() Mutation {
	loop := &shortener{Shortening: s}
	return Mutation{
		Around: func(task protocol.Task, run func(protocol.Task) protocol.Outcome) protocol.Outcome {
			loop.threshold, task.CompactThreshold = task.CompactThreshold, 0
			return run(task)
		},
		Send: loop.send,
	}
}

type sender = func(*http.Request) (*http.Response, error)

func (l *shortener) send(req *http.Request, send sender) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	history := gjson.GetBytes(body, l.List).Array()
	if l.due {
		if err := l.shorten(req, send, body, history); err != nil {
			return nil, err
		}
	}
	if body, err = sjson.SetRawBytes(body, l.List, l.from(history, len(history))); err != nil {
		return nil, err
	}
	resp, err := send(withBody(req, body))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	resp.Body = io.NopCloser(bytes.NewReader(said))
	l.due = l.threshold > 0 && inputTokens(said) >= l.threshold
	return resp, err
}

// from returns the history up to an entry, as it goes on after what was made shorter.
func (l *shortener) from(history []gjson.Result, upTo int) []byte {
	all := append([]string(nil), l.instead...)
	for _, entry := range history[l.replaced:upTo] {
		all = append(all, entry.Raw)
	}
	return []byte("[" + strings.Join(all, ",") + "]")
}

// shorten asks for what stands for the history.
func (l *shortener) shorten(req *http.Request, send sender, body []byte, history []gjson.Result) error {
	upTo := l.UpTo(history)
	ask, err := sjson.SetRawBytes(body, l.List, l.from(history, upTo))
	if err != nil {
		return err
	}
	if ask, err = sjson.SetBytes(ask, "stream", false); err != nil {
		return err
	}
	first := req.Clone(req.Context())
	resp, err := send(withBody(first, l.Request(first, ask)))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK { // it goes on with all of it
		return err
	}
	l.instead, l.replaced = nil, upTo
	for _, entry := range l.Instead(gjson.ParseBytes(said)) {
		l.instead = append(l.instead, entry.Raw)
	}
	return nil
}

func withBody(req *http.Request, body []byte) *http.Request {
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return req
}

// inputTokens returns how many tokens of input an answer had, whole or streamed.
func inputTokens(answer []byte) (most int) {
	for _, found := range regexp.MustCompile(`"input_tokens":\s*(\d+)`).FindAllSubmatch(answer, -1) {
		n, _ := strconv.Atoi(string(found[1])) // a number too large for it is none
		most = max(most, n)
	}
	return most
}
