package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/loopproof/loopproof/protocol"
)

// Trace is the complete exchange of a case: what the loop sent, the bytes of each answer and how
// they were split into writes, the tools that ran, and the outcome. Keys are redacted, and long
// bodies are truncated.
type Trace struct {
	Requests []TracedRequest   `json:"requests"`           // what the loop sent, with the answers
	Tools    []TracedTool      `json:"tools"`              // what ran, in the order of the starts
	Asked    []TracedQuestion  `json:"asked,omitempty"`    // what the user was asked about calls, in the order of the questions
	Outcome  *protocol.Outcome `json:"outcome,omitempty"`  // what the loop reported, if anything
	Ending   string            `json:"ending"`             // reported, crashed or hung
	Restart  *TracedRestart    `json:"restart,omitempty"`  // how the process of the loop was killed, if it was
	LeftOut  int               `json:"left_out,omitempty"` // number of requests, tools and questions that were left out
	Note     string            `json:"note,omitempty"`     // details of the ending, such as the last lines of an adapter
}

// TracedRequest is one request and its answer.
type TracedRequest struct {
	Number  int               `json:"number"`            // number of the exchange, from 1
	AtMS    float64           `json:"at_ms"`             // milliseconds since the start of the case
	Method  string            `json:"method"`            // of HTTP
	Target  string            `json:"target"`            // path and query
	Headers map[string]string `json:"headers"`           // by name; keys are redacted
	Body    TracedBody        `json:"body"`              // as it was sent
	Problem string            `json:"problem,omitempty"` // why the request could not be read
	Answer  TracedAnswer      `json:"answer"`            // what it was answered
}

// TracedAnswer is the answer to a request.
type TracedAnswer struct {
	Status  int               `json:"status"`            // 0: there was no answer
	Headers map[string]string `json:"headers,omitempty"` // by name
	Body    TracedBody        `json:"body"`              // before any compression

	// Writes lists the sizes in bytes of the writes in which the body was sent, each flushed: "120
	// 98 3x1" is one of 120 bytes, one of 98 and three of one byte. It is "" for a body that was
	// sent at once.
	Writes string `json:"writes,omitempty"`

	Ending string  `json:"ending,omitempty"` // severed or reset: how the connection ended after the last byte
	Said   string  `json:"note,omitempty"`   // remarks that the bytes do not show
	EndMS  float64 `json:"end_ms"`           // its end, in milliseconds since the start of the case
}

// TracedBody is a body, as Text or as Base64.
type TracedBody struct {
	Text   string `json:"text,omitempty"`   // its beginning, if it is text
	Base64 string `json:"base64,omitempty"` // for bytes that are not text
	Bytes  int    `json:"bytes"`            // size of the complete body
	Cut    bool   `json:"cut,omitempty"`    // the body is truncated
}

// TracedTool is one run of a tool.
type TracedTool struct {
	Tool      string  `json:"tool"`              // its name in the scenario
	CallID    string  `json:"call_id,omitempty"` // if the loop exposes it
	Arguments string  `json:"arguments"`         // which it was given
	Result    string  `json:"result"`            // its text, or the message of its failure
	Failed    bool    `json:"failed,omitempty"`  // it reported a failure
	AtMS      float64 `json:"at_ms"`             // its start, in milliseconds since the start of the case
	EndMS     float64 `json:"end_ms"`            // its end; 0: it had not ended when the case did
	Dropped   bool    `json:"dropped,omitempty"` // the loop did not wait for the result
}

// TracedQuestion is a question of the loop whether a call may be run, and what the user decided.
type TracedQuestion struct {
	Tool      string  `json:"tool"`              // as the loop named it
	CallID    string  `json:"call_id,omitempty"` // if the loop exposes it
	Arguments string  `json:"arguments"`         // as the loop showed them
	Decision  string  `json:"decision"`          // approved, denied or undecided
	Reason    string  `json:"reason,omitempty"`  // of a denial
	With      string  `json:"with,omitempty"`    // the arguments that the user approved instead of those of the call
	Request   int     `json:"request,omitempty"` // number of the request in whose answer the call is; 0: the model made no such call
	AtMS      float64 `json:"at_ms"`             // when the user was asked, in milliseconds since the start of the case
	EndMS     float64 `json:"end_ms,omitempty"`  // when the user decided; 0: never
}

// TracedRestart is how the process of the loop was killed and started again.
type TracedRestart struct {
	KilledMS  float64 `json:"killed_ms"`            // in milliseconds since the start of the case
	StartedMS float64 `json:"started_ms,omitempty"` // likewise; 0: it was not started again
}

// SetWriteSizes sets Writes to the sizes of the writes, in bytes.
func (a *TracedAnswer) SetWriteSizes(sizes []int) {
	var parts []string
	for i := 0; i < len(sizes); {
		n := 1
		for i+n < len(sizes) && sizes[i+n] == sizes[i] {
			n++
		}
		if n > 1 {
			parts = append(parts, fmt.Sprintf("%dx%d", n, sizes[i]))
		} else {
			parts = append(parts, strconv.Itoa(sizes[i]))
		}
		i += n
	}
	a.Writes = strings.Join(parts, " ")
}

// WriteSizes returns the sizes of the writes, in bytes. The error says that Writes has another
// form.
func (a *TracedAnswer) WriteSizes() ([]int, error) {
	var sizes []int
	for _, part := range strings.Fields(a.Writes) {
		times, size, many := strings.Cut(part, "x")
		if !many {
			times, size = "1", part
		}
		n, err1 := strconv.Atoi(times)
		each, err2 := strconv.Atoi(size)
		if err1 != nil || err2 != nil || n < 1 || n > 1<<24 {
			return nil, fmt.Errorf("%q is not a size of writes: expected a number of bytes such as 120, or a number of equal writes such as 3x1", part)
		}
		for range n {
			sizes = append(sizes, each)
		}
	}
	return sizes, nil
}
